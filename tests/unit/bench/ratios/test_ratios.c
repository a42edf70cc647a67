// SPDX-License-Identifier: Apache-2.0
// The judge and the figures of `duet bench ratios`, on made-up results: no algorithm of ours
// exceeds its ratio.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/ratios/ratios.h"

// Three equal tasks of 100 ticks of 0.1 ms on one CPU and one GPU: the optimum is 200.
static duet_instance *three(void)
{
    const duet_type platform[2] = {{"cpu", 1}, {"gpu", 1}};
    const int64_t counts[1] = {3};
    const int64_t times[2] = {100, 100};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "three",
                               .decimals = 1,
                               .types = 2,
                               .platform = platform,
                               .kinds = 1,
                               .counts = counts,
                               .times = times};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static duet_run_result made_up(int64_t makespan, int64_t bound, const char *proven)
{
    duet_run_result result = {.makespan = makespan, .bound = bound, .respected = -1};
    snprintf(result.status, sizeof result.status, "bounded");
    snprintf(result.proven, sizeof result.proven, "%s", proven);
    return result;
}

static void expect_row(const duet_instance *instance, const duet_run_result *result,
                       const char *text)
{
    duet_sweep_row row;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_run_write_result(instance, result, &row, &error), DUET_OK);
    assert_string_equal(row.results, text);
}

// dualhp is proven to stay within 2.
static void test_judge(void **state)
{
    (void)state;
    duet_instance *instance = three();
    static const struct {
        int64_t makespan, low, high;
        const char *row;
    } cases[] = {
        {400, 200, 200, "bounded,40,15,20,optimum,2.000000000,2.000000000,yes"},
        {401, 200, 200, "bounded,40.1,15,20,optimum,2.005000000,2.000000000,no"},
        // Against a bound: within it, above what it proves, above twice the best schedule.
        {300, 150, 210, "bounded,30,15,15,bound,2.000000000,2.000000000,yes"},
        {400, 150, 210, "bounded,40,15,15,bound,2.666666667,2.000000000,"},
        {421, 150, 210, "bounded,42.1,15,15,bound,2.806666667,2.000000000,no"},
        // Shorter than any schedule can be; no reference.
        {199, 200, 200, "fault,19.9,15,20,optimum,0.995000000,2.000000000,yes"},
        {300, 0, 300, "bounded,30,15,,,,2.000000000,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        duet_run_result result = made_up(cases[i].makespan, 150, "2");
        duet_run_refer_to(instance, "dualhp", NULL, cases[i].low, cases[i].high, &result);
        expect_row(instance, &result, cases[i].row);
    }
    // A bound above a schedule.
    duet_run_result result = made_up(300, 201, "2");
    duet_run_refer_to(instance, "dualhp", NULL, 200, 200, &result);
    assert_string_equal(result.status, "fault");
    // Nothing is proven; no schedule.
    result = made_up(500, 0, "");
    duet_run_refer_to(instance, "accel-published", NULL, 200, 200, &result);
    expect_row(instance, &result, "bounded,50,,20,optimum,2.500000000,,");
    result = made_up(-1, 0, "");
    snprintf(result.status, sizeof result.status, "failed");
    duet_run_refer_to(instance, "dualhp", NULL, 200, 200, &result);
    expect_row(instance, &result, "failed,,,20,optimum,,,");
    // Proven ratios as decimals, rounded up.
    static const char *const ratios[][2] = {{"4/3", "1.333333334"},
                                            {"(1+sqrt(5))/2", "1.618033989"},
                                            {"2+sqrt(2)", "3.414213563"},
                                            {"11/9", "1.222222223"},
                                            {"1", "1.000000000"}};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        char text[128];
        result = made_up(200, 0, ratios[i][0]);
        snprintf(text, sizeof text, "bounded,20,,,,,%s,", ratios[i][1]);
        expect_row(instance, &result, text);
    }
    duet_instance_free(instance);
}

static duet_run_result read_back(const char *results)
{
    duet_sweep_row row = {.seconds = 0};
    duet_run_result result;
    duet_error error = DUET_ERROR_INIT;
    snprintf(row.results, sizeof row.results, "%s", results);
    if (duet_run_read_result(&row, 1, &result, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return result;
}

// A schedule that the checker has accepted refutes a reference; one that it refuses does not.
static void test_reference(void **state)
{
    (void)state;
    duet_run_result results[2] = {made_up(200, 0, ""), made_up(250, 0, "")};
    duet_ratios_reference found = {.low = 190, .high = 210};
    duet_ratios_hold_against(&found, results, 2);
    assert_true(found.low == 190 && found.high == 200 && !found.fault);
    found = (duet_ratios_reference){.low = 201, .high = 210};
    duet_ratios_hold_against(&found, results, 2);
    assert_true(found.low == 0 && found.high == 200 && found.fault);
    snprintf(results[0].status, sizeof results[0].status, "fault");
    found = (duet_ratios_reference){.low = 201, .high = 210};
    duet_ratios_hold_against(&found, results, 2);
    assert_true(found.low == 201 && found.high == 210 && !found.fault);
    found = (duet_ratios_reference){.high = INT64_MAX, .infeasible = true};
    duet_ratios_hold_against(&found, results, 1);
    assert_true(found.high == INT64_MAX && !found.fault);
    duet_ratios_hold_against(&found, results, 2);
    assert_true(found.high == 250 && found.fault);
}

static void setup(duet_ratios *ratios)
{
    duet_error error = DUET_ERROR_INIT;
    *ratios = (duet_ratios){.settings = {.algorithm_count = 2,
                                         .algorithm = {{.name = "dualhp"}, {.name = "lpt"}},
                                         .option_text = "",
                                         .family_count = 2,
                                         .family = {"unif4", "acc"},
                                         .size_count = 1,
                                         .size = {{5, 5}},
                                         .platform_count = 1,
                                         .m = {{2, 2}},
                                         .k = {{1, 1}},
                                         .instances = 50,
                                         .first_seed = 7,
                                         .rounds = DUET_RATIOS_ROUNDS}};
    if (duet_ratios_create(ratios, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(ratios->group_count, 2);
    assert_int_equal(ratios->jobs, 100);
}

static bool is_acc(const duet_ratios_group *group, const void *key)
{
    (void)key;
    return strcmp(group->family, "acc") == 0;
}

// 1.00, 1.01, ... 1.99 in an order of no meaning.
static void test_figures(void **state)
{
    (void)state;
    duet_ratios ratios;
    duet_ratios_figures f;
    duet_error error = DUET_ERROR_INIT;
    char text[DUET_RATIOS_NAME];
    char command[DUET_RATIOS_COMMAND];
    setup(&ratios);
    for (size_t i = 0; i < 100; i++) {
        size_t job = i * 37 % 100;
        snprintf(text, sizeof text, "bounded,%zu,5,1000,optimum,1.%02zu0000000,2.000000000,yes",
                 1000 + 10 * job, job);
        duet_run_result result = read_back(text);
        duet_ratios_note(&ratios, job, 0, &result);
    }
    assert_int_equal(duet_ratios_figures_of(&ratios, 0, NULL, NULL, &f, &error), DUET_OK);
    assert_int_equal(f.seen.runs, 100);
    assert_int_equal(f.seen.judged, 100);
    assert_int_equal(f.seen.open + f.seen.unclear, 0);
    for (int c = 0; c < DUET_RATIOS_FAILURES; c++) {
        assert_int_equal(f.seen.failures[c].count, 0);
    }
    assert_true(f.ratio.mean > 1.4949999 && f.ratio.mean < 1.4950001);
    assert_true(f.ratio.median == 1.49 && f.ratio.q90 == 1.89 && f.ratio.q99 == 1.98);
    assert_true(f.ratio.largest == 1.99);
    assert_int_equal(f.seen.worst_job, 99);
    assert_string_equal(duet_fraction_format(f.seen.worst, text), "199/100");
    assert_string_equal(duet_ratios_name(&ratios, 99, text), "acc-5-56");
    assert_string_equal(duet_ratios_command(&ratios, 1, 99, command),
                        "duet bench ratios -a lpt --family acc -n 5 --platforms 2:1 --instances 1 "
                        "--seed 56");
    ratios.settings.option_text = "a=1 b=two";
    ratios.settings.rounds = 0;
    ratios.settings.seconds = 1.5;
    ratios.settings.memory = (size_t)64 << 20;
    ratios.settings.given = DUET_RATIOS_MEMORY;
    assert_string_equal(duet_ratios_command(&ratios, 0, 0, command),
                        "duet bench ratios -a dualhp -O a=1 -O b=two --family unif4 -n 5 "
                        "--platforms 2:1 --instances 1 --seed 7 --rounds 0 -t 1.5 --memory 64");
    assert_int_equal(duet_ratios_figures_of(&ratios, 0, is_acc, NULL, &f, &error), DUET_OK);
    assert_int_equal(f.seen.runs, 50);
    assert_true(f.ratio.median == 1.74);
    // Of equal ratios the first job counts, whatever the order.
    for (size_t i = 3; i > 0; i--) {
        duet_run_result result = read_back("bounded,8,5,4,optimum,2.000000000,2.000000000,yes");
        duet_ratios_note(&ratios, 10 * i, 1, &result);
    }
    assert_int_equal(duet_ratios_figures_of(&ratios, 1, NULL, NULL, &f, &error), DUET_OK);
    assert_int_equal(f.seen.worst_job, 10);
    assert_int_equal(f.ratio.count, 3);
    assert_true(duet_ratios_is_good(&ratios));
    duet_ratios_free(&ratios);
}

// Each instance draws its size and platform, and its command names them.
static void test_ranges(void **state)
{
    (void)state;
    duet_ratios ratios = {.settings = {.algorithm_count = 1,
                                       .algorithm = {{.name = "hcpa"}},
                                       .option_text = "",
                                       .family_count = 2,
                                       .family = {"amdahl", "tables"},
                                       .size_count = 1,
                                       .size = {{10, 12}},
                                       .platform_count = 1,
                                       .m = {{4, 64}},
                                       .k = {{0, 1}},
                                       .instances = 40,
                                       .first_seed = 7,
                                       .rounds = DUET_RATIOS_ROUNDS}};
    duet_error error = DUET_ERROR_INIT;
    char text[DUET_RATIOS_NAME];
    char command[DUET_RATIOS_COMMAND];
    char expected[DUET_RATIOS_COMMAND];
    size_t unlike = 0; // the same seed, another family
    size_t sizes[13] = {0};
    assert_int_equal(duet_ratios_create(&ratios, &error), DUET_OK);
    assert_int_equal(ratios.jobs, 80);
    for (size_t job = 0; job < ratios.jobs; job++) {
        duet_ratios_shape shape = duet_ratios_shape_of(&ratios, job);
        duet_instance *instance = NULL;
        assert_in_range(shape.size, 10, 12);
        assert_in_range(shape.m, 4, 64);
        assert_in_range(shape.k, 0, 1);
        sizes[shape.size]++;
        unlike += shape.m != duet_ratios_shape_of(&ratios, (job + 40) % 80).m;
        assert_int_equal(duet_ratios_instance(&ratios, job, &instance, &error), DUET_OK);
        assert_int_equal(duet_instance_tasks(instance), shape.size);
        assert_int_equal(duet_instance_type_count(instance, 0), shape.m);
        duet_instance_free(instance);
        const char *family = job < 40 ? "amdahl" : "tables";
        snprintf(expected, sizeof expected, "%s-%d-%zu", family, (int)shape.size, 7 + job % 40);
        assert_string_equal(duet_ratios_name(&ratios, job, text), expected);
        snprintf(expected, sizeof expected,
                 "duet bench ratios -a hcpa --family %s -n %d --platforms %d:%d --instances 1 "
                 "--seed %zu",
                 family, (int)shape.size, (int)shape.m, (int)shape.k, 7 + job % 40);
        assert_string_equal(duet_ratios_command(&ratios, 0, job, command), expected);
    }
    assert_true(sizes[10] > 10 && sizes[11] > 10 && sizes[12] > 10 && unlike > 60);
    duet_ratios_free(&ratios);
}

static void accusation(const duet_ratios *ratios, char *text, size_t size)
{
    FILE *stream = fmemopen(text, size, "w");
    duet_ratios_report_failures(ratios, stream);
    fclose(stream);
}

static void test_verdicts(void **state)
{
    (void)state;
    duet_ratios ratios;
    duet_ratios_figures f;
    duet_error error = DUET_ERROR_INIT;
    char text[1024] = "";
    setup(&ratios);
    // Against a bound, nothing is exceeded.
    duet_run_result result = read_back("bounded,30,5,10,bound,3.000000000,2.000000000,");
    duet_ratios_note(&ratios, 3, 0, &result);
    assert_true(duet_ratios_is_good(&ratios));
    accusation(&ratios, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(duet_ratios_figures_of(&ratios, 0, NULL, NULL, &f, &error), DUET_OK);
    assert_int_equal(f.seen.open, 1);
    assert_int_equal(f.seen.unclear, 1);
    // Against the optimum.
    result = read_back("bounded,30,5,10,optimum,3.000000000,2.000000000,no");
    duet_ratios_note(&ratios, 60, 0, &result);
    duet_ratios_note(&ratios, 51, 0, &result);
    assert_false(duet_ratios_is_good(&ratios));
    accusation(&ratios, text, sizeof text);
    assert_string_equal(text,
                        "duet: dualhp: 2 runs above the proven ratio, the first acc-5-8 (2,1), "
                        "seed 8: duet bench ratios -a dualhp --family acc -n 5 --platforms 2:1 "
                        "--instances 1 --seed 8\n");
    duet_ratios_free(&ratios);
    // At fault.
    setup(&ratios);
    result = read_back("fault,30,5,10,optimum,3.000000000,,");
    duet_ratios_note(&ratios, 0, 1, &result);
    result = read_back("failed,,,10,optimum,,,");
    duet_ratios_note(&ratios, 1, 1, &result);
    assert_false(duet_ratios_is_good(&ratios));
    accusation(&ratios, text, sizeof text);
    assert_non_null(strstr(text, "lpt: 1 runs that the checker or the optimum refutes"));
    assert_non_null(strstr(text, "unif4-5-7 (2,1), seed 7"));
    assert_int_equal(duet_ratios_figures_of(&ratios, 1, NULL, NULL, &f, &error), DUET_OK);
    assert_int_equal(f.seen.failed, 1);
    assert_int_equal(f.ratio.count, 0); // what is at fault is in no figure
    assert_true(f.seen.worst.den == 0);
    duet_ratios_free(&ratios);
    // The reference is, which is the same for all algorithms.
    setup(&ratios);
    duet_instance *instance = three();
    result = made_up(300, 150, "");
    result.unreferred = true;
    expect_row(instance, &result, "bounded,30,15,,fault,,,");
    result = read_back("bounded,30,15,,fault,,,");
    assert_true(result.unreferred);
    duet_ratios_note(&ratios, 2, 0, &result);
    duet_ratios_note(&ratios, 2, 1, &result);
    assert_false(duet_ratios_is_good(&ratios));
    accusation(&ratios, text, sizeof text);
    assert_string_equal(text,
                        "duet: reference: 1 instances where the checker or a schedule refutes it, "
                        "the first unif4-5-9 (2,1), seed 9: duet bench ratios -a dualhp --family "
                        "unif4 -n 5 --platforms 2:1 --instances 1 --seed 9\n");
    assert_int_equal(duet_ratios_figures_of(&ratios, 1, NULL, NULL, &f, &error), DUET_OK);
    assert_int_equal(f.seen.open, 0);
    duet_instance_free(instance);
    duet_ratios_free(&ratios);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judge),    cmocka_unit_test(test_reference),
        cmocka_unit_test(test_ranges),   cmocka_unit_test(test_figures),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
