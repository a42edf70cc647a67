// SPDX-License-Identifier: Apache-2.0
// The dearest load of one processor where tasks have releases.
//
// Method:    a list of loads (nested.c), or, where it would be long, a table over time. Items come
//            by decreasing release, and one may join a load as long as the load, which is of tasks
//            that are released no earlier, ends in time: so the times of a load are limited release
//            by release, from the back. Where the table would be too large, times are rounded down
//            to cells, and what comes out bounds the price alone. A table is kept: processors of
//            the same type that are busy for longer, and have the same prices, are read from it.
// Guarantee: the limit holds; it is a load's price by the list, and where cells are ticks.
// Cost:      O(items log(tasks) x cells), or O(items) where a table was kept.
// Memory:    a byte for each of them.
// Reference: nested knapsacks: Dudzinski, Walukiewicz, "Exact methods for the knapsack problem and
//            its generalizations", European J. of Operational Research 28(1), 1987.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/configuration/configuration_state.h"

// A list is given up for a table once it has more loads than FEW_LOADS plus 1/LIST_SHARE of the
// table's cells, and tried no more for that type in the same solve.
enum { MOST_CELLS = 1 << 24, LIST_SHARE = 16, FEW_LOADS = 1000 };

static int64_t late_of(const duet_generation *generation, size_t type, size_t class)
{
    return duet_class_start(generation->classes, class, type) - generation->classes->first[type];
}

// Whether an item comes before another one: by decreasing release.
static bool comes_first(const duet_generation *generation, const duet_pricing_item *a,
                        const duet_pricing_item *b)
{
    const int64_t *release = generation->classes->release;
    return release[a->class] != release[b->class] ? release[a->class] > release[b->class]
                                                  : a->class < b->class;
}

static void sort_items(const duet_generation *generation, pricing_desk *desk)
{
    for (size_t i = 1; i < desk->items; i++) {
        duet_pricing_item item = desk->item[i];
        size_t at = i;
        for (; at > 0 && comes_first(generation, &item, &desk->item[at - 1]); at--) {
            desk->item[at] = desk->item[at - 1];
        }
        desk->item[at] = item;
    }
}

// Splits the items into lumps of 1, 2, 4 ... tasks. Returns how many there are; `out` may be NULL.
static size_t split(const duet_generation *generation, const pricing_desk *desk, size_t type,
                    int64_t capacity, generation_lump *out)
{
    size_t count = 0;
    for (size_t i = 0; i < desk->items; i++) {
        const duet_pricing_item *item = &desk->item[i];
        int64_t room = capacity - late_of(generation, type, item->class);
        int64_t fit = room > 0 ? room / item->time : 0;
        int64_t left = item->price > 0 ? duet_min(item->most, fit) : 0;
        for (int64_t tasks = 1; left > 0; tasks *= 2) {
            int64_t some = duet_min(tasks, left);
            if (out != NULL) {
                out[count] = (generation_lump){item->class, some, some * item->time,
                                               some * item->price, room};
            }
            count++;
            left -= some;
        }
    }
    return count;
}

static duet_code make_room(released_table *table, size_t cells, size_t steps, duet_error *error)
{
    if (cells > table->times_room) {
        duet_free(table->by_time);
        table->by_time = duet_alloc(cells, sizeof *table->by_time, error);
        table->times_room = table->by_time == NULL ? 0 : cells;
    }
    if (steps > table->steps_room) {
        duet_free(table->step);
        table->step = duet_alloc(steps, sizeof *table->step, error);
        table->steps_room = table->step == NULL ? 0 : steps;
    }
    return table->by_time == NULL || table->step == NULL ? DUET_E_MEMORY : DUET_OK;
}

// best[c]: the highest price of a load of at most c cells of the lumps so far, which may end later
// and later.
static void fill(released_table *table, int64_t cell, size_t cells)
{
    int64_t *best = table->by_time;
    memset(best, 0, cells * sizeof *best);
    size_t known = 1; // cells that are filled: what is beyond is the last of them
    for (size_t i = 0; i < table->lumps; i++) {
        const generation_lump *lump = &table->lump[i];
        uint8_t *step = table->step + i * cells;
        size_t room = (size_t)(lump->room / cell) + 1;
        size_t width = (size_t)(lump->time / cell);
        for (; known < room; known++) {
            best[known] = best[known - 1];
        }
        memset(step, 0, room * sizeof *step);
        for (size_t c = room; c-- > width;) {
            int64_t with = best[c - width] + lump->price;
            if (with > best[c]) {
                best[c] = with;
                step[c] = 1;
            }
        }
    }
    for (; known < cells; known++) {
        best[known] = best[known - 1];
    }
}

// The dearest load of at most `at` ticks, where that is dearer than `out`.
static void read_load(const released_table *table, size_t at, duet_pricing_load *out)
{
    if (table->by_time[at] <= out->value) {
        return;
    }
    out->value = table->by_time[at];
    out->parts = 0;
    for (size_t i = table->lumps; i-- > 0;) {
        const generation_lump *lump = &table->lump[i];
        const uint8_t *step = table->step + i * table->cells;
        size_t room = (size_t)lump->room;
        at = duet_min(at, room); // a longer load has no more of this lump and those before it
        if (step[at] == 1) {
            bool same = out->parts > 0 && out->part[out->parts - 1].class == lump->class;
            out->parts += same ? 0 : 1;
            duet_pricing_part *part = &out->part[out->parts - 1];
            *part = (duet_pricing_part){lump->class, (same ? part->tasks : 0) + lump->tasks};
            at -= (size_t)lump->time;
        }
    }
}

// By a table over time, which is kept where its cells are ticks.
static duet_code price_by_table(duet_generation *generation, const pricing_desk *desk, size_t type,
                                int64_t capacity, int64_t cell, duet_pricing_load *out,
                                int64_t *limit, duet_error *error)
{
    released_table *table = &generation->table;
    size_t cells = (size_t)(capacity / cell) + 1;
    DUET_TRY(make_room(table, cells, (table->lumps + 1) * cells, error));
    fill(table, cell, cells);
    *limit = duet_max(table->by_time[cells - 1], out->value);
    if (cell > 1) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_reserve(table->item, desk->items, error));
    memcpy(table->item, desk->item, desk->items * sizeof *table->item);
    table->items = desk->items;
    table->origin = generation->classes->origin[type];
    table->guess = generation->classes->first[type] + capacity;
    table->cells = cells;
    read_load(table, cells - 1, out);
    return DUET_OK;
}

// How many tasks of an item fit a processor of a type by themselves.
static int64_t fits_of(const duet_generation *generation, size_t type, int64_t capacity,
                       const duet_pricing_item *item)
{
    int64_t room = capacity - late_of(generation, type, item->class);
    return duet_min(item->most, room > 0 ? room / item->time : 0);
}

// Whether the table that is kept is one of these items within the same guess, too: those that it
// has beside them do not fit. A load of a processor that is busy for longer ends in time by its
// length alone, as far as tasks are released before: so it is the dearest one of the table that is
// not longer.
static bool is_kept(const duet_generation *generation, const pricing_desk *desk, size_t type,
                    int64_t capacity)
{
    const released_table *table = &generation->table;
    size_t at = 0;
    bool same = (size_t)capacity < table->cells &&
                table->origin == generation->classes->origin[type] &&
                table->guess == generation->classes->first[type] + capacity;
    for (size_t i = 0; i < table->items && same; i++) {
        const duet_pricing_item *kept = &table->item[i];
        bool here = at < desk->items && desk->item[at].class == kept->class;
        int64_t fit = fits_of(generation, type, capacity, kept);
        if (here) {
            const duet_pricing_item *own = &desk->item[at++];
            same = own->price == kept->price && fits_of(generation, type, capacity, own) == fit;
        } else {
            same = fit == 0;
        }
    }
    return same && at == desk->items;
}

duet_code duet_generation_price_released(duet_generation *generation, pricing_desk *desk,
                                         size_t type, int64_t capacity, int64_t floor,
                                         duet_pricing_load *out, int64_t *limit, duet_error *error)
{
    released_table *kept = &generation->table;
    sort_items(generation, desk);
    out->value = floor;
    out->parts = 0;
    if (is_kept(generation, desk, type, capacity)) {
        read_load(kept, (size_t)capacity, out);
        *limit = out->value;
        return DUET_OK;
    }
    kept->cells = 0;
    size_t count = split(generation, desk, type, capacity, NULL);
    int64_t cell = capacity / (MOST_CELLS / (int64_t)(count + 1)) + 1;
    size_t cells = ((size_t)(capacity / cell) + 1) * (count + 1);
    DUET_TRY(duet_vec_reserve(kept->lump, count + 1, error));
    kept->lumps = split(generation, desk, type, capacity, kept->lump);
    size_t most = cells / LIST_SHARE + FEW_LOADS;
    bool *given_up = &generation->effort.given_up[type];
    bool exceeded = *given_up && cell == 1;
    duet_code code = exceeded ? DUET_OK
                              : duet_generation_price_nested(kept->lump, count, capacity, most, out,
                                                             &exceeded, error);
    *limit = out->value;
    *given_up = exceeded;
    return code == DUET_OK && exceeded
               ? price_by_table(generation, desk, type, capacity, cell, out, limit, error)
               : code;
}

duet_int128 duet_generation_taken_cost(const duet_generation *generation, const duet_prices *prices)
{
    duet_int128 cost = 0;
    for (size_t i = 0; has_releases(generation) && i < generation->patterns; i++) {
        const pattern_column *pattern = &generation->pattern[i];
        if (pattern->taken > 0) {
            duet_int128 price = 0;
            for (size_t p = pattern->begin; p < pattern->begin + pattern->parts; p++) {
                const duet_pricing_part *part = &generation->content[p];
                price += (duet_int128)prices->price[pattern->type][part->class] * part->tasks;
            }
            cost += (prices->limit[pattern->type] - price) * pattern->taken;
        }
    }
    return cost;
}
