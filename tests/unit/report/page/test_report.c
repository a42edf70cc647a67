// SPDX-License-Identifier: Apache-2.0
// The data behind a page: names, references, groups and their samples, boxes, and JSON that is safe
// inside a script.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <duet/solve.h>

#include "core/instance/instance.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "report/page/boxes.h"
#include "report/page/groups.h"
#include "report/page/page.h"
#include "report/page/parts.h"

static const uint64_t SEED = 20240607;

// ---- names

static void test_names(void **state)
{
    (void)state;
    duet_names names = {0};
    duet_error error = DUET_ERROR_INIT;
    char text[32];
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 5000; i++) {
            uint32_t number = 0;
            snprintf(text, sizeof text, "name %u", (unsigned)(i / 2));
            assert_int_equal(duet_names_add(&names, i % 2, text, &number, &error), DUET_OK);
            assert_int_equal(number, i); // the same text with another salt is another name
            assert_string_equal(duet_names_text(&names, number), text);
        }
    }
    assert_int_equal(names.count, 5000);
    duet_names_free(&names);
}

// ---- references and verdicts

static duet_result some_run(const char *series, const char *instance, int64_t makespan,
                            int64_t bound)
{
    return (duet_result){.series = series,
                         .set = "",
                         .family = "",
                         .platform = "",
                         .instance = instance,
                         .reason = "",
                         .n = 10,
                         .m = -1,
                         .k = -1,
                         .status = DUET_RUN_OPEN,
                         .makespan = {makespan, 0},
                         .bound = {bound, 0},
                         .optimum = DUET_NO_TIME,
                         .ratio = NAN,
                         .proven = NAN,
                         .seconds = NAN,
                         .cells = NAN,
                         .bytes = NAN};
}

static void add(duet_results *results, const duet_result *run)
{
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_results_add(results, run, &error), DUET_OK);
}

static void test_references(void **state)
{
    (void)state;
    duet_results results = {0};
    duet_result runs[] = {
        some_run("a", "one", 120, 90),  // the best bound is b's: 100
        some_run("b", "one", 110, 100), //
        some_run("a", "two", 100, 100), // closes the instance for both
        some_run("b", "two", 150, 50),  //
        some_run("a", "three", 80, 0),  // nothing to divide by
        some_run("a", "four", 95, 100), // a makespan below a bound
    };
    runs[0].proven = 1.1;                      // against a bound nothing is refuted
    runs[3].proven = 1.4;                      // refuted
    runs[2].proven = 1;                        // respected, exactly
    runs[5].makespan = (duet_decimal){955, 1}; // 95.5
    runs[5].ratio = 0.955;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        add(&results, &runs[i]);
    }
    assert_int_equal(duet_results_settle(&results, &(duet_error)DUET_ERROR_INIT), DUET_OK);
    const duet_kept_result *run = results.run;
    assert_float_equal(run[0].ratio, 1.2, 1e-12);
    assert_float_equal(run[1].ratio, 1.1, 1e-12);
    assert_int_equal(run[0].reference, DUET_REFERENCE_BOUND);
    assert_int_equal(run[0].respected, DUET_VERDICT_NONE);
    assert_float_equal(run[3].ratio, 1.5, 1e-12);
    assert_int_equal(run[2].reference, DUET_REFERENCE_OPTIMUM);
    assert_int_equal(run[2].respected, DUET_VERDICT_RESPECTED);
    assert_int_equal(run[3].reference, DUET_REFERENCE_OPTIMUM);
    assert_int_equal(run[3].respected, DUET_VERDICT_EXCEEDED);
    assert_true(isnan(run[4].ratio));
    assert_true(run[5].below);
    assert_false(run[0].below || run[2].below);
    duet_results_free(&results);
}

// Instances of the same name in two tables are two.
static void test_sources(void **state)
{
    (void)state;
    duet_results results = {0};
    duet_error error = DUET_ERROR_INIT;
    for (int i = 0; i < 2; i++) {
        duet_result run = some_run("a", "same", 100, i == 0 ? 50 : 80);
        assert_int_equal(duet_results_source(&results, "t.csv", &run.file, &error), DUET_OK);
        add(&results, &run);
    }
    assert_int_equal(duet_results_settle(&results, &(duet_error)DUET_ERROR_INIT), DUET_OK);
    assert_float_equal(results.run[0].ratio, 2, 1e-12);
    assert_float_equal(results.run[1].ratio, 1.25, 1e-12);
    duet_results_free(&results);
}

static void test_too_many_series(void **state)
{
    (void)state;
    duet_results results = {0};
    duet_error error = DUET_ERROR_INIT;
    duet_code code = DUET_OK;
    char name[32];
    for (int i = 0; i <= DUET_MAX_SERIES; i++) {
        assert_int_equal(code, DUET_OK);
        snprintf(name, sizeof name, "algorithm %d", i);
        duet_result run = some_run(name, "one", 1, 1);
        code = duet_results_add(&results, &run, &error);
    }
    assert_int_equal(code, DUET_E_LIMIT);
    duet_results_free(&results);
}

// ---- groups and samples

static void test_samples(void **state)
{
    (void)state;
    duet_random random;
    duet_random_seed(&random, SEED);
    for (int round = 0; round < 300; round++) {
        double values[500] = {0};
        duet_sample samples[500];
        size_t count = (size_t)duet_random_between(&random, 1, 500);
        size_t points = (size_t)duet_random_between(&random, 3, 60);
        for (size_t i = 0; i < count; i++) {
            values[i] = (double)i * 3;
        }
        size_t made = duet_samples_of(values, count, points, samples);
        assert_int_equal(made, count < points ? count : points);
        assert_true(samples[0].value <= values[0]);
        assert_true(samples[made - 1].value >= values[count - 1]);
        size_t weight = 0;
        for (size_t i = 0; i < made; i++) {
            // A sample is one of the values it stands for.
            size_t rank = (size_t)(samples[i].value / 3);
            assert_true(samples[i].weight >= 1 && rank >= weight &&
                        rank < weight + samples[i].weight);
            weight += samples[i].weight;
        }
        assert_int_equal(weight, count);
    }
}

static void fill(duet_results *results, size_t count, int64_t sizes)
{
    duet_random random;
    duet_random_seed(&random, SEED);
    for (size_t i = 0; i < count; i++) {
        duet_result run = some_run(i % 3 == 0 ? "a" : "b", "one", -1, -1);
        run.n = duet_random_between(&random, 1, sizes);
        run.ratio = 1 + (double)duet_random_between(&random, 0, 1000000) / 1e6;
        run.seconds = (double)i;
        run.status = i % 5 == 0 ? DUET_RUN_FAILED : DUET_RUN_OPTIMAL;
        add(results, &run);
    }
    assert_int_equal(duet_results_settle(results, &(duet_error)DUET_ERROR_INIT), DUET_OK);
}

// Every run is in one group, whose counts and worst run are right.
static void check_groups(const duet_groups *groups)
{
    const duet_results *results = groups->results;
    size_t runs = 0;
    size_t failed = 0;
    double *values = calloc(results->count, sizeof *values);
    assert_non_null(values);
    for (size_t g = 0; g < groups->count; g++) {
        const duet_group *group = &groups->group[g];
        double worst = 0;
        runs += group->count;
        failed += group->status[DUET_RUN_FAILED];
        for (size_t i = 0; i < group->count; i++) {
            const duet_kept_result *run = &results->run[groups->order[group->first + i]];
            assert_int_equal(run->series, group->key[DUET_KEY_SERIES]);
            worst = fmax(worst, run->ratio);
        }
        assert_true(results->run[group->worst].ratio == worst);
        size_t count = duet_group_values(groups, group, DUET_MEASURE_RATIO, values);
        assert_int_equal(count, group->count);
        for (size_t i = 1; i < count; i++) {
            assert_true(values[i - 1] <= values[i]);
        }
        count = duet_group_values(groups, group, DUET_MEASURE_SECONDS, values);
        assert_int_equal(count, group->count - group->status[DUET_RUN_FAILED]);
    }
    assert_int_equal(runs, results->count);
    assert_int_equal(failed, (results->count + 4) / 5);
    free(values);
}

static void test_groups(void **state)
{
    (void)state;
    static const struct {
        size_t runs;
        int64_t sizes;
        int coarseness;
        size_t groups;
    } cases[] = {{1000, 4, 0, 8},
                 {DUET_GROUPS_EXACT_RUNS, 3, 0, 6},
                 {DUET_GROUPS_EXACT_RUNS + 1, 3, 0, 6},
                 {60000, 1023, 0, 2046},
                 {60000, 65535, 1, 32}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        duet_results results = {0};
        duet_groups groups;
        duet_error error = DUET_ERROR_INIT;
        fill(&results, cases[i].runs, cases[i].sizes);
        assert_int_equal(duet_groups_create(&results, &groups, &error), DUET_OK);
        assert_int_equal(groups.coarseness, cases[i].coarseness);
        // The lowest powers of two are few numbers, which may not occur.
        assert_true(groups.count <= cases[i].groups &&
                    groups.count >= cases[i].groups * (groups.coarseness == 0 ? 4 : 3) / 4);
        assert_int_equal(groups.points == SIZE_MAX, cases[i].runs <= DUET_GROUPS_EXACT_RUNS);
        check_groups(&groups);
        duet_groups_free(&groups);
        duet_results_free(&results);
    }
}

// ---- boxes

// `count` tasks of each of two kinds on two processors, alternating in pairs.
static void make_runs(duet_instance **instance, duet_intervals *runs, int64_t count)
{
    static const duet_type platform[] = {{"cpu", 2}};
    static const char *const ids[] = {"a", "b"};
    static const int64_t times[] = {10, 20};
    const int64_t counts[] = {2 * count, 2 * count};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "boxes",
                               .types = 1,
                               .platform = platform,
                               .kinds = 2,
                               .ids = ids,
                               .counts = counts,
                               .times = times};
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, instance, &error), DUET_OK);
    runs->interval = duet_alloc((size_t)(4 * count), sizeof *runs->interval, NULL);
    assert_non_null(runs->interval);
    runs->count = 0;
    for (int32_t p = 0; p < 2; p++) {
        int64_t now = 0;
        for (int64_t i = 0; i < 2 * count; i++) {
            size_t kind = (size_t)(i / 2 % 2);
            int64_t task = p * count + i / 4 * 2 + i % 2 + (kind == 1 ? 2 * count : 0);
            runs->interval[runs->count++] =
                (duet_interval){task, now, now + times[kind], kind, p, 0, false, false};
            now += times[kind];
            runs->end = now;
        }
    }
}

static void test_boxes(void **state)
{
    (void)state;
    duet_instance *instance;
    duet_intervals runs;
    duet_gantt_classes classes;
    duet_boxes boxes;
    duet_error error = DUET_ERROR_INIT;
    make_runs(&instance, &runs, 100);
    assert_int_equal(duet_gantt_classes_create(instance, &runs, &classes, &error), DUET_OK);
    static const size_t most[] = {200, 199, 40};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(duet_boxes_create(instance, &runs, &classes, most[i], 10, &boxes, &error),
                         DUET_OK);
        // Pairs of successive tasks; without their ids they would be no fewer.
        assert_int_equal(boxes.level, i == 0 ? DUET_BOX_TASKS : DUET_BOX_MIXED);
        assert_true(boxes.count <= most[i] + 2);
        assert_int_equal(boxes.rows, 2);
        int64_t count = 0;
        for (size_t b = 0; b < boxes.count; b++) {
            count += boxes.box[b].count;
        }
        assert_int_equal(count, runs.count);
        for (size_t r = 0; r < 2; r++) {
            assert_int_equal(boxes.row[r].busy, 3000);
            assert_int_equal(boxes.box[boxes.row[r].first].start, 0);
            assert_int_equal(boxes.box[boxes.row[r].first + boxes.row[r].count - 1].end, 3000);
        }
        duet_boxes_free(&boxes);
    }
    // Tasks of one kind in another order: ids are what keeps them apart.
    for (size_t i = 0; i < runs.count; i++) {
        runs.interval[i].kind = 0;
        runs.interval[i].end = runs.interval[i].start + 10;
        runs.interval[i].task = (int64_t)(runs.count - i);
        runs.interval[i].start = (int64_t)(i % 200) * 10;
        runs.interval[i].end = runs.interval[i].start + 10;
    }
    assert_int_equal(duet_boxes_create(instance, &runs, &classes, 50, 10, &boxes, &error), DUET_OK);
    assert_int_equal(boxes.level, DUET_BOX_KINDS);
    assert_int_equal(boxes.count, 2);
    duet_boxes_free(&boxes);
    assert_int_equal(duet_boxes_create(instance, &runs, &classes, 500, 1, &boxes, &error), DUET_OK);
    assert_int_equal(boxes.rows, 1);
    assert_int_equal(boxes.hidden, 1);
    duet_boxes_free(&boxes);
    duet_gantt_classes_free(&classes);
    duet_intervals_free(&runs);
    duet_instance_free(instance);
}

// ---- JSON

static void test_json(void **state)
{
    (void)state;
    static const char hostile[] = "</script><!--\"\\'&\xE2\x80\xA8\xE2\x80\xA9 \xC3\xA4\x01\xFF";
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    duet_html_name(stream, hostile);
    fclose(stream);
    assert_null(strpbrk(text, "<>&"));
    assert_null(strstr(text, "\xE2\x80"));
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    assert_string_equal(json_string_value(value), "</script><!--\"\\'&?? \xC3\xA4??");
    json_decref(value);
    free(text);
}

// The whole page: its data is JSON, and the same every time.
static char *make_page(const duet_page *page)
{
    duet_error error = DUET_ERROR_INIT;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(duet_page_write(stream, page, &error), DUET_OK);
    long size = ftell(stream);
    assert_true(size > 0);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    rewind(stream);
    assert_int_equal(fread(text, 1, (size_t)size, stream), size);
    fclose(stream);
    return text;
}

static void test_page(void **state)
{
    (void)state;
    duet_results results = {0};
    fill(&results, 50, 3);
    duet_page page = {"{{DATA}} </title>", &results, 0, NULL};
    char *text = make_page(&page);
    char *again = make_page(&page);
    assert_string_equal(text, again);
    assert_null(strstr(text, " src="));
    assert_null(strstr(text, "<link"));
    assert_non_null(strstr(text, "<title>{{DATA}} &#60;/title&#62;</title>"));
    char *data = strstr(text, "id=\"data\">\n");
    assert_non_null(data);
    data = strchr(data, '\n') + 1;
    char *end = strstr(data, "</script>");
    assert_non_null(end);
    *end = '\0';
    json_error_t fault;
    json_t *root = json_loads(data, 0, &fault);
    if (root == NULL) {
        fail_msg("%d:%d: %s", fault.line, fault.column, fault.text);
    }
    assert_int_equal(json_integer_value(json_object_get(root, "runs")), 50);
    assert_int_equal(json_array_size(json_object_get(root, "groups")), 6);
    json_decref(root);
    free(text);
    free(again);
    duet_results_free(&results);
}

// Makespan, bound and gap as the page tells them; a double could not hold the makespan.
static void check_facts(int64_t bound, const char *told, const char *gap, const char *same)
{
    static const duet_type platform[] = {{"cpu", 1}};
    static const char *const ids[] = {"a"};
    static const int64_t times[] = {9007199254740993};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "long",
                               .types = 1,
                               .platform = platform,
                               .kinds = 1,
                               .ids = ids,
                               .times = times,
                               .decimals = 3};
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_instance_create(&desc, &instance, &error), DUET_OK);
    duet_params params = DUET_PARAMS_INIT;
    assert_int_equal(duet_solve(instance, "heft", &params, &solution, &error), DUET_OK);
    solution->lower_bound = bound;
    duet_page_schedule schedule = {"long.json", instance, solution, NULL, NULL};
    duet_page page = {"Facts", NULL, 1, &schedule};
    char *text = make_page(&page);
    assert_non_null(strstr(text, "\"makespanText\":\"9.0072e12\",\n"));
    assert_non_null(strstr(text, told));
    assert_non_null(strstr(text, gap));
    assert_non_null(strstr(text, same));
    free(text);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void test_facts(void **state)
{
    (void)state;
    check_facts(9007199254740993, "\"boundText\":\"9.0072e12\",", "\"gap\":\"0 %\",",
                "\"same\":true,");
    check_facts(9007199254740992, "\"boundText\":\"9.0072e12\",", "\"gap\":\"0.01 %\",",
                "\"same\":false,");
    check_facts(9007199254740994, "\"boundText\":\"9.0072e12\",", "\"gap\":\"\",",
                "\"same\":false,");
    check_facts(0, "\"boundText\":\"\",", "\"gap\":\"\",", "\"same\":false,");
    check_facts(1, "\"boundText\":\"0.001\",", "\"gap\":\"over 10000 %\",", "\"same\":false,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),   cmocka_unit_test(test_references),
        cmocka_unit_test(test_sources), cmocka_unit_test(test_too_many_series),
        cmocka_unit_test(test_samples), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_boxes),   cmocka_unit_test(test_json),
        cmocka_unit_test(test_page),    cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
