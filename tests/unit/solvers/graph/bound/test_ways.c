// SPDX-License-Identifier: Apache-2.0
// Which way of branching comes next: that in which least was in vain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solvers/graph/bound/ways.h"

// Of few tasks both ways take turns, whatever they cost.
static void test_few(void **state)
{
    (void)state;
    duet_ways ways;
    duet_ways_begin(&ways, 40, 40);
    for (int stage = 0; stage < 6; stage++) {
        assert_int_equal(ways.way, stage % 2 == 0 ? DUET_WAY_PLAIN : DUET_WAY_SHAVED);
        duet_ways_note(&ways, 1000 << stage, 100, stage == 3);
        duet_ways_next(&ways, false);
    }
}

// First one after the other; then that in which least was in vain, of which a refutation forgives
// half.
static void test_vain(void **state)
{
    (void)state;
    static const duet_way order[] = {DUET_WAY_RELAXED, DUET_WAY_PLAIN, DUET_WAY_TIMED};
    duet_ways ways;
    duet_ways_begin(&ways, 200, 200);
    int64_t first = duet_ways_nodes(&ways);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ways.way, order[i]);
        duet_ways_note(&ways, INT64_C(100) * (3 - i), 1, false);
        duet_ways_next(&ways, false);
    }
    assert_int_equal(ways.way, DUET_WAY_TIMED);
    duet_ways_next(&ways, true); // left out: as bad as the worst, which has had fewer stages
    assert_int_equal(ways.way, DUET_WAY_PLAIN);
    duet_ways_note(&ways, 500, 1, false);
    duet_ways_next(&ways, false);
    assert_int_equal(ways.way, DUET_WAY_RELAXED);
    assert_int_equal(duet_ways_nodes(&ways), 4 * first);
    duet_ways_note(&ways, 100, 1, false);
    duet_ways_note(&ways, 100, 4 * first, true);
    duet_ways_next(&ways, false);
    assert_int_equal(ways.way, DUET_WAY_RELAXED);
}

// Of some tasks of many kinds plain nodes come first. A refutation forgives all, and where it took
// most of the nodes of the stage, the way goes on with more.
static void test_plain_first(void **state)
{
    (void)state;
    static const duet_way order[] = {DUET_WAY_PLAIN, DUET_WAY_RELAXED, DUET_WAY_TIMED,
                                     DUET_WAY_SHAVED};
    duet_ways ways;
    duet_ways_begin(&ways, 100, 100);
    int64_t first = duet_ways_nodes(&ways);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ways.way, order[i]);
        duet_ways_note(&ways, INT64_C(100) * (i + 1), 1, false);
        duet_ways_next(&ways, false);
    }
    assert_int_equal(ways.way, DUET_WAY_PLAIN);
    assert_int_equal(duet_ways_nodes(&ways), 4 * first);
    duet_ways_note(&ways, 700, first, true);
    assert_false(ways.full);
    duet_ways_note(&ways, 800, 3 * first, true);
    assert_true(ways.full);
    duet_ways_next(&ways, false);
    assert_false(ways.full);
    assert_int_equal(ways.way, DUET_WAY_PLAIN);
    assert_int_equal(duet_ways_nodes(&ways), 16 * first);
    duet_ways_note(&ways, 300, 16 * first, false);
    duet_ways_next(&ways, false);
    assert_int_equal(ways.way, DUET_WAY_RELAXED);
}

// Where tasks are alike, prices have eight times the work of the others.
static void test_alike(void **state)
{
    (void)state;
    duet_ways ways;
    int64_t work[DUET_WAYS] = {0};
    duet_ways_begin(&ways, 1000, 4);
    for (int i = 0; i < 1000; i++) {
        work[ways.way]++;
        duet_ways_note(&ways, 1, 1, false);
        duet_ways_next(&ways, false);
    }
    assert_int_equal(work[DUET_WAY_SHAVED], 0);
    assert_in_range(work[DUET_WAY_TIMED], 7 * work[DUET_WAY_PLAIN], 9 * work[DUET_WAY_PLAIN]);
    assert_in_range(work[DUET_WAY_RELAXED], work[DUET_WAY_PLAIN] - 1, work[DUET_WAY_PLAIN] + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_vain),
        cmocka_unit_test(test_plain_first),
        cmocka_unit_test(test_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
