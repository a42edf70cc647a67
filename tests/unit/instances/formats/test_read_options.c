// SPDX-License-Identifier: Apache-2.0
// The options of reading: a second type, drawn factors, transfers, and what is refused of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <duet/duet.h>

#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

#define STG                                                                                        \
    "  4\n0 0 0\n 1 10 1 0\n2 5 1 0 # a comment\n\n3 8.5 2 1 2\n 4 0 2 2 3\n5 0 1 4\n# end\n"

static void test_two_types(void **state)
{
    (void)state;
    // The graph set's time is the GPU's.
    duet_instance *instance = duet_read_text_with(STG, "gpu=1.5");
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_type_name(instance, 1), "gpu");
    duet_expect_time(instance, 0, 0, "15");
    duet_expect_time(instance, 0, 1, "10");
    duet_expect_time(instance, 2, 0, "12.75");
    duet_expect_time(instance, 3, 0, "0");
    assert_int_equal(duet_instance_edges(instance), 4);
    duet_instance_free(instance);
    // Of a table by the name of its type: the CPU's, unless it is called after a GPU.
    instance = duet_read_text_with("id,time,after\na,3,\nb,0.5,a\n", "gpu=4");
    assert_string_equal(duet_instance_type_name(instance, 0), "time");
    assert_string_equal(duet_instance_type_name(instance, 1), "gpu");
    duet_expect_time(instance, 0, 1, "0.75");
    duet_expect_time(instance, 1, 1, "0.125");
    duet_instance_free(instance);
    instance =
        duet_read_text_with("{\"platform\": [{\"type\": \"GPU0\", \"count\": 3}], \"tasks\": "
                            "[{\"id\": \"a\", \"count\": 2, \"times\": [3]}], \"claim\": "
                            "{\"algorithm\": \"lpt\", \"optimum\": 3, \"makespan\": 3}}",
                            "gpu=4");
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    assert_string_equal(duet_instance_type_name(instance, 1), "GPU0");
    duet_expect_time(instance, 0, 0, "12");
    duet_expect_time(instance, 0, 1, "3");
    assert_false(duet_instance_has_platform(instance));
    assert_null(duet_instance_claim(instance));
    duet_instance_free(instance);
    // What does not end is rounded with a note.
    instance = duet_read_text_with("id,cpu\na,1\n", "gpu=3");
    duet_expect_time(instance, 0, 1, "0.333333333333333333");
    assert_non_null(strstr(duet_instance_notice(instance), "1 of 2 times is rounded"));
    duet_instance_free(instance);
}

static void test_drawn_factors(void **state)
{
    (void)state;
    if (strstr(duet_features(), "gsl") == NULL) {
        skip();
    }
    char text[20000] = "id,gpu\n";
    for (int i = 0; i < 1000; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,1\n", i);
    }
    duet_instance *first = duet_read_text_with(text, "gpu=gamma:15:15:1");
    duet_instance *again = duet_read_text_with(text, "gpu=gamma:15:15:1");
    duet_instance *other = duet_read_text_with(text, "gpu=gamma:15:15:2");
    assert_int_equal(duet_instance_decimals(first), 6);
    double sum = 0;
    double squares = 0;
    int same = 0;
    for (size_t i = 0; i < 1000; i++) {
        double factor = (double)duet_instance_time(first, i, 0) / 1e6;
        sum += factor / 1000;
        squares += factor * factor / 1000;
        assert_int_equal(duet_instance_time(first, i, 0), duet_instance_time(again, i, 0));
        same += duet_instance_time(first, i, 0) == duet_instance_time(other, i, 0);
    }
    assert_true(same < 10);
    assert_true(sum > 13.5 && sum < 16.5);                               // the mean is 15
    assert_true(squares - sum * sum > 160 && squares - sum * sum < 310); // the variance 225
    duet_instance_free(first);
    duet_instance_free(again);
    duet_instance_free(other);
}

static void test_transfer(void **state)
{
    (void)state;
    static const char text[] =
        "{\"tasks\": [{\"id\": \"a\", \"times\": [1, 1]}, {\"id\": \"b\", \"times\": [1, 1], "
        "\"after\": \"c\"}, {\"id\": \"c\", \"times\": [1, 1]}], \"edges\": [{\"from\": \"a\", "
        "\"to\": \"b\", \"data\": 8}, [\"a\", \"c\", 2]]}";
    duet_instance *instance = duet_read_text_with(text, "latency=1 per-unit=0.5");
    for (size_t from = 0; from < 2; from++) {
        for (size_t to = 0; to < 2; to++) {
            assert_int_equal(duet_instance_transfer(instance, 0, from, to), 0); // plain precedence
            assert_int_equal(duet_instance_transfer(instance, 1, from, to), 5);
            assert_int_equal(duet_instance_transfer(instance, 2, from, to), 2);
        }
    }
    duet_instance_free(instance);
    // It takes the place of the file's own.
    char with[600];
    snprintf(with, sizeof with, "%.*s, \"transfer\": {\"latency\": [[9, 9], [9, 9]]}}",
             (int)strlen(text) - 1, text);
    instance = duet_read_text_with(with, "per-unit=0.25");
    assert_int_equal(duet_instance_transfer(instance, 1, 0, 1), 2);
    duet_instance_free(instance);
    instance = duet_read_text_with(text, "edges=false");
    assert_int_equal(duet_instance_edges(instance), 0);
    assert_string_equal(
        duet_instance_notice(instance),
        "member \"after\" of tasks and member \"edges\" of the instance both say the "
        "order, and count together (-O ignore=after passes over one); 3 edges are "
        "left out: all tasks are taken as independent");
    duet_instance_free(instance);
}

static void test_options_refused(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *message;
    } bad[] = {
        {"gpu=0", "option gpu: expected a number above 0 or gamma:mean:sd:seed, got '0'"},
        {"gpu=", "option gpu"},
        {"gpu=-2", "option gpu"},
        {"gpu=gamma:15:15", "option gpu: expected gamma:mean:sd:seed"},
        {"gpu=gamma:15:15:", "option gpu: expected gamma:mean:sd:seed"},
        {"gpu=gamma:0:15:1", "option gpu: expected gamma:mean:sd:seed"},
        {"gpu=gamma:15:0.1:1", "0.01 to 10 times that"},
        {"gpu=gamma:15:151:1", "0.01 to 10 times that"},
        {"gpu=gamma:15:15:x", "a whole number as seed"},
        {"latency=x", "option latency: expected a number of at least 0, got 'x'"},
        {"per-unit=-1", "option per-unit: expected a number of at least 0, got '-1'"},
        {"edges=no", "option edges: expected true or false, got 'no'"},
        {"edge=true", "unknown option 'edge' (did you mean edges?): expected one of gpu, latency, "
                      "per-unit, edges"},
    };
    duet_scratch_put("id,cpu\na,1\n", strlen("id,cpu\na,1\n"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        duet_instance *instance = NULL;
        duet_error error = DUET_ERROR_INIT;
        assert_int_equal(
            duet_read_scratch_file(duet_scratch_path, bad[i].settings, &instance, &error),
            DUET_E_USAGE);
        assert_null(instance);
        if (strstr(error.message, bad[i].message) == NULL) {
            fail_msg("%s: %s", bad[i].settings, error.message);
        }
    }
    duet_instance *instance = NULL;
    duet_error error = DUET_ERROR_INIT;
    duet_scratch_put("id,a,b\na,1,2\n", strlen("id,a,b\na,1,2\n"));
    assert_int_equal(duet_read_scratch_file(duet_scratch_path, "gpu=2", &instance, &error),
                     DUET_E_USAGE);
    assert_non_null(strstr(error.message, "the file has times for 2 processor types"));
    duet_error_clear(&error);
    duet_scratch_put("id,gpu\na,1\nb,4e18\n", strlen("id,gpu\na,1\nb,4e18\n"));
    assert_int_equal(duet_read_scratch_file(duet_scratch_path, "gpu=2", &instance, &error),
                     DUET_E_INPUT);
    assert_non_null(strstr(error.message, "time times its factor is too large"));
    assert_int_equal(error.line, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_types),
        cmocka_unit_test(test_drawn_factors),
        cmocka_unit_test(test_transfer),
        cmocka_unit_test(test_options_refused),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
