// SPDX-License-Identifier: Apache-2.0
// The residual problem on one to five types against all choices of how many tasks of a class go to
// each type: limits, tasks that are taken, the least price, reduced-cost fixing.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "bench/run/random_instance.h"
#include "core/number/random.h"
#include "core/solution/prices.h"

enum { TYPES = DUET_SHAPE_TYPES };

typedef struct fixture {
    uint64_t seed;
    duet_random random;
    duet_instance *instance;
    duet_classes classes;
    duet_prices prices;
    duet_residual state;
    // Of class 0, by hand: what is left, and within which numbers.
    int64_t left;
    int64_t low[TYPES];
    int64_t high[TYPES];
} fixture;

static int64_t between(fixture *f, int64_t least, int64_t most)
{
    return duet_random_between(&f->random, least, most);
}

static void open_fixture(fixture *f, uint64_t seed)
{
    static const duet_type platform[TYPES] = {{"a", 2}, {"b", 1}, {"c", 3}, {"d", 1}, {"e", 1}};
    *f = (fixture){.seed = seed};
    duet_random_seed(&f->random, seed);
    size_t types = 1 + seed % TYPES;
    int64_t times[TYPES];
    for (size_t t = 0; t < types; t++) {
        times[t] = t > 0 && between(f, 0, 3) == 0 ? DUET_FORBIDDEN : between(f, 1, 9);
    }
    f->left = between(f, 1, 6);
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = 1,
                               .counts = &f->left,
                               .times = times};
    assert_int_equal(duet_instance_create(&desc, &f->instance, NULL), DUET_OK);
    assert_int_equal(duet_classes_create(f->instance, 10, &f->classes, NULL), DUET_OK);
    assert_int_equal(duet_prices_create(&f->classes, &f->prices, NULL), DUET_OK);
    assert_int_equal(duet_residual_create(&f->classes, &f->state, NULL), DUET_OK);
    for (size_t t = 0; t < types; t++) {
        f->high[t] = times[t] == DUET_FORBIDDEN ? 0 : f->left;
        f->prices.price[t][0] = f->high[t] > 0 ? between(f, 0, 12) : 0;
        f->prices.limit[t] = between(f, 0, 20);
    }
}

static void close_fixture(fixture *f)
{
    duet_residual_free(&f->state);
    duet_prices_free(&f->prices);
    duet_classes_free(&f->classes);
    duet_instance_free(f->instance);
}

// A walk through all choices.
typedef struct choices {
    const fixture *f;
    int64_t x[TYPES];
    int64_t low[TYPES]; // of those that cost at most `within`
    int64_t high[TYPES];
    int64_t within;
    int64_t least; // price
    long found;
} choices;

static void note(choices *w)
{
    int64_t price = 0;
    for (size_t t = 0; t < w->f->classes.types; t++) {
        price += w->f->prices.price[t][0] * w->x[t];
    }
    if (price > w->within) {
        return;
    }
    for (size_t t = 0; t < w->f->classes.types; t++) {
        w->low[t] = w->found == 0 || w->x[t] < w->low[t] ? w->x[t] : w->low[t];
        w->high[t] = w->found == 0 || w->x[t] > w->high[t] ? w->x[t] : w->high[t];
    }
    w->least = w->found == 0 || price < w->least ? price : w->least;
    w->found++;
}

static void walk(choices *w, size_t t, int64_t left)
{
    if (t == w->f->classes.types || t == TYPES) {
        if (left == 0) {
            note(w);
        }
        return;
    }
    for (int64_t x = w->f->low[t]; x <= w->f->high[t] && x <= left; x++) {
        w->x[t] = x;
        walk(w, t + 1, left - x);
    }
}

static choices all_choices(const fixture *f, int64_t within)
{
    choices w = {.f = f, .within = within};
    walk(&w, 0, f->left);
    assert_true(w.found > 0);
    return w;
}

// The state says of class 0 what the choices do, and the numbers by hand become those.
static void compare(fixture *f)
{
    choices all = all_choices(f, INT64_MAX);
    bool same = f->state.left[0] == f->left;
    bool settled = true;
    duet_int128 supply = 0;
    for (size_t t = 0; t < f->classes.types; t++) {
        same = same && duet_residual_least(&f->state, 0, t) == all.low[t] &&
               duet_residual_most(&f->state, 0, t) == all.high[t];
        settled = settled && all.low[t] == all.high[t];
        supply += (duet_int128)f->state.processors[t] * f->prices.limit[t];
        f->low[t] = all.low[t];
        f->high[t] = all.high[t];
    }
    same = same && duet_residual_settled(&f->state, 0) == settled &&
           duet_residual_decided(&f->classes, &f->state) == settled &&
           duet_residual_price(&f->state, &f->prices, 0) == all.least &&
           duet_residual_slack(&f->classes, &f->state, &f->prices) == supply - all.least;
    if (!same) {
        fail_msg("seed %" PRIu64 ": not the numbers of all choices", f->seed);
    }
}

// What prices leave open within a slack are the choices that cost no more.
static void compare_fixing(fixture *f)
{
    int64_t least = all_choices(f, INT64_MAX).least;
    int64_t slack = between(f, 0, 3) == 0 ? 0 : between(f, 0, 30);
    choices within = all_choices(f, least + slack);
    duet_int128 price[TYPES];
    for (size_t t = 0; t < f->classes.types; t++) {
        price[t] = f->prices.price[t][0];
    }
    for (size_t t = 0; t < f->classes.types; t++) {
        int64_t low;
        int64_t high;
        duet_residual_fix_type(&f->state, 0, t, price, slack, &low, &high);
        bool same = low == within.low[t] && high == within.high[t];
        if (same && f->classes.types == 2 && t == 0) {
            duet_residual_fix(&f->state, 0, price[0] - price[1], slack, &low, &high);
            same = low == within.low[t] && high == within.high[t];
        }
        if (!same) {
            fail_msg("seed %" PRIu64 ": %" PRId64 " to %" PRId64
                     " tasks on type %zu, expected %" PRId64 " to %" PRId64,
                     f->seed, low, high, t, within.low[t], within.high[t]);
        }
    }
}

// Takes tasks away, or narrows a range.
static void change(fixture *f)
{
    size_t t = (size_t)between(f, 0, (int64_t)f->classes.types - 1);
    if (between(f, 0, 1) == 0) {
        int64_t tasks = between(f, 0, f->high[t]);
        duet_residual_take(&f->state, 0, t, tasks);
        f->left -= tasks;
        f->low[t] = f->low[t] > tasks ? f->low[t] - tasks : 0;
        f->high[t] -= tasks;
    } else {
        f->low[t] = between(f, f->low[t], f->high[t]);
        f->high[t] = between(f, f->low[t], f->high[t]);
        duet_residual_limit(&f->state, 0, t, f->low[t], f->high[t]);
    }
}

static void as_all_choices_say(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10000; seed++) {
        fixture f;
        duet_residual before;
        open_fixture(&f, seed);
        assert_int_equal(duet_residual_create(&f.classes, &before, NULL), DUET_OK);
        compare(&f);
        for (int round = 0; round < 3; round++) {
            compare_fixing(&f);
            duet_residual_copy(&f.classes, &f.state, &before);
            change(&f);
            compare(&f);
        }
        // A copy is as the state was, and goes on by itself.
        assert_true(before.left[0] >= f.state.left[0]);
        for (size_t t = 0; t < f.classes.types; t++) {
            assert_true(before.low[t] != f.state.low[t] && before.high[t] != f.state.high[t]);
            assert_int_equal(before.processors[t], f.state.processors[t]);
        }
        duet_residual_free(&before);
        close_fixture(&f);
    }
}

// Time alone as the price, of one type each.
static void by_time(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TYPES; seed++) {
        fixture f;
        duet_prices time[TYPES];
        open_fixture(&f, seed);
        assert_int_equal(duet_prices_create_by_time(&f.classes, time, NULL), DUET_OK);
        for (size_t t = 0; t < f.classes.types; t++) {
            for (size_t other = 0; other < f.classes.types; other++) {
                bool fits = duet_class_fits(&f.classes, 0, other);
                assert_int_equal(time[t].weight[other], t == other);
                assert_int_equal(time[t].price[other][0],
                                 t == other && fits ? f.classes.time[t][0] : 0);
                assert_true(time[t].divisible[other] && !time[t].listed[other]);
            }
        }
        for (size_t t = 0; t < f.classes.types; t++) {
            duet_prices_free(&time[t]);
        }
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_all_choices_say),
                                       cmocka_unit_test(by_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
