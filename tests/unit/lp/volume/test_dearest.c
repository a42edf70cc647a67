// SPDX-License-Identifier: Apache-2.0
// The core knapsack against a dense table over time. DUET_TEST_SEED and DUET_TEST_INSTANCES choose
// others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/number/random.h"
#include "lp/volume/core_knapsack.h"
#include "tests/support/fixtures.h"

enum { MAX_ITEMS = 60, MAX_CAPACITY = 4000 };

typedef struct drawn {
    size_t count;
    int64_t capacity;
    int64_t time[MAX_ITEMS], price[MAX_ITEMS], most[MAX_ITEMS];
} drawn;

// The price of the dearest set.
static int64_t by_table(const drawn *d)
{
    static int64_t best[MAX_CAPACITY + 1];
    memset(best, 0, sizeof best);
    for (size_t i = 0; i < d->count; i++) {
        for (int64_t k = 0; k < d->most[i]; k++) {
            for (int64_t c = d->capacity; c >= d->time[i]; c--) {
                int64_t with = best[c - d->time[i]] + d->price[i];
                best[c] = with > best[c] ? with : best[c];
            }
        }
    }
    return best[d->capacity];
}

// Most items that fit together: the shortest first.
static int64_t most_items(const drawn *d)
{
    int64_t number = 0;
    int64_t room = d->capacity;
    for (size_t i = 0; i < d->count; i++) {
        for (int64_t k = 0; k < d->most[i] && d->time[i] <= room; k++) {
            room -= d->time[i];
            number++;
        }
    }
    return number;
}

// Now and then prices are as large as the core takes them.
static void enlarge_prices(duet_random *random, drawn *d)
{
    int64_t all = 1;
    for (size_t i = 0; i < d->count; i++) {
        all += (d->price[i] + 1) * d->most[i];
    }
    int64_t most = DUET_DEAREST_MAX_PRICE / 2 / all;
    int64_t factor = duet_random_between(random, 0, 2) == 0 && most > 1 ? most : 1;
    for (size_t i = 0; i < d->count; i++) {
        d->price[i] *= factor;
        d->price[i] += factor > 1 ? duet_random_between(random, 0, 1) : 0;
    }
}

// Times up to `longest` in steps of `unit`, within `spread` percent of it; prices that follow the
// times more or less.
static void draw(duet_random *random, drawn *d)
{
    static const int64_t spreads[] = {2, 10, 50, 100};
    int64_t longest = duet_random_between(random, 1, 300);
    int64_t spread = spreads[duet_random_between(random, 0, 3)];
    int64_t noise = duet_random_between(random, 0, 3);
    int64_t dearest = duet_random_between(random, 1, 5000);
    int64_t counts = duet_random_between(random, 0, 1) == 0 ? 1 : 9;
    d->count = (size_t)duet_random_between(random, 0, MAX_ITEMS);
    d->capacity = duet_random_between(random, 0, MAX_CAPACITY);
    size_t kept = 0;
    int64_t least = longest - longest * spread / 100;
    for (size_t i = 0; i < d->count; i++) {
        int64_t time = duet_random_between(random, least, longest);
        int64_t price = noise == 0   ? dearest
                        : noise == 1 ? duet_random_between(random, 0, dearest)
                                     : time * noise + duet_random_between(random, 0, noise * 3);
        int64_t fit = time > 0 ? d->capacity / time : 9;
        int64_t most = duet_random_between(random, 1, counts);
        most = most < fit ? most : fit;
        if (most > 0) {
            size_t at = kept++; // by increasing time
            for (; at > 0 && d->time[at - 1] > time; at--) {
                d->time[at] = d->time[at - 1];
                d->price[at] = d->price[at - 1];
                d->most[at] = d->most[at - 1];
            }
            d->time[at] = time;
            d->price[at] = price;
            d->most[at] = most;
        }
    }
    d->count = kept;
    enlarge_prices(random, d);
}

static void check_set(const duet_dearest *core, const drawn *d, const duet_dearest_result *result,
                      uint64_t seed)
{
    const duet_dearest_part *part = duet_dearest_set(core);
    int64_t time = 0;
    int64_t price = 0;
    for (size_t p = 0; p < result->parts; p++) {
        assert_true(part[p].item < d->count && (p == 0 || part[p].item > part[p - 1].item));
        assert_true(part[p].tasks >= 1 && part[p].tasks <= d->most[part[p].item]);
        time += part[p].tasks * d->time[part[p].item];
        price += part[p].tasks * d->price[part[p].item];
    }
    if (time > d->capacity || price != result->achieved) {
        fail_msg("seed %llu: a set of %lld ticks at %lld, expected at most %lld at %lld",
                 (unsigned long long)seed, (long long)time, (long long)price,
                 (long long)d->capacity, (long long)result->achieved);
    }
}

// One core for all, and starts that come from another problem half of the time.
static void dense_tables(void **unused)
{
    (void)unused;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 3000);
    duet_dearest *core;
    assert_int_equal(duet_dearest_create(&core, NULL), DUET_OK);
    duet_dearest_start start = {.all = {.gap = 0}};
    int64_t exact = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        static drawn d;
        draw(&random, &d);
        const duet_dearest_items items = {d.count, d.time, d.price, d.most};
        int64_t number = most_items(&d) + duet_random_between(&random, 0, 1);
        if (duet_random_between(&random, 0, 1) == 0) {
            start = (duet_dearest_start){.all = {.gap = 0}};
        }
        duet_dearest_result result;
        assert_int_equal(
            duet_dearest_solve(core, &items, d.capacity, number, &start, &result, NULL), DUET_OK);
        int64_t truth = by_table(&d);
        if (result.value < truth || result.achieved > truth ||
            result.exact != (result.value == result.achieved)) {
            fail_msg("seed %llu: value %lld, achieved %lld, expected %lld",
                     (unsigned long long)seed, (long long)result.value, (long long)result.achieved,
                     (long long)truth);
        }
        check_set(core, &d, &result, seed);
        exact += result.exact;
    }
    assert_true(exact >= instances - instances / 100); // others had too many states
    duet_dearest_free(core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dense_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
