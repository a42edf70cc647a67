// SPDX-License-Identifier: Apache-2.0
// auto, ended where its search begins, is never worse than any fast algorithm of the registry, and
// on small graphs without any time not than the quick rules; and what option gap asks of every
// search. No clock decides anything here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>
#include <duet/moldable.h>

#include "bench/run/random_instance.h"
#include "core/options.h"
#include "solvers/graph/search.h"
#include "solvers/registry.h"
#include "solvers/run.h"
#include "tests/support/fixtures.h"

// Asks a running auto to stop once its fast algorithms are done.
typedef struct stopper {
    duet_cancel *cancel;
    bool heuristics; // they were reported
} stopper;

static void stop_at_search(void *user, const duet_progress *progress)
{
    stopper *stop = user;
    bool heuristics = strcmp(progress->phase, "heuristics") == 0;
    stop->heuristics = stop->heuristics || heuristics;
    if (!heuristics) {
        duet_cancel_request(stop->cancel);
    }
}

static duet_solution *run_auto(const duet_instance *instance, int threads)
{
    stopper stop = {.cancel = duet_cancel_create()};
    assert_non_null(stop.cancel);
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    params.cancel = stop.cancel;
    params.progress = stop_at_search;
    params.user = &stop;
    duet_solution *solution = duet_test_solve(instance, "auto", NULL, &params);
    assert_true(stop.heuristics);
    duet_cancel_free(stop.cancel);
    return solution;
}

// Holds auto's schedule against that of every other row but the searches for an optimum.
static void compare_with_all(const duet_instance *instance, const duet_solution *best,
                             const char *family, uint64_t seed)
{
    const duet_algorithm *row;
    for (size_t a = 0; (row = duet_algorithm_at(a)) != NULL; a++) {
        const char *name = row->entry.name;
        duet_solution *solution;
        bool local_search = strcmp(name, "local-search") == 0;
        duet_error error = DUET_ERROR_INIT;
        if (!local_search && !duet_is_fast(row, instance)) {
            continue;
        }
        duet_code code = duet_solve(instance, name, NULL, &solution, &error);
        if (code == DUET_E_UNSUPPORTED) {
            continue;
        }
        assert_int_equal(code, DUET_OK);
        if (duet_solution_makespan(best) > duet_solution_makespan(solution)) {
            fail_msg("%s, seed %llu, %zu types: auto %lld (by %s), %s %lld", family,
                     (unsigned long long)seed, duet_instance_types(instance),
                     (long long)duet_solution_makespan(best), duet_solution_found_by(best), name,
                     (long long)duet_solution_makespan(solution));
        }
        duet_solution_free(solution);
    }
}

static void never_worse(void **state)
{
    (void)state;
    static const duet_shape shapes[] = {
        {1, 40, 1, 5, 1}, {1, 60, 1, 6, 2}, {20, 120, 1, 12, 2},
        {1, 60, 1, 5, 3}, {1, 40, 1, 3, 5}, {40, 120, 2, 8, 4},
    };
    uint64_t seeds = (uint64_t)duet_test_number("DUET_TEST_SEEDS", 6);
    uint64_t most = duet_test_share(seeds * (sizeof shapes / sizeof *shapes));
    uint64_t done = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            if (done++ == most) {
                return;
            }
            duet_instance *instance = duet_random_instance(&random, &shapes[s]);
            assert_non_null(instance);
            duet_solution *one = run_auto(instance, 1);
            duet_solution *three = run_auto(instance, 3);
            compare_with_all(instance, one, "random", seed);
            assert_int_equal(duet_solution_makespan(one), duet_solution_makespan(three));
            duet_solution_free(one);
            duet_solution_free(three);
            duet_instance_free(instance);
        }
    }
}

// Two hundred jobs on three pools of processors, in ticks of a hundredth; and many equal tasks.
static void three_pools(void **state)
{
    (void)state;
    static const char *const sizes[] = {"kinds=200", "kinds=3"};
    const int64_t counts[] = {10, 4, 2};
    for (uint64_t seed = 1; seed <= (duet_test_share(6) < 6 ? 1 : 6); seed++) {
        duet_options *options;
        duet_instance *instance;
        assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
        assert_int_equal(duet_options_add(options, sizes[seed % 2], NULL), DUET_OK);
        assert_int_equal(duet_generate("mixed",
                                       &(duet_generate_params){sizeof(duet_generate_params), 200, 3,
                                                               counts, seed, options},
                                       &instance, NULL),
                         DUET_OK);
        duet_solution *solution = run_auto(instance, 1);
        compare_with_all(instance, solution, sizes[seed % 2], seed);
        duet_solution_free(solution);
        duet_instance_free(instance);
        duet_options_free(options);
    }
}

// Stopped before it begins, it has a schedule and a bound nevertheless.
static void stopped_at_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= duet_test_share(20); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {20, 60, 1, 4, 1 + seed % 4};
        duet_instance *instance = duet_random_instance(&random, &shape);
        duet_params params = DUET_PARAMS_INIT;
        duet_cancel *cancel = duet_cancel_create();
        duet_cancel_request(cancel);
        params.cancel = cancel;
        duet_solution *solution = duet_test_solve(instance, "auto", NULL, &params);
        bool optimal = duet_solution_status(solution) == DUET_OPTIMAL;
        assert_true(optimal || duet_solution_interrupted(solution));
        assert_string_not_equal(duet_solution_bound_name(solution), "");
        duet_solution_free(solution);
        duet_cancel_free(cancel);
        duet_instance_free(instance);
    }
}

static bool reached_gap(const duet_solution *solution)
{
    const char *ending = duet_solution_ending(solution);
    return ending != NULL && strcmp(ending, "gap reached") == 0;
}

// makespan <= (1 + gap) bound, in integers.
static bool is_within(const duet_solution *solution, int64_t gap)
{
    __int128 makespan = duet_solution_makespan(solution);
    __int128 bound = duet_solution_lower_bound(solution);
    return makespan * DUET_BILLION <= bound * (DUET_BILLION + gap);
}

static void hold_gap(const duet_instance *instance, const char *algorithm, int64_t optimum,
                     uint64_t seed)
{
    static const struct {
        const char *option;
        int64_t billionths;
    } gaps[] = {{"gap=20%", 200000000}, {"gap=0.05", 50000000}, {"gap=.1%", 1000000}, {"gap=0", 0}};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        duet_solution *solution = duet_test_solve(instance, algorithm, gaps[g].option, NULL);
        int64_t makespan = duet_solution_makespan(solution);
        bool reached = reached_gap(solution);
        if (duet_solution_lower_bound(solution) > optimum || makespan < optimum ||
            (makespan > optimum && !reached && strcmp(algorithm, "local-search") != 0) ||
            (reached && !is_within(solution, gaps[g].billionths))) {
            fail_msg("%s, %s, seed %llu: bound %lld, makespan %lld, optimum %lld", algorithm,
                     gaps[g].option, (unsigned long long)seed,
                     (long long)duet_solution_lower_bound(solution), (long long)makespan,
                     (long long)optimum);
        }
        assert_false(reached && duet_solution_interrupted(solution));
        assert_false(reached && duet_solution_status(solution) == DUET_OPTIMAL);
        duet_solution_free(solution);
    }
}

static void gaps_hold(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"auto", "exact", "local-search", "ilp"};
    bool glpk = strstr(duet_features(), "glpk") != NULL;
    for (uint64_t seed = 1; seed <= duet_test_share(60); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {4, 9, 1, 3, 1 + seed % 3};
        duet_instance *instance = duet_random_instance(&random, &shape);
        int64_t optimum = duet_test_makespan(instance, "exact");
        for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms - !glpk; a++) {
            hold_gap(instance, algorithms[a], optimum, seed);
        }
        duet_instance_free(instance);
    }
}

// The linear program of task graphs is about sequential tasks: of moldable ones it bounds nothing.
static void moldable_graphs(void **state)
{
    (void)state;
    if (duet_test_share(5) < 5) { // the build is slow, and all of its rounds are run
        skip();
    }
    const int64_t counts[] = {2};
    const int64_t tables[][2] = {{6, 4}, {7, 4}, {8, 4}, {9, 4}};
    duet_moldable_times times[4];
    for (size_t j = 0; j < 4; j++) {
        times[j] = (duet_moldable_times){.table = tables[j], .length = 2};
    }
    const duet_type platform[] = {{"cpu", counts[0]}};
    const duet_edge edges[] = {{0, 1, 0}, {1, 3, 0}};
    const duet_moldable_desc moldable = {.struct_size = sizeof moldable, .times = times};
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = 1,
                                     .platform = platform,
                                     .kinds = 4,
                                     .edges = 2,
                                     .edge = edges,
                                     .moldable = &moldable};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_solution *solution = duet_test_solve(instance, "auto", NULL, NULL);
    assert_int_equal(duet_solution_makespan(solution), 16);
    assert_int_equal(duet_solution_lower_bound(solution), 16);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// Of a small graph all quick rules run, however little time there is.
static void graphs_without_time(void **state)
{
    (void)state;
    enum { graphs = 8, tasks = 200 };
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    params.time_limit = 1e-9;
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        duet_instance *instance;
        const duet_algorithm *row;
        assert_int_equal(
            duet_test_generate("mixed-graph", tasks, -1, -1, seed, NULL, &instance, NULL), DUET_OK);
        assert_true(duet_graph_rules_are_quick(instance));
        duet_solution *best = duet_test_solve(instance, "auto", NULL, &params);
        for (size_t i = 0; (row = duet_graph_rule(instance, false, i)) != NULL; i++) {
            duet_solution *solution;
            if (duet_solve(instance, row->entry.name, NULL, &solution, NULL) == DUET_OK) {
                assert_true(duet_solution_makespan(best) <= duet_solution_makespan(solution));
                duet_solution_free(solution);
            }
        }
        duet_solution_free(best);
        duet_instance_free(instance);
    }
}

// A gap that is wide enough ends the search before its first step.
static void a_wide_gap_ends_it(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"auto", "exact", "local-search"};
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            const int64_t counts[] = {10, 4, 2};
            duet_instance *instance;
            assert_int_equal(
                duet_generate("mixed",
                              &(duet_generate_params){sizeof(duet_generate_params), 300,
                                                      2 + seed % 2, counts, seed, NULL},
                              &instance, NULL),
                DUET_OK);
            duet_solution *solution = duet_test_solve(instance, algorithms[a], "gap=1000", NULL);
            assert_true(reached_gap(solution) || duet_solution_status(solution) == DUET_OPTIMAL);
            duet_solution_free(solution);
            duet_instance_free(instance);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_worse),         cmocka_unit_test(three_pools),
        cmocka_unit_test(stopped_at_once),     cmocka_unit_test(gaps_hold),
        cmocka_unit_test(a_wide_gap_ends_it),  cmocka_unit_test(moldable_graphs),
        cmocka_unit_test(graphs_without_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
