// SPDX-License-Identifier: Apache-2.0
#include "lp/volume/core_search.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/counted.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum {
    MOST_NODES = 1 << 22, // of all lists of a search
};

// A set must cost less than this to be of a higher price than the best one, and than what was
// dropped may be.
static int64_t gap(const duet_dearest *c)
{
    int64_t left = c->bound - ((c->best + 1) << c->shift) + 1;
    return duet_min(left, c->dropped);
}

static int by_cost(const void *left, const void *right)
{
    const duet_dearest_core_item *a = left;
    const duet_dearest_core_item *b = right;
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
        int64_t reduced = duet_dearest_reduced_price(c, i);
        int64_t cost = reduced > 0 ? reduced : -reduced;
        if (cost >= from && cost < to && (reduced > 0 || c->items->price[i] > 0)) {
            DUET_TRY(duet_vec_push(c->core, c->core_items, error,
                                   (duet_dearest_core_item){cost, (uint32_t)i, reduced > 0}));
        }
    }
    if (c->core_items > 1) {
        qsort(c->core, c->core_items, sizeof *c->core, by_cost);
    }
    return DUET_OK;
}

void duet_dearest_keep_best(duet_dearest *c, const duet_dearest_state *s)
{
    if (s->time <= c->capacity && s->price > c->best) {
        c->best = s->price;
        c->best_node = s->node;
    }
}

// Whether what a state may still deviate by, each at `ahead` or more, can lead to a better set: it
// has to take away at least the items that exceed the capacity, and to add those by which the best
// set is ahead in price.
static bool may_improve(const duet_dearest *c, const duet_dearest_state *s, int64_t ahead)
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
static void put(duet_dearest *c, size_t *count, const duet_dearest_state *s, int64_t ahead)
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
static bool precedes(const duet_dearest_state *a, const duet_dearest_state *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return a->price != b->price ? a->price > b->price : a->cost <= b->cost;
}

// Some tasks of an item more or less in every state, or not: merges the list with the deviating
// one. Both are by increasing time and price.
static duet_code deviate(duet_dearest *c, const duet_dearest_core_item *of, int64_t tasks,
                         int64_t ahead, duet_error *error)
{
    DUET_TRY(duet_vec_reserve(c->next, 2 * c->states, error));
    DUET_TRY(duet_vec_reserve(c->node, c->nodes + c->states, error));
    int64_t more = of->taken ? -tasks : tasks;
    int64_t time = more * c->items->time[of->item];
    int64_t price = more * c->items->price[of->item];
    int64_t cost = tasks * of->cost;
    size_t count = 0;
    size_t stays = 0;
    for (size_t i = 0; i < c->states; i++) {
        duet_dearest_state with = c->list[i];
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
        c->node[c->nodes] = (duet_dearest_node){with.node, of->item, more};
        with.node = (int32_t)c->nodes++;
        duet_dearest_keep_best(c, &with);
        put(c, &count, &with, ahead);
    }
    for (; stays < c->states; stays++) {
        put(c, &count, &c->list[stays], ahead);
    }
    duet_dearest_state *list = c->list;
    c->list = c->next;
    c->next = list;
    enum { state = 6 }; // nanoseconds
    duet_count_work(state * (int64_t)(c->states + count));
    c->states = count;
    drop_costly(c);
    return DUET_OK;
}

// Deviations by any number of tasks of an item: by 1, 2, 4 ... tasks, as far as the gap allows.
static duet_code deviate_by_item(duet_dearest *c, const duet_dearest_core_item *of, int64_t ahead,
                                 duet_error *error)
{
    duet_code code = DUET_OK;
    int64_t left = c->items->most[of->item];
    if (of->cost > 0) {
        int64_t allowed = (gap(c) - 1) / of->cost;
        left = duet_min(left, allowed);
    }
    for (int64_t tasks = 1; left > 0 && code == DUET_OK && c->states > 0; tasks *= 2) {
        tasks = duet_min(tasks, left);
        left -= tasks;
        code = deviate(c, of, tasks, left > 0 ? of->cost : ahead, error);
    }
    return code;
}

duet_code duet_dearest_search(duet_dearest *c, int64_t band, duet_error *error)
{
    const int64_t last = INT64_C(1) << 61; // above any cost of one deviation
    duet_code code = DUET_OK;
    int64_t from = 0;
    while (code == DUET_OK && c->states > 0 && from < gap(c) && from < last) {
        code = collect(c, from, band, error);
        for (size_t i = 0; i < c->core_items && code == DUET_OK && c->states > 0; i++) {
            int64_t ahead = i + 1 < c->core_items ? c->core[i + 1].cost : band;
            if (c->core[i].cost >= gap(c) || c->nodes > MOST_NODES) {
                c->dropped = duet_min(c->core[i].cost, c->dropped);
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
