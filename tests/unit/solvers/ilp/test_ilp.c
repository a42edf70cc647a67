// SPDX-License-Identifier: Apache-2.0
// Algorithm ilp: optimal on small instances, honest under limits, safe in threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>

#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "core/number/random.h"
#include "core/solution/solution.h"
#include "lp/lp.h"
#include "solvers/solvers.h"

// As the library runs an algorithm, without the registry.
static duet_solution *solve(const duet_instance *instance, const duet_params *params)
{
    duet_context context;
    duet_context_init(&context, params, NULL);
    duet_solution *solution = NULL;
    duet_error error = DUET_ERROR_INIT;
    if (duet_solution_create(duet_instance_tasks(instance), &solution, &error) != DUET_OK ||
        duet_algorithm_ilp.run(instance, &context, solution, &error) != DUET_OK) {
        fail_msg("ilp: %s", error.message);
    }
    duet_solution_finish(solution, instance);
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        fail_msg("ilp: %s", error.message);
    }
    return solution;
}

static duet_instance *uniform(uint64_t seed, size_t tasks, int64_t top, int64_t cpus, int64_t gpus)
{
    duet_random random;
    duet_random_seed(&random, seed);
    int64_t *times = calloc(tasks * 2, sizeof *times);
    assert_non_null(times);
    for (size_t i = 0; i < 2 * tasks; i++) {
        times[i] = duet_random_between(&random, 1, top);
    }
    duet_type platform[] = {{"cpu", cpus}, {"gpu", gpus}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = 2,
                               .platform = platform,
                               .kinds = tasks,
                               .times = times};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    free(times);
    return instance;
}

static void check_optimal(const duet_instance *instance, const duet_params *params, uint64_t seed)
{
    duet_solution *solution = solve(instance, params);
    int64_t optimum = duet_exhaustive_optimum(instance);
    if (duet_solution_makespan(solution) != optimum ||
        duet_solution_lower_bound(solution) != optimum ||
        duet_solution_status(solution) != DUET_OPTIMAL) {
        fail_msg("seed %llu: makespan %lld, bound %lld, optimum %lld", (unsigned long long)seed,
                 (long long)duet_solution_makespan(solution),
                 (long long)duet_solution_lower_bound(solution), (long long)optimum);
    }
    duet_solution_free(solution);
}

static void check_many(uint64_t first, uint64_t count, const duet_shape *shape,
                       const duet_params *params)
{
    for (uint64_t seed = first; seed < first + count; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_instance *instance = duet_random_instance(&random, shape);
        assert_non_null(instance);
        check_optimal(instance, params, seed);
        duet_instance_free(instance);
    }
}

static void equals_the_optimum(void **state)
{
    (void)state;
    const duet_shape two = {1, 8, 1, 3, 2};
    check_many(1, 2000, &two, NULL);
    const duet_shape three = {1, 6, 0, 2, 3};
    check_many(1, 200, &three, NULL);
    const duet_shape one = {1, 8, 1, 3, 1};
    check_many(1, 100, &one, NULL);
}

static void equals_it_without_a_start(void **state)
{
    (void)state;
    duet_options *options = NULL;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "warm=false", NULL), DUET_OK);
    duet_params params = DUET_PARAMS_INIT;
    params.options = options;
    const duet_shape shape = {1, 7, 1, 3, 2};
    check_many(5000, 200, &shape, &params);
    duet_options_free(options);
}

// Beyond the solver's precision: what its margin hides is settled in integers.
static void huge_times(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        duet_instance *instance = uniform(seed, 6, INT64_C(1) << 58, 2, 1);
        check_optimal(instance, NULL, seed);
        duet_instance_free(instance);
    }
}

static void empty(void **state)
{
    (void)state;
    duet_type platform[] = {{"cpu", 2}};
    duet_instance_desc desc = {.struct_size = sizeof desc, .types = 1, .platform = platform};
    duet_instance *instance = NULL;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    duet_solution *solution = solve(instance, NULL);
    assert_int_equal(duet_solution_makespan(solution), 0);
    assert_int_equal(duet_solution_status(solution), DUET_OPTIMAL);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void too_large(void **state)
{
    (void)state;
    duet_instance *instance = uniform(1, 5000, 10000, 100, 10);
    duet_solution *solution = NULL;
    assert_int_equal(duet_solution_create(5000, &solution, NULL), DUET_OK);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_algorithm_ilp.run(instance, &context, solution, &error), DUET_E_LIMIT);
    assert_non_null(strstr(error.message, "200000"));
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void keeps_a_time_limit(void **state)
{
    (void)state;
    duet_instance *instance = uniform(3, 60, 10000, 8, 2);
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 0.5;
    duet_solution *solution = solve(instance, &params);
    assert_true(duet_solution_interrupted(solution));
    assert_true(duet_solution_lower_bound(solution) > 0);
    assert_true(duet_solution_lower_bound(solution) <= duet_solution_makespan(solution));
    duet_solution_free(solution);
    duet_instance_free(instance);
}

static void cancel_on_progress(void *user, const duet_progress *progress)
{
    assert_string_equal(progress->phase, "ilp");
    assert_true(progress->lower_bound <= progress->best);
    duet_cancel_request(user);
}

static void keeps_a_cancellation(void **state)
{
    (void)state;
    duet_instance *instance = uniform(4, 60, 10000, 8, 2);
    duet_cancel *cancel = duet_cancel_create();
    duet_params params = DUET_PARAMS_INIT;
    params.cancel = cancel;
    params.progress = cancel_on_progress;
    params.user = cancel;
    duet_solution *solution = solve(instance, &params);
    assert_true(duet_solution_interrupted(solution));
    duet_solution_free(solution);
    duet_instance_free(instance);
    duet_cancel_free(cancel);
}

// A progress callback may itself solve: the solver is entered while it is running.
static void solve_inside(void *user, const duet_progress *progress)
{
    (void)progress;
    int *depth = user;
    if (*depth > 0) {
        return;
    }
    ++*depth;
    duet_instance *instance = uniform(9, 7, 100, 2, 2);
    check_optimal(instance, NULL, 9);
    duet_instance_free(instance);
}

static void nests(void **state)
{
    (void)state;
    duet_instance *instance = uniform(8, 40, 10000, 8, 2);
    int depth = 0;
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 0.7;
    params.progress = solve_inside;
    params.user = &depth;
    duet_solution *solution = solve(instance, &params);
    assert_int_equal(depth, 1);
    duet_solution_free(solution);
    duet_instance_free(instance);
}

typedef struct work {
    pthread_t thread;
    int64_t makespan[20];
} work;

// No assertions in threads: cmocka's would jump between stacks.
static void *solve_some(void *info)
{
    work *w = info;
    for (uint64_t i = 0; i < 20; i++) {
        duet_instance *instance = uniform(i + 100, 8, 1000, 2, 2);
        duet_context context;
        duet_context_init(&context, NULL, NULL);
        duet_solution *solution = NULL;
        if (duet_solution_create(8, &solution, NULL) == DUET_OK &&
            duet_algorithm_ilp.run(instance, &context, solution, NULL) == DUET_OK) {
            w->makespan[i] = duet_solution_measure(solution, instance);
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    return NULL;
}

static void in_threads(void **state)
{
    (void)state;
    work works[4] = {{.makespan = {0}}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&works[i].thread, NULL, solve_some, &works[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(works[i].thread, NULL);
    }
    for (uint64_t i = 0; i < 20; i++) {
        duet_instance *instance = uniform(i + 100, 8, 1000, 2, 2);
        int64_t optimum = duet_exhaustive_optimum(instance);
        for (size_t t = 0; t < 4; t++) {
            assert_int_equal(works[t].makespan[i], optimum);
        }
        duet_instance_free(instance);
    }
}

int main(void)
{
    if (!duet_lp_available()) {
        puts("skipped: this build has no integer programming solver");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_optimum),
        cmocka_unit_test(equals_it_without_a_start),
        cmocka_unit_test(huge_times),
        cmocka_unit_test(empty),
        cmocka_unit_test(too_large),
        cmocka_unit_test(keeps_a_time_limit),
        cmocka_unit_test(keeps_a_cancellation),
        cmocka_unit_test(nests),
        cmocka_unit_test(in_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
