// SPDX-License-Identifier: Apache-2.0
// The dearest loads of processors with releases, by lists and by tables that are kept from one
// type, or one guess, to the next: against all loads. DUET_TEST_SEED and DUET_TEST_INSTANCES choose
// other items.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "lp/configuration/configuration_state.h"
#include "tests/support/fixtures.h"

enum { TYPES = 3, CLASSES = 5, MOST = 2, LONGEST = 30 };

// Processors of one type of the platform that are busy until different times, and tasks.
typedef struct problem {
    duet_classes classes;
    size_t origin[TYPES];
    int64_t from[TYPES];
    int64_t first[TYPES];
    int64_t *of_type[TYPES];
    int64_t time[CLASSES];
    int64_t release[CLASSES];
    int64_t price[CLASSES];
    int64_t most[CLASSES];
} problem;

static void draw(duet_random *random, problem *p)
{
    for (size_t t = 0; t < TYPES; t++) {
        p->from[t] = duet_random_between(random, 0, LONGEST / 2);
        p->of_type[t] = p->time;
    }
    for (size_t i = 0; i < CLASSES; i++) {
        p->time[i] = duet_random_between(random, 1, LONGEST / 3);
        p->release[i] = duet_random_between(random, 0, LONGEST);
        p->price[i] = duet_random_between(random, 0, LONGEST);
        p->most[i] = duet_random_between(random, 1, MOST);
    }
    p->classes = (duet_classes){.types = TYPES,
                                .count = CLASSES,
                                .time = p->of_type,
                                .from = p->from,
                                .first = p->first,
                                .origin = p->origin,
                                .release = p->release};
    for (size_t t = 0; t < TYPES; t++) {
        p->first[t] = duet_class_start(&p->classes, 0, t);
        for (size_t i = 1; i < CLASSES; i++) {
            p->first[t] = duet_min(p->first[t], duet_class_start(&p->classes, i, t));
        }
    }
}

// The highest price of a load that fits within a guess, and has some parts already.
static int64_t dearest(const problem *p, size_t type, int64_t guess, duet_class_part *part,
                       size_t parts, size_t class)
{
    int64_t best = 0;
    for (size_t i = class; i < CLASSES; i++) {
        for (int64_t tasks = 1; tasks <= p->most[i]; tasks++) {
            part[parts] = (duet_class_part){i, tasks};
            if (duet_classes_fit_released(&p->classes, type, guess, part, parts + 1)) {
                int64_t more = dearest(p, type, guess, part, parts + 1, i + 1);
                best = duet_max(tasks * p->price[i] + more, best);
            }
        }
    }
    return best;
}

// Asks for the dearest load of a type within a guess.
static void ask(const problem *p, duet_configuration *c, size_t type, int64_t guess, uint64_t seed)
{
    duet_class_part all[CLASSES];
    duet_pricing_part part[CLASSES];
    duet_pricing_load load = {.part = part};
    int64_t limit;
    duet_error error = DUET_ERROR_INIT;
    int64_t capacity = duet_max(guess - p->first[type], 0);
    c->desk.items = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        c->desk.item[c->desk.items++] = (duet_pricing_item){i, p->time[i], p->price[i], p->most[i]};
    }
    assert_int_equal(
        duet_generation_price_released(c, &c->desk, type, capacity, 0, &load, &limit, &error),
        DUET_OK);
    int64_t price = 0;
    for (size_t i = 0; i < load.parts; i++) {
        price += part[i].tasks * p->price[part[i].class];
    }
    int64_t truth = dearest(p, type, guess, all, 0, 0);
    if (limit != truth || load.value != truth || price != truth ||
        !duet_classes_fit_released(&p->classes, type, guess, part, load.parts)) {
        fail_msg("seed %llu, type %zu, guess %lld: price %lld, limit %lld, expected %lld",
                 (unsigned long long)seed, type, (long long)guess, (long long)price,
                 (long long)limit, (long long)truth);
    }
}

// With the same prices at one guess after the other.
static void kept_tables(void **state)
{
    (void)state;
    enum { asked = 12 };
    int64_t instances = duet_test_number("DUET_TEST_INSTANCES", 500);
    for (int64_t n = 0; n < instances; n++) {
        uint64_t seed = duet_test_seed() + (uint64_t)n;
        duet_random random;
        duet_random_seed(&random, seed);
        problem p = {.origin = {0}};
        draw(&random, &p);
        bool given_up[TYPES];
        duet_pricing_item item[CLASSES];
        duet_configuration c = {.classes = &p.classes,
                                .types = TYPES,
                                .count = CLASSES,
                                .desk = {.item = item},
                                .effort = {.given_up = given_up}};
        int64_t guess = duet_random_between(&random, LONGEST / 2, 2 * LONGEST);
        for (int i = 0; i < asked; i++) {
            bool table = duet_random_between(&random, 0, 3) > 0; // else a list
            size_t type = (size_t)duet_random_between(&random, 0, TYPES - 1);
            guess +=
                duet_random_between(&random, 0, 2) == 0 ? duet_random_between(&random, -3, 3) : 0;
            given_up[type] = table;
            ask(&p, &c, type, guess, seed);
        }
        duet_free(c.table.by_time);
        duet_free(c.table.step);
        duet_free(c.table.lump);
        duet_free(c.table.item);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
