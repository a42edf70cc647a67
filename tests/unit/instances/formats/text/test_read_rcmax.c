// SPDX-License-Identifier: Apache-2.0
// Reading R||Cmax: recognition, machines as types, what is refused, and the published instances
// where they are at hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/io.h>

#include "instances/formats/formats.h"
#include "tests/support/scratch_file.h"

static const char *const path = duet_scratch_path;

static duet_code read_text(const char *text, size_t length, duet_instance **out, duet_error *error)
{
    duet_scratch_put(text, length);
    return duet_read_instance(path, NULL, out, error);
}

static void test_recognition(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool recognised;
    } expected[] = {{"2\n3\n", true},
                    {"2\r\n\n 3\t\r\n1 2 3", true},
                    {"2 \r\n\n3\t\r\n1 2 3", true},
                    {"2\n3", true},
                    {"2 3\n1 2", false},
                    {"2\n3 4\n", false},
                    {"2", false},
                    {"-2\n3\n", false},
                    {"2.5\n3\n", false},
                    {"a\n3\n", false},
                    {"", false}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *text = expected[i].text;
        if (duet_rcmax_begins((const unsigned char *)text, strlen(text)) !=
            expected[i].recognised) {
            fail_msg("%zu: \"%s\"", i, text);
        }
    }
}

// Machines of equal times are one type, called as the first of them.
static void test_machines(void **state)
{
    (void)state;
    static const char text[] = "\n3\n5 \r\n\n1 2 1 0.5 2\n3\t4 3 1 4\r\n5 6 5 2 6";
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(read_text(text, strlen(text), &instance, &error), DUET_OK);
    assert_true(duet_instance_has_platform(instance));
    assert_int_equal(duet_instance_types(instance), 3);
    static const char *const names[] = {"m1", "m2", "m4"};
    static const int64_t counts[] = {2, 2, 1};
    static const int64_t ticks[3][3] = {{10, 20, 5}, {30, 40, 10}, {50, 60, 20}};
    for (size_t t = 0; t < 3; t++) {
        assert_string_equal(duet_instance_type_name(instance, t), names[t]);
        assert_int_equal(duet_instance_type_count(instance, t), counts[t]);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(duet_instance_time(instance, i, t), ticks[i][t]);
        }
    }
    assert_string_equal(duet_instance_kind_id(instance, 2), "t3");
    assert_string_equal(duet_instance_time_unit(instance), "");
    duet_instance_free(instance);
}

// A text cut anywhere is an error, never a crash: the first line says how many rows there are. Only
// the last time may be cut and still be one.
static void test_cut_anywhere(void **state)
{
    (void)state;
    static const char text[] = "2\n3\n1 2 3\n4 55 66\n";
    for (size_t length = 0; length <= strlen(text); length++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        duet_code code = read_text(text, length, &instance, &error);
        assert_int_equal(code == DUET_OK, length + 2 >= strlen(text));
        assert_true((code == DUET_OK) == (instance != NULL));
        duet_instance_free(instance);
    }
}

static void test_published(void **state)
{
    (void)state;
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (access(DUET_SOURCE_DIR "/../shared/data/rcmax/125.txt", R_OK) != 0) {
        skip();
    }
    assert_int_equal(duet_read_instance(DUET_SOURCE_DIR "/../shared/data/rcmax/125.txt", NULL,
                                        &instance, &error),
                     DUET_OK);
    assert_int_equal(duet_instance_tasks(instance), 500);
    assert_int_equal(duet_instance_types(instance), 30);
    assert_int_equal(duet_instance_time(instance, 0, 0), 44);
    assert_int_equal(duet_instance_time(instance, 0, 29), 66);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recognition),
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_published),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
