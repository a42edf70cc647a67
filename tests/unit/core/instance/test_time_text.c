// SPDX-License-Identifier: Apache-2.0
// Times for people: at most six digits, in a unit that reads well.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/instance/unit.h"
#include "core/number/random.h"

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        int64_t ticks;
        int decimals;
        const char *unit, *expected;
    } rows[] = {
        {0, 3, "s", "0 s"},
        {6445104636, 7, "s", "644.51 s"},
        {3551544, 2, "us", "35.5154 ms"},
        {62556600, 6, "ms", "62.5566 ms"},
        {5712, 0, "s", "1 h 35 min 12 s"},
        {93874, 0, "s", "1 d 2 h 4 min 34 s"},
        {100450, 2, "s", "16 min 44.5 s"},
        {999999999, 6, "s", "1000 s"},
        {999999999, 5, "s", "2 h 46 min 40 s"},
        {1000001, 0, "s", "11 d 13 h 47 min"},
        {3600, 0, "sec", "1 h"},
        {1625, 2, "h", "16.25 h"},
        {3, 0, "hours", "3 hours"},
        {2000, 0, "h", "83 d 8 h"},
        {86400000, 0, "s", "1000 d"},
        {5, 2, "s", "50 ms"},
        {5, 1, "s", "0.5 s"},
        {12, 0, "ns", "12 ns"},
        {12, 3, "ns", "0.012 ns"},
        {1, 18, "s", "1e-9 ns"},
        {12345678, 0, "", "1.23457e7"},
        {1234567, 0, "", "1.23457e6"},
        {123456, 0, "", "123456"},
        {100000, 0, "", "100000"},
        {1000000, 0, "", "1000000"},
        {7000000000, 0, "", "7000000000"},
        {21550009999999999, 15, "", "21.55"},
        {44546062, 6, "ticks", "44.5461 ticks"},
        {INT64_C(1) << 62, 0, "s", "5.3376e13 d"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[DUET_TIME_TEXT];
        char unit[16];
        strcpy(unit, rows[i].unit);
        duet_instance instance = {.time_unit = unit, .decimals = rows[i].decimals};
        duet_uint128 ticks = (duet_uint128)rows[i].ticks;
        assert_string_equal(duet_time_text(&instance, 0, ticks, text), rows[i].expected);
        instance.decimals--;
        assert_string_equal(duet_time_text(&instance, 1, ticks, text), rows[i].expected);
    }
}

// What a text says, in the unit that is so many microseconds.
static double value_of(const char *text, double micro)
{
    double sum = 0;
    while (*text != '\0') {
        char *end;
        char name[16];
        size_t length = 0;
        duet_unit unit;
        double number = strtod(text, &end);
        assert_true(end > text);
        for (end += *end == ' '; *end != '\0' && *end != ' '; end++) {
            name[length++] = *end;
        }
        name[length] = '\0';
        assert_true(duet_unit_find(name, &unit));
        double factor = unit.factor;
        for (int i = 0; i < unit.exponent; i++) {
            factor *= 10;
        }
        factor = unit.exponent < 0 ? factor / 1000 : factor;
        sum += number * factor / micro;
        text = end + (*end == ' ');
    }
    return sum;
}

// Any time comes back to five digits at least.
static void test_values(void **state)
{
    (void)state;
    static const char *const units[] = {"ns", "us", "ms", "s", "min", "h", "d"};
    static const double micro[] = {1e-3, 1, 1e3, 1e6, 6e7, 3.6e9, 8.64e10};
    duet_random random;
    duet_random_seed(&random, 1);
    for (int i = 0; i < 20000; i++) {
        char text[DUET_TIME_TEXT];
        char unit[8];
        size_t which = duet_random_next(&random) % 7;
        strcpy(unit, units[which]);
        duet_instance instance = {.time_unit = unit,
                                  .decimals = (int)(duet_random_next(&random) % 10)};
        int64_t ticks =
            (int64_t)(duet_random_next(&random) >> (2 + duet_random_next(&random) % 60));
        double exact = (double)ticks;
        for (int d = 0; d < instance.decimals; d++) {
            exact /= 10;
        }
        double said =
            value_of(duet_time_text(&instance, 0, (duet_uint128)ticks, text), micro[which]);
        if (!(said <= exact * 1.00005 && said >= exact * 0.99995)) {
            fail_msg("%lld ticks of %d places, %s: %s", (long long)ticks, instance.decimals, unit,
                     text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
