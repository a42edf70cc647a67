// SPDX-License-Identifier: Apache-2.0
// The table of two processors against all ways to divide the tasks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/number/random.h"
#include "heuristics/improve/pair_table.h"
#include "tests/support/fixtures.h"

enum { TASKS = 10, ROOM = 120 };

// The least work on b for each work on a, of all ways; ROOM and more where there is none.
static void list_all(const int64_t *on_a, const int64_t *on_b, size_t tasks, int64_t *least)
{
    for (int64_t w = 0; w <= ROOM; w++) {
        least[w] = INT64_MAX;
    }
    for (uint32_t way = 0; way < 1U << tasks; way++) {
        int64_t a = 0;
        int64_t b = 0;
        for (size_t i = 0; i < tasks; i++) {
            a += (way >> i & 1U) != 0 ? on_a[i] : 0;
            b += (way >> i & 1U) != 0 ? 0 : on_b[i];
        }
        if (a <= ROOM && b < least[a]) {
            least[a] = b;
        }
    }
}

static void against_all_ways(void **state)
{
    (void)state;
    duet_pair_table table = {.cell = NULL};
    uint64_t first = duet_test_seed();
    assert_true(duet_pair_table_fits(&table, TASKS, ROOM));
    for (uint64_t seed = first; seed < first + duet_test_share(2000); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        int64_t on_a[TASKS];
        int64_t on_b[TASKS];
        size_t tasks = (size_t)duet_random_between(&random, 0, TASKS);
        for (size_t i = 0; i < tasks; i++) {
            // Some take longer than a processor may have.
            bool long_one = duet_random_between(&random, 0, 9) == 0;
            on_a[i] = long_one ? INT64_C(1) << 40 : duet_random_between(&random, 0, 40);
            on_b[i] = duet_random_between(&random, 0, 9) == 0
                          ? DUET_PAIR_TABLE_MOST + (int64_t)seed % 2
                          : duet_random_between(&random, 0, 40);
        }
        int64_t least[ROOM + 1];
        list_all(on_a, on_b, tasks, least);
        const int16_t *row = duet_pair_table_fill(&table, on_a, on_b, tasks, ROOM);
        for (int64_t w = 0; w <= ROOM; w++) {
            bool is_way = least[w] <= DUET_PAIR_TABLE_MOST;
            if (is_way ? row[w] != least[w] : row[w] <= DUET_PAIR_TABLE_MOST) {
                fail_msg("seed %llu: %lld on a: %d, not %lld", (unsigned long long)seed,
                         (long long)w, row[w], (long long)least[w]);
            }
            bool a_runs[TASKS];
            int64_t a = 0;
            int64_t b = 0;
            if (is_way) {
                duet_pair_table_trace(&table, on_a, on_b, tasks, w, a_runs);
            }
            for (size_t i = 0; i < tasks && is_way; i++) {
                a += a_runs[i] ? on_a[i] : 0;
                b += a_runs[i] ? 0 : on_b[i];
            }
            assert_true(!is_way || (a == w && b == least[w]));
        }
    }
    duet_pair_table_free(&table);
}

static void sizes(void **state)
{
    (void)state;
    duet_pair_table table = {.cell = NULL};
    assert_false(duet_pair_table_fits(&table, 2, DUET_PAIR_TABLE_MOST + 1));
    assert_false(duet_pair_table_fits(&table, 2, -1));
    assert_false(duet_pair_table_fits(&table, DUET_PAIR_TABLE_TASKS + 1, 1));
    assert_false(duet_pair_table_fits(&table, 100, DUET_PAIR_TABLE_MOST));
    assert_true(duet_pair_table_fits(&table, 20, DUET_PAIR_TABLE_MOST));
    duet_pair_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_all_ways), cmocka_unit_test(sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
