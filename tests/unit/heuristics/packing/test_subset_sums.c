// SPDX-License-Identifier: Apache-2.0
// Subset sums by halves against all subsets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/number/random.h"
#include "heuristics/packing/subset_sums.h"
#include "tests/support/fixtures.h"

enum { ITEMS = 12 };

static int64_t sum_of(const int64_t *time, size_t items, uint32_t members)
{
    int64_t sum = 0;
    for (size_t i = 0; i < items; i++) {
        sum += (members >> i & 1U) != 0 ? time[i] : 0;
    }
    return sum;
}

static int64_t distance(int64_t sum, int64_t goal)
{
    return sum > goal ? sum - goal : goal - sum;
}

static void against_all_subsets(void **state)
{
    (void)state;
    duet_subset_sums sums;
    assert_true(duet_subset_sums_create(ITEMS / 2, &sums));
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + duet_test_share(3000); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t time[ITEMS];
        size_t items = (size_t)duet_random_between(&random, 0, ITEMS);
        int64_t all = 0;
        for (size_t i = 0; i < items; i++) {
            time[i] = duet_random_between(&random, 0, seed % 2 == 0 ? 10 : INT64_C(1) << 50);
            all += time[i];
        }
        int64_t goal = duet_random_between(&random, 0, all + all / 4);
        int64_t nearest = INT64_MAX;
        int64_t below = 0;
        for (uint32_t members = 0; members < 1U << items; members++) {
            int64_t sum = sum_of(time, items, members);
            nearest = distance(sum, goal) < nearest ? distance(sum, goal) : nearest;
            below = sum <= goal && sum > below ? sum : below;
        }
        int64_t got = sum_of(time, items, duet_subset_sums_nearest(&sums, time, items, goal));
        int64_t under = sum_of(time, items, duet_subset_sums_below(&sums, time, items, goal));
        if (distance(got, goal) != nearest || under != below) {
            fail_msg("seed %llu: goal %lld: %lld and %lld, off by %lld and %lld at best",
                     (unsigned long long)seed, (long long)goal, (long long)got, (long long)under,
                     (long long)nearest, (long long)(goal - below));
        }
    }
    duet_subset_sums_free(&sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_all_subsets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
