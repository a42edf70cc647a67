// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/enumerate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum {
    BUCKETS = 4096,            // of time, in the table of best prices
    MAX_WORDS = 16,            // of a mask
    MAX_BITS = 64 * MAX_WORDS, // so many tasks that may be in patterns, and passes of the table
    STEPS = 200000,            // of an enumeration, and for each pattern that is wanted
    STEPS_EACH = 30,
    CHECK_EVERY = 1 << 12, // steps between looks at whether to stop: microseconds
};

// What a pattern takes besides its parts while it is moved into the pool, masks at their longest.
enum { BYTES_OF_PATTERN = 8 * MAX_WORDS + 96 };

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
    choice *choice; // longest first
    size_t choices;
    int64_t bucket; // ticks
    size_t buckets;
    int32_t *best;  // (choices + 1) x buckets: the best price of the choices from i on
    int shift;      // its prices are divided by 2^shift
    int64_t wanted; // the least price of a pattern
    size_t most;
    const duet_context *context;
    size_t bytes, most_bytes; // of what was found
    pick *stack;              // the pattern under construction: one for each of its classes
    size_t depth;
    // What was found.
    duet_pattern_part *part;
    size_t parts, part_room;
    size_t *begin;
    int64_t *price;
    size_t count, room, worth_room;
    bool stopped;
    int64_t steps; // that may still be taken
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

static duet_code list_choices(const duet_classes *classes, const duet_residual *state,
                              const duet_prices *prices, size_t type, enumeration *e,
                              duet_error *error)
{
    e->choice = duet_alloc(classes->count, sizeof *e->choice, error);
    e->stack = duet_alloc(classes->count, sizeof *e->stack, error);
    if (e->choice == NULL || e->stack == NULL) {
        return DUET_E_MEMORY;
    }
    for (size_t c = 0; c < classes->count; c++) {
        int64_t most = duet_class_fits(classes, c, type) ? duet_residual_most(state, c, type) : 0;
        if (most <= 0) {
            continue;
        }
        int64_t fit = classes->capacity[type] / classes->time[type][c];
        e->choice[e->choices++] = (choice){classes->time[type][c], prices->price[type][c],
                                           most < fit ? most : fit, (uint32_t)c};
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
        with[r] = taken > without[r] ? taken : without[r];
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

static duet_code fill_table(const duet_classes *classes, size_t type, enumeration *e,
                            duet_error *error)
{
    int64_t capacity = classes->capacity[type];
    double densest = 0; // of prices: what a full processor may be worth
    for (size_t i = 0; i < e->choices; i++) {
        double density = (double)e->choice[i].price / (double)e->choice[i].time;
        densest = density > densest ? density : densest;
    }
    e->bucket = capacity / BUCKETS + 1;
    e->buckets = (size_t)(capacity / e->bucket) + 1;
    // Up to 2^28: rounding of times doubles it at most, rounding of prices adds 1 a task.
    for (e->shift = 0; densest * (double)capacity > ldexp(1, 28 + e->shift);) {
        e->shift++;
    }
    e->best = duet_alloc((e->choices + 2) * e->buckets, sizeof *e->best, error);
    if (e->best == NULL) {
        return DUET_E_MEMORY;
    }
    int32_t *spare = e->best + (e->choices + 1) * e->buckets;
    for (size_t i = e->choices; i-- > 0;) {
        int32_t *row = e->best + i * e->buckets;
        size_t width = (size_t)(e->choice[i].time / e->bucket);
        int32_t price = (int32_t)(e->choice[i].price >> e->shift) + 1;
        width = width < e->buckets ? width : e->buckets;
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
    return (int64_t)e->best[i * e->buckets + (size_t)(room / e->bucket)] << e->shift;
}

static duet_code record(enumeration *e, int64_t price, duet_error *error)
{
    e->bytes += e->depth * sizeof *e->part + BYTES_OF_PATTERN;
    if (e->count >= e->most || e->bytes > e->most_bytes) {
        e->stopped = true;
        return DUET_OK;
    }
    duet_code code = duet_grow(&e->begin, e->count + 1, &e->room, sizeof *e->begin, error);
    if (code == DUET_OK) {
        code = duet_grow(&e->price, e->count, &e->worth_room, sizeof *e->price, error);
    }
    if (code == DUET_OK) {
        code = duet_reserve(&e->part, e->parts + e->depth, &e->part_room, sizeof *e->part, error);
    }
    for (size_t i = 0; i < e->depth && code == DUET_OK; i++) {
        const pick *part = &e->stack[i];
        e->part[e->parts++] =
            (duet_pattern_part){e->choice[part->index].class, (uint32_t)part->tasks};
    }
    if (code == DUET_OK) {
        e->price[e->count++] = price;
        e->begin[e->count] = e->parts;
    }
    return code;
}

// Records the pattern under construction if it is worth it, and counts the step.
static duet_code visit(enumeration *e, int64_t price, duet_error *error)
{
    duet_code code = price >= e->wanted ? record(e, price, error) : DUET_OK;
    e->steps--;
    if (e->steps < 0 || (e->steps % CHECK_EVERY == 0 && duet_context_stop(e->context))) {
        e->stopped = true; // the table promised too much, or time is up
    }
    return code;
}

// Takes as many tasks as fit of the first choice from `i` on that fits at all; false: there is none
// that leads to a pattern that is worth it.
static bool take(enumeration *e, size_t i, int64_t room, int64_t price)
{
    for (; i < e->choices && price + promise(e, i, room) >= e->wanted; i++) {
        const choice *next = &e->choice[i];
        if (next->time <= room) {
            int64_t fit = room / next->time;
            int64_t tasks = fit < next->most ? fit : next->most;
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
static duet_code extend(enumeration *e, int64_t capacity, duet_error *error)
{
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

// A pattern on its way into the pool's order.
typedef struct listed {
    int64_t price;
    const duet_pattern_part *part;
    size_t parts;
} listed;

static int canonical(const void *left, const void *right)
{
    const listed *a = left;
    const listed *b = right;
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
static void lay_out(const duet_classes *classes, const enumeration *e, duet_patterns *pool)
{
    size_t *bits = pool->first_bit;
    for (size_t i = 0; i < e->choices; i++) {
        bits[e->choice[i].class + 1] = (size_t)e->choice[i].most;
    }
    for (size_t c = 0; c < classes->count; c++) {
        bits[c + 1] += bits[c];
    }
    pool->words = (bits[classes->count] + 63) / 64;
}

static void set_bits(uint64_t *mask, size_t first, size_t count)
{
    for (size_t b = first; b < first + count; b++) {
        mask[b / 64] |= UINT64_C(1) << (b % 64);
    }
}

// Moves what was found into the pool, in its order.
static duet_code store(const duet_classes *classes, enumeration *e, int64_t limit,
                       duet_patterns *pool, duet_error *error)
{
    pool->first_bit = duet_alloc(classes->count + 1, sizeof *pool->first_bit, error);
    listed *order = duet_alloc(e->count, sizeof *order, error);
    duet_code code = pool->first_bit != NULL && order != NULL ? DUET_OK : DUET_E_MEMORY;
    if (code == DUET_OK) {
        lay_out(classes, e, pool);
        pool->mask = duet_alloc(e->count * pool->words, sizeof *pool->mask, error);
        pool->reduced_cost = duet_alloc(e->count, sizeof *pool->reduced_cost, error);
        pool->begin = duet_alloc(e->count + 1, sizeof *pool->begin, error);
        pool->part = duet_alloc(e->parts, sizeof *pool->part, error);
        code = pool->mask != NULL && pool->reduced_cost != NULL && pool->begin != NULL &&
                       pool->part != NULL
                   ? DUET_OK
                   : DUET_E_MEMORY;
    }
    for (size_t i = 0; i < e->count && code == DUET_OK; i++) {
        size_t begin = e->begin[i];
        size_t parts = e->begin[i + 1] - begin;
        order[i] = (listed){.price = e->price[i], .parts = parts};
        if (parts > 0) { // the empty pattern has none
            qsort(e->part + begin, parts, sizeof *e->part, by_class);
            order[i].part = e->part + begin;
        }
    }
    if (code == DUET_OK) {
        qsort(order, e->count, sizeof *order, canonical);
        for (size_t i = 0; i < e->count; i++) {
            pool->begin[i + 1] = pool->begin[i] + order[i].parts;
            pool->reduced_cost[i] = limit - order[i].price;
            for (size_t p = 0; p < order[i].parts; p++) {
                duet_pattern_part part = order[i].part[p];
                pool->part[pool->begin[i] + p] = part;
                set_bits(pool->mask + i * pool->words, pool->first_bit[part.class], part.tasks);
            }
        }
        pool->count = e->count;
    }
    duet_free(order);
    return code;
}

// As it was found.
static void hand_over(enumeration *e, duet_patterns *pool)
{
    pool->count = e->count;
    pool->begin = e->begin;
    pool->part = e->part;
    e->begin = NULL;
    e->part = NULL;
}

duet_code duet_patterns_enumerate(const duet_classes *classes, const duet_residual *state,
                                  const duet_prices *prices, size_t type, int64_t slack,
                                  size_t most, size_t most_bytes, unsigned how,
                                  const duet_context *context, duet_patterns *pool,
                                  duet_patterns_status *status, duet_error *error)
{
    *pool = (duet_patterns){.type = type};
    *status = DUET_PATTERNS_COMPLETE;
    enumeration e = {.most = most, .most_bytes = most_bytes, .context = context};
    duet_code code = list_choices(classes, state, prices, type, &e, error);
    bool within = code == DUET_OK && has_room(&e);
    if (within) {
        code = fill_table(classes, type, &e, error);
    }
    if (code == DUET_OK && within) {
        code = duet_grow(&e.begin, 0, &e.room, sizeof *e.begin, error);
    }
    for (bool again = within; again && code == DUET_OK; slack /= 2) {
        e.wanted = prices->limit[type] - slack;
        e.count = e.parts = e.bytes = 0;
        e.begin[0] = 0;
        e.stopped = false;
        e.steps = STEPS + STEPS_EACH * (int64_t)most;
        code = extend(&e, classes->capacity[type], error);
        again = e.stopped && (how & DUET_PATTERNS_MAY_SHRINK) != 0 && slack > 0 &&
                !duet_context_stop(context);
        *status = again ? DUET_PATTERNS_SHRUNK : *status;
    }
    if (!within || e.stopped) {
        *status = DUET_PATTERNS_TOO_MANY;
    }
    if (code == DUET_OK && *status != DUET_PATTERNS_TOO_MANY) {
        if ((how & DUET_PATTERNS_PLAIN) != 0) {
            hand_over(&e, pool);
        } else {
            code = store(classes, &e, prices->limit[type], pool, error);
        }
        pool->bytes = e.bytes;
    }
    duet_free(e.choice);
    duet_free(e.stack);
    duet_free(e.best);
    duet_free(e.part);
    duet_free(e.begin);
    duet_free(e.price);
    return code;
}

void duet_patterns_free(duet_patterns *pool)
{
    duet_free(pool->mask);
    duet_free(pool->reduced_cost);
    duet_free(pool->begin);
    duet_free(pool->part);
    duet_free(pool->first_bit);
    *pool = (duet_patterns){.count = 0};
}
