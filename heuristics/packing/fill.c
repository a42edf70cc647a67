// SPDX-License-Identifier: Apache-2.0
#include "heuristics/packing/fill.h"

#include <stdlib.h>
#include <string.h>

#include "core/assert.h"
#include "core/fraction.h"
#include "core/memory.h"
#include "core/order.h"
#include "heuristics/packing/last.h"
#include "heuristics/packing/subset_sums.h"

enum {
    MAX_TARGET = 1 << 17, // units
    COARSE = 1 << 15,     // units, where there are more ticks than that
    COARSE_ITEMS = 6,     // of a processor, then: more are levelled well enough
    MAX_ITEMS = 1024,
    MOST_LAST = 6,           // processors that are packed exhaustively
    WORK = 1000000,          // a unit of effort: about a millisecond
    TRY = 30,                // of it, for every item that a try looks at
    WORK_AT_ONCE = 20000000, // for the last processors of one try
    FINE_ITEMS = 32,         // whose sums are listed, where ticks are fine and items are many
    FINE_WORK = 1 << 20,
};

typedef struct fill {
    duet_packing *packing;
    int64_t target;   // units
    int64_t common;   // ticks, of which all times are multiples
    int64_t unit;     // ticks
    int64_t end;      // the target in ticks, less what no sum of times can use
    size_t *order;    // items, longest first
    int64_t *time;    // of order[i], units, rounded up
    size_t *position; // processor of order[i]; SIZE_MAX: not yet
    size_t *left;     // positions that are left, longest first
    size_t left_count;
    bool bold;
    unsigned eager;  // of 8 choices, those for the longer task
    size_t spared;   // so many of the shortest are kept for the last processors
    uint64_t *reach; // row i: sums of the i shortest of those left
    size_t words;
    duet_random *random;
    const duet_context *context;
    int64_t idle; // that is left
    int64_t work; // that is left
    duet_last *last;
    bool fine;             // in ticks, by the sums of a few items at a time
    duet_subset_sums sums; // for that
} fill;

// row[to] = row[from] | row[from] << time
static void add_sum(uint64_t *restrict to, const uint64_t *restrict from, size_t words, size_t time)
{
    size_t skip = time / 64;
    size_t shift = time % 64;
    for (size_t w = 0; w < words && w < skip; w++) {
        to[w] = from[w];
    }
    if (skip >= words) {
        return;
    }
    to[skip] = from[skip] | from[0] << shift;
    if (shift == 0) {
        for (size_t w = skip + 1; w < words; w++) {
            to[w] = from[w] | from[w - skip];
        }
        return;
    }
    for (size_t w = skip + 1; w < words; w++) {
        to[w] = from[w] | from[w - skip] << shift | from[w - skip - 1] >> (64 - shift);
    }
}

static bool has_sum(const uint64_t *row, int64_t sum)
{
    return sum >= 0 && (row[sum / 64] >> (sum % 64) & 1U) != 0;
}

// The largest sum up to `room` in a row.
static int64_t largest_sum(const uint64_t *row, int64_t room)
{
    while (!has_sum(row, room)) {
        room--; // sum 0 is always there
    }
    return room;
}

// Fills one processor: the longest item that is left, then those that fill it best.
static void fill_processor(fill *f, size_t processor)
{
    size_t seed = f->left[0];
    int64_t room = f->target - f->time[seed];
    size_t spared = f->spared < f->left_count - 1 ? f->spared : f->left_count - 1;
    size_t others = f->left_count - 1 - spared;
    f->position[seed] = processor;
    size_t words = (size_t)room / 64 + 1;
    memset(f->reach, 0, words * sizeof *f->reach);
    f->reach[0] = 1;
    for (size_t i = 0; i < others; i++) {
        size_t at = f->left[others - i];
        add_sum(f->reach + (i + 1) * f->words, f->reach + i * f->words, words, (size_t)f->time[at]);
    }
    // A little idle time is given away now and then, which leads elsewhere.
    int64_t given = f->idle / (4 * ((int64_t)processor + 1));
    given = given > 0 && f->bold ? duet_random_between(f->random, 0, given) : 0;
    int64_t sum = largest_sum(f->reach + others * f->words, room > given ? room - given : 0);
    f->idle -= room - sum;
    size_t kept = 0;
    for (size_t i = others; i > 0; i--) {
        size_t at = f->left[others + 1 - i];
        const uint64_t *row = f->reach + (i - 1) * f->words;
        bool without = has_sum(row, sum);
        bool with = has_sum(row, sum - f->time[at]);
        // Where there is a choice the long ones are taken, but for now and then.
        if (with && (!without || (duet_random_next(f->random) & 7U) < f->eager)) {
            f->position[at] = processor;
            sum -= f->time[at];
        } else {
            f->left[kept++] = at;
        }
    }
    for (size_t i = 0; i < spared; i++) {
        f->left[kept++] = f->left[others + 1 + i];
    }
    f->left_count = kept;
}

// Takes the item at a place of those that are left.
static size_t take(fill *f, size_t place)
{
    size_t at = f->left[place];
    f->left[place] = f->left[--f->left_count];
    return at;
}

// Fills one processor in ticks: random items up to where about half of a few others are wanted,
// then those of them that fill it best.
static void fill_fine(fill *f, size_t processor)
{
    int64_t room = f->target;
    size_t few = f->left_count < FINE_ITEMS ? f->left_count : FINE_ITEMS;
    duet_int128 all = 0;
    for (size_t i = 0; i < f->left_count; i++) {
        all += f->time[f->left[i]];
    }
    int64_t half = (int64_t)(all / (int64_t)f->left_count) * (int64_t)few / 2;
    while (room > half && f->left_count > few) {
        size_t place = (size_t)duet_random_between(f->random, 0, (int64_t)f->left_count - 1);
        if (f->time[f->left[place]] > room) {
            break;
        }
        size_t at = take(f, place);
        f->position[at] = processor;
        room -= f->time[at];
    }
    size_t chosen[FINE_ITEMS];
    int64_t time[FINE_ITEMS];
    for (size_t i = 0; i < few; i++) {
        size_t place = (size_t)duet_random_between(f->random, 0, (int64_t)f->left_count - 1);
        chosen[i] = take(f, place);
        time[i] = f->time[chosen[i]];
    }
    uint32_t members = duet_subset_sums_below(&f->sums, time, few, room);
    for (size_t i = 0; i < few; i++) {
        if ((members >> i & 1U) != 0) {
            f->position[chosen[i]] = processor;
            room -= time[i];
        } else {
            f->left[f->left_count++] = chosen[i];
        }
    }
    f->idle -= room;
    f->work -= FINE_WORK;
}

// What is left goes to the last processor.
static bool fill_last(fill *f)
{
    int64_t room = f->target;
    for (size_t i = 0; i < f->left_count && room >= 0; i++) {
        f->position[f->left[i]] = 0;
        room -= f->time[f->left[i]];
    }
    return room >= 0;
}

// Packs the last processors exhaustively.
static duet_last_answer finish(fill *f, size_t processors)
{
    int64_t time[DUET_LAST_ITEMS];
    uint32_t chosen[DUET_LAST_PROCESSORS];
    if (f->left_count > DUET_LAST_ITEMS) {
        return DUET_LAST_GIVEN_UP;
    }
    for (size_t i = 0; i < f->left_count; i++) {
        time[i] = f->packing->time[f->order[f->left[i]]];
    }
    int64_t work = f->work < WORK_AT_ONCE ? f->work : WORK_AT_ONCE;
    f->work -= work;
    duet_last_answer answer =
        duet_last_pack(f->last, time, f->left_count, processors, f->end, &work, chosen);
    f->work += work;
    for (size_t i = 0; i < f->left_count && answer == DUET_LAST_FITS; i++) {
        for (size_t m = 0; m < processors; m++) {
            if ((chosen[m] >> i & 1U) != 0) {
                f->position[f->left[i]] = m;
            }
        }
    }
    return answer;
}

// Nothing is placed, and nothing is left out.
static void start(fill *f)
{
    size_t n = f->packing->items;
    duet_int128 idle = (duet_int128)f->target * (int64_t)f->packing->processors;
    f->left_count = n;
    for (size_t i = 0; i < n; i++) {
        f->left[i] = i;
        f->position[i] = SIZE_MAX;
        idle -= f->time[i];
    }
    f->idle = idle < INT64_MAX ? (int64_t)idle : INT64_MAX;
}

static bool try_once(fill *f)
{
    size_t n = f->packing->items;
    size_t last = (size_t)duet_random_between(f->random, 3, MOST_LAST);
    f->bold = (duet_random_next(f->random) & 1U) != 0;
    f->eager = (unsigned)duet_random_between(f->random, 2, 8);
    f->spared = (size_t)duet_random_between(f->random, 0, (int64_t)n / 3);
    start(f);
    f->work -= TRY * (int64_t)n;
    size_t processors = f->packing->processors;
    while (processors > 0 && f->left_count > 0 && f->idle >= 0) {
        if ((processors <= last && f->left_count <= DUET_LAST_ITEMS) || processors <= 2) {
            return finish(f, processors) == DUET_LAST_FITS;
        }
        f->work -= (int64_t)(f->left_count * f->words);
        fill_processor(f, --processors);
    }
    return f->left_count == 0;
}

// Those that are left, longest first again.
static void sort_left(fill *f)
{
    for (size_t i = 1; i < f->left_count; i++) {
        size_t at = f->left[i];
        size_t j = i;
        for (; j > 0 && f->left[j - 1] > at; j--) {
            f->left[j] = f->left[j - 1];
        }
        f->left[j] = at;
    }
}

static bool try_fine(fill *f)
{
    start(f);
    size_t processors = f->packing->processors;
    while (processors > 1 && f->left_count > 0 && f->idle >= 0) {
        if (duet_context_stop(f->context)) {
            return false;
        }
        if (processors <= 3 && f->left_count <= DUET_LAST_ITEMS) {
            sort_left(f);
            return finish(f, processors) == DUET_LAST_FITS;
        }
        fill_fine(f, --processors);
    }
    return f->left_count == 0 || (f->idle >= 0 && fill_last(f));
}

// Whether the items and processors are few enough to be decided at once, without filling.
static bool is_small(const duet_packing *packing)
{
    return packing->items <= DUET_LAST_ITEMS && packing->processors <= DUET_LAST_PROCESSORS;
}

static bool can_fill(const fill *f)
{
    const duet_packing *packing = f->packing;
    return packing->items <= MAX_ITEMS && packing->processors > 1 &&
           (f->end / f->common <= MAX_TARGET ||
            packing->items <= COARSE_ITEMS * packing->processors || f->fine);
}

// Whether there is time enough for all items, and for the longest.
static bool has_room(const fill *f)
{
    const duet_packing *packing = f->packing;
    duet_int128 idle = (duet_int128)f->end * (int64_t)packing->processors;
    for (size_t i = 0; i < packing->items; i++) {
        idle -= packing->time[i];
    }
    return idle >= 0 && packing->time[f->order[0]] <= f->end;
}

static void search(fill *f, bool *fits)
{
    start(f);
    if (is_small(f->packing)) {
        duet_last_answer answer = finish(f, f->packing->processors);
        *fits = answer == DUET_LAST_FITS;
        if (answer != DUET_LAST_GIVEN_UP) {
            return;
        }
    }
    bool may = can_fill(f) && f->idle >= 0 && f->time[0] <= f->target;
    while (may && f->work > 0 && !*fits && !duet_context_stop(f->context)) {
        *fits = f->fine ? try_fine(f) : try_once(f);
    }
}

static duet_code prepare(fill *f, duet_error *error)
{
    size_t n = f->packing->items;
    duet_ordered *sorted = duet_alloc(n, sizeof *sorted, error);
    f->order = duet_alloc(n, sizeof *f->order, error);
    f->time = duet_alloc(n, sizeof *f->time, error);
    f->position = duet_alloc(n, sizeof *f->position, error);
    f->left = duet_alloc(n, sizeof *f->left, error);
    f->words = can_fill(f) && !f->fine ? (size_t)f->target / 64 + 1 : 0;
    f->reach = duet_alloc((n + 1) * f->words, sizeof *f->reach, error);
    duet_code code = sorted != NULL && f->order != NULL && f->time != NULL && f->position != NULL &&
                             f->left != NULL && f->reach != NULL
                         ? DUET_OK
                         : DUET_E_MEMORY;
    if (code == DUET_OK) {
        for (size_t i = 0; i < n; i++) {
            sorted[i] = (duet_ordered){(uint64_t)f->packing->time[i], i};
        }
        code = duet_order_by_key(sorted, n, error);
    }
    for (size_t i = 0; i < n && code == DUET_OK; i++) {
        f->order[i] = sorted[i].kind;
        f->time[i] = (f->packing->time[sorted[i].kind] + f->unit - 1) / f->unit;
    }
    if (code == DUET_OK && f->fine && !duet_subset_sums_create(FINE_ITEMS / 2, &f->sums)) {
        code = DUET_E_MEMORY;
    }
    if (code == DUET_OK) {
        code = duet_last_create(&f->last, error);
    }
    duet_free(sorted);
    return code;
}

static int64_t common_unit(const duet_packing *packing)
{
    duet_uint128 unit = 0;
    for (size_t i = 0; i < packing->items; i++) {
        unit = duet_gcd(unit, (duet_uint128)packing->time[i]);
    }
    return unit == 0 ? 1 : (int64_t)unit;
}

// The unit of the bit sets: what all times are multiples of, or more where these are fine ticks.
static void choose_unit(fill *f, int64_t target)
{
    f->common = common_unit(f->packing);
    f->end = target - target % f->common;
    int64_t most = f->end / f->common;
    f->fine = most > MAX_TARGET && f->packing->items > COARSE_ITEMS * f->packing->processors;
    f->unit = most <= MAX_TARGET || f->fine ? f->common : f->common * (most / COARSE + 1);
    f->target = f->end / f->unit;
}

duet_code duet_packing_fill(duet_packing *packing, int64_t target, int64_t effort,
                            duet_random *random, const duet_context *context, bool *fits,
                            duet_error *error)
{
    fill f = {.packing = packing,
              .random = random,
              .context = context,
              .work = effort < INT64_MAX / WORK ? effort * WORK : INT64_MAX};
    *fits = false;
    choose_unit(&f, target);
    if (packing->items == 0 || (!can_fill(&f) && !is_small(packing))) {
        return DUET_OK;
    }
    duet_code code = prepare(&f, error);
    if (code == DUET_OK && has_room(&f)) {
        search(&f, fits);
    }
    if (code == DUET_OK && *fits) {
        for (size_t i = 0; i < packing->items; i++) {
            DUET_ASSERT(f.position[i] < packing->processors);
            packing->processor[f.order[i]] = f.position[i];
        }
        duet_packing_link(packing);
        DUET_ASSERT(duet_packing_longest(packing) <= target);
    }
    duet_free(f.order);
    duet_free(f.time);
    duet_free(f.position);
    duet_free(f.left);
    duet_free(f.reach);
    duet_subset_sums_free(&f.sums);
    duet_last_free(f.last);
    return code;
}
