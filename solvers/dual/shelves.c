// SPDX-License-Identifier: Apache-2.0
#include "solvers/dual/shelves.h"

#include "core/heap.h"
#include "core/instance/order.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// What is free of a processor: all between its first task and its last ones.
typedef struct gap {
    int64_t from;
    int64_t to;
    int32_t processor;
} gap;

static bool roomier(const void *none, gap a, gap b)
{
    (void)none;
    int64_t left = a.to - a.from;
    int64_t right = b.to - b.from;
    return left != right ? left > right : a.processor < b.processor;
}
DUET_HEAP(gaps, gap, void, roomier)

typedef struct shelves {
    const duet_table_guess *guess;
    const duet_allocation *allocation;
    duet_solution *solution;
    int32_t type;
    gap *gaps; // by processor, until the last tasks are placed
    size_t processors;
} shelves;

// When the schedule of the type is to end.
static int64_t end_of(const shelves *s)
{
    int64_t lambda = s->guess->lambda;
    if (s->guess->grid == 0 || (size_t)s->type != s->guess->rounded || s->processors == 0) {
        return lambda + lambda / 3;
    }
    duet_int128 steps = (duet_int128)s->guess->grid * (int64_t)s->processors;
    return lambda + (int64_t)((steps + 1) * lambda / (3 * steps));
}

static void put_first(const shelves *s, gap *at, int64_t task, int64_t time)
{
    DUET_ASSERT(time <= at->to - at->from);
    s->solution->placement[task] = (duet_placement){at->from, at->processor, s->type};
    at->from += time;
}

static void put_last(const shelves *s, gap *at, int64_t task, int64_t time)
{
    DUET_ASSERT(time <= at->to - at->from);
    at->to -= time;
    s->solution->placement[task] = (duet_placement){at->to, at->processor, s->type};
}

// How many tasks of a type are placed, by shelf.
typedef struct filled {
    size_t large, beside, medium;
    bool heaped; // the gaps are a heap
} filled;

static void put(const shelves *s, filled *f, int64_t task, int64_t time)
{
    int64_t lambda = s->guess->lambda;
    if ((duet_int128)3 * time > (duet_int128)2 * lambda) {
        put_first(s, &s->gaps[f->large++], task, time);
    } else if (time > lambda / 3) {
        size_t free = s->processors - f->large;
        DUET_ASSERT(f->medium < 2 * free);
        size_t at = f->large + (f->medium < free ? f->medium : f->medium - free);
        (f->medium++ < free ? put_first : put_last)(s, &s->gaps[at], task, time);
    } else if (f->beside < f->large) {
        put_last(s, &s->gaps[f->beside++], task, time);
    } else {
        if (!f->heaped) {
            gaps_heapify(NULL, s->gaps, s->processors);
            f->heaped = true;
        }
        put_last(s, &s->gaps[0], task, time);
        gaps_sift_down(NULL, s->gaps, s->processors, 0);
    }
}

static duet_code place_type(shelves *s, duet_ordered *items, duet_error *error)
{
    const duet_instance *instance = s->guess->instance;
    const int64_t *share = s->allocation->share;
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (share[2 * i + (size_t)s->type] > 0) {
            items[count++] = (duet_ordered){(uint64_t)duet_time(instance, i, (size_t)s->type), i};
        }
    }
    DUET_TRY(duet_order_by_key(items, count, error));
    int64_t end = end_of(s);
    for (size_t p = 0; p < s->processors; p++) {
        s->gaps[p] = (gap){0, end, (int32_t)p};
    }
    filled f = {0};
    for (size_t at = 0; at < count; at++) {
        size_t kind = items[at].kind;
        int64_t first = instance->first[kind] + (s->type == DUET_GPU ? share[2 * kind] : 0);
        for (int64_t j = 0; j < share[2 * kind + (size_t)s->type]; j++) {
            put(s, &f, first + j, duet_time(instance, kind, (size_t)s->type));
        }
    }
    return DUET_OK;
}

duet_code duet_schedule_shelves(const duet_table_guess *guess, const duet_allocation *allocation,
                                duet_solution *solution, duet_error *error)
{
    const duet_instance *instance = guess->instance;
    DUET_TRY(duet_solution_hold_placements(solution, error));
    duet_ordered *items = duet_alloc(instance->kinds, sizeof *items, error);
    DUET_NEED(items);
    duet_code code = DUET_OK;
    for (int32_t t = 0; t < 2 && code == DUET_OK; t++) {
        size_t processors = (size_t)instance->processors[t];
        gap *gaps = duet_alloc(processors + 1, sizeof *gaps, error);
        shelves s = {guess, allocation, solution, t, gaps, processors};
        code = gaps == NULL ? DUET_E_MEMORY : place_type(&s, items, error);
        duet_free(gaps);
    }
    duet_free(items);
    return code;
}
