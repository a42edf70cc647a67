// SPDX-License-Identifier: Apache-2.0
// A schedule of a machine with a bus in the terms of the instance.
//
// Method: the tasks in the order of their starts, on their processors, each as soon as that is free
//         and its predecessors' data are there as the instance says.
// Cost:   O(n log n + edges).
// Memory: O(n).
#include <stdlib.h>

#include <duet/bus.h>

#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"
#include "core/system/arena.h"
#include "core/system/try.h"

typedef struct ordered {
    int64_t start;
    int64_t end;
    int64_t task;
} ordered;

static int compare(const void *a, const void *b)
{
    const ordered *x = a;
    const ordered *y = b;
    int by_start = (x->start > y->start) - (x->start < y->start);
    int by_end = (x->end > y->end) - (x->end < y->end);
    return by_start != 0 ? by_start
           : by_end != 0 ? by_end
                         : (x->task > y->task) - (x->task < y->task);
}

static int64_t arrive(const duet_instance *instance, const duet_placement *placed,
                      const int64_t *end, int64_t task)
{
    const duet_graph *graph = instance->graph;
    const duet_placement *here = &placed[task];
    int64_t latest = duet_release(instance, duet_instance_kind_of(instance, task));
    for (int64_t i = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && i < graph->enter_at[task + 1]; i++) {
        int32_t edge = graph->entering[i];
        const duet_placement *there = &placed[graph->tail[edge]];
        const int64_t *costs = duet_graph_costs(graph, edge);
        bool stays = here->type == there->type && here->processor == there->processor;
        int64_t cost = costs == NULL || stays
                           ? 0
                           : costs[(size_t)there->type * graph->types + (size_t)here->type];
        latest = duet_max(latest, end[graph->tail[edge]] + cost);
    }
    return latest;
}

duet_code duet_bus_settle(const duet_instance *instance, const duet_solution *carried,
                          duet_solution **out, duet_error *error)
{
    int64_t tasks = duet_instance_tasks(instance);
    size_t first[DUET_MAX_TYPES + 1] = {0};
    const duet_placement *placed = duet_solution_placements(carried);
    ordered *order;
    int64_t *end;
    int64_t *free_at;
    duet_arena arena;
    *out = NULL;
    for (size_t type = 0; type < instance->types; type++) {
        first[type + 1] = first[type] + (size_t)instance->processors[type];
    }
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(order, (size_t)tasks),
                                       DUET_ARENA_ARRAY(end, (size_t)tasks),
                                       DUET_ARENA_ARRAY(free_at, first[instance->types])};
    duet_code code = duet_arena_create(&arena, arrays, 3, error);
    DUET_THEN(code, duet_solution_create_blank(tasks, out, error));
    DUET_THEN(code, duet_solution_hold_placements(*out, error));
    for (size_t type = 0; code == DUET_OK && type < instance->types; type++) {
        for (size_t p = first[type]; p < first[type + 1]; p++) {
            free_at[p] = duet_busy_until(instance, type, (int64_t)(p - first[type]));
        }
    }
    for (int64_t i = 0; code == DUET_OK && i < tasks; i++) {
        int64_t time =
            duet_time(instance, duet_instance_kind_of(instance, i), (size_t)placed[i].type);
        order[i] = (ordered){placed[i].start, placed[i].start + time, i};
    }
    if (code == DUET_OK && tasks > 0) {
        qsort(order, (size_t)tasks, sizeof *order, compare);
    }
    for (int64_t i = 0; code == DUET_OK && i < tasks; i++) {
        int64_t task = order[i].task;
        duet_placement *p = &(*out)->placement[task];
        int64_t *is_free = &free_at[first[placed[task].type] + (size_t)placed[task].processor];
        *p = placed[task];
        p->start = duet_max(*is_free, arrive(instance, placed, end, task));
        end[task] = *is_free = p->start + (order[i].end - order[i].start);
    }
    if (code == DUET_OK) {
        duet_solution_finish(*out, instance);
    } else {
        duet_solution_free(*out);
        *out = NULL;
    }
    duet_arena_free(&arena);
    return code;
}
