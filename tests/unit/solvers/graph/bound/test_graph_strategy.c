// SPDX-License-Identifier: Apache-2.0
// Which way of branching comes next: that in which least was in vain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solvers/graph/bound/strategy.h"

// Of few tasks both ways take turns, whatever they cost.
static void test_few(void **state)
{
    (void)state;
    duet_strategy_choice choice;
    duet_strategy_begin(&choice, 40, 40);
    for (int phase = 0; phase < 6; phase++) {
        assert_int_equal(choice.current,
                         phase % 2 == 0 ? DUET_STRATEGY_PLAIN : DUET_STRATEGY_SHAVING);
        duet_strategy_note(&choice, 1000 << phase, 100, phase == 3);
        duet_strategy_next(&choice, false);
    }
}

// First one after the other; then that in which least was in vain, of which a refutation forgives
// half.
static void test_vain(void **state)
{
    (void)state;
    static const duet_strategy order[] = {DUET_STRATEGY_PROGRAM, DUET_STRATEGY_PLAIN,
                                          DUET_STRATEGY_TIME_INDEXED};
    duet_strategy_choice choice;
    duet_strategy_begin(&choice, 200, 200);
    int64_t first = duet_strategy_nodes(&choice);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(choice.current, order[i]);
        duet_strategy_note(&choice, INT64_C(100) * (3 - i), 1, false);
        duet_strategy_next(&choice, false);
    }
    assert_int_equal(choice.current, DUET_STRATEGY_TIME_INDEXED);
    duet_strategy_next(&choice, true); // left out: as bad as the worst, which has had fewer phases
    assert_int_equal(choice.current, DUET_STRATEGY_PLAIN);
    duet_strategy_note(&choice, 500, 1, false);
    duet_strategy_next(&choice, false);
    assert_int_equal(choice.current, DUET_STRATEGY_PROGRAM);
    assert_int_equal(duet_strategy_nodes(&choice), 4 * first);
    duet_strategy_note(&choice, 100, 1, false);
    duet_strategy_note(&choice, 100, 4 * first, true);
    duet_strategy_next(&choice, false);
    assert_int_equal(choice.current, DUET_STRATEGY_PROGRAM);
}

// Of some tasks of many kinds plain nodes come first. A refutation forgives all, and where it took
// most of the nodes of the phase, the way goes on with more.
static void test_plain_first(void **state)
{
    (void)state;
    static const duet_strategy order[] = {DUET_STRATEGY_PLAIN, DUET_STRATEGY_PROGRAM,
                                          DUET_STRATEGY_TIME_INDEXED, DUET_STRATEGY_SHAVING};
    duet_strategy_choice choice;
    duet_strategy_begin(&choice, 100, 100);
    int64_t first = duet_strategy_nodes(&choice);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(choice.current, order[i]);
        duet_strategy_note(&choice, INT64_C(100) * (i + 1), 1, false);
        duet_strategy_next(&choice, false);
    }
    assert_int_equal(choice.current, DUET_STRATEGY_PLAIN);
    assert_int_equal(duet_strategy_nodes(&choice), 4 * first);
    duet_strategy_note(&choice, 700, first, true);
    assert_false(choice.full);
    duet_strategy_note(&choice, 800, 3 * first, true);
    assert_true(choice.full);
    duet_strategy_next(&choice, false);
    assert_false(choice.full);
    assert_int_equal(choice.current, DUET_STRATEGY_PLAIN);
    assert_int_equal(duet_strategy_nodes(&choice), 16 * first);
    duet_strategy_note(&choice, 300, 16 * first, false);
    duet_strategy_next(&choice, false);
    assert_int_equal(choice.current, DUET_STRATEGY_PROGRAM);
}

// Where tasks are alike, prices have eight times the work of the others.
static void test_alike(void **state)
{
    (void)state;
    duet_strategy_choice choice;
    int64_t work[DUET_STRATEGIES] = {0};
    duet_strategy_begin(&choice, 1000, 4);
    for (int i = 0; i < 1000; i++) {
        work[choice.current]++;
        duet_strategy_note(&choice, 1, 1, false);
        duet_strategy_next(&choice, false);
    }
    assert_int_equal(work[DUET_STRATEGY_SHAVING], 0);
    assert_in_range(work[DUET_STRATEGY_TIME_INDEXED], 7 * work[DUET_STRATEGY_PLAIN],
                    9 * work[DUET_STRATEGY_PLAIN]);
    assert_in_range(work[DUET_STRATEGY_PROGRAM], work[DUET_STRATEGY_PLAIN] - 1,
                    work[DUET_STRATEGY_PLAIN] + 1);
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
