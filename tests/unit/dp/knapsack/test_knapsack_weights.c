// SPDX-License-Identifier: Apache-2.0
// The knapsack bound on other than two types: below the optimum, with a certificate that holds and
// proves no tick more, never below the area bound, and above it where rounding down tells.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <duet/duet.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "dp/knapsack/knapsack.h"
#include "lp/area/area.h"
#include "tests/support/fixtures.h"

static duet_bound bound_of(const duet_instance *instance)
{
    duet_bound bound;
    duet_error error = DUET_ERROR_INIT;
    if (duet_test_bound(instance, "knapsack", NULL, &bound, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    if (duet_certificate_check(&bound.certificate, instance, NULL, &error) != DUET_OK) {
        fail_msg("%s", error.message);
    }
    return bound;
}

// Seven tasks of 5 ticks on three processors: the area bound is 12, two tasks a processor end
// at 10.
static void rounding_down(void **state)
{
    (void)state;
    const int64_t processors[3] = {1, 1, 1};
    const int64_t count = 7;
    const int64_t times[3] = {5, 5, 5};
    duet_instance *instance = duet_test_instance(3, processors, 1, &count, times);
    assert_int_equal(duet_area_estimate(instance).value, 12);
    duet_bound bound = bound_of(instance);
    assert_int_equal(bound.value, 15);
    assert_int_equal(bound.certificate.proof, DUET_PROOF_PRICES);
    duet_bound_release(&bound);
    duet_instance_free(instance);
}

// Times above the guess are forbidden: the last type alone may run the long task, and is busy.
static void long_times(void **state)
{
    (void)state;
    const int64_t processors[3] = {1, 1, 1};
    const int64_t times[9] = {100, 100, 8, 100, 100, 8, 1, 1, 100};
    duet_instance *instance = duet_test_instance(3, processors, 3, NULL, times);
    duet_bound bound = bound_of(instance);
    assert_int_equal(bound.value, 16);
    assert_true(duet_area_estimate(instance).value < 16);
    duet_bound_release(&bound);
    duet_instance_free(instance);
}

static void below_the_optimum(void **state)
{
    (void)state;
    enum { INSTANCES = 3000 };
    uint64_t first = duet_test_seed();
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    long above = 0;
    for (uint64_t seed = first; seed < first + INSTANCES; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {.min_tasks = 1,
                            .max_tasks = 6,
                            .min_processors = seed % 4 == 0 ? 0 : 1,
                            .max_processors = 2,
                            .types = 1 + seed % 5};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        int64_t optimum = duet_exhaustive_optimum(instance);
        duet_bound area = duet_area_estimate(instance);
        duet_bound bound = area;
        assert_int_equal(
            duet_knapsack_raise_by_weights(instance, &context, DUET_MAX_WORK, &bound, NULL),
            DUET_OK);
        if (bound.value < area.value || bound.value > optimum ||
            duet_certificate_check(&bound.certificate, instance, NULL, NULL) != DUET_OK) {
            duet_fail_instance(instance, "knapsack-weights", seed, "not between area and optimum");
        }
        above += bound.value > area.value;
        bound.certificate.lambda = optimum + 1;
        if (duet_certificate_check(&bound.certificate, instance, NULL, NULL) == DUET_OK) {
            duet_fail_instance(instance, "knapsack-weights", seed, "proves more than is true");
        }
        duet_bound_release(&bound);
        duet_instance_free(instance);
    }
    assert_true(above > INSTANCES / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_down),
        cmocka_unit_test(long_times),
        cmocka_unit_test(below_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
