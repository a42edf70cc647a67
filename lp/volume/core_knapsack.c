// SPDX-License-Identifier: Apache-2.0
#include "lp/volume/core_knapsack.h"

#include <math.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/volume/core_search.h"

enum {
    SHIFT = 32,      // bits: reduced prices are counted in 2^-32 of a price
    LEAST_SHIFT = 20 // bits: the coarsest unit, for large prices of numbers
};

static const double hair = 1e-6; // of an item

duet_code duet_dearest_create(duet_dearest **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    DUET_NEED(*out);
    (*out)->most_states = DUET_DEAREST_STATES;
    return DUET_OK;
}

void duet_dearest_set_states(duet_dearest *c, size_t states)
{
    c->most_states = states;
}

static void free_items(duet_dearest *c)
{
    duet_free(c->time);
    duet_free(c->part);
    duet_free(c->change);
    c->time = NULL;
    c->part = NULL;
    c->change = NULL;
    c->room = 0;
}

void duet_dearest_free(duet_dearest *c)
{
    if (c != NULL) {
        free_items(c);
        duet_free(c->core);
        duet_free(c->list);
        duet_free(c->next);
        duet_free(c->node);
        duet_free(c);
    }
}

// Makes room for `count` items.
static duet_code make_room(duet_dearest *c, size_t count, duet_error *error)
{
    if (count <= c->room) {
        return DUET_OK;
    }
    free_items(c);
    c->time = duet_alloc(count, 6 * sizeof *c->time, error);
    c->part = duet_alloc(count, sizeof *c->part, error);
    c->change = duet_alloc(count, sizeof *c->change, error);
    DUET_NEED(c->time != NULL && c->part != NULL && c->change != NULL);
    c->price = c->time + count;
    c->most = c->price + count;
    c->room = count;
    return DUET_OK;
}

// The items in floating point.
static duet_multiplier_items to_double(duet_dearest *c)
{
    const duet_dearest_items *items = c->items;
    c->longest = items->count > 0 ? items->time[items->count - 1] : 0;
    c->dearest = 0;
    for (size_t i = 0; i < items->count; i++) {
        c->dearest = duet_max(items->price[i], c->dearest);
        c->time[i] = (double)items->time[i];
        c->price[i] = (double)items->price[i];
        c->most[i] = (double)items->most[i];
    }
    double *work = c->room == 0 ? NULL : c->most + c->room;
    return (duet_multiplier_items){items->count, c->time, c->price, c->most, work};
}

// The bound that the multipliers give, and the set without deviations.
static duet_dearest_state evaluate(duet_dearest *c, int64_t number)
{
    duet_dearest_state base = {.node = DUET_DEAREST_NO_DEVIATION};
    c->bound = c->r * c->capacity + c->mu * number;
    for (size_t i = 0; i < c->items->count; i++) {
        int64_t reduced = duet_dearest_reduced_price(c, i);
        if (reduced > 0) {
            c->bound += reduced * c->items->most[i];
            base.time += c->items->time[i] * c->items->most[i];
            base.price += c->items->price[i] * c->items->most[i];
        }
    }
    return base;
}

// The best set of this search as parts, by increasing item, unless an earlier one has the best.
static void keep_parts(duet_dearest *c)
{
    if (c->best_node == DUET_DEAREST_EMPTY) {
        return;
    }
    c->parts = 0;
    for (int32_t at = c->best_node; at != DUET_DEAREST_NO_DEVIATION; at = c->node[at].parent) {
        c->change[c->node[at].item] += c->node[at].tasks;
    }
    for (size_t i = 0; i < c->items->count; i++) {
        int64_t base = duet_dearest_reduced_price(c, i) > 0 ? c->items->most[i] : 0;
        int64_t tasks = base + c->change[i];
        DUET_ASSERT(tasks >= 0 && tasks <= c->items->most[i]);
        c->change[i] = 0;
        if (tasks > 0) {
            c->part[c->parts++] = (duet_dearest_part){i, tasks};
        }
    }
    c->best_node = DUET_DEAREST_EMPTY;
}

// Searches the sets that the multipliers bound: all, or those of at most or at least `number`
// items.
static duet_code search_sets(duet_dearest *c, int64_t number, duet_dearest_near *near,
                             duet_error *error)
{
    enum { first_band = 8 }; // bits below the bound
    c->r = (int64_t)ceil(ldexp(near->multipliers.time, c->shift));
    c->mu = (int64_t)round(ldexp(near->multipliers.number, c->shift));
    duet_dearest_state base = evaluate(c, number);
    c->dropped = INT64_MAX;
    c->nodes = 0;
    c->list[0] = base;
    c->states = 1;
    duet_dearest_keep_best(c, &base);
    duet_code code =
        duet_dearest_search(c, near->gap > 0 ? 2 * near->gap : (c->bound >> first_band) + 1, error);
    near->gap = c->bound - (c->best << c->shift);
    int64_t left = c->dropped < INT64_MAX ? (c->bound - c->dropped) >> c->shift : 0;
    c->open = duet_max(left, c->open);
    return code;
}

// The bits of a fixed-point price at which prices of numbers stay far from overflow.
static int shift_by_number(const duet_dearest *c, int64_t number)
{
    int shift = SHIFT;
    while (shift > 0 && ((duet_int128)c->dearest * number) << shift >> 54 > 0) {
        shift--;
    }
    return shift;
}

// Searches the sets of at most `number` items, then those of more.
static duet_code search_by_number(duet_dearest *c, const duet_multiplier_items *items,
                                  int64_t number, duet_dearest_start *start, duet_error *error)
{
    double capacity = (double)c->capacity;
    duet_multipliers_at_most(items, capacity, (double)number, &start->few.multipliers);
    DUET_TRY(search_sets(c, number, &start->few, error));
    keep_parts(c);
    duet_multipliers_at_least(items, capacity, (double)(number + 1), &start->many.multipliers);
    return search_sets(c, number + 1, &start->many, error);
}

// Where a fraction of an item is taken, sets of few and of many items may be searched apart.
static duet_code search_all(duet_dearest *c, int64_t number, duet_dearest_start *start,
                            duet_error *error)
{
    const duet_multiplier_items items = to_double(c);
    double capacity = (double)c->capacity;
    c->shift = SHIFT;
    double taken = duet_multipliers_of_time(&items, capacity, &start->all.multipliers);
    if (taken > (double)number + hair) { // no more fit
        duet_multipliers_at_most(&items, capacity, (double)number, &start->few.multipliers);
        return search_sets(c, number, &start->few, error);
    }
    int64_t whole = (int64_t)(taken + hair);
    int shift = shift_by_number(c, number);
    bool divide = taken > (double)whole + hair && whole < number && shift >= LEAST_SHIFT;
    duet_code code = DUET_OK;
    if (!divide || !start->by_number) {
        code = search_sets(c, 0, &start->all, error);
        start->by_number = c->open > c->best;
    }
    if (code == DUET_OK && divide && start->by_number) {
        keep_parts(c);
        c->open = 0;
        c->shift = shift;
        code = search_by_number(c, &items, whole, start, error);
    }
    return code;
}

duet_code duet_dearest_solve(duet_dearest *c, const duet_dearest_items *items, int64_t capacity,
                             int64_t number, duet_dearest_start *start, duet_dearest_result *result,
                             duet_error *error)
{
    DUET_ASSERT(capacity >= 0 && capacity <= DUET_DEAREST_MAX_TIME && number >= 0);
    DUET_TRY(make_room(c, items->count, error));
    DUET_TRY(duet_vec_reserve(c->list, 1, error));
    enum { item = 20 }; // nanoseconds: passes for multipliers, the bound and the core
    duet_count_work(item * (int64_t)items->count);
    c->items = items;
    c->capacity = capacity;
    c->best = 0;
    c->open = 0;
    c->best_node = DUET_DEAREST_EMPTY;
    c->parts = 0;
    duet_code code = search_all(c, number, start, error);
    if (code == DUET_OK) {
        keep_parts(c);
    }
    *result = (duet_dearest_result){.value = duet_max(c->open, c->best),
                                    .achieved = c->best,
                                    .exact = c->open <= c->best,
                                    .parts = c->parts};
    return code;
}

const duet_dearest_part *duet_dearest_set(const duet_dearest *c)
{
    return c->part;
}
