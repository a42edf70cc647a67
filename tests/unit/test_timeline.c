// SPDX-License-Identifier: Apache-2.0
// Insertion on the timeline of a processor, against an array of ticks.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/random.h"
#include "heuristics/engine/timeline.h"

static void insertion(void **state)
{
    (void)state;
    enum { SEQUENCES = 3000, STEPS = 40, HORIZON = 2000 };
    static bool busy[HORIZON];
    for (uint64_t seed = 1; seed <= SEQUENCES; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_timeline timeline = {.gaps = 0};
        memset(busy, 0, sizeof busy);
        int64_t last = 0;
        for (size_t step = 0; step < STEPS; step++) {
            int64_t from = duet_random_between(&random, 0, 300);
            int64_t time = duet_random_between(&random, 1, seed % 2 == 0 ? 4 : 30);
            int64_t expected = from;
            for (int64_t idle = 0, at = from; idle < time; at++) {
                idle = busy[at] ? 0 : idle + 1;
                expected = at + 1 - idle;
            }
            int64_t start = duet_timeline_earliest(&timeline, from, time);
            if (start != expected) {
                fail_msg("seed %llu, step %zu: %lld ticks from %lld start at %lld, expected %lld",
                         (unsigned long long)seed, step, (long long)time, (long long)from,
                         (long long)start, (long long)expected);
            }
            assert_int_equal(duet_timeline_insert(&timeline, start, time, NULL), DUET_OK);
            memset(&busy[start], 1, (size_t)time);
            last = start + time > last ? start + time : last;
            assert_int_equal(timeline.free_from, last);
        }
        duet_timeline_free(&timeline);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(insertion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
