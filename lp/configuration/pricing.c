// SPDX-License-Identifier: Apache-2.0
#include "lp/configuration/pricing.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum {
    TIME_CELLS = 1 << 25,  // of the table over time
    PRICE_CELLS = 1 << 24, // of the table over price, about
    PRICE_LEAST = 1 << 15, // its width at least
    PRICE_MOST = 1 << 20,  // its width at most
    PRICE_LIMIT = 1 << 26, // of a set, whatever was asked for
    TIME_SCALE = 1 << 25,  // prices of the table over time: sums fit into 32 bits
    BLOCK_LEAST = 256,     // cells of the table over time that are done at once: of fewer, a copy
    BLOCK_MOST = 1 << 12,  // is faster; more leave the cache
    FIRST_ITEMS = 128,     // that loads begin with, to have a dear one before a table is filled
};

// Some tasks of an item, taken together or not at all.
typedef struct bundle {
    size_t item;
    int64_t tasks;
    int64_t time;
    int64_t price;
} bundle;

struct duet_pricing {
    // Input.
    const duet_pricing_item *items;
    bundle *bundle;
    size_t bundles;

    // Table.
    bool by_time;    // else by price
    size_t width;    // of a row
    int32_t *row;    // by time: the best price per capacity, and room for another row
    uint8_t *kept;   // by time: whether the best price for a bundle and a time is with it; says
                     // nothing where the bundle is longer than the time
    int64_t *least;  // by price: the least time
    uint64_t *taken; // by price: a bit per bundle and price
    size_t row_room, kept_room, least_room, taken_room;

    // What a dear load may have (duet_pricing_dearest()).
    const duet_pricing_item **order; // by price for their time
    duet_pricing_item *open;         // items that it may have or not; `class` is their place
    size_t opens;
    int64_t *tasks; // per item: what it has in any case, then all
    int64_t given;  // the price of that
    int64_t room;   // for the open ones; negative: there is no such load
};

duet_code duet_pricing_create(duet_pricing **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    return *out == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_pricing_free(duet_pricing *pricing)
{
    if (pricing != NULL) {
        duet_free(pricing->bundle);
        duet_free(pricing->row);
        duet_free(pricing->kept);
        duet_free(pricing->least);
        duet_free(pricing->taken);
        duet_free(pricing->order);
        duet_free(pricing->open);
        duet_free(pricing->tasks);
        duet_free(pricing);
    }
}

static int64_t count_bundles(const duet_pricing_item *items, size_t count, int64_t reach)
{
    int64_t bundles = 1;
    for (size_t i = 0; i < count; i++) {
        int64_t fit = reach / items[i].time;
        for (int64_t left = duet_min(items[i].most, fit); left > 0; left /= 2) {
            bundles++;
        }
    }
    return bundles;
}

// Whether the table over time is small enough.
static bool is_short(const duet_pricing_item *items, size_t count, int64_t reach)
{
    return reach < TIME_CELLS / count_bundles(items, count, reach);
}

int64_t duet_pricing_cells(const duet_pricing_item *items, size_t count, int64_t reach)
{
    int64_t bundles = count_bundles(items, count, reach);
    return is_short(items, count, reach) ? bundles * (reach + 1) : INT64_MAX;
}

int64_t duet_pricing_scale(const duet_pricing_item *items, size_t count, int64_t reach)
{
    int64_t bundles = count_bundles(items, count, reach);
    if (reach < TIME_CELLS / bundles) {
        return TIME_SCALE;
    }
    int64_t scale = PRICE_CELLS / bundles;
    return scale < PRICE_LEAST ? PRICE_LEAST : duet_min(scale, PRICE_MOST);
}

static duet_code split_items(duet_pricing *p, const duet_pricing_item *items, size_t count,
                             int64_t reach, duet_error *error)
{
    p->bundles = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].price <= 0) {
            continue;
        }
        int64_t fit = reach / items[i].time;
        int64_t left = duet_min(items[i].most, fit);
        for (int64_t tasks = 1; left > 0; tasks *= 2) {
            int64_t some = duet_min(tasks, left);
            DUET_TRY(duet_vec_grow(p->bundle, p->bundles, error));
            p->bundle[p->bundles++] =
                (bundle){i, some, some * items[i].time, some * items[i].price};
            left -= some;
        }
    }
    return DUET_OK;
}

static duet_code reserve(void *array, size_t *room, size_t wanted, size_t size, duet_error *error)
{
    if (wanted <= *room) {
        return DUET_OK;
    }
    void *old;
    memcpy(&old, array, sizeof old);
    void *fresh = duet_alloc_raw(wanted, size, error);
    DUET_NEED(fresh);
    duet_free(old);
    memcpy(array, &fresh, sizeof fresh);
    *room = wanted;
    return DUET_OK;
}

// Prices with a bundle more in `count` cells, from cells that lie elsewhere.
static void add_bundle(int32_t *restrict to, const int32_t *restrict from, uint8_t *restrict kept,
                       int32_t price, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        int32_t with = from[c] + price;
        kept[c] = with > to[c];
        to[c] = duet_max(with, to[c]);
    }
}

// Bundle by bundle, in place: the long ones in blocks from the longest time downward, of which none
// reads what it writes; the others from a copy.
static void fill_by_time(duet_pricing *p)
{
    size_t width = p->width;
    memset(p->row, 0, width * sizeof *p->row);
    for (size_t b = 0; b < p->bundles; b++) {
        DUET_ASSERT(p->bundle[b].price <= INT32_MAX);
        uint8_t *kept = p->kept + b * width;
        size_t time = (size_t)p->bundle[b].time;
        int32_t price = (int32_t)p->bundle[b].price;
        if (time < BLOCK_LEAST) {
            int32_t *copy = p->row + width;
            memcpy(copy, p->row, (width - time) * sizeof *copy);
            add_bundle(p->row + time, copy, kept + time, price, width - time);
            continue;
        }
        size_t block = duet_min(time, BLOCK_MOST);
        for (size_t end = width; end > time;) {
            size_t cells = duet_min(end - time, block);
            end -= cells;
            add_bundle(p->row + end, p->row + end - time, kept + end, price, cells);
        }
    }
}

static void fill_by_price(duet_pricing *p)
{
    size_t width = p->width;
    size_t words = (width + 63) / 64;
    if (p->bundles > 0) {
        memset(p->taken, 0, p->bundles * words * sizeof *p->taken);
    }
    for (size_t v = 0; v < width; v++) {
        p->least[v] = v == 0 ? 0 : INT64_MAX / 2;
    }
    for (size_t b = 0; b < p->bundles; b++) {
        uint64_t *bits = p->taken + b * words;
        size_t price = (size_t)p->bundle[b].price;
        int64_t time = p->bundle[b].time;
        for (size_t v = width; v-- > price;) {
            int64_t with = p->least[v - price] + time;
            if (with < p->least[v]) {
                p->least[v] = with;
                bits[v / 64] |= UINT64_C(1) << (v % 64);
            }
        }
    }
}

// An upper bound on the price of a set within `reach`: by density, in integers.
static int64_t most_valuable(const duet_pricing_item *items, size_t count, int64_t reach)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        duet_int128 price = (duet_int128)items[i].price * reach / items[i].time;
        price = duet_min(price, PRICE_LIMIT);
        most = price > most ? (int64_t)price : most;
    }
    return most;
}

enum { CELLS = 2 }; // of a table over time, in a nanosecond

duet_code duet_pricing_solve(duet_pricing *p, const duet_pricing_item *items, size_t count,
                             int64_t reach, duet_error *error)
{
    p->items = items;
    duet_code code = split_items(p, items, count, reach, error);
    if (code != DUET_OK) {
        return code;
    }
    p->by_time = is_short(items, count, reach);
    if (p->by_time) {
        p->width = (size_t)reach + 1;
        code = reserve(&p->row, &p->row_room, 2 * p->width, sizeof *p->row, error);
        DUET_THEN(code,
                  reserve(&p->kept, &p->kept_room, p->bundles * p->width, sizeof *p->kept, error));
        if (code == DUET_OK) {
            fill_by_time(p);
            duet_count_work((int64_t)(p->bundles * p->width) / CELLS);
        }
        return code;
    }
    p->width = (size_t)most_valuable(items, count, reach) + 1;
    code = reserve(&p->least, &p->least_room, p->width, sizeof *p->least, error);
    DUET_THEN(code, reserve(&p->taken, &p->taken_room, p->bundles * ((p->width + 63) / 64),
                            sizeof *p->taken, error));
    if (code == DUET_OK) {
        fill_by_price(p);
        duet_count_work((int64_t)(p->bundles * p->width));
    }
    return code;
}

int64_t duet_pricing_value(const duet_pricing *p, int64_t capacity)
{
    if (p->by_time) {
        size_t c = capacity < (int64_t)p->width ? (size_t)capacity : p->width - 1;
        return p->row[c];
    }
    for (size_t v = p->width; v-- > 0;) {
        if (p->least[v] <= capacity) {
            return (int64_t)v;
        }
    }
    return 0;
}

// One entry per item: bundles of an item stand together.
static size_t add_part(const duet_pricing *p, size_t b, duet_pricing_part *parts, size_t used)
{
    size_t class = p->items[p->bundle[b].item].class;
    if (used > 0 && parts[used - 1].class == class) {
        parts[used - 1].tasks += p->bundle[b].tasks;
        return used;
    }
    parts[used] = (duet_pricing_part){class, p->bundle[b].tasks};
    return used + 1;
}

size_t duet_pricing_set(const duet_pricing *p, int64_t capacity, duet_pricing_part *parts)
{
    size_t used = 0;
    if (p->by_time) {
        size_t c = capacity < (int64_t)p->width ? (size_t)capacity : p->width - 1;
        for (size_t b = p->bundles; b-- > 0;) {
            if ((int64_t)c >= p->bundle[b].time && p->kept[b * p->width + c] != 0) {
                used = add_part(p, b, parts, used);
                c -= (size_t)p->bundle[b].time;
            }
        }
        return used;
    }
    size_t words = (p->width + 63) / 64;
    size_t v = (size_t)duet_pricing_value(p, capacity);
    for (size_t b = p->bundles; b-- > 0;) {
        if ((p->taken[b * words + v / 64] >> (v % 64) & 1U) != 0) {
            used = add_part(p, b, parts, used);
            v -= (size_t)p->bundle[b].price;
        }
    }
    return used;
}

// The dearest for their time first; of equal ones the first.
static int dearest_first(const void *left, const void *right)
{
    const duet_pricing_item *a = *(const duet_pricing_item *const *)left;
    const duet_pricing_item *b = *(const duet_pricing_item *const *)right;
    duet_int128 first = (duet_int128)a->price * b->time;
    duet_int128 second = (duet_int128)b->price * a->time;
    if (first != second) {
        return first > second ? -1 : 1;
    }
    return (a > b) - (a < b);
}

static int64_t most_of(const duet_pricing_item *item, int64_t capacity)
{
    int64_t fit = capacity / item->time;
    return item->price > 0 ? duet_min(item->most, fit) : 0;
}

// The items that a load may have, in that order.
static duet_code sort_items(duet_pricing *p, const duet_pricing_item *items, size_t count,
                            int64_t capacity, size_t *sorted, duet_error *error)
{
    *sorted = 0;
    for (size_t i = 0; i < count; i++) {
        if (most_of(&items[i], capacity) > 0) {
            DUET_TRY(duet_vec_push(p->order, *sorted, error, &items[i]));
        }
    }
    if (*sorted > 1) {
        qsort(p->order, *sorted, sizeof *p->order, dearest_first);
    }
    return DUET_OK;
}

// The items in their order fill the capacity: the one that no longer fits divides them, and no load
// is dearer than with a part of it.
typedef struct filling {
    const duet_pricing_item *divided; // NULL: everything fits
    duet_int128 bound;                // on the price of a load, times the time of that item
    int64_t achieved;                 // the price of a load of whole tasks
} filling;

// What a task adds to the bound, times the same; negative: what a load loses with it.
static duet_int128 reduced_price(const filling *f, const duet_pricing_item *item)
{
    return (duet_int128)item->price * f->divided->time -
           (duet_int128)f->divided->price * item->time;
}

// The price of a load that begins with a task of one of the items, then has the others in their
// order as far as they fit.
static int64_t begin_with(const duet_pricing *p, size_t sorted, size_t first, int64_t capacity)
{
    int64_t room = capacity - p->order[first]->time;
    int64_t price = p->order[first]->price;
    for (size_t i = 0; i < sorted; i++) {
        const duet_pricing_item *item = p->order[i];
        if (item->time <= room) {
            int64_t fit = room / item->time;
            int64_t most = item->most - (i == first);
            fit = duet_min(fit, most);
            room -= fit * item->time;
            price += fit * item->price;
        }
    }
    return price;
}

static filling fill(const duet_pricing *p, size_t sorted, int64_t capacity)
{
    filling f = {.divided = NULL};
    int64_t room = capacity;
    for (size_t i = 0; i < sorted; i++) {
        const duet_pricing_item *item = p->order[i];
        int64_t most = most_of(item, capacity);
        int64_t fit = room / item->time;
        f.divided = f.divided == NULL && fit < most ? item : f.divided;
        fit = duet_min(fit, most);
        room -= fit * item->time;
        f.achieved += fit * item->price;
    }
    size_t tries = f.divided == NULL ? 0 : duet_min(sorted, FIRST_ITEMS);
    duet_count_work((int64_t)(tries * sorted));
    for (size_t i = 0; i < tries; i++) {
        int64_t price = begin_with(p, sorted, i, capacity);
        f.achieved = duet_max(price, f.achieved);
    }
    f.bound = f.divided == NULL ? 0 : (duet_int128)f.divided->price * capacity;
    for (size_t i = 0; i < sorted && f.divided != NULL; i++) {
        duet_int128 adds = reduced_price(&f, p->order[i]);
        f.bound += adds > 0 ? adds * most_of(p->order[i], capacity) : 0;
    }
    return f;
}

// Gives a load what each that is worth `wanted` has, and leaves out what none has.
static duet_code fix(duet_pricing *p, const duet_pricing_item *items, size_t count,
                     int64_t capacity, const filling *f, int64_t wanted, duet_error *error)
{
    p->opens = 0;
    p->given = 0;
    p->room = capacity;
    for (size_t i = 0; i < count; i++) {
        p->tasks[i] = 0;
        int64_t most = most_of(&items[i], capacity);
        duet_int128 adds = f->divided == NULL ? 1 : reduced_price(f, &items[i]);
        bool open = f->divided != NULL &&
                    f->bound - (adds > 0 ? adds : -adds) >= (duet_int128)wanted * f->divided->time;
        if (most > 0 && open) {
            DUET_TRY(duet_vec_push(p->open, p->opens, error, items[i]));
            p->open[p->opens - 1].class = i;
        } else if (most > 0 && adds > 0) {
            p->tasks[i] = most;
            p->given += most * items[i].price;
            p->room -= most * items[i].time;
        }
    }
    return DUET_OK;
}

// Lists all tasks of the load, the last item first, as the table has them.
static void list_parts(duet_pricing *p, const duet_pricing_item *items, size_t count,
                       duet_pricing_load *out)
{
    size_t open = duet_pricing_set(p, p->room, out->part);
    for (size_t i = 0; i < open; i++) {
        p->tasks[out->part[i].class] = out->part[i].tasks;
    }
    out->parts = 0;
    for (size_t i = count; i-- > 0;) {
        if (p->tasks[i] > 0) {
            out->part[out->parts++] = (duet_pricing_part){items[i].class, p->tasks[i]};
        }
    }
}

duet_code duet_pricing_dearest(duet_pricing *p, const duet_pricing_item *items, size_t count,
                               int64_t capacity, duet_pricing_load *out, duet_error *error)
{
    size_t sorted;
    DUET_TRY(duet_vec_reserve(p->tasks, count, error));
    DUET_TRY(sort_items(p, items, count, capacity, &sorted, error));
    filling f = fill(p, sorted, capacity);
    int64_t wanted = duet_max(out->value + 1, f.achieved);
    if (f.divided != NULL && f.bound < (duet_int128)wanted * f.divided->time) {
        return DUET_OK;
    }
    DUET_TRY(fix(p, items, count, capacity, &f, wanted, error));
    if (p->room < 0) {
        return DUET_OK;
    }
    DUET_TRY(duet_pricing_solve(p, p->open, p->opens, p->room, error));
    int64_t value = p->given + duet_pricing_value(p, p->room);
    if (value > out->value) {
        out->value = value;
        list_parts(p, items, count, out);
    }
    return DUET_OK;
}
