// SPDX-License-Identifier: Apache-2.0
// Moldable tasks in files: what JSON and CSV say of them comes in, and goes out as it was;
// schedules with sets of processors; the families; a picture in which a task covers several rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/instance/moldable.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "report/intervals.h"
#include "tests/support/fixtures.h"
#include "tests/support/read_text.h"
#include "tests/support/scratch_file.h"

static duet_instance *write_and_read(const duet_instance *instance, const char *format)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *again = NULL;
    assert_int_equal(duet_write_instance(duet_scratch_path, format, instance, &error), DUET_OK);
    if (duet_read_instance(duet_scratch_path, NULL, &again, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return again;
}

static void check_same(const duet_instance *a, const duet_instance *b)
{
    assert_int_equal(duet_instance_features(a), duet_instance_features(b));
    assert_int_equal(a->decimals, b->decimals);
    assert_int_equal(a->kinds, b->kinds);
    for (size_t i = 0; i < a->kinds; i++) {
        for (size_t t = 0; t < a->types; t++) {
            int64_t sizes = duet_instance_sizes(a, i, t);
            assert_int_equal(sizes, duet_instance_sizes(b, i, t));
            for (int64_t p = 1; p <= sizes; p++) {
                assert_int_equal(duet_instance_moldable_time(a, i, t, p),
                                 duet_instance_moldable_time(b, i, t, p));
            }
        }
    }
    for (int64_t e = 0; e < duet_instance_edges(a); e++) {
        assert_int_equal(duet_instance_redistribution(a, e, 0, 3, 1, 2),
                         duet_instance_redistribution(b, e, 0, 3, 1, 2));
    }
}

static const char *const full =
    "{\"platform\": [{\"type\": \"a\", \"count\": 4, \"speed\": 1.5, \"bandwidth\": 100},"
    "{\"type\": \"b\", \"count\": 2}],"
    "\"network\": {\"latency\": 0.5, \"inter_latency\": 2, \"inter_bandwidth\": 40}, \"tick\": "
    "0.01,"
    "\"tasks\": [{\"id\": \"x\", \"work\": 40, \"alpha\": 0.1},"
    "{\"id\": \"y\", \"times\": [[9, 5, 4.005], null]},"
    "{\"id\": \"z\", \"times\": {\"b\": 3, \"a\": {\"work\": 8}}}],"
    "\"edges\": [{\"from\": \"x\", \"to\": \"y\", \"data\": 1000}, [\"y\", \"z\"]]}";

static void json_says_all(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(full);
    assert_int_equal(instance->decimals, 2);
    assert_non_null(strstr(duet_instance_notice(instance), "1 of 4 times is rounded up to 2"));
    assert_int_equal(duet_instance_moldable_time(instance, 0, 0, 1), 2667);
    assert_int_equal(duet_instance_moldable_time(instance, 0, 1, 2), 2200);
    assert_int_equal(duet_instance_moldable_time(instance, 1, 0, 3), 401);
    assert_int_equal(duet_instance_sizes(instance, 1, 1), 0);
    assert_int_equal(duet_instance_sizes(instance, 2, 1), 1);
    assert_int_equal(duet_instance_redistribution(instance, 0, 0, 4, 0, 2), 50 + 500);
    assert_int_equal(duet_instance_redistribution(instance, 0, 0, 4, 1, 2), 200 + 2500);
    duet_instance *again = write_and_read(instance, "json");
    check_same(instance, again);
    duet_instance_free(again);
    duet_instance_free(instance);
}

// Tasks of one size with as many digits as programs print are rounded as those on one processor
// are: what fits is judged in ticks, also where the other time is made of the first.
static void long_times_fit(void **state)
{
    (void)state;
    static const char *const with[] = {"gpu=8", "gpu=0.3", "gpu=7"};
    for (unsigned seed = 1; seed <= 60; seed++) {
        char text[400] = "id,cpu,cores\n";
        duet_random random;
        duet_random_seed(&random, seed);
        for (int i = 0; i < 6; i++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "t%d,%d.%015lld,%d\n", i,
                     (int)duet_random_below(&random, 900),
                     (long long)duet_random_between(&random, 0, INT64_C(999999999999999)),
                     1 + (int)duet_random_below(&random, 4));
        }
        duet_instance *instance = duet_read_text_with(text, with[seed % 3]);
        assert_int_equal(duet_instance_tasks(instance), 6);
        assert_true(duet_instance_decimals(instance) > 9);
        duet_instance_free(instance);
    }
}

// A law for every type, of which there are as many as the platform behind it says.
static void types_may_come_late(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(
        "{\"tasks\": [{\"id\": \"x\", \"work\": 4}, {\"id\": \"y\", \"work\": 2}],"
        "\"platform\": [{\"type\": \"a\", \"count\": 4}, {\"type\": \"b\", \"count\": 1}]}");
    assert_int_equal(duet_instance_types(instance), 2);
    assert_int_equal(duet_instance_moldable_time(instance, 1, 1, 1), 2000000);
    // 4, 2, 1.333334, and then work would shrink at 1.
    assert_int_equal(duet_instance_moldable_time(instance, 0, 0, 4), 1000001);
    duet_instance_free(instance);
    instance = duet_read_text("{\"tasks\": [{\"id\": \"x\", \"work\": 4}]}");
    assert_int_equal(duet_instance_types(instance), 1);
    assert_string_equal(duet_instance_type_name(instance, 0), "cpu");
    duet_instance_free(instance);
}

static void csv_says_all(void **state)
{
    (void)state;
    const int64_t counts[] = {4, 1};
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance =
        duet_read_text("id,cpu:1,cpu:2,cpu:4,gpu\na,9,5,3,2\nb,4,,,\nc,,,,7\n");
    assert_int_equal(duet_instance_set_counts(instance, 2, counts, &error), DUET_OK);
    const int64_t expected[] = {9, 5, 5, 3};
    for (int64_t p = 1; p <= 4; p++) {
        assert_int_equal(duet_instance_moldable_time(instance, 0, 0, p), expected[p - 1]);
    }
    assert_int_equal(duet_instance_sizes(instance, 1, 0), 1);
    assert_int_equal(duet_instance_sizes(instance, 2, 0), 0);
    duet_instance *again = write_and_read(instance, "csv");
    assert_int_equal(duet_instance_set_counts(again, 2, counts, &error), DUET_OK);
    check_same(instance, again);
    duet_instance_free(again);
    duet_instance_free(instance);
    instance = duet_read_text("id,work,alpha\na,40,0.1\nb,7.5,\n");
    assert_int_equal(duet_instance_set_counts(instance, 1, counts, &error), DUET_OK);
    again = write_and_read(instance, "csv");
    assert_int_equal(duet_instance_set_counts(again, 1, counts, &error), DUET_OK);
    assert_int_equal(duet_instance_moldable_time(again, 0, 0, 4), 13000000);
    check_same(instance, again);
    duet_instance_free(again);
    duet_instance_free(instance);
}

// Where no task is moldable, what is said of moldable ones is left out.
static void sequential_tasks_stay_so(void **state)
{
    (void)state;
    duet_instance *instance = duet_read_text(
        "{\"platform\": [{\"type\": \"a\", \"count\": 4, \"speed\": 2},"
        "{\"type\": \"b\", \"count\": 2}], \"tasks\": [{\"id\": \"x\", \"times\": [3, 2]}]}");
    assert_int_equal(duet_instance_features(instance), 0);
    assert_non_null(strstr(duet_instance_notice(instance), "no task is moldable"));
    duet_instance_free(instance);
}

// A table of one time is a moldable task of one size, which rows for moldable tasks schedule, also
// on one processor; and so it is written.
static void one_size_is_moldable(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"platform\": [{\"type\": \"a\", \"count\": 1}], \"tasks\": [{\"id\": \"x\", \"times\": "
        "[[3]]}, {\"id\": \"y\", "
        "\"times\": [[4]]}]}",
        "id,a:1\nx,3\ny,4\n"};
    static const char *const formats[] = {"json", "csv"};
    static const char *const rows[] = {"moldable-2", "moldable-3-2", "hcpa", "cpa",
                                       "seq",        "exact",        "auto"};
    const int64_t one[] = {1};
    for (size_t i = 0; i < 2; i++) {
        duet_error error = DUET_ERROR_INIT;
        duet_instance *instance = duet_read_text(texts[i]);
        duet_instance *again = write_and_read(instance, formats[i]);
        assert_int_equal(duet_instance_set_counts(instance, 1, one, &error), DUET_OK);
        assert_int_equal(duet_instance_set_counts(again, 1, one, &error), DUET_OK);
        assert_int_equal(duet_instance_features(instance),
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_ANY_TYPES);
        check_same(instance, again);
        for (size_t a = 0; a < sizeof rows / sizeof *rows; a++) {
            duet_solution *solution = NULL;
            duet_code code = duet_solve(again, rows[a], NULL, &solution, &error);
            assert_string_equal(error.message, "");
            assert_int_equal(code, DUET_OK);
            assert_int_equal(duet_solution_makespan(solution), 7);
            assert_int_equal(duet_check_solution(again, solution, NULL, NULL, &error), DUET_OK);
            duet_solution_free(solution);
        }
        duet_instance_free(again);
        duet_instance_free(instance);
    }
}

// --- schedules -----------------------------------------------------------------------------------

static const char *const schedule =
    "{\"schedule\": ["
    "{\"task\": \"x\", \"type\": \"a\", \"processors\": [[0, 1], [2, 3]], \"start\": 0},"
    "{\"task\": \"y\", \"type\": \"a\", \"processors\": [[0, 0], [3, 3]], \"start\": 16},"
    "{\"task\": \"z\", \"processor\": 1, \"type\": \"b\", \"start\": 21}]}";

static duet_solution *read_schedule(duet_instance *instance, const char *text)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    duet_scratch_put(text, strlen(text));
    if (duet_read_solution(duet_scratch_path, NULL, instance, &solution, &error) != DUET_OK ||
        duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return solution;
}

static void schedules_are_read(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = duet_read_text(full);
    duet_solution *solution = read_schedule(instance, schedule);
    size_t count;
    assert_int_equal(duet_solution_processors(solution, 0, &count)[0].last, 3);
    assert_int_equal(count, 1);
    assert_int_equal(duet_solution_makespan(solution), 2400);
    duet_solution *again = NULL;
    assert_int_equal(duet_write_solution(duet_scratch_path, instance, solution, &error), DUET_OK);
    assert_int_equal(duet_read_solution(duet_scratch_path, NULL, instance, &again, &error),
                     DUET_OK);
    assert_int_equal(duet_check_solution(instance, again, NULL, NULL, &error), DUET_OK);
    assert_int_equal(duet_solution_processors(again, 1, &count)[1].first, 3);
    assert_int_equal(count, 2);
    duet_solution_free(again);
    duet_solution_free(solution);
    solution =
        read_schedule(instance, "task,type,processors,start\nx,a,0-3,0\ny,a,0;3,16\nz,b,1,21\n");
    assert_int_equal(duet_solution_makespan(solution), 2400);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// An interval for each processor; the first one counts.
static void intervals_are_on_every_processor(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = duet_read_text(full);
    duet_solution *solution = read_schedule(instance, schedule);
    duet_intervals intervals;
    assert_int_equal(duet_intervals_collect(instance, solution, &intervals, &error), DUET_OK);
    assert_int_equal(intervals.count, 4 + 2 + 1);
    size_t counted = 0;
    for (size_t i = 0; i < intervals.count; i++) {
        counted += !intervals.interval[i].beside;
    }
    assert_int_equal(counted, 3);
    duet_intervals_free(&intervals);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// Boxes of neighbours are one: "x: a 0-3"; those of y are apart.
// A small file is read whatever its time, but not the table of a law that takes long: 400 million
// sizes, of which none is kept. The time has passed before it begins, so no clock decides.
static void tables_of_laws_end_with_their_time(void **state)
{
    (void)state;
    static const char *const works[] = {"1000", "400000000"};
    static const duet_code codes[] = {DUET_OK, DUET_E_LIMIT};
    duet_read_params params = DUET_READ_PARAMS_INIT;
    params.time_limit = 1e-9;
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"platform\": [{\"type\": \"a\", \"count\": 2000000000}], \"tick\": %s, "
                 "\"tasks\": [{\"id\": \"x\", \"work\": %s}]}",
                 i == 0 ? "1" : "1e-9", works[i]);
        duet_scratch_put(text, strlen(text));
        duet_instance *instance = NULL;
        assert_int_equal(duet_read_instance(duet_scratch_path, &params, &instance, NULL), codes[i]);
        duet_instance_free(instance);
    }
}

static void boxes_cover_rows(void **state)
{
    (void)state;
    char path[128];
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = duet_read_text(full);
    duet_solution *solution = read_schedule(instance, schedule);
    snprintf(path, sizeof path, "%s.svg", duet_scratch_path);
    assert_int_equal(duet_write_gantt(path, instance, solution, NULL, &error), DUET_OK);
    char *picture = duet_file_text(path, NULL);
    assert_int_equal(remove(path), 0);
    assert_non_null(strstr(picture, "<title>x: a 0-3, 0 to 8.67; starts at once</title>"));
    assert_non_null(strstr(picture, "<title>y: a 0, 16 to 21; on the critical path</title>"));
    assert_non_null(strstr(picture, "<title>y: a 3, 16 to 21; on the critical path</title>"));
    assert_null(strstr(picture, "<title>x: a 1"));
    free(picture);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// --- families ------------------------------------------------------------------------------------

static duet_instance *generate(const char *family, const char *option)
{
    duet_error error = DUET_ERROR_INIT;
    duet_options *options = NULL;
    duet_instance *instance = NULL;
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    if (option != NULL) {
        assert_int_equal(duet_options_add(options, option, &error), DUET_OK);
    }
    if (duet_test_generate(family, 40, -1, -1, 3, options, &instance, &error) != DUET_OK) {
        fail_msg("%s: %s", family, error.message);
    }
    duet_options_free(options);
    return instance;
}

static void families_are_monotone(void **state)
{
    (void)state;
    static const char *const families[] = {"amdahl", "downey", "tables"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        duet_instance *instance = generate(families[f], NULL);
        assert_int_equal(duet_instance_features(instance),
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_ANY_TYPES);
        for (size_t i = 0; i < instance->kinds; i++) {
            assert_true(duet_moldable_is_monotone(instance, i));
            assert_int_equal(duet_instance_sizes(instance, i, 0), 32);
        }
        duet_instance_free(instance);
    }
    duet_instance *any = generate("tables", "shape=any");
    bool broken = false;
    for (size_t i = 0; i < any->kinds; i++) {
        broken = broken || !duet_moldable_is_monotone(any, i);
    }
    assert_true(broken);
    duet_instance_free(any);
}

// The study has 1, 2, 4 and 8 clusters on 4 + 12 + 12 + 12 platforms.
static void platforms_are_those_of_the_study(void **state)
{
    (void)state;
    for (int number = 1; number <= 40; number++) {
        char option[32];
        snprintf(option, sizeof option, "number=%d", number);
        duet_instance *instance = generate("platform", option);
        size_t clusters = number <= 4 ? 1 : number <= 16 ? 2 : number <= 28 ? 4 : 8;
        assert_int_equal(duet_instance_types(instance), clusters);
        for (size_t t = 0; t < clusters; t++) {
            int64_t speed = duet_instance_speed(instance, t).mantissa;
            assert_in_range(duet_instance_type_count(instance, t), 16, 128);
            assert_in_range(speed, 250000000, INT64_C(5000000000));
        }
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_says_all),
        cmocka_unit_test(long_times_fit),
        cmocka_unit_test(types_may_come_late),
        cmocka_unit_test(csv_says_all),
        cmocka_unit_test(sequential_tasks_stay_so),
        cmocka_unit_test(one_size_is_moldable),
        cmocka_unit_test(schedules_are_read),
        cmocka_unit_test(intervals_are_on_every_processor),
        cmocka_unit_test(tables_of_laws_end_with_their_time),
        cmocka_unit_test(boxes_cover_rows),
        cmocka_unit_test(families_are_monotone),
        cmocka_unit_test(platforms_are_those_of_the_study),
    };
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
