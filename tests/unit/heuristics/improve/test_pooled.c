// SPDX-License-Identifier: Apache-2.0
// Instances with one processor for each type: their optimum is never above that of the instance, in
// the units of the pooled one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "bench/run/exhaustive.h"
#include "bench/run/random_instance.h"
#include "heuristics/improve/improve.h"
#include "tests/support/fixtures.h"

static void never_longer(void **state)
{
    (void)state;
    int64_t used = 0;
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + duet_test_share(2000); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        const duet_shape shape = {1, 7, 1, 3, 1 + seed % 3};
        duet_instance *instance = duet_random_instance(&random, &shape);
        assert_non_null(instance);
        duet_pooled pooled;
        bool useful;
        assert_int_equal(duet_pooled_create(instance, &pooled, &useful, NULL), DUET_OK);
        if (useful) {
            int64_t one = duet_exhaustive_optimum(&pooled.instance);
            if (one > pooled.scale * duet_exhaustive_optimum(instance)) {
                duet_fail_instance(instance, "pooled", seed, "its optimum is longer");
            }
            used++;
        }
        duet_pooled_free(&pooled);
        duet_instance_free(instance);
    }
    assert_true(used * 4 > (int64_t)duet_test_share(2000));
}

static void by_hand(void **state)
{
    (void)state;
    const int64_t times[] = {6, 5, 7, DUET_FORBIDDEN};
    const int64_t counts[] = {4, 6};
    duet_instance *instance = duet_test_instance(2, counts, 2, NULL, times);
    duet_pooled pooled;
    bool useful;
    assert_int_equal(duet_pooled_create(instance, &pooled, &useful, NULL), DUET_OK);
    assert_true(useful);
    assert_int_equal(pooled.scale, 12);
    assert_int_equal(duet_time(&pooled.instance, 0, 0), 18);
    assert_int_equal(duet_time(&pooled.instance, 0, 1), 10);
    assert_int_equal(duet_time(&pooled.instance, 1, 0), 21);
    assert_int_equal(duet_time(&pooled.instance, 1, 1), DUET_FORBIDDEN);
    duet_pooled_free(&pooled);
    duet_instance_free(instance);
}

// Nothing to exchange, nothing to pool, and numbers that grow too large.
static void of_no_use(void **state)
{
    (void)state;
    const int64_t large = INT64_C(1) << 59;
    const struct {
        int64_t counts[2];
        int64_t times[2];
    } cases[] = {{{4, 0}, {6, 5}},
                 {{1, 1}, {6, 5}},
                 {{2, 3}, {large, large}},
                 {{1048573, 1048571}, {6, 5}},
                 {{1 << 21, 1}, {6, 5}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        duet_instance *instance = duet_test_instance(2, cases[i].counts, 1, NULL, cases[i].times);
        duet_pooled pooled;
        bool useful;
        assert_int_equal(duet_pooled_create(instance, &pooled, &useful, NULL), DUET_OK);
        assert_false(useful);
        duet_pooled_free(&pooled);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_longer), cmocka_unit_test(by_hand),
                                       cmocka_unit_test(of_no_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
