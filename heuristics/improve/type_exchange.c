// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/type_exchange.h"

#include <stdlib.h>

#include "core/fraction.h"
#include "core/memory.h"
#include "core/order.h"
#include "heuristics/engine/processors.h"

// Tasks and lanes of the two types; index 0 stands for a, 1 for b.
typedef struct trade {
    duet_task_lists *lanes;
    size_t type[2];
    duet_ordered *task; // `kind` is a task here
    size_t tasks;
    int64_t work[2];
    bool *moves;    // by task
    uint8_t *side;  // by task
    size_t *target; // lane, by position among those that move
    int64_t *load;  // by lane
    duet_processors pool;
} trade;

static int by_load(const void *left, const void *right)
{
    const duet_processor *a = left;
    const duet_processor *b = right;
    if (a->load != b->load) {
        return a->load < b->load ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static int64_t time_on(const trade *s, size_t task, size_t side)
{
    return duet_task_lists_time(s->lanes, (int64_t)task, s->type[side]);
}

static size_t lanes_of(const trade *s, size_t side)
{
    return s->lanes->begin[s->type[side] + 1] - s->lanes->begin[s->type[side]];
}

// Lists the tasks that may run on both types, by how much faster b runs them. At equal factors
// those on b come first: they may stay.
static duet_code order_tasks(trade *s, duet_error *error)
{
    for (size_t side = 2; side-- > 0;) {
        size_t end = s->lanes->begin[s->type[side] + 1];
        for (size_t i = s->lanes->begin[s->type[side]]; i < end; i++) {
            const duet_task_list *lane = &s->lanes->at[i];
            s->work[side] += lane->load;
            s->load[i] = lane->load;
            for (size_t at = 0; at < lane->count; at++) {
                size_t task = (size_t)lane->task[at];
                int64_t on_a = time_on(s, task, 0);
                int64_t on_b = time_on(s, task, 1);
                s->side[task] = (uint8_t)side;
                if (on_a != DUET_FORBIDDEN && on_b != DUET_FORBIDDEN && (on_a > 0 || on_b > 0)) {
                    duet_fraction factor = {(duet_uint128)on_a, (duet_uint128)on_b};
                    s->task[s->tasks++] = (duet_ordered){duet_fraction_key(factor), task};
                }
            }
        }
    }
    return duet_order_by_key(s->task, s->tasks, error);
}

// Whether the work per processor of a is the larger one.
static bool a_is_longer(const trade *s, const int64_t work[2])
{
    return (duet_int128)work[0] * (int64_t)lanes_of(s, 1) >
           (duet_int128)work[1] * (int64_t)lanes_of(s, 0);
}

// Finds the point where both types are alike, on the side of the smaller makespan, and marks the
// tasks that change their type.
static size_t mark_moves(trade *s)
{
    int64_t work[2] = {s->work[0], s->work[1]};
    for (size_t i = 0; i < s->tasks; i++) {
        if (s->side[s->task[i].kind] == 1) {
            work[0] += time_on(s, s->task[i].kind, 0);
            work[1] -= time_on(s, s->task[i].kind, 1);
        }
    }
    size_t split = 0; // tasks before it go to b
    int64_t last = 0; // work on a before the last of them left it
    while (split < s->tasks && a_is_longer(s, work)) {
        last = work[0];
        work[0] -= time_on(s, s->task[split].kind, 0);
        work[1] += time_on(s, s->task[split].kind, 1);
        split++;
    }
    const int64_t without[2] = {last, work[1]};
    if (split > 0 && !a_is_longer(s, work) && !a_is_longer(s, without)) {
        split--; // with it b is longer than a is without
    }
    size_t moved = 0;
    for (size_t i = 0; i < s->tasks; i++) {
        size_t task = s->task[i].kind;
        size_t side = i < split;
        if (s->side[task] != side) {
            s->moves[task] = true;
            s->task[moved++] = (duet_ordered){(uint64_t)time_on(s, task, side), task};
        }
    }
    return moved;
}

// Takes the tasks that move off the loads, puts them on the least loaded lanes of their new type,
// longest first, and returns the largest load.
static int64_t settle(trade *s, size_t moved)
{
    for (size_t i = 0; i < 2; i++) {
        size_t end = s->lanes->begin[s->type[i] + 1];
        for (size_t l = s->lanes->begin[s->type[i]]; l < end; l++) {
            const duet_task_list *lane = &s->lanes->at[l];
            for (size_t at = 0; at < lane->count; at++) {
                size_t task = (size_t)lane->task[at];
                s->load[l] -= s->moves[task] ? time_on(s, task, i) : 0;
            }
        }
    }
    int64_t longest = 0;
    for (size_t side = 0; side < 2; side++) {
        size_t begin = s->lanes->begin[s->type[side]];
        s->pool.count = lanes_of(s, side);
        for (size_t l = 0; l < s->pool.count; l++) {
            s->pool.heap[l] = (duet_processor){s->load[begin + l], (int32_t)l};
        }
        qsort(s->pool.heap, s->pool.count, sizeof *s->pool.heap, by_load); // in order: a heap
        for (size_t i = 0; i < moved; i++) {
            size_t task = s->task[i].kind;
            if (s->side[task] != side) {
                duet_placement placed;
                duet_processors_start(&s->pool, time_on(s, task, side), &placed);
                s->target[i] = begin + (size_t)placed.processor;
            }
        }
        for (size_t l = 0; l < s->pool.count; l++) {
            longest = s->pool.heap[l].load > longest ? s->pool.heap[l].load : longest;
        }
    }
    return longest;
}

// Moves the tasks.
static duet_code carry_out(trade *s, size_t moved, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t side = 0; side < 2; side++) {
        size_t end = s->lanes->begin[s->type[side] + 1];
        for (size_t l = s->lanes->begin[s->type[side]]; l < end; l++) {
            duet_task_list *lane = &s->lanes->at[l];
            size_t kept = 0;
            for (size_t at = 0; at < lane->count; at++) {
                lane->task[kept] = lane->task[at];
                kept += !s->moves[lane->task[at]];
            }
            lane->count = kept;
            lane->load = s->load[l];
        }
    }
    for (size_t i = 0; i < moved && code == DUET_OK; i++) {
        duet_task_list *lane = &s->lanes->at[s->target[i]];
        code = duet_grow(&lane->task, lane->count, &lane->capacity, sizeof *lane->task, error);
        if (code == DUET_OK) {
            size_t task = s->task[i].kind;
            lane->task[lane->count++] = (int64_t)task;
            lane->load += duet_task_lists_time(s->lanes, (int64_t)task, (size_t)lane->type);
        }
    }
    for (size_t side = 0; side < 2; side++) {
        size_t end = s->lanes->begin[s->type[side] + 1];
        for (size_t l = s->lanes->begin[s->type[side]]; l < end; l++) {
            duet_task_lists_changed(s->lanes, l);
        }
    }
    return code;
}

static int64_t longest_of(const trade *s)
{
    int64_t longest = 0;
    for (size_t side = 0; side < 2; side++) {
        size_t end = s->lanes->begin[s->type[side] + 1];
        for (size_t l = s->lanes->begin[s->type[side]]; l < end; l++) {
            longest = s->lanes->at[l].load > longest ? s->lanes->at[l].load : longest;
        }
    }
    return longest;
}

static duet_code run(trade *s, int64_t *moved, duet_error *error)
{
    duet_code code = order_tasks(s, error);
    if (code != DUET_OK) {
        return code;
    }
    size_t count = mark_moves(s);
    code = duet_order_by_key(s->task, count, error);
    if (code == DUET_OK && count > 0 && settle(s, count) < longest_of(s)) {
        *moved = (int64_t)count;
        code = carry_out(s, count, error);
    }
    return code;
}

duet_code duet_type_exchange(duet_task_lists *lanes, size_t a, size_t b, int64_t *moved,
                             duet_error *error)
{
    *moved = 0;
    size_t tasks = (size_t)duet_tasks(lanes->instance);
    trade s = {.lanes = lanes, .type = {a, b}};
    size_t most = lanes_of(&s, 0) > lanes_of(&s, 1) ? lanes_of(&s, 0) : lanes_of(&s, 1);
    s.task = duet_alloc(tasks, sizeof *s.task, error);
    s.moves = duet_alloc(tasks, sizeof *s.moves, error);
    s.side = duet_alloc(tasks, sizeof *s.side, error);
    s.target = duet_alloc(tasks, sizeof *s.target, error);
    s.load = duet_alloc(lanes->count, sizeof *s.load, error);
    s.pool.heap = duet_alloc(most, sizeof *s.pool.heap, error);
    duet_code code = DUET_E_MEMORY;
    if (s.task != NULL && s.moves != NULL && s.side != NULL && s.target != NULL && s.load != NULL &&
        s.pool.heap != NULL) {
        code = run(&s, moved, error);
    }
    duet_free(s.task);
    duet_free(s.moves);
    duet_free(s.side);
    duet_free(s.target);
    duet_free(s.load);
    duet_free(s.pool.heap);
    return code;
}
