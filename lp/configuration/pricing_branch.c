// SPDX-License-Identifier: Apache-2.0
#include "lp/configuration/pricing_branch.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// Some tasks of a class in the load.
typedef struct taken {
    size_t item; // in the order of density
    int64_t tasks;
} taken;

struct duet_branch {
    // The items, by decreasing price per time.
    duet_pricing_item *item;
    int64_t *shortest; // time among the items from this one on
    size_t items;

    // Bounds: row i, column c: no load of items from i on in c cells of time has a higher price.
    int32_t *reach;
    int shift; // bits by which these are smaller, rounded up
    size_t reach_room, cells;
    int64_t cell; // ticks; 0: there are no rows

    // Loads.
    taken *load; // that is being built
    taken *best;
    size_t depth, best_depth;
    int64_t scanned; // items
};

duet_code duet_branch_create(duet_branch **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    return *out == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_branch_free(duet_branch *b)
{
    if (b != NULL) {
        duet_free(b->item);
        duet_free(b->shortest);
        duet_free(b->reach);
        duet_free(b->load);
        duet_free(b->best);
        duet_free(b);
    }
}

static int by_density(const void *a, const void *b)
{
    const duet_pricing_item *x = a;
    const duet_pricing_item *y = b;
    duet_int128 left = (duet_int128)x->price * y->time;
    duet_int128 right = (duet_int128)y->price * x->time;
    if (left != right) {
        return left > right ? -1 : 1;
    }
    if (x->time != y->time) {
        return x->time > y->time ? -1 : 1;
    }
    return (x->class > y->class) - (x->class < y->class);
}

// The items that can be in a load at all, in order, and room for the loads.
static duet_code take_items(duet_branch *b, const duet_branch_problem *problem, duet_error *error)
{
    b->items = 0;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < problem->count && code == DUET_OK; i++) {
        const duet_pricing_item *item = &problem->items[i];
        if (item->price > 0 && item->most > 0 && item->time <= problem->capacity) {
            code = duet_vec_push(b->item, b->items, error, *item);
        }
    }
    DUET_THEN(code, duet_vec_reserve(b->shortest, b->items + 1, error));
    DUET_THEN(code, duet_vec_reserve(b->load, b->items + 1, error));
    DUET_THEN(code, duet_vec_reserve(b->best, b->items + 1, error));
    if (code != DUET_OK) {
        return code;
    }
    if (b->items > 1) {
        qsort(b->item, b->items, sizeof *b->item, by_density);
    }
    int64_t shortest = INT64_MAX;
    for (size_t i = b->items; i-- > 0;) {
        shortest = duet_min(b->item[i].time, shortest);
        b->shortest[i] = shortest;
    }
    return DUET_OK;
}

// row[c] from `from`, a row of the items that follow, with some tasks of one more taken together.
static void merge_row(int32_t *restrict row, const int32_t *restrict from, size_t cells,
                      size_t time, int32_t price)
{
    size_t first = duet_min(time, cells);
    memcpy(row, from, first * sizeof *row);
    for (size_t c = first; c < cells; c++) {
        int32_t with = from[c - time] + price;
        row[c] = duet_max(with, from[c]);
    }
}

// The same in place.
static void add_to_row(int32_t *row, size_t cells, size_t time, int32_t price)
{
    for (size_t c = cells; c-- > time;) {
        int32_t with = row[c - time] + price;
        row[c] = duet_max(with, row[c]);
    }
}

// A row from the one of the items that follow, with 1, 2, 4 ... tasks of one more together.
static void fill_row(int32_t *row, const int32_t *from, size_t cells, const duet_pricing_item *item,
                     size_t width)
{
    merge_row(row, from, cells, width, (int32_t)item->price);
    int64_t left = item->most - 1;
    for (int64_t tasks = 2; left > 0; tasks *= 2) {
        int64_t some = duet_min(tasks, left);
        bool fits = width == 0 || (size_t)some <= cells / width;
        add_to_row(row, cells, fits ? (size_t)some * width : cells, (int32_t)(some * item->price));
        left -= some;
    }
}

// How many tasks of an item a load has at most.
static int64_t most_tasks(const duet_pricing_item *item, int64_t capacity)
{
    int64_t fit = capacity / item->time;
    return duet_min(item->most, fit);
}

// Sets the bits by which prices are made smaller so that all tasks together, each at its price
// rounded up, stay below 2^31: all may fit in a row, since the times of short ones are rounded down
// to nothing. False: there is no such number.
static bool choose_shift(duet_branch *b, int64_t capacity)
{
    duet_int128 price = 0;
    duet_int128 tasks = 0;
    for (size_t i = 0; i < b->items; i++) {
        int64_t most = most_tasks(&b->item[i], capacity);
        price += (duet_int128)b->item[i].price * most;
        tasks += most;
    }
    for (b->shift = 0; price + tasks > INT32_MAX && price > 0; b->shift++) {
        price >>= 1;
    }
    return price + tasks <= INT32_MAX;
}

// The rows: a knapsack over coarse cells of time, every task's time rounded down, so that it allows
// more than there is.
static duet_code list_reach(duet_branch *b, int64_t capacity, size_t total, duet_error *error)
{
    enum { most = 1 << 14, least = 1 << 6 };
    if (!choose_shift(b, capacity)) {
        b->cell = 0;
        return DUET_OK;
    }
    size_t cells = total / (b->items + 1);
    cells = cells > most ? most : duet_max(cells, least);
    b->cell = capacity / (int64_t)cells + 1;
    b->cells = (size_t)(capacity / b->cell) + 1;
    size_t size = (b->items + 1) * b->cells;
    if (size > b->reach_room) {
        duet_free(b->reach);
        b->reach = duet_alloc(size, sizeof *b->reach, error);
        b->reach_room = b->reach == NULL ? 0 : size;
    }
    DUET_NEED(b->reach);
    memset(b->reach + b->items * b->cells, 0, b->cells * sizeof *b->reach);
    for (size_t i = b->items; i-- > 0;) {
        int32_t *row = b->reach + i * b->cells;
        duet_pricing_item item = b->item[i];
        item.price = ((item.price - 1) >> b->shift) + 1;
        item.most = most_tasks(&item, capacity);
        fill_row(row, row + b->cells, b->cells, &item, (size_t)(item.time / b->cell));
    }
    return DUET_OK;
}

// The next item from `from` on that fits and may lead to more than `wanted`; b->items: there is
// none.
static size_t next_item(duet_branch *b, size_t from, int64_t room, int64_t wanted)
{
    size_t column = b->cell > 0 ? (size_t)(room / b->cell) : 0;
    size_t next = b->items;
    size_t at = from;
    for (; at < b->items && room >= b->shortest[at]; at++) {
        const duet_pricing_item *item = &b->item[at];
        if ((duet_int128)room * item->price <= (duet_int128)wanted * item->time ||
            (b->cell > 0 && b->reach[at * b->cells + column] <= wanted >> b->shift)) {
            break;
        }
        if (item->time <= room) {
            next = at;
            break;
        }
    }
    b->scanned += (int64_t)(at - from) + 1;
    return next;
}

static void keep_best(duet_branch *b)
{
    memcpy(b->best, b->load, b->depth * sizeof *b->best);
    b->best_depth = b->depth;
}

// Searches all loads from the start, for a better one than *value. Returns whether it ended within
// the steps.
static bool search_loads(duet_branch *b, int64_t capacity, int64_t *steps, int64_t *value)
{
    int64_t room = capacity;
    int64_t price = 0;
    size_t at = 0;
    b->depth = 0;
    while (*steps > 0) {
        enum { scanned_a_step = 8 };
        size_t next = next_item(b, at, room, *value - price);
        *steps -= 1 + (int64_t)(next - at) / scanned_a_step;
        if (next < b->items) {
            const duet_pricing_item *item = &b->item[next];
            int64_t fit = room / item->time;
            int64_t tasks = duet_min(item->most, fit);
            DUET_ASSERT(b->depth < b->items && tasks > 0);
            b->load[b->depth++] = (taken){next, tasks};
            room -= tasks * item->time;
            price += tasks * item->price;
            if (price > *value) {
                *value = price;
                keep_best(b);
            }
            at = next + 1;
            continue;
        }
        if (b->depth == 0) {
            return true;
        }
        taken *top = &b->load[b->depth - 1];
        room += b->item[top->item].time;
        price -= b->item[top->item].price;
        at = top->item + 1;
        b->depth -= --top->tasks == 0;
    }
    return false;
}

static bool search(duet_branch *b, int64_t capacity, int64_t steps, int64_t *value)
{
    enum { item = 5 }; // nanoseconds
    b->scanned = 0;
    bool ended = search_loads(b, capacity, &steps, value);
    duet_count_work(item * b->scanned);
    return ended;
}

duet_code duet_branch_solve(duet_branch *b, const duet_branch_problem *problem, int64_t *value,
                            bool *exceeded, duet_error *error)
{
    // Steps that cost about what the rows of the next search do.
    enum { few_steps = 3000, some_steps = 30000, some_cells = 1 << 17, many_cells = 1 << 20 };
    int64_t capacity = problem->capacity;
    *value = problem->floor;
    b->best_depth = 0;
    b->cell = 0;
    duet_code code = take_items(b, problem, error);
    bool ended = code == DUET_OK && search(b, capacity, few_steps, value);
    if (code == DUET_OK && !ended) {
        code = list_reach(b, capacity, some_cells, error);
        ended = code == DUET_OK && search(b, capacity, some_steps, value);
    }
    if (code == DUET_OK && !ended && problem->steps > 0) {
        code = list_reach(b, capacity, many_cells, error);
        ended = code == DUET_OK && search(b, capacity, problem->steps, value);
    }
    *exceeded = !ended;
    return code;
}

size_t duet_branch_set(const duet_branch *b, duet_pricing_part *parts)
{
    for (size_t i = 0; i < b->best_depth; i++) {
        parts[i] = (duet_pricing_part){b->item[b->best[i].item].class, b->best[i].tasks};
    }
    return b->best_depth;
}
