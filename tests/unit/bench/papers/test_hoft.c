// SPDX-License-Identifier: Apache-2.0
// The 160 makespans that the authors of HOFT published, against ours in exact integers; random
// costs as their program draws them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/papers/mcsweeney2020/study.h"
#include "tests/support/fixtures.h"
#include "tests/support/scratch_file.h"

static int64_t makespan_of(const duet_instance *instance, const char *algorithm)
{
    duet_error error = DUET_ERROR_INIT;
    duet_options *options;
    duet_solution *solution;
    duet_params params = DUET_PARAMS_INIT;
    assert_int_equal(duet_options_create(&options, &error), DUET_OK);
    assert_int_equal(duet_options_add(options, "topo=stack", &error), DUET_OK);
    assert_int_equal(duet_options_add(options, "ties=cpu", &error), DUET_OK);
    assert_int_equal(duet_options_add(options, "bound=none", &error), DUET_OK);
    params.options = options;
    if (duet_solve(instance, algorithm, &params, &solution, &error) != DUET_OK ||
        duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("%s: %s", algorithm, error.message);
    }
    int64_t makespan = duet_solution_makespan(solution);
    duet_solution_free(solution);
    duet_options_free(options);
    return makespan;
}

// In exact integers 109 of them come out to the last digit, six of these but for the rounding of
// the authors' doubles, and the rest within 3.1 %: there a rounding decided a tie.
static void published_figures(void **state)
{
    (void)state;
    static const int expected[DUET_HOFT_ALGORITHMS] = {27, 28, 26, 28};
    int found[DUET_HOFT_ALGORITHMS] = {0};
    const size_t step = DUET_HOFT_ROWS / duet_test_share(DUET_HOFT_ROWS);
    for (size_t r = 0; r < DUET_HOFT_ROWS; r += step) {
        const duet_hoft_row *row = &duet_hoft_published[r];
        duet_instance *instance = NULL;
        int64_t makespan[DUET_HOFT_ALGORITHMS];
        assert_int_equal(duet_hoft_instance(row, &instance, NULL), DUET_OK);
        for (size_t a = 0; a < DUET_HOFT_ALGORITHMS; a++) {
            int64_t published = row->makespan[a];
            makespan[a] = makespan_of(instance, duet_hoft_algorithm[a]);
            found[a] += duet_hoft_compare(makespan[a], published) != DUET_HOFT_OTHER;
            int64_t apart =
                makespan[a] > published ? makespan[a] - published : published - makespan[a];
            if (1000 * apart > 31 * published) {
                fail_msg("row %zu, %s: %lld, published %lld", r, duet_hoft_algorithm[a],
                         (long long)makespan[a], (long long)published);
            }
        }
        assert_int_equal(makespan[1], makespan[3]); // as the paper says: HOFT-WM = HEFT-WM
        duet_instance_free(instance);
    }
    for (size_t a = 0; a < DUET_HOFT_ALGORITHMS; a++) {
        assert_true(step > 1 || found[a] == expected[a]);
    }
}

// Computation over communication, both totals, as the authors' program reckons it. Sums of ticks.
static double ratio_of(const duet_instance *instance)
{
    double m = (double)duet_instance_type_count(instance, 0);
    double k = (double)duet_instance_type_count(instance, 1);
    double compute = 0;
    double moved = 0;
    for (int64_t j = 0; j < duet_instance_tasks(instance); j++) {
        size_t kind = duet_instance_kind_of(instance, j);
        compute += m * (double)duet_instance_time(instance, kind, 0) +
                   k * (double)duet_instance_time(instance, kind, 1);
    }
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        moved += m * k * (double)duet_instance_transfer(instance, e, 0, 1);
        moved += k * m * (double)duet_instance_transfer(instance, e, 1, 0);
        moved += k * (k - 1) * (double)duet_instance_transfer(instance, e, 1, 1);
    }
    return compute / (m + k) / (moved / ((m + k) * (m + k)));
}

// GPU times are whole, 1 .. 99; costs between CPUs are 0 and the others differ; the CCR is in the
// interval; the mean factor is near that of its exponential distribution.
static void check_drawn(const duet_instance *instance, const double *interval, double *factors)
{
    enum { MICRO = 1000000, LONGEST = 99 };
    for (int64_t j = 0; j < duet_instance_tasks(instance); j++) {
        size_t kind = duet_instance_kind_of(instance, j);
        int64_t gpu = duet_instance_time(instance, kind, 1);
        assert_true(gpu % MICRO == 0 && gpu >= MICRO && gpu <= (int64_t)LONGEST * MICRO);
        *factors += (double)duet_instance_time(instance, kind, 0) / (double)gpu;
    }
    for (int64_t e = 0; e < duet_instance_edges(instance); e++) {
        assert_int_equal(duet_instance_transfer(instance, e, 0, 0), 0);
        assert_int_not_equal(duet_instance_transfer(instance, e, 0, 1),
                             duet_instance_transfer(instance, e, 1, 0));
        assert_int_not_equal(duet_instance_transfer(instance, e, 0, 1),
                             duet_instance_transfer(instance, e, 1, 1));
    }
    double ratio = ratio_of(instance);
    if (ratio < interval[0] || ratio > interval[1]) {
        fail_msg("%s: CCR %f", duet_instance_name(instance), ratio);
    }
}

// The empty tasks of the set are there: one before all others, one after them.
static void check_ends(const duet_instance *instance, int64_t tasks)
{
    assert_int_equal(duet_instance_tasks(instance), tasks);
    for (int64_t j = 0; j < tasks; j++) {
        size_t before;
        size_t after;
        duet_instance_edges_to(instance, j, &before);
        duet_instance_edges_from(instance, j, &after);
        assert_int_equal(before == 0, j == 0);
        assert_int_equal(after == 0, j == tasks - 1);
    }
}

// A file of tasks in a chain, each before one more that stands beside it.
static void write_graph(int tasks)
{
    char text[20000];
    size_t used = (size_t)snprintf(text, sizeof text, "id,cpu,gpu,after\n");
    for (int j = 0; j < tasks; j++) {
        char after[32] = "";
        if (j > 0) {
            snprintf(after, sizeof after, "t%d", j % 2 == 1 ? j - 1 : j - 2);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "t%d,1,1,%s\n", j, after);
    }
    duet_scratch_put(text, used);
}

static void costs_of_authors(void **state)
{
    (void)state;
    enum { TASKS = 200, SEEDS = 5 };
    static const double interval[DUET_HOFT_CCRS][2] = {{0.1, 10}, {10, 20}, {20, 50}};
    static const double mean[DUET_HOFT_ACCELERATIONS] = {5, 50};
    write_graph(TASKS);
    for (size_t a = 0; a < DUET_HOFT_ACCELERATIONS; a++) {
        double factors = 0;
        int drawn = 0;
        for (size_t i = 0; i < (size_t)DUET_HOFT_CCRS * DUET_HOFT_PLATFORMS * SEEDS; i++) {
            size_t ccr = i % DUET_HOFT_CCRS;
            const int64_t *platform = duet_hoft_platforms[i / DUET_HOFT_CCRS % DUET_HOFT_PLATFORMS];
            duet_paper_case c = {.set = DUET_HOFT_RANDOM + a * DUET_HOFT_CCRS + ccr,
                                 .m = platform[0],
                                 .k = platform[1],
                                 .seed = i};
            snprintf(c.name, sizeof c.name, "drawn-%zu", i);
            snprintf(c.from, sizeof c.from, "%s", duet_scratch_path);
            duet_instance *instance = NULL;
            duet_code code = duet_hoft_random(&c, &instance, NULL);
            if (code == DUET_E_UNSUPPORTED) { // a build without GSL draws no gamma distribution
                skip();
            }
            assert_int_equal(code, DUET_OK);
            check_drawn(instance, interval[ccr], &factors);
            check_ends(instance, TASKS + 2);
            drawn += TASKS + 2;
            duet_instance_free(instance);
        }
        assert_true(factors / drawn > 0.9 * mean[a] && factors / drawn < 1.1 * mean[a]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_figures),
                                       cmocka_unit_test(costs_of_authors)};
    return cmocka_run_group_tests(tests, duet_scratch_make, duet_scratch_remove);
}
