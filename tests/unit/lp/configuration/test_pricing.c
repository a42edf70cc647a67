// SPDX-License-Identifier: Apache-2.0
// The dearest load of a processor against all loads, by both tables. DUET_TEST_SEED and
// DUET_TEST_INSTANCES choose others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/number/random.h"
#include "lp/configuration/pricing_branch.h"
#include "tests/support/fixtures.h"

enum { MAX_ITEMS = 6 };

// The best price of a load from item `at` on.
static int64_t best_load(const duet_pricing_item *items, size_t count, size_t at, int64_t room)
{
    if (at == count) {
        return 0;
    }
    int64_t best = 0;
    for (int64_t tasks = 0; tasks <= items[at].most && tasks * items[at].time <= room; tasks++) {
        int64_t rest = best_load(items, count, at + 1, room - tasks * items[at].time);
        int64_t price = rest + tasks * items[at].price;
        best = price > best ? price : best;
    }
    return best;
}

// A set that the table names: within the capacity and the counts, and of the price that was
// claimed.
static void check_set(const duet_pricing *pricing, const duet_pricing_item *items, size_t count,
                      int64_t capacity, int64_t value, uint64_t seed)
{
    duet_pricing_part parts[MAX_ITEMS];
    size_t used = duet_pricing_set(pricing, capacity, parts);
    int64_t time = 0;
    int64_t price = 0;
    assert_true(used <= count);
    for (size_t p = 0; p < used; p++) {
        size_t at = 0;
        while (at < count && items[at].class != parts[p].class) {
            at++;
        }
        for (size_t other = 0; other < p; other++) {
            assert_true(parts[other].class != parts[p].class);
        }
        if (at == count || parts[p].tasks < 1 || parts[p].tasks > items[at].most) {
            fail_msg("seed %llu: a set has tasks that there are not", (unsigned long long)seed);
        }
        time += parts[p].tasks * items[at].time;
        price += parts[p].tasks * items[at].price;
    }
    if (time > capacity || price != value) {
        fail_msg("seed %llu, capacity %lld: a set of %lld ticks at %lld, expected %lld",
                 (unsigned long long)seed, (long long)capacity, (long long)time, (long long)price,
                 (long long)value);
    }
}

static void check_capacity(const duet_pricing *pricing, const duet_pricing_item *items,
                           size_t count, int64_t capacity, uint64_t seed)
{
    int64_t value = duet_pricing_value(pricing, capacity);
    int64_t truth = best_load(items, count, 0, capacity);
    if (value != truth) {
        fail_msg("seed %llu, capacity %lld: value %lld, expected %lld", (unsigned long long)seed,
                 (long long)capacity, (long long)value, (long long)truth);
    }
    check_set(pricing, items, count, capacity, value, seed);
}

// Items of times up to `longest`; prices such that the price of no set within `reach` is too high.
static size_t draw(duet_random *random, duet_pricing_item *items, int64_t longest, int64_t reach)
{
    size_t count = (size_t)duet_random_between(random, 0, MAX_ITEMS);
    for (size_t i = 0; i < count; i++) {
        items[i] =
            (duet_pricing_item){.class = 10 * i + 3,
                                .time = duet_random_between(random, longest / 20 + 1, longest),
                                .most = duet_random_between(random, 0, 5)};
    }
    // Worth at most an eighth of what the tables take: the price of the reach at any density.
    int64_t scale = duet_pricing_scale(items, count, reach) / 8;
    for (size_t i = 0; i < count; i++) {
        int64_t fit = reach / items[i].time + 1;
        int64_t most = scale / fit < 1000 ? scale / fit : 1000;
        items[i].price =
            duet_random_between(random, 0, 9) == 0 ? 0 : duet_random_between(random, 0, most);
    }
    return count;
}

// Every capacity of a short table; the same object solves one problem after another.
static void short_times(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 2000);
    duet_pricing *pricing;
    assert_int_equal(duet_pricing_create(&pricing, NULL), DUET_OK);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_pricing_item items[MAX_ITEMS] = {{0}};
        duet_random_seed(&random, seed);
        int64_t reach = duet_random_between(&random, 1, 40);
        size_t count = draw(&random, items, 15, reach);
        assert_int_equal(duet_pricing_solve(pricing, items, count, reach, NULL), DUET_OK);
        for (int64_t capacity = 0; capacity <= reach; capacity++) {
            check_capacity(pricing, items, count, capacity, seed);
        }
    }
    duet_pricing_free(pricing);
}

// What is fixed before a table is filled leaves the load that the whole table names, whatever worth
// less is known; where that is worth as much, nothing.
static void dearest_load(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 20000);
    duet_pricing *pricing;
    assert_int_equal(duet_pricing_create(&pricing, NULL), DUET_OK);
    int64_t better = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_pricing_item items[MAX_ITEMS] = {{0}};
        duet_random_seed(&random, seed);
        bool wide = duet_random_between(&random, 0, 9) == 0; // tables in several blocks
        int64_t reach = duet_random_between(&random, 1, wide ? 20000 : 60);
        size_t count = draw(&random, items, reach / 2 + 1, reach);
        duet_pricing_part whole[MAX_ITEMS];
        duet_pricing_part parts[MAX_ITEMS];
        assert_int_equal(duet_pricing_solve(pricing, items, count, reach, NULL), DUET_OK);
        int64_t truth = duet_pricing_value(pricing, reach);
        size_t used = duet_pricing_set(pricing, reach, whole);
        int64_t known = duet_random_between(&random, 0, truth + truth / 8 + 1);
        duet_pricing_load found = {.value = known, .part = parts};
        assert_int_equal(duet_pricing_dearest(pricing, items, count, reach, &found, NULL), DUET_OK);
        if (truth <= known ? found.value != known || found.parts != 0
                           : found.value != truth || found.parts != used ||
                                 memcmp(parts, whole, used * sizeof *parts) != 0) {
            fail_msg("seed %llu: another load than that of the table", (unsigned long long)seed);
        }
        better += truth > known;
    }
    assert_true(better > instances / 2);
    duet_pricing_free(pricing);
}

// Times of up to 2^58 ticks go by price. Capacities at random, and those where a set just fits.
static void long_times(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 2000);
    duet_pricing *pricing;
    assert_int_equal(duet_pricing_create(&pricing, NULL), DUET_OK);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_pricing_item items[MAX_ITEMS] = {{0}};
        duet_random_seed(&random, seed);
        int64_t longest = INT64_C(1) << duet_random_between(&random, 28, 58);
        int64_t reach = duet_random_between(&random, longest, 3 * longest);
        size_t count = draw(&random, items, longest, reach);
        assert_int_equal(duet_pricing_solve(pricing, items, count, reach, NULL), DUET_OK);
        check_capacity(pricing, items, count, reach, seed);
        check_capacity(pricing, items, count, 0, seed);
        for (size_t i = 0; i < count; i++) {
            int64_t both = items[i].time + items[count - 1].time;
            check_capacity(pricing, items, count, items[i].time, seed);
            check_capacity(pricing, items, count, items[i].time - 1, seed);
            check_capacity(pricing, items, count, both < reach ? both : reach, seed);
            int64_t capacity = duet_random_between(&random, 0, reach);
            check_capacity(pricing, items, count, capacity, seed);
        }
    }
    duet_pricing_free(pricing);
}

// The load that branch and bound names.
static void check_branch(const duet_branch *branch, const duet_pricing_item *items, size_t count,
                         int64_t capacity, int64_t value, uint64_t seed)
{
    duet_pricing_part parts[MAX_ITEMS];
    size_t used = duet_branch_set(branch, parts);
    int64_t time = 0;
    int64_t price = 0;
    for (size_t p = 0; p < used; p++) {
        for (size_t i = 0; i < count; i++) {
            if (items[i].class == parts[p].class) {
                assert_true(parts[p].tasks >= 1 && parts[p].tasks <= items[i].most);
                time += parts[p].tasks * items[i].time;
                price += parts[p].tasks * items[i].price;
            }
        }
    }
    if (time > capacity || price != value) {
        fail_msg("seed %llu: a set of %lld ticks at %lld, expected %lld", (unsigned long long)seed,
                 (long long)time, (long long)price, (long long)value);
    }
}

// Branch and bound at any size of times, with floors below, at and above the truth; with few steps
// it gives up or is right.
static void by_branching(void **state)
{
    (void)state;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 4000);
    duet_branch *branch;
    assert_int_equal(duet_branch_create(&branch, NULL), DUET_OK);
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_pricing_item items[MAX_ITEMS] = {{0}};
        duet_random_seed(&random, seed);
        int64_t longest = INT64_C(1) << duet_random_between(&random, 3, 58);
        int64_t reach = duet_random_between(&random, longest, 3 * longest);
        size_t count = draw(&random, items, longest, reach);
        int64_t truth = best_load(items, count, 0, reach);
        int64_t floor = truth * duet_random_between(&random, 0, 6) / 5;
        int64_t steps = seed % 3 == 0 ? 0 : 100000;
        int64_t value;
        bool exceeded;
        assert_int_equal(
            duet_branch_solve(branch, &(duet_branch_problem){items, count, reach, floor, steps},
                              &value, &exceeded, NULL),
            DUET_OK);
        int64_t expected = truth > floor ? truth : floor;
        if (!exceeded && value != expected) {
            fail_msg("seed %llu: value %lld, expected %lld", (unsigned long long)seed,
                     (long long)value, (long long)expected);
        }
        check_branch(branch, items, count, reach, value > floor ? value : 0, seed);
    }
    duet_branch_free(branch);
}

// Many items of close prices: the coarse rows decide what density alone does not, and the value is
// that of the table.
static void branching_meets_table(void **state)
{
    (void)state;
    enum { items_of_all = 60, large = 24 }; // bits: beyond what a row holds
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 60);
    instances = instances < 60 ? instances : 60;
    duet_branch *branch;
    duet_pricing *table;
    assert_int_equal(duet_branch_create(&branch, NULL), DUET_OK);
    assert_int_equal(duet_pricing_create(&table, NULL), DUET_OK);
    long ended = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        duet_pricing_item items[items_of_all];
        for (size_t i = 0; i < items_of_all; i++) {
            int64_t time = duet_random_between(&random, 2000, 4500);
            items[i] = (duet_pricing_item){.class = i,
                                           .time = time,
                                           .price = time + duet_random_between(&random, 0, 60),
                                           .most = duet_random_between(&random, 1, 2)};
        }
        assert_int_equal(duet_pricing_solve(table, items, items_of_all, 10650, NULL), DUET_OK);
        int64_t truth = duet_pricing_value(table, 10650);
        for (size_t i = 0; i < items_of_all && seed % 2 == 1; i++) {
            items[i].price <<= large;
        }
        truth <<= seed % 2 == 1 ? large : 0;
        int64_t value;
        bool exceeded;
        assert_int_equal(
            duet_branch_solve(branch, &(duet_branch_problem){items, items_of_all, 10650, 0, 300000},
                              &value, &exceeded, NULL),
            DUET_OK);
        if (value > truth || (!exceeded && value != truth)) {
            fail_msg("seed %llu: value %lld, expected %lld", (unsigned long long)seed,
                     (long long)value, (long long)truth);
        }
        ended += !exceeded;
    }
    printf("%ld of %lld ended\n", ended, (long long)instances);
    assert_true(ended * 2 > instances);
    duet_branch_free(branch);
    duet_pricing_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_times), cmocka_unit_test(long_times), cmocka_unit_test(dearest_load),
        cmocka_unit_test(by_branching), cmocka_unit_test(branching_meets_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
