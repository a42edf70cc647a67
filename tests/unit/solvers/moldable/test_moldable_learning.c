// SPDX-License-Identifier: Apache-2.0
// The learning search of moldable tasks against exhaustive optima: sets and graphs, one cluster and
// two, beside some without processors, tables of every shape, times of few ticks and of many. And
// tasks on one processor each: what is found of them is never worse than heft and lpt find there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/solution/solution.h"
#include "core/system/context.h"
#include "solvers/moldable/learning.h"
#include "solvers/moldable/sequential.h"
#include "tests/support/fixtures.h"
#include "tests/support/random_moldable.h"

static duet_instance *draw(uint64_t seed, bool data)
{
    duet_random random;
    duet_random_seed(&random, seed);
    duet_moldable_shape shape = {.tables = (duet_table_shape)(seed % 4),
                                 .most_tasks = seed % 8 == 7 ? 6 : 5,
                                 .most_processors = 1 + (int64_t)(seed / 4 % 4),
                                 .most_gpus = seed % 3 == 0 ? 2 : 0,
                                 .second_cluster = seed % 6 == 0,
                                 .empty = seed % 4 == 3 ? (size_t)(seed / 4 % 6) : 0,
                                 .longest = seed % 3 == 0 ? INT64_C(1) << (44 + seed % 12) : 12,
                                 .edges = seed % 5 > 0,
                                 .costs = data,
                                 .gaps = seed % 7 == 0};
    duet_instance *instance = duet_random_moldable(&random, &shape);
    assert_non_null(instance);
    return instance;
}

static void check(const duet_instance *instance, duet_solution *solution, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution_finish(solution, instance);
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        duet_fail_instance(instance, "moldable-learning", seed, error.message);
    }
}

static void truth(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    uint64_t instances = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 400);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = first; seed < first + instances; seed++) {
        enum { slice = 300 };
        duet_instance *instance = draw(seed, false);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_solution *solution = duet_test_schedule(instance, "m-heft", NULL);
        duet_error error = DUET_ERROR_INIT;
        duet_moldable_learning learning = {.over = false};
        int64_t work = seed % 2 == 0 ? INT64_MAX / 2 : slice;
        for (int64_t turn = 0; !learning.over; turn++) {
            assert_int_equal(
                duet_moldable_learning_turn(&learning, instance, &context, work, solution, &error),
                DUET_OK);
        }
        check(instance, solution, seed);
        if (solution->makespan != optimum || solution->lower_bound != optimum) {
            duet_fail_instance(instance, "moldable-learning", seed, "not the optimum");
        }
        duet_moldable_learning_free(&learning);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

// Where data take time nothing is claimed.
static void data(void **state)
{
    (void)state;
    enum { instances = 20 };
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    for (uint64_t seed = 1; seed <= instances; seed++) {
        duet_instance *instance = draw(seed, true);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_solution *solution = duet_test_schedule(instance, "m-heft", NULL);
        duet_error error = DUET_ERROR_INIT;
        duet_moldable_learning learning = {.over = false};
        solution->lower_bound = 0;
        assert_int_equal(duet_moldable_learning_turn(&learning, instance, &context, INT64_MAX / 2,
                                                     solution, &error),
                         DUET_OK);
        duet_moldable_offer_sequential(instance, &context, solution);
        assert_true(learning.over);
        assert_true(solution->lower_bound <= optimum);
        check(instance, solution, seed);
        duet_moldable_learning_free(&learning);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

static void one_processor_each(void **state)
{
    (void)state;
    // At 918 heteroprio has aborted runs, which moldable tasks may not have.
    enum { first_seed = 901 };
    uint64_t instances = (uint64_t)duet_test_number("DUET_TEST_INSTANCES", 100);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    int64_t taken = 0;
    for (uint64_t seed = first_seed; seed < first_seed + instances; seed++) {
        duet_instance *instance = draw(seed, false);
        duet_solution *solution = duet_test_schedule(instance, "m-heft", NULL);
        int64_t before = solution->makespan;
        duet_moldable_offer_sequential(instance, &context, solution);
        check(instance, solution, seed);
        assert_true(solution->makespan <= before);
        int64_t offered = solution->makespan;
        duet_moldable_search_sequential(instance, &context, solution);
        check(instance, solution, seed);
        assert_true(solution->makespan <= offered);
        taken += solution->makespan < before ? 1 : 0;
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(taken > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(truth), cmocka_unit_test(data),
                                       cmocka_unit_test(one_processor_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
