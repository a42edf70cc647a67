// SPDX-License-Identifier: Apache-2.0
// Schedules with four ticks of idle time in five billion, cut from processors, are found.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/number/random.h"
#include "tests/support/fixtures.h"

enum { PROCESSORS = 5, PIECES = 24, TASKS = PROCESSORS * PIECES, IDLE = 4 };

// Cuts so many processors of as much time into tasks, which take as long on either type. One is
// made shorter.
static void cut(duet_random *random, int64_t target, int64_t *times)
{
    for (size_t p = 0; p < PROCESSORS; p++) {
        int64_t left = target;
        for (size_t i = 0; i < PIECES; i++) {
            int64_t later = PIECES - 1 - (int64_t)i;
            int64_t time =
                later == 0 ? left : duet_random_between(random, 1, 2 * left / (later + 1));
            times[2 * (p * PIECES + i)] = times[2 * (p * PIECES + i) + 1] = time;
            left -= time;
        }
    }
    int64_t most = times[0] < IDLE ? times[0] : IDLE;
    times[0] -= most;
    times[1] -= most;
}

static void exact_meets_the_bound(void **state)
{
    (void)state;
    const int64_t counts[] = {3, 2};
    const int64_t target = INT64_C(1) << 30;
    uint64_t first = duet_test_seed();
    for (uint64_t seed = first; seed < first + 6; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t times[2 * TASKS];
        cut(&random, target, times);
        duet_instance *instance = duet_test_instance(2, counts, TASKS, NULL, times);
        duet_solution *solution = duet_test_solve(instance, "exact", "rounds=2", NULL);
        if (duet_solution_makespan(solution) != target) {
            fail_msg("seed %llu: %lld, cut from %lld", (unsigned long long)seed,
                     (long long)duet_solution_makespan(solution), (long long)target);
        }
        assert_int_equal(duet_solution_status(solution), DUET_OPTIMAL);
        duet_solution_free(solution);
        duet_instance_free(instance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_meets_the_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
