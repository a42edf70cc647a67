// SPDX-License-Identifier: Apache-2.0
// The dearest load of a processor by its core, on ticks so fine that times are rounded down: the
// limit holds, and the load fits with its whole times. Against all loads of few items.
// DUET_TEST_SEED and DUET_TEST_INSTANCES choose others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/number/random.h"
#include "lp/configuration/pricing_core.h"
#include "tests/support/fixtures.h"

enum { MAX_ITEMS = 10, MAX_PRICE = 1 << 20 };

typedef struct drawn {
    size_t count;
    int64_t capacity, unit;
    duet_pricing_item item[MAX_ITEMS];
} drawn;

// Times of up to 2^44 units, of which a few fill the capacity, often but for next to nothing.
static void draw(duet_random *random, drawn *d)
{
    int64_t longest = INT64_C(1) << duet_random_between(random, 4, 44);
    d->unit = duet_random_between(random, 1, 1000);
    d->count = (size_t)duet_random_between(random, 1, MAX_ITEMS);
    int64_t some = 0;
    for (size_t i = 0; i < d->count; i++) {
        int64_t time = duet_random_between(random, longest / 4 + 1, longest);
        d->item[i] = (duet_pricing_item){.class = 3 * i,
                                         .time = time * d->unit,
                                         .price = duet_random_between(random, 0, MAX_PRICE),
                                         .most = duet_random_between(random, 1, 2)};
        some += duet_random_between(random, 0, 1) * time;
    }
    int64_t beside = duet_random_between(random, 0, 2) - 1; // of a load that fills it
    d->capacity = (some + beside > 0 ? some + beside : longest) * d->unit;
}

// The price of the dearest load of the items from `first` on.
static int64_t dearest(const drawn *d, size_t first, int64_t room)
{
    int64_t best = 0;
    for (int64_t tasks = 0; first < d->count && tasks <= d->item[first].most; tasks++) {
        int64_t left = room - tasks * d->item[first].time;
        int64_t price = left < 0 ? 0 : tasks * d->item[first].price + dearest(d, first + 1, left);
        best = price > best ? price : best;
    }
    return best;
}

static void check_load(const drawn *d, const duet_pricing_core_answer *answer,
                       const duet_pricing_part *part, uint64_t seed)
{
    int64_t time = 0;
    int64_t price = 0;
    for (size_t p = 0; p < answer->parts; p++) {
        size_t i = part[p].class / 3;
        assert_true(i < d->count && d->item[i].class == part[p].class);
        assert_true(part[p].tasks >= 1 && part[p].tasks <= d->item[i].most);
        time += part[p].tasks * d->item[i].time;
        price += part[p].tasks * d->item[i].price;
    }
    if (time > d->capacity || price != answer->achieved) {
        fail_msg("seed %llu: a load of %lld ticks at %lld, expected at most %lld at %lld",
                 (unsigned long long)seed, (long long)time, (long long)price,
                 (long long)d->capacity, (long long)answer->achieved);
    }
}

// One core for all, and starts that come from another problem half of the time.
static void fine_ticks(void **unused)
{
    (void)unused;
    uint64_t first = duet_test_seed();
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 2000);
    duet_pricing_core *core;
    assert_int_equal(duet_pricing_core_create(&core, NULL), DUET_OK);
    duet_dearest_start start = {.all = {.gap = 0}};
    int64_t found = 0;
    int64_t missed = 0; // loads that only fit with their times rounded down
    for (uint64_t seed = first; seed < first + (uint64_t)instances; seed++) {
        duet_random random;
        duet_random_seed(&random, seed);
        drawn d;
        draw(&random, &d);
        if (duet_random_between(&random, 0, 1) == 0) {
            start = (duet_dearest_start){.all = {.gap = 0}};
        }
        const duet_pricing_core_problem problem = {
            .items = d.item, .count = d.count, .capacity = d.capacity, .unit = d.unit};
        duet_pricing_core_answer answer;
        duet_pricing_part part[MAX_ITEMS];
        assert_int_equal(duet_pricing_core_solve(core, &problem, &start, &answer, part, NULL),
                         DUET_OK);
        int64_t truth = dearest(&d, 0, d.capacity);
        if (answer.limit < truth || answer.achieved > truth) {
            fail_msg("seed %llu: limit %lld, achieved %lld, expected %lld",
                     (unsigned long long)seed, (long long)answer.limit, (long long)answer.achieved,
                     (long long)truth);
        }
        check_load(&d, &answer, part, seed);
        found += answer.limit == truth && answer.achieved == truth;
        missed += answer.parts == 0 && truth > 0;
    }
    assert_true(found >= instances / 2);
    assert_true(instances < 2000 || missed > 0); // the check of whole times is put to the test
    duet_pricing_core_free(core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fine_ticks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
