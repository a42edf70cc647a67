// SPDX-License-Identifier: Apache-2.0
#include "lp/volume/core_knapsack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/assert.h"
#include "core/fraction.h"
#include "core/memory.h"

enum {
    SHIFT = 32,           // reduced prices are counted in 2^-32 of a price, or of less for large
    LEAST_SHIFT = 20,     // prices of numbers
    MOST_NODES = 1 << 22, // of all lists of a search
    NO_DEVIATION = -1,    // the node of the set that deviations start from
    EMPTY = -2            // the node of the set without items
};

static const double hair = 1e-6; // of an item

// An item of the core.
typedef struct core_item {
    int64_t cost; // of a deviation by one: the absolute reduced price
    uint32_t item;
    bool taken; // by the set that deviations start from
} core_item;

// A set of items: what it has more, or less, than the one without deviations.
typedef struct state {
    int64_t time; // may be above the capacity, until items are taken away
    int64_t price;
    int64_t cost;
    int32_t node;
} state;

// How a state came about: a deviation more than that of another node.
typedef struct node {
    int32_t parent;
    uint32_t item;
    int64_t tasks; // more; negative: less
} node;

struct duet_dearest {
    // The items in floating point.
    double *time, *price, *most;
    size_t room;

    // The search.
    const duet_dearest_items *items;
    int64_t capacity;
    size_t most_states; // in a list
    int shift;          // reduced prices are counted in 2^-shift of a price
    int64_t r, mu;      // the multipliers, times 2^shift
    int64_t bound;      // of every set, times 2^shift
    int64_t best;       // the price of the best set so far
    int64_t longest;    // time of an item
    int64_t dearest;    // price of an item
    int64_t dropped;    // the least cost of a state that was dropped for want of room
    int32_t best_node;
    core_item *core;
    size_t core_items, core_room;
    state *list, *next;
    size_t states, list_room, next_room;
    node *node;
    size_t nodes, node_room;

    // The answer.
    duet_dearest_part *part;
    size_t parts;
    int64_t open;    // sets that were dropped may be worth so much
    int64_t *change; // per item, by how much the best set deviates
};

duet_code duet_dearest_create(duet_dearest **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    if (*out == NULL) {
        return DUET_E_MEMORY;
    }
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
    duet_free(c->price);
    duet_free(c->most);
    duet_free(c->part);
    duet_free(c->change);
    c->time = c->price = c->most = NULL;
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

// Room for so many items.
static duet_code make_room(duet_dearest *c, size_t count, duet_error *error)
{
    if (count <= c->room) {
        return DUET_OK;
    }
    free_items(c);
    c->time = duet_alloc(count, sizeof *c->time, error);
    c->price = duet_alloc(count, sizeof *c->price, error);
    c->most = duet_alloc(count, sizeof *c->most, error);
    c->part = duet_alloc(count, sizeof *c->part, error);
    c->change = duet_alloc(count, sizeof *c->change, error);
    bool all = c->time != NULL && c->price != NULL && c->most != NULL && c->part != NULL &&
               c->change != NULL;
    c->room = all ? count : 0;
    return all ? DUET_OK : DUET_E_MEMORY;
}

// The items in floating point.
static duet_multiplier_items to_double(duet_dearest *c)
{
    const duet_dearest_items *items = c->items;
    c->longest = items->count > 0 ? items->time[items->count - 1] : 0;
    c->dearest = 0;
    for (size_t i = 0; i < items->count; i++) {
        c->dearest = items->price[i] > c->dearest ? items->price[i] : c->dearest;
        c->time[i] = (double)items->time[i];
        c->price[i] = (double)items->price[i];
        c->most[i] = (double)items->most[i];
    }
    return (duet_multiplier_items){items->count, c->time, c->price, c->most};
}

static int64_t reduced_price(const duet_dearest *c, size_t item)
{
    return (c->items->price[item] << c->shift) - c->r * c->items->time[item] - c->mu;
}

// The bound that the multipliers give, and the set without deviations.
static state evaluate(duet_dearest *c, int64_t number)
{
    state base = {.node = NO_DEVIATION};
    c->bound = c->r * c->capacity + c->mu * number;
    for (size_t i = 0; i < c->items->count; i++) {
        int64_t reduced = reduced_price(c, i);
        if (reduced > 0) {
            c->bound += reduced * c->items->most[i];
            base.time += c->items->time[i] * c->items->most[i];
            base.price += c->items->price[i] * c->items->most[i];
        }
    }
    return base;
}

// A set must cost less than this to be of a higher price than the best one, and than what was
// dropped may be.
static int64_t gap(const duet_dearest *c)
{
    int64_t left = c->bound - ((c->best + 1) << c->shift) + 1;
    return left < c->dropped ? left : c->dropped;
}

static int by_cost(const void *left, const void *right)
{
    const core_item *a = left;
    const core_item *b = right;
    if (a->cost != b->cost) {
        return a->cost < b->cost ? -1 : 1;
    }
    return (a->item > b->item) - (a->item < b->item);
}

// The items whose cost is at least `from` and below `to`, by increasing cost.
static duet_code collect(duet_dearest *c, int64_t from, int64_t to, duet_error *error)
{
    c->core_items = 0;
    for (size_t i = 0; i < c->items->count; i++) {
        int64_t reduced = reduced_price(c, i);
        int64_t cost = reduced > 0 ? reduced : -reduced;
        if (cost >= from && cost < to && (reduced > 0 || c->items->price[i] > 0)) {
            duet_code code =
                duet_grow(&c->core, c->core_items, &c->core_room, sizeof *c->core, error);
            if (code != DUET_OK) {
                return code;
            }
            c->core[c->core_items++] = (core_item){cost, (uint32_t)i, reduced > 0};
        }
    }
    if (c->core_items > 1) {
        qsort(c->core, c->core_items, sizeof *c->core, by_cost);
    }
    return DUET_OK;
}

static void keep_best(duet_dearest *c, const state *s)
{
    if (s->time <= c->capacity && s->price > c->best) {
        c->best = s->price;
        c->best_node = s->node;
    }
}

// Whether what a state may still deviate by, each at `ahead` or more, can lead to a better set: it
// takes at least so many items away as exceed the capacity, and adds so many as the best set is
// ahead in price.
static bool may_improve(const duet_dearest *c, const state *s, int64_t ahead)
{
    enum { counted = 6 }; // deviations
    int64_t excess = s->time - c->capacity;
    int64_t lack = c->best - s->price;
    int64_t cost = s->cost + ahead;
    int64_t limit = gap(c);
    for (int k = 1; k < counted && cost < limit && (excess > c->longest || lack >= c->dearest);
         k++) {
        excess -= c->longest;
        lack -= c->dearest;
        cost += ahead;
    }
    return cost < limit;
}

// Adds a state to the next list, unless one before it, of no more time, has the same price or more.
static void put(duet_dearest *c, size_t *count, const state *s, int64_t ahead)
{
    if ((*count == 0 || s->price > c->next[*count - 1].price) && may_improve(c, s, ahead)) {
        c->next[(*count)++] = *s;
    }
}

// Drops the costlier states of a list that has become too long, about half of them.
static void drop_costly(duet_dearest *c)
{
    enum { buckets = 64 };
    int64_t most = gap(c);
    if (most <= 0) { // the best set is as good as any by now
        c->states = 0;
    }
    if (c->states <= c->most_states) {
        return;
    }
    size_t count[buckets] = {0};
    int64_t width = most / buckets + 1; // states that cost more lead to nothing better
    for (size_t i = 0; i < c->states; i++) {
        int64_t at = c->list[i].cost / width;
        count[at < buckets ? at : buckets - 1]++;
    }
    size_t below = count[0];
    int64_t limit = width; // states below this cost stay
    for (size_t b = 1; b < buckets && below + count[b] <= c->most_states / 2; b++) {
        below += count[b];
        limit += width;
    }
    size_t kept = 0;
    for (size_t i = 0; i < c->states; i++) {
        if (c->list[i].cost < limit && kept < c->most_states) {
            c->list[kept++] = c->list[i];
        } else if (c->list[i].cost < c->dropped) {
            c->dropped = c->list[i].cost;
        }
    }
    c->states = kept;
}

// Less time first, then the higher price, then the lower cost. Of two states with the same time and
// price the one of lower cost must stay: where sets of few and of many items are searched apart,
// each search may leave a set to the other only for one of less time, so that it is not left by
// both.
static bool precedes(const state *a, const state *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return a->price != b->price ? a->price > b->price : a->cost <= b->cost;
}

// Some tasks of an item more or less in every state, or not: merges the list with the deviating
// one. Both are by increasing time and price.
static duet_code deviate(duet_dearest *c, const core_item *of, int64_t tasks, int64_t ahead,
                         duet_error *error)
{
    duet_code code = duet_reserve(&c->next, 2 * c->states, &c->next_room, sizeof *c->next, error);
    if (code == DUET_OK) {
        code = duet_reserve(&c->node, c->nodes + c->states, &c->node_room, sizeof *c->node, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    int64_t more = of->taken ? -tasks : tasks;
    int64_t time = more * c->items->time[of->item];
    int64_t price = more * c->items->price[of->item];
    int64_t cost = tasks * of->cost;
    size_t count = 0;
    size_t stays = 0;
    for (size_t i = 0; i < c->states; i++) {
        state with = c->list[i];
        with.time += time;
        with.price += price;
        with.cost += cost;
        if (with.cost >= gap(c)) {
            continue;
        }
        for (; stays < c->states && precedes(&c->list[stays], &with); stays++) {
            put(c, &count, &c->list[stays], ahead);
        }
        if (count > 0 && c->next[count - 1].price >= with.price) {
            continue;
        }
        c->node[c->nodes] = (node){with.node, of->item, more};
        with.node = (int32_t)c->nodes++;
        keep_best(c, &with);
        put(c, &count, &with, ahead);
    }
    for (; stays < c->states; stays++) {
        put(c, &count, &c->list[stays], ahead);
    }
    state *list = c->list;
    size_t room = c->list_room;
    c->list = c->next;
    c->list_room = c->next_room;
    c->next = list;
    c->next_room = room;
    c->states = count;
    drop_costly(c);
    return DUET_OK;
}

// Deviations by any number of tasks of an item: by 1, 2, 4 ... tasks, as far as the gap allows.
static duet_code deviate_by_item(duet_dearest *c, const core_item *of, int64_t ahead,
                                 duet_error *error)
{
    duet_code code = DUET_OK;
    int64_t left = c->items->most[of->item];
    if (of->cost > 0) {
        int64_t allowed = (gap(c) - 1) / of->cost;
        left = left < allowed ? left : allowed;
    }
    for (int64_t tasks = 1; left > 0 && code == DUET_OK && c->states > 0; tasks *= 2) {
        tasks = tasks < left ? tasks : left;
        left -= tasks;
        code = deviate(c, of, tasks, left > 0 ? of->cost : ahead, error);
    }
    return code;
}

// Goes through the core, in bands of cost that grow until the gap is below them.
static duet_code search(duet_dearest *c, int64_t band, duet_error *error)
{
    const int64_t last = INT64_C(1) << 61; // above any cost of one deviation
    duet_code code = DUET_OK;
    int64_t from = 0;
    while (code == DUET_OK && c->states > 0 && from < gap(c) && from < last) {
        code = collect(c, from, band, error);
        for (size_t i = 0; i < c->core_items && code == DUET_OK && c->states > 0; i++) {
            int64_t ahead = i + 1 < c->core_items ? c->core[i + 1].cost : band;
            if (c->core[i].cost >= gap(c) || c->nodes > MOST_NODES) {
                c->dropped = c->core[i].cost < c->dropped ? c->core[i].cost : c->dropped;
                c->states = 0;
                break;
            }
            code = deviate_by_item(c, &c->core[i], ahead, error);
        }
        from = band;
        band = band < last / 4 ? 4 * band : last;
    }
    return code;
}

// The best set of this search as parts, by increasing item, unless an earlier one has the best.
static void keep_parts(duet_dearest *c)
{
    if (c->best_node == EMPTY) {
        return;
    }
    c->parts = 0;
    for (int32_t at = c->best_node; at != NO_DEVIATION; at = c->node[at].parent) {
        c->change[c->node[at].item] += c->node[at].tasks;
    }
    for (size_t i = 0; i < c->items->count; i++) {
        int64_t base = reduced_price(c, i) > 0 ? c->items->most[i] : 0;
        int64_t tasks = base + c->change[i];
        DUET_ASSERT(tasks >= 0 && tasks <= c->items->most[i]);
        c->change[i] = 0;
        if (tasks > 0) {
            c->part[c->parts++] = (duet_dearest_part){i, tasks};
        }
    }
    c->best_node = EMPTY;
}

// Searches the sets that the multipliers bound: all, or those of at most or at least `number`
// items.
static duet_code search_sets(duet_dearest *c, int64_t number, duet_dearest_near *near,
                             duet_error *error)
{
    enum { first_band = 8 }; // bits below the bound
    c->r = (int64_t)ceil(ldexp(near->multipliers.time, c->shift));
    c->mu = (int64_t)round(ldexp(near->multipliers.number, c->shift));
    state base = evaluate(c, number);
    c->dropped = INT64_MAX;
    c->nodes = 0;
    c->list[0] = base;
    c->states = 1;
    keep_best(c, &base);
    duet_code code = search(c, near->gap > 0 ? 2 * near->gap : (c->bound >> first_band) + 1, error);
    near->gap = c->bound - (c->best << c->shift);
    int64_t left = c->dropped < INT64_MAX ? (c->bound - c->dropped) >> c->shift : 0;
    c->open = left > c->open ? left : c->open;
    return code;
}

// The bits in which reduced prices are counted, so that prices of numbers stay far from overflow;
// 0: the prices are too large for that.
static int shift_by_number(const duet_dearest *c, int64_t number)
{
    const duet_int128 room = (duet_int128)1 << 54;
    int shift = SHIFT;
    while (shift >= LEAST_SHIFT && ((duet_int128)c->dearest * number) << shift >= room) {
        shift--;
    }
    return shift >= LEAST_SHIFT ? shift : 0;
}

// The sets of at most so many items, and those of more, one after the other.
static duet_code search_by_number(duet_dearest *c, const duet_multiplier_items *items,
                                  int64_t number, duet_dearest_start *start, duet_error *error)
{
    double capacity = (double)c->capacity;
    duet_multipliers_at_most(items, capacity, (double)number, &start->few.multipliers);
    duet_code code = search_sets(c, number, &start->few, error);
    if (code == DUET_OK) {
        keep_parts(c);
        duet_multipliers_at_least(items, capacity, (double)(number + 1), &start->many.multipliers);
        code = search_sets(c, number + 1, &start->many, error);
    }
    return code;
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
    bool divide = taken > (double)whole + hair && whole < number && shift > 0;
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
    duet_code code = make_room(c, items->count, error);
    if (code == DUET_OK) {
        code = duet_reserve(&c->list, 1, &c->list_room, sizeof *c->list, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    c->items = items;
    c->capacity = capacity;
    c->best = 0;
    c->open = 0;
    c->best_node = EMPTY;
    c->parts = 0;
    code = search_all(c, number, start, error);
    if (code == DUET_OK) {
        keep_parts(c);
    }
    *result = (duet_dearest_result){.value = c->open > c->best ? c->open : c->best,
                                    .achieved = c->best,
                                    .exact = c->open <= c->best,
                                    .parts = c->parts};
    return code;
}

const duet_dearest_part *duet_dearest_set(const duet_dearest *c)
{
    return c->part;
}
