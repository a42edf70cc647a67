// SPDX-License-Identifier: Apache-2.0
// Two types exchange tasks, for schedules in which hundreds of tasks are on the wrong type.
//
// Method:    the tasks that may run on both types are ordered by how much faster one type runs them
//            than the other. Those before the point where both types have the same work per
//            processor belong on the faster one. Only tasks that change their type leave their
//            processors; they go, longest first, to the least loaded ones.
// Guarantee: it is made only if the most loaded processor of both types then ends earlier.
// Cost:      O(n + moved log m).
// Memory:    O(n).
// Reference: the point of equal work is the area bound's: Beaumont, Eyraud-Dubois, Kumar,
//            "Approximation proofs of a fast and efficient list scheduling algorithm for task-based
//            runtime systems on multicores and GPUs", IPDPS 2017, section 4.2.
#include "heuristics/improve/pair_repartition.h"

#include <stdlib.h>

#include "core/instance/order.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/processors.h"

// Tasks and lists of the two types. Index 0 stands for type a, 1 for b.
typedef struct exchange {
    duet_task_lists *lists;
    size_t type[2];
    duet_ordered *task; // `kind` is a task here
    size_t tasks;
    int64_t work[2];
    bool *moves;    // by task
    uint8_t *side;  // by task
    size_t *target; // the new list, by position among the tasks that move
    int64_t *load;  // by list
    duet_processors processors;
} exchange;

static int by_load(const void *left, const void *right)
{
    const duet_processor *a = left;
    const duet_processor *b = right;
    if (a->load != b->load) {
        return a->load < b->load ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static int64_t time_on(const exchange *s, size_t task, size_t side)
{
    return duet_task_lists_time(s->lists, (int64_t)task, s->type[side]);
}

static size_t lists_of(const exchange *s, size_t side)
{
    return s->lists->begin[s->type[side] + 1] - s->lists->begin[s->type[side]];
}

// Orders the tasks that may run on both types by how much faster b runs them. At equal factors
// those on b come first: they may stay.
static duet_code order_tasks(exchange *s, duet_error *error)
{
    for (size_t side = 2; side-- > 0;) {
        size_t end = s->lists->begin[s->type[side] + 1];
        for (size_t i = s->lists->begin[s->type[side]]; i < end; i++) {
            const duet_task_list *list = &s->lists->at[i];
            s->work[side] += list->load;
            s->load[i] = list->load;
            for (size_t at = 0; at < list->count; at++) {
                size_t task = (size_t)list->task[at];
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
static bool a_is_longer(const exchange *s, const int64_t work[2])
{
    return (duet_int128)work[0] * (int64_t)lists_of(s, 1) >
           (duet_int128)work[1] * (int64_t)lists_of(s, 0);
}

// Finds the point of the order where both types have the same work per processor, on the side of
// the smaller makespan, and marks the tasks that change their type.
static size_t mark_moves(exchange *s)
{
    int64_t work[2] = {s->work[0], s->work[1]};
    for (size_t i = 0; i < s->tasks; i++) {
        if (s->side[s->task[i].kind] == 1) {
            work[0] += time_on(s, s->task[i].kind, 0);
            work[1] -= time_on(s, s->task[i].kind, 1);
        }
    }
    size_t to_b = 0;  // the tasks before it belong on b
    int64_t last = 0; // work on a before the last of them left it
    while (to_b < s->tasks && a_is_longer(s, work)) {
        last = work[0];
        work[0] -= time_on(s, s->task[to_b].kind, 0);
        work[1] += time_on(s, s->task[to_b].kind, 1);
        to_b++;
    }
    const int64_t without[2] = {last, work[1]};
    if (to_b > 0 && !a_is_longer(s, work) && !a_is_longer(s, without)) {
        to_b--; // with the last one b is longer than a is without it
    }
    size_t moved = 0;
    for (size_t i = 0; i < s->tasks; i++) {
        size_t task = s->task[i].kind;
        size_t side = i < to_b;
        if (s->side[task] != side) {
            s->moves[task] = true;
            s->task[moved++] = (duet_ordered){(uint64_t)time_on(s, task, side), task};
        }
    }
    return moved;
}

// Takes the tasks that move off the loads, adds them to the least loaded processors of their new
// type, longest first, and returns the largest load.
static int64_t regroup(exchange *s, size_t moved)
{
    for (size_t i = 0; i < 2; i++) {
        size_t end = s->lists->begin[s->type[i] + 1];
        for (size_t l = s->lists->begin[s->type[i]]; l < end; l++) {
            const duet_task_list *list = &s->lists->at[l];
            for (size_t at = 0; at < list->count; at++) {
                size_t task = (size_t)list->task[at];
                s->load[l] -= s->moves[task] ? time_on(s, task, i) : 0;
            }
        }
    }
    int64_t longest = 0;
    for (size_t side = 0; side < 2; side++) {
        size_t begin = s->lists->begin[s->type[side]];
        s->processors.count = lists_of(s, side);
        for (size_t l = 0; l < s->processors.count; l++) {
            s->processors.heap[l] = (duet_processor){s->load[begin + l], (int32_t)l};
        }
        qsort(s->processors.heap, s->processors.count, sizeof *s->processors.heap,
              by_load); // in order: a heap
        for (size_t i = 0; i < moved; i++) {
            size_t task = s->task[i].kind;
            if (s->side[task] != side) {
                duet_placement placed;
                duet_processors_start(&s->processors, time_on(s, task, side), &placed);
                s->target[i] = begin + (size_t)placed.processor;
            }
        }
        for (size_t l = 0; l < s->processors.count; l++) {
            longest = duet_max(s->processors.heap[l].load, longest);
        }
    }
    return longest;
}

// Moves the tasks between the lists.
static duet_code carry_out(exchange *s, size_t moved, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t side = 0; side < 2; side++) {
        size_t end = s->lists->begin[s->type[side] + 1];
        for (size_t l = s->lists->begin[s->type[side]]; l < end; l++) {
            duet_task_list *list = &s->lists->at[l];
            size_t kept = 0;
            for (size_t at = 0; at < list->count; at++) {
                list->task[kept] = list->task[at];
                kept += !s->moves[list->task[at]];
            }
            list->count = kept;
            list->load = s->load[l];
        }
    }
    for (size_t i = 0; i < moved && code == DUET_OK; i++) {
        duet_task_list *list = &s->lists->at[s->target[i]];
        code = duet_vec_grow(list->task, list->count, error);
        if (code == DUET_OK) {
            size_t task = s->task[i].kind;
            list->task[list->count++] = (int64_t)task;
            list->load += duet_task_lists_time(s->lists, (int64_t)task, (size_t)list->type);
        }
    }
    for (size_t side = 0; side < 2; side++) {
        size_t end = s->lists->begin[s->type[side] + 1];
        for (size_t l = s->lists->begin[s->type[side]]; l < end; l++) {
            duet_task_lists_changed(s->lists, l);
        }
    }
    return code;
}

static int64_t longest_of(const exchange *s)
{
    int64_t longest = 0;
    for (size_t side = 0; side < 2; side++) {
        size_t end = s->lists->begin[s->type[side] + 1];
        for (size_t l = s->lists->begin[s->type[side]]; l < end; l++) {
            longest = duet_max(s->lists->at[l].load, longest);
        }
    }
    return longest;
}

static duet_code run(exchange *s, int64_t *moved, duet_error *error)
{
    DUET_TRY(order_tasks(s, error));
    size_t count = mark_moves(s);
    DUET_TRY(duet_order_by_key(s->task, count, error));
    if (count > 0 && regroup(s, count) < longest_of(s)) {
        *moved = (int64_t)count;
        return carry_out(s, count, error);
    }
    return DUET_OK;
}

duet_code duet_type_exchange(duet_task_lists *lists, size_t a, size_t b, int64_t *moved,
                             duet_error *error)
{
    *moved = 0;
    size_t tasks = (size_t)duet_tasks(lists->instance);
    exchange s = {.lists = lists, .type = {a, b}};
    size_t most = duet_max(lists_of(&s, 0), lists_of(&s, 1));
    s.task = duet_alloc(tasks, sizeof *s.task, error);
    s.moves = duet_alloc(tasks, sizeof *s.moves, error);
    s.side = duet_alloc(tasks, sizeof *s.side, error);
    s.target = duet_alloc(tasks, sizeof *s.target, error);
    s.load = duet_alloc(lists->count, sizeof *s.load, error);
    s.processors.heap = duet_alloc(most, sizeof *s.processors.heap, error);
    duet_code code = DUET_E_MEMORY;
    if (s.task != NULL && s.moves != NULL && s.side != NULL && s.target != NULL && s.load != NULL &&
        s.processors.heap != NULL) {
        code = run(&s, moved, error);
    }
    duet_free(s.task);
    duet_free(s.moves);
    duet_free(s.side);
    duet_free(s.target);
    duet_free(s.load);
    duet_free(s.processors.heap);
    return code;
}
