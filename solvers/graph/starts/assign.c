// SPDX-License-Identifier: Apache-2.0
// Processors for tasks whose types and starts are known.
// Method:    in the order of the starts each task takes the first processor of its type that is
//            idle; of tasks that start together those that take no time come first.
// Guarantee: it finds processors if no more tasks run at a time than there are.
// Cost:      O(n log n + n m).
// Memory:    O(n + m).
// Reference: colouring of interval graphs, folklore.
#include "solvers/graph/starts/assign.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/try.h"

typedef struct begun {
    int64_t start;
    int64_t end;
    int64_t task;
} begun;

static int by_start(const void *left, const void *right)
{
    const begun *a = left;
    const begun *b = right;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->end != b->end) {
        return a->end < b->end ? -1 : 1;
    }
    return (a->task > b->task) - (a->task < b->task);
}

// The first processor of a type that is free at a time; -1: none is.
static int32_t find_free(const int64_t *free_at, int64_t count, int64_t time)
{
    for (int64_t p = 0; p < count; p++) {
        if (free_at[p] <= time) {
            return (int32_t)p;
        }
    }
    return -1;
}

// Gives out processors in the order of the starts. The makespan; -1: a processor is missing.
static int64_t give_out(const duet_instance *instance, const duet_leaf_task *place,
                        const begun *order, int64_t *free_at, duet_placement *placed)
{
    int64_t first[DUET_MAX_TYPES + 1] = {0};
    int64_t makespan = 0;
    for (size_t t = 0; t < instance->types; t++) {
        first[t + 1] = first[t] + instance->processors[t];
    }
    memset(free_at, 0, (size_t)first[instance->types] * sizeof *free_at);
    for (int64_t i = 0; i < duet_tasks(instance); i++) {
        int64_t j = order[i].task;
        size_t type = (size_t)place[j].type;
        int64_t *of_type = free_at + first[type];
        int32_t p = find_free(of_type, instance->processors[type], place[j].start);
        if (p < 0) {
            return -1;
        }
        of_type[p] = order[i].end;
        makespan = duet_max(of_type[p], makespan);
        placed[j] = (duet_placement){place[j].start, p, place[j].type};
    }
    return makespan;
}

duet_code duet_starts_assign(const duet_instance *instance, const duet_leaf_task *place,
                             duet_solution *solution, bool *taken, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(instance);
    size_t processors = 0;
    for (size_t t = 0; t < instance->types; t++) {
        processors += (size_t)instance->processors[t];
    }
    *taken = false;
    begun *order = NULL;
    duet_placement *placed = NULL;
    int64_t *free_at = NULL;
    duet_arena arena;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(order, tasks),
                                       DUET_ARENA_ARRAY(placed, tasks),
                                       DUET_ARENA_ARRAY(free_at, processors)};
    duet_code code = duet_arena_create(&arena, arrays, sizeof arrays / sizeof *arrays, error);
    DUET_THEN(code, duet_solution_hold_placements(solution, error));
    if (code == DUET_OK) {
        for (size_t j = 0; j < tasks; j++) {
            size_t kind = duet_instance_kind_of(instance, (int64_t)j);
            int64_t time = duet_time(instance, kind, (size_t)place[j].type);
            order[j] = (begun){place[j].start, place[j].start + time, (int64_t)j};
        }
        qsort(order, tasks, sizeof *order, by_start);
        int64_t makespan = give_out(instance, place, order, free_at, placed);
        *taken = makespan >= 0 && makespan < solution->makespan;
        if (*taken) {
            memcpy(solution->placement, placed, tasks * sizeof *placed);
            solution->aborted_count = 0;
            solution->makespan = makespan;
        }
    }
    duet_arena_free(&arena);
    return code;
}
