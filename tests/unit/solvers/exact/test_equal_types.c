// SPDX-License-Identifier: Apache-2.0
// Equal types as one: the same optimum, schedules that go there and back, and certificates that
// hold on the types as they are. DUET_TEST_SEED and DUET_TEST_INSTANCES choose other instances.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "core/number/random.h"
#include "solvers/exact/equal_types.h"
#include "tests/support/fixtures.h"

enum { MOST_TYPES = 3, MOST_KINDS = 7 };

// One to three types, most of which are copies of the first, or have no processors.
static duet_instance *draw(duet_random *random, uint64_t seed)
{
    duet_random_seed(random, seed);
    size_t types = 1 + seed % MOST_TYPES;
    size_t kinds = (size_t)duet_random_between(random, 1, MOST_KINDS);
    int64_t counts[MOST_TYPES];
    int64_t times[MOST_TYPES * MOST_KINDS];
    int64_t unit = seed % 4 == 0 ? duet_random_between(random, 2, 1000) : 1;
    for (size_t t = 0; t < types; t++) {
        counts[t] = duet_random_between(random, t == 0 ? 1 : 0, 3);
        bool copy = t > 0 && duet_random_between(random, 0, 3) > 0;
        for (size_t i = 0; i < kinds; i++) {
            bool forbidden = t > 0 && duet_random_between(random, 0, 9) == 0;
            int64_t own = forbidden ? DUET_FORBIDDEN : unit * duet_random_between(random, 0, 12);
            times[i * types + t] = copy ? times[i * types] : own;
        }
    }
    return duet_test_instance(types, counts, kinds, NULL, times);
}

static void check_valid(const duet_instance *instance, const duet_solution *solution, uint64_t seed)
{
    duet_error error = DUET_ERROR_INIT;
    if (duet_check_solution(instance, solution, NULL, NULL, &error) != DUET_OK) {
        duet_fail_instance(instance, "equal-types", seed, error.message);
    }
}

static void same_optimum(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 1000);
    int64_t merged = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        duet_equal_types types;
        bool useful;
        assert_int_equal(duet_equal_types_create(instance, &types, &useful, NULL), DUET_OK);
        int64_t optimum = duet_exhaustive_optimum(instance);
        if (useful && duet_exhaustive_optimum(&types.merged) != optimum) {
            duet_fail_instance(instance, "equal-types", seed, "another optimum");
        }
        merged += useful;
        duet_equal_types_free(&types);
        duet_solution *solution = NULL;
        assert_int_equal(duet_solve(instance, "exact", NULL, &solution, NULL), DUET_OK);
        check_valid(instance, solution, seed);
        if (duet_solution_makespan(solution) != optimum ||
            duet_solution_lower_bound(solution) != optimum) {
            duet_fail_instance(instance, "equal-types", seed, "exact does not prove the optimum");
        }
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
    assert_true(3 * merged > instances);
}

// A known schedule goes to the merged instance and back.
static void there_and_back(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + duet_test_share(2000); seed++) {
        duet_random random;
        duet_instance *instance = draw(&random, seed);
        duet_equal_types types;
        bool useful;
        assert_int_equal(duet_equal_types_create(instance, &types, &useful, NULL), DUET_OK);
        duet_solution *known = NULL;
        duet_solution *merged = NULL;
        assert_int_equal(duet_solve(instance, "lpt", NULL, &known, NULL), DUET_OK);
        if (useful) {
            assert_int_equal(duet_equal_types_merge(&types, known, &merged, NULL), DUET_OK);
            assert_int_equal(duet_check_solution(&types.merged, merged, NULL, NULL, NULL), DUET_OK);
            assert_int_equal(duet_solution_measure(merged, &types.merged), known->makespan);
            assert_int_equal(duet_equal_types_restore(&types, merged, NULL), DUET_OK);
            check_valid(instance, merged, seed);
            assert_int_equal(duet_solution_measure(merged, instance), known->makespan);
        }
        duet_solution_free(merged);
        duet_solution_free(known);
        duet_equal_types_free(&types);
        duet_instance_free(instance);
    }
}

// What is worth no merging: types that differ, two processors, and one type of two alone.
static void of_no_use(void **state)
{
    (void)state;
    const struct {
        int64_t counts[2];
        int64_t times[4];
        bool useful;
    } cases[] = {{{2, 2}, {3, 3, 4, 4}, true},
                 {{2, 2}, {3, 3, 4, 5}, false},
                 {{2, 2}, {3, 3, 4, DUET_FORBIDDEN}, false},
                 {{1, 1}, {3, 3, 4, 4}, false},
                 {{4, 0}, {3, 3, 4, 4}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        duet_instance *instance = duet_test_instance(2, cases[i].counts, 2, NULL, cases[i].times);
        duet_equal_types types;
        bool useful;
        assert_int_equal(duet_equal_types_create(instance, &types, &useful, NULL), DUET_OK);
        assert_int_equal(useful, cases[i].useful);
        duet_equal_types_free(&types);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_optimum),
                                       cmocka_unit_test(there_and_back),
                                       cmocka_unit_test(of_no_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
