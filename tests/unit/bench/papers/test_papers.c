// SPDX-License-Identifier: Apache-2.0
// The pieces of `duet bench papers`: which instances it takes, rows of runs, figures over them, and
// what the pages say of the papers' printed numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/papers/bag.h"

// The study borrows the settings.
static duet_paper_settings settings;

static duet_paper_study make(unsigned parts, uint64_t every, int64_t size)
{
    settings = (duet_paper_settings){.parts = parts,
                                     .every = every,
                                     .first_seed = 1,
                                     .parts_per_unit = 1,
                                     .round = "none",
                                     .rounds = 1,
                                     .rounds_option = "rounds=1"};
    if (size > 0) {
        settings.size[settings.size_count++] = size;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_paper_study study;
    if (duet_paper_study_create(&duet_paper_bag, &settings, &study, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return study;
}

static size_t bits(int64_t value)
{
    size_t count = 0;
    for (; value > 1; value /= 2) {
        count++;
    }
    return count;
}

// As many as the paper counts: 105 of each size, 3 or 4 of each combination.
static void test_counted_sweep(void **state)
{
    (void)state;
    duet_paper_study papers = make(DUET_BAG_TABLE1, DUET_BAG_EVERY, 0);
    int sizes[DUET_BAG_SIZES] = {0};
    int places[DUET_BAG_SIZES][DUET_BAG_CPUS][DUET_BAG_GPUS] = {{{0}}};
    assert_int_equal(papers.case_count, DUET_BAG_COUNTED);
    for (size_t c = 0; c < papers.case_count; c++) {
        const duet_paper_case *origin = &papers.cases[c];
        size_t size = (size_t)(origin->n / 10 - 1);
        sizes[size]++;
        places[size][bits(origin->m)][bits(origin->k)]++;
        assert_true(c == 0 || origin->seed > papers.cases[c - 1].seed);
    }
    for (size_t s = 0; s < DUET_BAG_SIZES; s++) {
        assert_int_equal(sizes[s], DUET_BAG_COUNTED / DUET_BAG_SIZES);
        for (size_t m = 0; m < DUET_BAG_CPUS; m++) {
            for (size_t k = 0; k < DUET_BAG_GPUS; k++) {
                assert_in_range(places[s][m][k], 3, 4);
            }
        }
    }
    duet_paper_study_free(&papers);
}

static void test_whole_sweep_contains_the_slices(void **state)
{
    (void)state;
    duet_paper_study whole = make(DUET_BAG_TABLE1, 1, 0);
    duet_paper_study slice = make(DUET_BAG_FIGURE3, DUET_BAG_EVERY, 700);
    assert_int_equal(whole.case_count, DUET_BAG_WHOLE);
    assert_int_equal(slice.case_count, 105);
    for (size_t c = 0; c < slice.case_count; c++) {
        const duet_paper_case *here = &slice.cases[c];
        const duet_paper_case *there = &whole.cases[here->seed - 1];
        assert_true(here->n == 700 && there->n == 700 && here->m == there->m &&
                    here->k == there->k && here->seed == there->seed);
    }
    duet_paper_study_free(&whole);
    duet_paper_study_free(&slice);
}

static void test_factorisations(void **state)
{
    (void)state;
    duet_paper_study papers = make(DUET_BAG_FIGURE6, 1, 0);
    size_t families = 0;
    for (size_t f = DUET_BAG_CHOLESKY; f < DUET_BAG_SETS; f++) {
        families += duet_bag_has_family(f);
    }
    assert_true(families >= 2);
    assert_int_equal(papers.case_count, 61 * families);
    assert_int_equal(papers.cases[0].tasks, 20); // 4 + 6 + 6 + 4
    assert_true(papers.cases[0].area > 0);
    duet_paper_study_free(&papers);
}

static void set(duet_paper_study *papers, size_t c, size_t a, int64_t makespan)
{
    papers->results[c * DUET_BAG_ALGORITHMS + a] =
        (duet_paper_result){.status = "bounded",
                            .makespan = makespan,
                            .bound = a == DUET_BAG_DP ? 80 : 0,
                            .reference = 100,
                            .is_optimum = true,
                            .respected = -1};
}

static void refute(duet_paper_result *result)
{
    snprintf(result->status, sizeof result->status, "fault");
}

static void test_figures(void **state)
{
    (void)state;
    duet_paper_study papers = make(DUET_BAG_TABLE1, DUET_BAG_EVERY, 120);
    static const int64_t heft[] = {100, 150, 151, 200, 201};
    for (size_t c = 0; c < sizeof heft / sizeof *heft; c++) {
        set(&papers, c, DUET_BAG_DP, 100);
        set(&papers, c, DUET_BAG_HEFT, heft[c]);
    }
    duet_bag_figures figures;
    duet_bag_figures_of(&papers, DUET_BAG_HEFT, DUET_BAG_FROM_BEST, 120, &figures);
    assert_int_equal(figures.ratio.count, 5);
    assert_int_equal(figures.ratio.above_half, 3);
    assert_int_equal(figures.ratio.above_one, 1);
    assert_int_equal(figures.ratio.where, 4);
    assert_true(duet_bag_largest(&figures) == 101);
    assert_true(figures.mean > 60.39 && figures.mean < 60.41); // 0, 50, 51, 100, 101
    duet_bag_figures_of(&papers, DUET_BAG_HEFT, DUET_BAG_FROM_SEARCH, 0, &figures);
    assert_true(duet_bag_largest(&figures) == 151.25); // 201 / 80
    duet_bag_figures_of(&papers, DUET_BAG_HEFT, DUET_BAG_FROM_BEST, 130, &figures);
    assert_int_equal(figures.ratio.count, 0);
    duet_bag_count count = duet_bag_count_of(&papers, false);
    assert_int_equal(count.cases, 5);
    assert_int_equal(count.proven, 5);
    duet_claims claims;
    duet_bleuse2015_claims(&papers, &claims);
    assert_int_equal(claims.count, 6);
    assert_string_equal(claims.claim[0].verdict, "holds"); // DP below HEFT
    assert_string_equal(claims.claim[2].verdict, "holds"); // HEFT over 100 %
    // Accel above HEFT; then not by less than twice its mean deviation from 80.
    for (size_t c = 0; c < sizeof heft / sizeof *heft; c++) {
        set(&papers, c, DUET_BAG_ACCEL, heft[c] + 1);
    }
    duet_bleuse2015_claims(&papers, &claims);
    assert_string_equal(claims.claim[5].verdict, "holds");
    for (size_t c = 0; c < sizeof heft / sizeof *heft; c++) {
        set(&papers, c, DUET_BAG_ACCEL, 3 * heft[c]);
    }
    duet_bleuse2015_claims(&papers, &claims);
    assert_string_equal(claims.claim[5].verdict, "above, but not slightly");
    // What is at fault is in no figure.
    refute(&papers.results[4 * DUET_BAG_ALGORITHMS + DUET_BAG_HEFT]);
    duet_bag_figures_of(&papers, DUET_BAG_HEFT, DUET_BAG_FROM_BEST, 120, &figures);
    assert_int_equal(figures.ratio.count, 4);
    assert_int_equal(figures.ratio.where, 3);
    assert_true(duet_bag_largest(&figures) == 100);
    refute(&papers.results[3 * DUET_BAG_ALGORITHMS + DUET_BAG_DP]); // its bound, too
    duet_bag_figures_of(&papers, DUET_BAG_HEFT, DUET_BAG_FROM_SEARCH, 120, &figures);
    assert_int_equal(figures.ratio.count, 3);
    duet_paper_study_free(&papers);
}

static void report(const duet_paper_study *papers, bool good, char *text, size_t size)
{
    memset(text, 0, size);
    FILE *stream = fmemopen(text, size, "w");
    assert_int_equal(duet_paper_report_failures(papers, stream), good);
    fclose(stream);
}

static void test_report_of_failures(void **state)
{
    (void)state;
    char text[4096];
    duet_paper_study papers = make(DUET_BAG_TABLE1, DUET_BAG_EVERY, 120);
    for (size_t c = 0; c < 3; c++) {
        for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
            set(&papers, c, a, 100);
        }
    }
    report(&papers, true, text, sizeof text);
    assert_string_equal(text, "");
    // A case of which nothing came is counted, too.
    for (size_t a = 0; a < DUET_BAG_ALGORITHMS; a++) {
        papers.results[a] =
            (duet_paper_result){.status = "failed", .makespan = -1, .respected = -1};
    }
    duet_bag_count count = duet_bag_count_of(&papers, false);
    assert_int_equal(count.cases, 3);
    assert_int_equal(count.failed, DUET_BAG_ALGORITHMS);
    report(&papers, true, text, sizeof text);
    assert_non_null(strstr(text, "duet: heft: 1 runs without a schedule, the first bleuse-120-"));
    papers.results[DUET_BAG_ALGORITHMS + DUET_BAG_SHELF].respected = 0;
    papers.results[2 * DUET_BAG_ALGORITHMS + DUET_BAG_SHELF].respected = 0;
    refute(&papers.results[2 * DUET_BAG_ALGORITHMS + DUET_BAG_EXACT]);
    report(&papers, false, text, sizeof text);
    char line[256];
    int seed = (int)papers.cases[1].seed;
    snprintf(line, sizeof line,
             "duet: shelf-3-2: 2 runs above the proven ratio, the first bleuse-120-%d (%d,%d), "
             "seed %d: duet generate bleuse -n 120 -m %d -k %d --seed %d\n",
             seed, (int)papers.cases[1].m, (int)papers.cases[1].k, seed, (int)papers.cases[1].m,
             (int)papers.cases[1].k, seed);
    assert_non_null(strstr(text, line));
    assert_non_null(strstr(text, "duet: exact: 1 runs that the checker or another run refutes"));
    duet_paper_study_free(&papers);
}

// Whether a printed percentage is a fraction with a denominator of at most `most`.
static bool is_small_fraction(double percent, int most)
{
    char printed[32];
    snprintf(printed, sizeof printed, "%.2f", percent);
    for (int den = 1; den <= most; den++) {
        int near = (int)(percent * den / 100);
        for (int num = near; num <= near + 1; num++) {
            char text[32];
            snprintf(text, sizeof text, "%.2f", 100.0 * num / den);
            if (strcmp(text, printed) == 0) {
                return true;
            }
        }
    }
    return false;
}

// docs/results.md says so of Table 1.
static void test_printed_numbers(void **state)
{
    (void)state;
    int small = 0;
    for (size_t i = 0; i < DUET_BAG_PRINTED; i++) {
        assert_int_equal(duet_bag_table1[i].n % 20, 0);
        for (size_t a = 0; a < DUET_BAG_PRINTED_ALGORITHMS; a++) {
            small += is_small_fraction(duet_bag_table1[i].deviation[a], 30);
        }
    }
    assert_int_equal(small, 12);
    int by_chance = 0;
    for (int i = 0; i <= 10000; i++) {
        by_chance += is_small_fraction(i / 100.0, 30);
    }
    assert_in_range(36 * by_chance / 10001, 0, 1);
}

static duet_instance *three_tasks(void)
{
    static const duet_type platform[2] = {{"cpu", 1}, {"gpu", 1}};
    static const int64_t times[] = {1005, 15, 1005, 15, 1005, 15};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "three",
                               .decimals = 1,
                               .types = 2,
                               .platform = platform,
                               .kinds = 3,
                               .times = times};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

static void test_rows(void **state)
{
    (void)state;
    static const char *const names[] = {"heft", "shelf-3-2", "exact", "nonsense"};
    enum { runs = 4 };
    const duet_options *options[runs] = {NULL};
    duet_run_result results[runs];
    duet_params params = DUET_PARAMS_INIT;
    duet_instance *instance = three_tasks();
    for (size_t a = 0; a < runs; a++) {
        duet_run(instance, names[a], &params, &results[a]);
    }
    duet_run_refer(instance, names, options, results, runs);
    assert_string_equal(results[2].status, "optimal");
    assert_string_equal(results[3].status, "fault"); // a name that the harness got wrong
    duet_sweep_row row;
    for (size_t a = 0; a < runs; a++) {
        duet_run_result again;
        assert_int_equal(duet_run_write_result(instance, &results[a], &row, NULL), DUET_OK);
        assert_int_equal(duet_run_read_result(&row, 1, &again, NULL), DUET_OK);
        assert_string_equal(again.status, results[a].status);
        assert_true(again.makespan == results[a].makespan && again.bound == results[a].bound &&
                    again.reference == 45 && again.is_optimum &&
                    again.respected == results[a].respected);
    }
    assert_int_equal(duet_run_write_result(instance, &results[2], &row, NULL), DUET_OK);
    assert_string_equal(row.results, "optimal,4.5,4.5,4.5,optimum,1.000000000,1.000000000,yes");
    duet_instance_free(instance);
}

static void test_refused_rows(void **state)
{
    (void)state;
    static const char *const bad[] = {"optimal,4.5,4.5,4.5,optimum,1,1", "optimal,x,,,,,,",
                                      "optimal,4.55,,,,,,", "a,1,1,1,bound,1,,,",
                                      "a-status-that-is-too-long,1,1,1,bound,1,,"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        duet_sweep_row row = {.seconds = 0};
        duet_run_result result;
        snprintf(row.results, sizeof row.results, "%s", bad[i]);
        assert_int_equal(duet_run_read_result(&row, 1, &result, NULL), DUET_E_INPUT);
    }
}

// Bounds above a schedule, and ratios above what is proven, by a known optimum and by a bound.
static void test_judgements(void **state)
{
    (void)state;
    static const char *const names[] = {"shelf-3-2", "dualhp"};
    const duet_options *options[2] = {NULL, NULL};
    duet_instance *instance = three_tasks();
    duet_run_result results[2] = {
        {.status = "bounded", .makespan = 140, .bound = 90, .proven = "3/2", .respected = -1},
        {.status = "bounded", .makespan = 100, .bound = 80, .proven = "2", .respected = -1}};
    duet_run_refer(instance, names, options, results, 2);
    assert_false(results[0].is_optimum);
    assert_int_equal(results[0].reference, 90);
    assert_int_equal(results[0].respected, -1); // the optimum may be 100
    assert_int_equal(results[1].respected, 1);
    results[0].makespan = 160; // not even by the best schedule
    duet_run_refer(instance, names, options, results, 2);
    assert_int_equal(results[0].respected, 0);
    results[1].bound = 100;
    duet_run_refer(instance, names, options, results, 2);
    assert_true(results[0].is_optimum);
    assert_int_equal(results[0].respected, 0);
    results[0].bound = 101;
    duet_run_refer(instance, names, options, results, 2);
    assert_string_equal(results[0].status, "fault");
    assert_int_equal(results[0].reference, 100);
    // A bound above a schedule is false, and stands for nothing.
    snprintf(results[0].status, sizeof results[0].status, "bounded");
    results[1].bound = 80;
    duet_run_refer(instance, names, options, results, 2);
    assert_string_equal(results[0].status, "fault");
    assert_string_equal(results[1].status, "bounded");
    assert_int_equal(results[1].reference, 80);
    assert_false(results[0].is_optimum || results[1].is_optimum);
    // "There is no schedule", beside one; without one it may be so.
    results[0] = (duet_run_result){.status = "failed", .makespan = -1, .infeasible = true};
    duet_run_refer(instance, names, options, results, 1);
    assert_string_equal(results[0].status, "failed");
    duet_run_refer_to(instance, names[0], NULL, 0, INT64_MAX, &results[0]);
    assert_string_equal(results[0].status, "failed");
    duet_run_result same = results[0];
    duet_run_refer_to(instance, names[0], NULL, 90, 100, &same);
    assert_string_equal(same.status, "fault");
    duet_run_refer(instance, names, options, results, 2);
    assert_string_equal(results[0].status, "fault");
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted_sweep),
        cmocka_unit_test(test_whole_sweep_contains_the_slices),
        cmocka_unit_test(test_factorisations),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_report_of_failures),
        cmocka_unit_test(test_printed_numbers),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_refused_rows),
        cmocka_unit_test(test_judgements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
