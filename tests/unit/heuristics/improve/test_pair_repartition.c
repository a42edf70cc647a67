// SPDX-License-Identifier: Apache-2.0
// The parts of the improvement search: lanes, dealing a pair of them anew against all its deals,
// and types that trade.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "heuristics/improve/pair_repartition.h"
#include "heuristics/improve/pair_table.h"
#include "tests/support/fixtures.h"

static void lanes_of_a_schedule(void **state)
{
    (void)state;
    // More processors than tasks, and high ones in use: 3 lanes of each type.
    const int64_t counts[] = {DUET_MAX_PROCESSORS, 50};
    const int64_t times[] = {5, 9, 7, 2, 4, 4};
    duet_instance *instance = duet_test_instance(2, counts, 3, NULL, times);
    duet_placement placement[] = {{100, 2147483646, 0}, {20, 49, 1}, {3, 2147483646, 0}};
    duet_task_lists lanes;
    assert_int_equal(duet_task_lists_create(instance, placement, &lanes, NULL), DUET_OK);
    assert_int_equal(lanes.count, 6);
    const duet_task_list *top = &lanes.at[duet_task_lists_top(&lanes)];
    assert_int_equal(top->load, 9);
    assert_int_equal(top->count, 2);
    assert_int_equal(top->type, 0);
    assert_int_equal(top->index, 2147483646);
    for (size_t i = 0; i < lanes.count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(lanes.at[i].type != lanes.at[j].type ||
                        lanes.at[i].index != lanes.at[j].index);
        }
    }
    // Without the gaps, in the order of their numbers.
    duet_task_lists_place(&lanes, placement);
    assert_int_equal(placement[0].start, 0);
    assert_int_equal(placement[2].start, 5);
    assert_int_equal(placement[2].processor, 2147483646);
    assert_int_equal(placement[1].start, 0);
    assert_int_equal(placement[1].processor, 49);
    duet_task_lists_free(&lanes);
    duet_instance_free(instance);
}

// The best that any deal of the tasks of two lanes reaches: the smallest larger load, or the least
// load of b with a within the cap; -1 where no deal keeps to the goal.
static int64_t best_deal(const duet_task_lists *lanes, size_t a, size_t b,
                         duet_pair_repartition_goal goal)
{
    const duet_task_list *lane[2] = {&lanes->at[a], &lanes->at[b]};
    size_t tasks = lane[0]->count + lane[1]->count;
    int64_t best = -1;
    for (uint32_t to_b = 0; to_b < 1U << tasks; to_b++) {
        int64_t load[2] = {0, 0};
        bool allowed = true;
        for (size_t i = 0; i < tasks; i++) {
            size_t first = lane[0]->count;
            int64_t task = i < first ? lane[0]->task[i] : lane[1]->task[i - first];
            size_t p = to_b >> i & 1U;
            int64_t time = duet_task_lists_time(lanes, task, (size_t)lane[p]->type);
            allowed = allowed && time != DUET_FORBIDDEN;
            load[p] += time != DUET_FORBIDDEN ? time : 0;
        }
        int64_t larger = load[0] > load[1] ? load[0] : load[1];
        int64_t price = goal.fill ? load[1] : larger;
        if (allowed && larger <= goal.most && (!goal.fill || load[0] <= goal.cap) &&
            (best < 0 || price < best)) {
            best = price;
        }
    }
    return best;
}

// Puts every task on a random processor that may run it.
static void place_anywhere(const duet_instance *instance, duet_random *random,
                           duet_placement *placement)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            size_t type;
            do {
                type = (size_t)duet_random_between(random, 0, (int64_t)instance->types - 1);
            } while (!duet_allowed(instance, i, type));
            int64_t last = instance->processors[type] - 1;
            placement[j] =
                (duet_placement){0, (int32_t)duet_random_between(random, 0, last), (int32_t)type};
        }
    }
}

static void check_load(const duet_task_lists *lanes, size_t i, uint64_t seed)
{
    int64_t load = 0;
    for (size_t at = 0; at < lanes->at[i].count; at++) {
        load += duet_task_lists_time(lanes, lanes->at[i].task[at], (size_t)lanes->at[i].type);
    }
    if (load != lanes->at[i].load || duet_task_lists_longest(lanes) < load) {
        fail_msg("seed %llu: lane %zu: load %lld, its tasks take %lld", (unsigned long long)seed, i,
                 (long long)lanes->at[i].load, (long long)load);
    }
}

// Pairs of up to so many tasks, of which at most `chosen` are dealt at once, or all by a table.
static void against_all_deals(size_t chosen, int most_tasks, uint64_t instances)
{
    duet_pair_repartitioner *splitter;
    assert_int_equal(duet_pair_repartitioner_create(chosen, &splitter, NULL), DUET_OK);
    assert_int_equal(duet_pair_repartitioner_tasks(splitter), chosen);
    long kept = 0;
    long refused = 0;
    for (uint64_t seed = 1; seed <= instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {2, most_tasks, 1, 2, 1 + seed % 3};
        duet_instance *instance = duet_random_instance(&random, &shape);
        duet_placement placement[16];
        assert_non_null(instance);
        place_anywhere(instance, &random, placement);
        duet_task_lists lanes;
        assert_int_equal(duet_task_lists_create(instance, placement, &lanes, NULL), DUET_OK);
        for (int step = 0; step < 8 && lanes.count > 1; step++) {
            size_t a = (size_t)duet_random_between(&random, 0, (int64_t)lanes.count - 1);
            size_t b = (size_t)duet_random_between(&random, 0, (int64_t)lanes.count - 2);
            b += b >= a;
            int64_t longest = duet_task_lists_longest(&lanes);
            duet_pair_repartition_goal goal = {.fill = step % 2 == 1,
                                               .most = longest - (step % 4 < 2)};
            goal.cap = longest > 0 ? duet_random_between(&random, 0, longest) : 0;
            if (lanes.at[a].count + lanes.at[b].count > chosen &&
                goal.most > DUET_PAIR_TABLE_MOST) {
                continue; // a sample of them is dealt
            }
            int64_t best = best_deal(&lanes, a, b, goal);
            if (duet_pair_repartition(splitter, &lanes, a, b, goal, &random) != (best >= 0)) {
                fail_msg("seed %llu, step %d: a deal of %lld", (unsigned long long)seed, step,
                         (long long)best);
            }
            int64_t larger =
                lanes.at[a].load > lanes.at[b].load ? lanes.at[a].load : lanes.at[b].load;
            if (best >= 0 && best != (goal.fill ? lanes.at[b].load : larger)) {
                fail_msg("seed %llu, step %d: loads %lld and %lld, best is %lld",
                         (unsigned long long)seed, step, (long long)lanes.at[a].load,
                         (long long)lanes.at[b].load, (long long)best);
            }
            check_load(&lanes, a, seed);
            check_load(&lanes, b, seed);
            kept += best >= 0;
            refused += best < 0;
        }
        duet_task_lists_free(&lanes);
        duet_instance_free(instance);
    }
    assert_true(kept > (long)instances / 3 && refused > (long)instances / 3);
    assert_true(duet_pair_repartitioner_work(splitter) > 0);
    duet_pair_repartitioner_free(splitter);
}

static void pairs_against_all_deals(void **state)
{
    (void)state;
    against_all_deals(DUET_PAIR_REPARTITION_TASKS, 14, duet_test_share(3000));
}

static void tables_against_all_deals(void **state)
{
    (void)state;
    against_all_deals(2, 12, duet_test_share(3000));
}

static void fine_against_all_deals(void **state)
{
    (void)state;
    against_all_deals(DUET_PAIR_REPARTITION_FINE, 14, duet_test_share(300));
}

// More tasks than are dealt at once: samples of them, none lost, no load above the limit.
static void deal_many(size_t kinds, int64_t longest_time)
{
    enum { TASKS = 3000 };
    static int64_t times[2 * TASKS];
    static int64_t tasks[TASKS];
    static duet_placement placement[TASKS];
    duet_random random;
    duet_random_seed(&random, 7);
    for (size_t j = 0; j < kinds; j++) {
        times[2 * j] = duet_random_between(&random, longest_time / 2, longest_time);
        times[2 * j + 1] = j % 3 == 0
                               ? DUET_FORBIDDEN
                               : duet_random_between(&random, longest_time / 2, longest_time);
        tasks[j] = TASKS / (int64_t)kinds;
    }
    for (size_t j = 0; j < TASKS; j++) {
        placement[j] = (duet_placement){0, 0, 0};
    }
    const int64_t counts[] = {1, 1};
    duet_instance *instance = duet_test_instance(2, counts, kinds, tasks, times);
    duet_task_lists lanes;
    duet_pair_repartitioner *splitter;
    assert_int_equal(duet_pair_repartitioner_create(DUET_PAIR_REPARTITION_TASKS, &splitter, NULL),
                     DUET_OK);
    assert_int_equal(duet_task_lists_create(instance, placement, &lanes, NULL), DUET_OK);
    int64_t first = duet_task_lists_longest(&lanes);
    for (int step = 0; step < 2000; step++) {
        int64_t longest = duet_task_lists_longest(&lanes);
        duet_pair_repartition_goal goal = {.most = longest - 1};
        bool kept = duet_pair_repartition(splitter, &lanes, 0, lanes.begin[1], goal, &random);
        assert_true(kept ? duet_task_lists_longest(&lanes) < longest
                         : duet_task_lists_longest(&lanes) == longest);
    }
    // A third of the work has to stay; the rest takes about half as long on both.
    assert_true(duet_task_lists_longest(&lanes) * 10 < first * 6);
    bool seen[TASKS] = {false};
    for (size_t i = 0; i < lanes.count; i++) {
        check_load(&lanes, i, 7);
        for (size_t at = 0; at < lanes.at[i].count; at++) {
            assert_false(seen[lanes.at[i].task[at]]);
            seen[lanes.at[i].task[at]] = true;
        }
    }
    for (size_t j = 0; j < TASKS; j++) {
        assert_true(seen[j]);
    }
    duet_task_lists_free(&lanes);
    duet_pair_repartitioner_free(splitter);
    duet_instance_free(instance);
}

static void many_tasks(void **state)
{
    (void)state;
    deal_many(3000, 1000);
}

// Groups of equal tasks, for some of which there is no room.
static void few_kinds(void **state)
{
    (void)state;
    deal_many(6, 1000000);
    deal_many(12, 1000);
}

// Four tasks on the wrong types: all change sides. Then there is nothing left to trade.
static void wrong_sides(void **state)
{
    (void)state;
    const int64_t counts[] = {2, 2};
    const int64_t times[] = {30, 3, 30, 3, 4, 40, 4, 40};
    duet_placement placement[] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    duet_instance *instance = duet_test_instance(2, counts, 4, NULL, times);
    duet_task_lists lanes;
    int64_t moved;
    assert_int_equal(duet_task_lists_create(instance, placement, &lanes, NULL), DUET_OK);
    assert_int_equal(duet_task_lists_longest(&lanes), 40);
    assert_int_equal(duet_type_exchange(&lanes, 1, 0, &moved, NULL), DUET_OK);
    assert_int_equal(moved, 4);
    assert_int_equal(duet_task_lists_longest(&lanes), 4);
    assert_int_equal(duet_type_exchange(&lanes, 0, 1, &moved, NULL), DUET_OK);
    assert_int_equal(moved, 0);
    duet_task_lists_place(&lanes, placement);
    assert_true(placement[0].type == 1 && placement[1].type == 1);
    assert_true(placement[2].type == 0 && placement[3].type == 0);
    assert_true(placement[0].processor != placement[1].processor);
    duet_task_lists_free(&lanes);
    duet_instance_free(instance);
}

// A trade never lengthens the lanes of its types, touches no others, and loses no task.
static void trades_are_sound(void **state)
{
    (void)state;
    long traded = 0;
    for (uint64_t seed = 1; seed <= duet_test_share(3000); seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_shape shape = {1, 40, 1, 4, 3};
        duet_instance *instance = duet_random_instance(&random, &shape);
        duet_placement placement[64];
        place_anywhere(instance, &random, placement);
        duet_task_lists lanes;
        assert_int_equal(duet_task_lists_create(instance, placement, &lanes, NULL), DUET_OK);
        int64_t before[2] = {0, 0};
        for (size_t i = 0; i < lanes.count; i++) {
            size_t other = lanes.at[i].type == 1;
            before[other] = lanes.at[i].load > before[other] ? lanes.at[i].load : before[other];
        }
        int64_t moved;
        assert_int_equal(duet_type_exchange(&lanes, 0, 2, &moved, NULL), DUET_OK);
        int64_t after[2] = {0, 0};
        size_t tasks = 0;
        for (size_t i = 0; i < lanes.count; i++) {
            size_t other = lanes.at[i].type == 1;
            check_load(&lanes, i, seed);
            tasks += lanes.at[i].count;
            after[other] = lanes.at[i].load > after[other] ? lanes.at[i].load : after[other];
        }
        if (after[1] != before[1] || (int64_t)tasks != duet_tasks(instance) ||
            (moved > 0 ? after[0] >= before[0] : after[0] != before[0])) {
            fail_msg("seed %llu: %lld moved, longest %lld, then %lld", (unsigned long long)seed,
                     (long long)moved, (long long)before[0], (long long)after[0]);
        }
        traded += moved > 0;
        duet_task_lists_free(&lanes);
        duet_instance_free(instance);
    }
    assert_true(duet_test_share(3000) < 100 || traded > (long)duet_test_share(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_of_a_schedule),
        cmocka_unit_test(pairs_against_all_deals),
        cmocka_unit_test(tables_against_all_deals),
        cmocka_unit_test(fine_against_all_deals),
        cmocka_unit_test(many_tasks),
        cmocka_unit_test(few_kinds),
        cmocka_unit_test(wrong_sides),
        cmocka_unit_test(trades_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
