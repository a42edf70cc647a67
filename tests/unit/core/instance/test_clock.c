// SPDX-License-Identifier: Apache-2.0
// Times of day at instants of a schedule, which texts say one, and names of processors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/clock.h"

static duet_instance *instance_of(const char *unit, int decimals)
{
    static const duet_type platform[] = {{"cpu", 2}};
    static const int64_t times[] = {1};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .time_unit = unit,
                                     .decimals = decimals,
                                     .types = 1,
                                     .platform = platform,
                                     .kinds = 1,
                                     .times = times};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static void test_times_of_day(void **state)
{
    (void)state;
    static const struct {
        const char *start, *unit;
        int decimals;
        int64_t ticks;
        const char *expected, *brief;
    } rows[] = {
        {"2026-11-27T09:00", "h", 0, 0, "2026-11-27T09:00:00", "11-27 09:00"},
        {"2026-11-27T09:00", "h", 0, 15, "2026-11-28T00:00:00", "11-28 00:00"},
        {"2026-11-27T09:00", "h", 2, 1625, "2026-11-28T01:15:00", "11-28 01:15"},
        {"2026-11-27 23:59:59Z", "ms", 0, 1500, "2026-11-28T00:00:00.5Z", "11-28 00:00:00.5"},
        {"2026-12-31t22:00+01:00", "min", 1, 1201, "2027-01-01T00:00:06+01:00", "01-01 00:00:06"},
        {"2024-02-28T12:00-0330", "d", 0, 1, "2024-02-29T12:00:00-03:30", "02-29 12:00"},
        {"2023-02-28T12:00", "days", 0, 1, "2023-03-01T12:00:00", "03-01 12:00"},
        {"1900-02-28T12:00", "d", 0, 1, "1900-03-01T12:00:00", "03-01 12:00"},
        {"2000-02-28T12:00", "d", 0, 1, "2000-02-29T12:00:00", "02-29 12:00"},
        {"0001-01-01T00:00", "d", 0, 3652058, "9999-12-31T00:00:00", "12-31 00:00"},
        {"2026-11-27T09:00", "ns", 9, 1000000000, "2026-11-27T09:00:00.000000001",
         "11-27 09:00:00.000000001"},
        {"04.12.2026 12:00", "h", 0, 1, "2026-12-04T13:00:00", "12-04 13:00"},
        {"Fri 12/25/2026 2:00 PM", "h", 0, 1, "2026-12-25T15:00:00", "12-25 15:00"},
        {"2026-11-27T09:00", "us", 0, 250, "2026-11-27T09:00:00.00025", "11-27 09:00:00.00025"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[DUET_CLOCK_TEXT];
        duet_instance *instance = instance_of(rows[i].unit, rows[i].decimals);
        assert_false(duet_clock_is_known(instance));
        assert_int_equal(duet_instance_set_start(instance, rows[i].start, NULL), DUET_OK);
        assert_true(duet_clock_is_known(instance));
        assert_ptr_equal(duet_instance_start(instance, text), text);
        assert_int_equal(duet_instance_set_start(instance, text, NULL), DUET_OK);
        assert_string_equal(duet_clock_format(instance, rows[i].ticks, text), rows[i].expected);
        assert_string_equal(duet_clock_short(instance, rows[i].ticks, true, text), rows[i].brief);
        assert_int_equal(duet_instance_set_start(instance, NULL, NULL), DUET_OK);
        assert_false(duet_clock_is_known(instance));
        assert_null(duet_instance_start(instance, text));
        duet_instance_free(instance);
    }
}

// People read six significant digits of the time since the start.
static void test_told(void **state)
{
    (void)state;
    static const struct {
        int64_t ticks;
        const char *told;
    } rows[] = {
        {244000231847239, "2026-11-30T04:46:40"},  {244000999999999, "2026-11-30T04:46:41"},
        {12345678912345, "2026-11-27T12:25:45.7"}, {7123456789, "2026-11-27T09:00:07.12346"},
        {123456789, "2026-11-27T09:00:00.123457"}, {1234567, "2026-11-27T09:00:00.00123457"},
        {1, "2026-11-27T09:00:00.000000001"},      {0, "2026-11-27T09:00:00"}};
    duet_instance *instance = instance_of("s", 9);
    assert_int_equal(duet_instance_set_start(instance, "2026-11-27T09:00", NULL), DUET_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[DUET_CLOCK_TEXT];
        assert_string_equal(duet_clock_tell(instance, rows[i].ticks, text), rows[i].told);
    }
    duet_instance_free(instance);
}

// The longest time there is overflows nothing.
static void test_far_away(void **state)
{
    (void)state;
    char text[DUET_CLOCK_TEXT];
    duet_instance *instance = instance_of("week", 0);
    assert_int_equal(duet_instance_set_start(instance, "9999-12-31T23:59:59+14:00", NULL), DUET_OK);
    duet_clock_format(instance, DUET_MAX_WORK, text);
    assert_true(strlen(text) > 30);
    assert_string_equal(text + strlen(text) - 15, "T23:59:59+14:00");
    duet_instance_free(instance);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "tomorrow",
        "2026-11-27",
        "2026-11-27T",
        "2026-11-27T09:00:00.5",
        "03/04/2026 09:00",
        "2026-11-27T09",
        "2026-13-27T09:00",
        "2026-02-29T09:00",
        "2026-04-31T09:00",
        "0000-01-01T09:00",
        "2026-11-27T24:00",
        "2026-11-27T09:60",
        "2026-11-27T09:00:",
        "2026-11-27T09:00:60",
        "2026-11-27T09:00ZZ",
        "2026-11-27T09:00+",
        "2026-11-27T09:00+15:00",
        "2026-11-27T09:00+14:01",
        "26-11-27T09:00",
    };
    duet_instance *instance = instance_of("s", 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(duet_instance_set_start(instance, texts[i], &error), DUET_E_USAGE);
        assert_non_null(strstr(error.message, "2026-11-27T09:00"));
    }
    duet_instance_free(instance);
    static const char *const units[] = {"", "ticks"};
    for (size_t i = 0; i < 2; i++) {
        duet_error error = DUET_ERROR_INIT;
        instance = instance_of(units[i], 0);
        assert_int_equal(duet_instance_set_start(instance, "2026-11-27T09:00", &error),
                         DUET_E_USAGE);
        assert_non_null(strstr(error.message, "ns, us, ms, s, min, h or d"));
        assert_null(duet_instance_processor_name(instance, 0, 0));
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times_of_day),
                                       cmocka_unit_test(test_told), cmocka_unit_test(test_far_away),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
