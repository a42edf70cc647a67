// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/enumerate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/tuning.h"

// Tasks that may be in patterns, and passes of the table.
enum { MAX_BITS = 64 * DUET_PATTERNS_MOST_WORDS };

// What a pattern takes besides its parts while it is put in order, masks at their longest.
enum { BYTES_OF_PATTERN = 8 * DUET_PATTERNS_MOST_WORDS + 96 };

// A class in the order of the enumeration.
typedef struct choice {
    int64_t time;
    int64_t price;
    int64_t most;
    uint32_t class;
} choice;

// A choice that the pattern under construction has taken.
typedef struct pick {
    size_t index;
    int64_t tasks;       // of it
    int64_t room, price; // before it was taken
} pick;

typedef struct enumeration {
    // Inputs.
    const duet_classes *classes;
    const duet_patterns_request *request;
    const duet_context *context;
    choice *choice; // longest first
    size_t choices;

    // Table of the best prices.
    int64_t bucket; // ticks
    size_t buckets;
    int32_t *best; // (choices + 1) x buckets: the best price of the choices from i on
    int shift;     // its prices are divided by 2^shift

    // Search.
    int64_t wanted; // the least price of a pattern
    pick *stack;    // the pattern under construction: one for each of its classes
    size_t depth;
    int64_t steps; // that may still be taken
    bool stopped;

    // Patterns found.
    duet_pattern_part *part;
    size_t parts;
    size_t *begin;
    int64_t *price;
    size_t count;
    size_t bytes;
} enumeration;

static int longest_first(const void *left, const void *right)
{
    const choice *a = left;
    const choice *b = right;
    if (a->time != b->time) {
        return a->time > b->time ? -1 : 1;
    }
    return (a->class > b->class) - (a->class < b->class);
}

static duet_code read_choices(enumeration *e, const duet_residual *state, const duet_prices *prices,
                              duet_error *error)
{
    const duet_classes *classes = e->classes;
    size_t type = e->request->type;
    e->choice = duet_alloc(classes->count, sizeof *e->choice, error);
    e->stack = duet_alloc(classes->count, sizeof *e->stack, error);
    DUET_NEED(e->choice != NULL && e->stack != NULL);
    for (size_t c = 0; c < classes->count; c++) {
        int64_t most = duet_class_fits(classes, c, type) ? duet_residual_most(state, c, type) : 0;
        if (most <= 0) {
            continue;
        }
        int64_t fit = classes->capacity[type] / classes->time[type][c];
        e->choice[e->choices++] = (choice){classes->time[type][c], prices->price[type][c],
                                           duet_min(most, fit), (uint32_t)c};
    }
    qsort(e->choice, e->choices, sizeof *e->choice, longest_first);
    return DUET_OK;
}

// One more task of a choice: the table without it and with it. Times are rounded down to buckets
// and prices up: the table may promise too much, never too little.
static void add_task(const int32_t *restrict without, int32_t *restrict with, size_t buckets,
                     size_t width, int32_t price)
{
    memcpy(with, without, width * sizeof *with);
    for (size_t r = width; r < buckets; r++) {
        int32_t taken = without[r - width] + price;
        with[r] = duet_max(taken, without[r]);
    }
}

// Whether every task that may be in a pattern has its bit in a mask. Asked first: it also bounds
// the table and the depth of the enumeration.
static bool has_room(const enumeration *e)
{
    int64_t bits = 0;
    for (size_t i = 0; i < e->choices; i++) {
        if (e->choice[i].most > MAX_BITS - bits) {
            return false;
        }
        bits += e->choice[i].most;
    }
    return true;
}

static duet_code fill_table(enumeration *e, duet_error *error)
{
    int64_t capacity = e->classes->capacity[e->request->type];
    double densest = 0; // price per time
    for (size_t i = 0; i < e->choices; i++) {
        double density = (double)e->choice[i].price / (double)e->choice[i].time;
        densest = duet_max(density, densest);
    }
    e->bucket = capacity / DUET_PATTERNS_BUCKETS + 1;
    e->buckets = (size_t)(capacity / e->bucket) + 1;
    // Up to 2^28: rounding of times doubles it at most, rounding of prices adds 1 a task.
    for (e->shift = 0; densest * (double)capacity > ldexp(1, 28 + e->shift);) {
        e->shift++;
    }
    e->best = duet_alloc((e->choices + 2) * e->buckets, sizeof *e->best, error);
    DUET_NEED(e->best);
    int32_t *spare = e->best + (e->choices + 1) * e->buckets;
    for (size_t i = e->choices; i-- > 0;) {
        int32_t *row = e->best + i * e->buckets;
        size_t width = (size_t)(e->choice[i].time / e->bucket);
        int32_t price = (int32_t)(e->choice[i].price >> e->shift) + 1;
        width = duet_min(width, e->buckets);
        add_task(row + e->buckets, row, e->buckets, width, price);
        for (int64_t task = 1; task < e->choice[i].most; task++) {
            memcpy(spare, row, e->buckets * sizeof *spare);
            add_task(spare, row, e->buckets, width, price);
        }
    }
    return DUET_OK;
}

// The most that the choices from i on can add within `room` ticks.
static int64_t promise(const enumeration *e, size_t i, int64_t room)
{
    DUET_ASSERT(i <= e->choices && room >= 0 && (size_t)(room / e->bucket) < e->buckets);
    return (int64_t)e->best[i * e->buckets + (size_t)(room / e->bucket)] << e->shift;
}

static duet_code record(enumeration *e, int64_t price, duet_error *error)
{
    e->bytes += e->depth * sizeof *e->part + BYTES_OF_PATTERN;
    if (e->count >= e->request->most || e->bytes > e->request->most_bytes) {
        e->stopped = true;
        return DUET_OK;
    }
    duet_code code = duet_vec_grow(e->begin, e->count + 1, error);
    DUET_THEN(code, duet_vec_grow(e->price, e->count, error));
    DUET_THEN(code, duet_vec_reserve(e->part, e->parts + e->depth, error));
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < e->depth; i++) {
        const pick *part = &e->stack[i];
        e->part[e->parts++] =
            (duet_pattern_part){e->choice[part->index].class, (uint32_t)part->tasks};
    }
    e->price[e->count++] = price;
    e->begin[e->count] = e->parts;
    return DUET_OK;
}

// Whether the pattern under construction fits the releases of its tasks.
static bool fits_releases(const enumeration *e)
{
    const duet_classes *classes = e->classes;
    size_t type = e->request->type;
    bool fits = true;
    for (size_t i = 0; classes->release != NULL && i < e->depth && fits; i++) {
        size_t class = e->choice[e->stack[i].index].class;
        int64_t late = 0;
        for (size_t k = 0; k < e->depth; k++) {
            const choice *other = &e->choice[e->stack[k].index];
            bool counts = classes->release[other->class] >= classes->release[class];
            late += counts ? e->stack[k].tasks * other->time : 0;
        }
        fits = duet_class_start(classes, class, type) + late <= classes->guess;
    }
    return fits;
}

// Records the pattern under construction if its price is wanted, and counts the step.
static duet_code visit(enumeration *e, int64_t price, duet_error *error)
{
    bool wanted = price >= e->wanted && fits_releases(e);
    duet_code code = wanted ? record(e, price, error) : DUET_OK;
    e->steps--;
    if (e->steps < 0 ||
        (e->steps % DUET_PATTERNS_CHECK_EVERY == 0 && duet_context_stop(e->context))) {
        e->stopped = true; // the table promised too much, or time is up
    }
    return code;
}

// Takes as many tasks as fit of the first choice from `i` on that fits at all; false: there is none
// that leads to a wanted price.
static bool take(enumeration *e, size_t i, int64_t room, int64_t price)
{
    for (; i < e->choices && price + promise(e, i, room) >= e->wanted; i++) {
        const choice *next = &e->choice[i];
        if (next->time <= room) {
            int64_t fit = room / next->time;
            int64_t tasks = duet_min(fit, next->most);
            DUET_ASSERT(e->depth < e->choices);
            e->stack[e->depth++] = (pick){i, tasks, room, price};
            return true;
        }
    }
    return false;
}

// Takes a task back; where the choice has none left, goes on with the choices after it, and where
// there are none, with the choice taken before. False: all patterns were seen.
static bool take_next(enumeration *e)
{
    while (e->depth > 0) {
        pick *top = &e->stack[e->depth - 1];
        if (--top->tasks > 0) {
            return true;
        }
        e->depth--;
        if (take(e, top->index + 1, top->room, top->price)) {
            return true;
        }
    }
    return false;
}

// Every pattern, depth first, those with more tasks of a choice before those with fewer. Not by
// recursion: a pattern may have a thousand classes, and the caller's thread a small stack.
static duet_code search(enumeration *e, duet_error *error)
{
    int64_t capacity = e->classes->capacity[e->request->type];
    e->depth = 0;
    duet_code code = visit(e, 0, error);
    bool more = code == DUET_OK && !e->stopped && take(e, 0, capacity, 0);
    while (more) {
        const pick *top = &e->stack[e->depth - 1];
        const choice *chosen = &e->choice[top->index];
        int64_t room = top->room - top->tasks * chosen->time;
        int64_t price = top->price + top->tasks * chosen->price;
        size_t index = top->index;
        code = visit(e, price, error);
        more = code == DUET_OK && !e->stopped;
        more = more && (take(e, index + 1, room, price) || take_next(e));
    }
    return code;
}

static int by_class(const void *left, const void *right)
{
    const duet_pattern_part *a = left;
    const duet_pattern_part *b = right;
    return (a->class > b->class) - (a->class < b->class);
}

// A pattern on its way into the canonical order.
typedef struct found {
    int64_t price;
    const duet_pattern_part *part;
    size_t parts;
} found;

static int canonical(const void *left, const void *right)
{
    const found *a = left;
    const found *b = right;
    if (a->price != b->price) {
        return a->price > b->price ? -1 : 1;
    }
    for (size_t i = 0; i < a->parts && i < b->parts; i++) {
        if (a->part[i].class != b->part[i].class) {
            return a->part[i].class < b->part[i].class ? -1 : 1;
        }
        if (a->part[i].tasks != b->part[i].tasks) {
            return a->part[i].tasks > b->part[i].tasks ? -1 : 1;
        }
    }
    return (a->parts < b->parts) - (a->parts > b->parts);
}

// Bits of every class, as many as it can have in a pattern.
static void lay_out(const enumeration *e, duet_patterns *patterns)
{
    size_t *bits = patterns->first_bit;
    size_t classes = e->classes->count;
    for (size_t i = 0; i < e->choices; i++) {
        bits[e->choice[i].class + 1] = (size_t)e->choice[i].most;
    }
    for (size_t c = 0; c < classes; c++) {
        bits[c + 1] += bits[c];
    }
    DUET_ASSERT(bits[classes] <= MAX_BITS);
    patterns->words = (bits[classes] + 63) / 64;
}

static void set_bits(uint64_t *mask, size_t first, size_t count)
{
    for (size_t b = first; b < first + count; b++) {
        mask[b / 64] |= UINT64_C(1) << (b % 64);
    }
}

static duet_code make_room(const enumeration *e, duet_patterns *patterns, duet_error *error)
{
    patterns->first_bit = duet_alloc(e->classes->count + 1, sizeof *patterns->first_bit, error);
    DUET_NEED(patterns->first_bit);
    lay_out(e, patterns);
    patterns->mask = duet_alloc(e->count * patterns->words, sizeof *patterns->mask, error);
    patterns->reduced_cost = duet_alloc(e->count, sizeof *patterns->reduced_cost, error);
    patterns->begin = duet_alloc(e->count + 1, sizeof *patterns->begin, error);
    patterns->part = duet_alloc(e->parts, sizeof *patterns->part, error);
    return patterns->mask != NULL && patterns->reduced_cost != NULL && patterns->begin != NULL &&
                   patterns->part != NULL
               ? DUET_OK
               : DUET_E_MEMORY;
}

// Sorts each pattern by class, and the patterns canonically.
static void sort_found(enumeration *e, found *order)
{
    for (size_t i = 0; i < e->count; i++) {
        size_t begin = e->begin[i];
        size_t parts = e->begin[i + 1] - begin;
        order[i] = (found){.price = e->price[i], .parts = parts};
        if (parts > 0) { // the empty pattern has none
            qsort(e->part + begin, parts, sizeof *e->part, by_class);
            order[i].part = e->part + begin;
        }
    }
    qsort(order, e->count, sizeof *order, canonical);
}

// Copies the patterns in their canonical order, with masks and reduced costs.
static duet_code store(enumeration *e, int64_t limit, duet_patterns *patterns, duet_error *error)
{
    found *order = duet_alloc(e->count, sizeof *order, error);
    duet_code code = order == NULL ? DUET_E_MEMORY : make_room(e, patterns, error);
    if (code == DUET_OK) {
        sort_found(e, order);
        for (size_t i = 0; i < e->count; i++) {
            patterns->begin[i + 1] = patterns->begin[i] + order[i].parts;
            patterns->reduced_cost[i] = limit - order[i].price;
            for (size_t p = 0; p < order[i].parts; p++) {
                duet_pattern_part part = order[i].part[p];
                patterns->part[patterns->begin[i] + p] = part;
                set_bits(patterns->mask + i * patterns->words, patterns->first_bit[part.class],
                         part.tasks);
            }
        }
        patterns->count = e->count;
    }
    duet_free(order);
    return code;
}

// The patterns as they were found.
static void hand_over(enumeration *e, duet_patterns *patterns)
{
    patterns->count = e->count;
    patterns->begin = e->begin;
    patterns->part = e->part;
    e->begin = NULL;
    e->part = NULL;
}

// Searches within the slack, or smaller ones. The status is that of the last search.
static duet_code search_within(enumeration *e, int64_t limit, duet_patterns_status *status,
                               duet_error *error)
{
    const duet_patterns_request *request = e->request;
    duet_code code = fill_table(e, error);
    DUET_THEN(code, duet_vec_grow(e->begin, 0, error));
    int64_t slack = request->slack;
    for (bool again = true; again && code == DUET_OK; slack /= 2) {
        e->wanted = limit - slack;
        e->count = e->parts = e->bytes = 0;
        e->begin[0] = 0;
        e->stopped = false;
        e->steps = DUET_PATTERNS_STEPS + DUET_PATTERNS_STEPS_EACH * (int64_t)request->most;
        int64_t most = e->steps;
        code = search(e, error);
        enum { step = 15 }; // nanoseconds
        duet_count_work(step * (most - e->steps));
        again = e->stopped && request->may_shrink && slack > 0 && !duet_context_stop(e->context);
        *status = again ? DUET_PATTERNS_SHRUNK : *status;
    }
    *status = e->stopped ? DUET_PATTERNS_TOO_MANY : *status;
    return code;
}

duet_code duet_patterns_enumerate(const duet_classes *classes, const duet_residual *state,
                                  const duet_prices *prices, const duet_patterns_request *request,
                                  const duet_context *context, duet_patterns *patterns,
                                  duet_error *error)
{
    *patterns = (duet_patterns){.type = request->type, .status = DUET_PATTERNS_COMPLETE};
    enumeration e = {.classes = classes, .request = request, .context = context};
    int64_t limit = prices->limit[request->type];
    duet_code code = read_choices(&e, state, prices, error);
    if (code == DUET_OK) {
        if (has_room(&e)) {
            code = search_within(&e, limit, &patterns->status, error);
        } else {
            patterns->status = DUET_PATTERNS_TOO_MANY;
        }
    }
    if (code == DUET_OK && patterns->status != DUET_PATTERNS_TOO_MANY) {
        if (request->plain) {
            hand_over(&e, patterns);
        } else {
            code = store(&e, limit, patterns, error);
        }
        patterns->bytes = e.bytes;
    }
    duet_free(e.choice);
    duet_free(e.stack);
    duet_free(e.best);
    duet_free(e.part);
    duet_free(e.begin);
    duet_free(e.price);
    return code;
}

void duet_patterns_free(duet_patterns *patterns)
{
    duet_free(patterns->mask);
    duet_free(patterns->reduced_cost);
    duet_free(patterns->begin);
    duet_free(patterns->part);
    duet_free(patterns->first_bit);
    *patterns = (duet_patterns){.count = 0};
}
