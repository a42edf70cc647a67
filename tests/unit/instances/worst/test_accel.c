// SPDX-License-Identifier: Apache-2.0
// Algorithm accel-published: schedules are valid, nothing is claimed, and random accelerated
// instances refute its published ratio soon; shelf-3-2 keeps it on the same ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/number/random.h"
#include "tests/support/fixtures.h"

enum { MAX_TASKS = 7 };

static duet_instance *draw_accelerated(uint64_t seed)
{
    duet_random random;
    duet_random_seed(&random, seed);
    int64_t times[2 * MAX_TASKS];
    int64_t tasks = duet_random_between(&random, 3, MAX_TASKS);
    for (int64_t i = 0; i < tasks; i++) {
        times[2 * i] = duet_random_between(&random, 1, 40);
        times[2 * i + 1] = duet_random_between(&random, 1, times[2 * i]);
    }
    return duet_test_pair(duet_random_between(&random, 1, 3), duet_random_between(&random, 1, 3),
                          (size_t)tasks, NULL, times);
}

static void random_refutations(void **state)
{
    (void)state;
    int64_t worst[2] = {1, 1};
    uint64_t first = 0;
    int refuted = 0;
    enum { INSTANCES = 3000 };
    for (uint64_t seed = 1; seed <= INSTANCES; seed++) {
        duet_instance *instance = draw_accelerated(seed);
        int64_t optimum = duet_exhaustive_optimum(instance);
        int64_t published = duet_test_makespan(instance, "accel-published");
        if (2 * published > 3 * optimum) {
            refuted++;
            first = first == 0 ? seed : first;
        }
        if (published * worst[1] > worst[0] * optimum) {
            worst[0] = published;
            worst[1] = optimum;
        }
        assert_true(2 * duet_test_makespan(instance, "shelf-3-2") <= 3 * optimum);
        duet_instance_free(instance);
    }
    printf("above 3/2 on %d of %d, first at instance %d, worst %d/%d\n", refuted, (int)INSTANCES,
           (int)first, (int)worst[0], (int)worst[1]);
    assert_true(first > 0 && first <= 300);
    assert_true(refuted > INSTANCES / 100);
}

// It claims neither a ratio nor a bound of its own.
static void claims_nothing(void **state)
{
    (void)state;
    const int64_t counts[] = {3, 4};
    char buffer[96];
    assert_null(duet_guarantee("accel-published", 2, counts, NULL, buffer));
    duet_instance *instance = draw_accelerated(1);
    duet_solution *solution;
    assert_int_equal(duet_solve(instance, "accel-published", NULL, &solution, NULL), DUET_OK);
    assert_null(duet_solution_guarantee(solution));
    assert_string_not_equal(duet_solution_bound_name(solution), "accel-published");
    duet_solution_free(solution);
    duet_instance_free(instance);
}

// Where the text is silent: forbidden types, decelerated tasks, a type without processors.
static void outside_the_text(void **state)
{
    (void)state;
    const int64_t forbidden[] = {DUET_FORBIDDEN, 3, 8, DUET_FORBIDDEN, DUET_FORBIDDEN, 5};
    duet_instance *instance = duet_test_pair(1, 1, 3, NULL, forbidden);
    assert_int_equal(duet_test_makespan(instance, "accel-published"), 8);
    duet_instance_free(instance);
    const int64_t slower[] = {2, 9, 2, 9, 2, 9, 3, 1};
    instance = duet_test_pair(2, 1, 4, NULL, slower);
    assert_true(duet_test_makespan(instance, "accel-published") >=
                duet_exhaustive_optimum(instance));
    duet_instance_free(instance);
    instance = duet_test_pair(0, 2, 4, NULL, slower);
    assert_int_equal(duet_test_makespan(instance, "accel-published"),
                     duet_exhaustive_optimum(instance));
    duet_instance_free(instance);
    instance = duet_test_pair(2, 0, 4, NULL, slower);
    assert_int_equal(duet_test_makespan(instance, "accel-published"),
                     duet_exhaustive_optimum(instance));
    duet_instance_free(instance);
}

// Kinds of many tasks cost what kinds cost, and extreme times do not overflow.
static void extremes(void **state)
{
    (void)state;
    const int64_t counts[] = {1000, 2000};
    const int64_t times[] = {30, 2, 7, 5};
    duet_instance *instance = duet_test_pair(20, 4, 2, counts, times);
    assert_true(duet_test_makespan(instance, "accel-published") > 0);
    duet_instance_free(instance);
    const int64_t huge = INT64_C(1) << 60;
    const int64_t wide[] = {huge, 0, huge, huge, 0, huge, huge - 1, 1};
    instance = duet_test_pair(DUET_MAX_PROCESSORS, DUET_MAX_PROCESSORS, 4, NULL, wide);
    assert_true(duet_test_makespan(instance, "accel-published") >= huge);
    duet_instance_free(instance);
    const int64_t one[] = {DUET_MAX_WORK, 0};
    instance = duet_test_pair(1, 1, 1, NULL, one);
    assert_true(duet_test_makespan(instance, "accel-published") >= 0);
    duet_instance_free(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_refutations), cmocka_unit_test(claims_nothing),
        cmocka_unit_test(outside_the_text), cmocka_unit_test(extremes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
