// SPDX-License-Identifier: Apache-2.0
// Method: sequential tasks with edges are carried out as planned, in their order
//         (heuristics/engine/replay.h). Others go, in the order of their starts, to where the tasks
//         before them on their processors, their predecessors and their releases let them. Searches
//         that build schedules from the end or on shelves, and those that learn, leave tasks later
//         than need be.
#include "solvers/start_early.h"

#include <stdlib.h>
#include <string.h>

#include <duet/graph.h>

#include "core/instance/graph.h"
#include "core/instance/reality.h"
#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/replay.h"

// More tasks and edges, or processors of tasks, would take seconds.
enum { MOST = 1000000 };

static bool is_meant(const duet_instance *instance, const duet_solution *solution)
{
    int64_t most = 0; // processors of a type
    for (size_t t = 0; t < instance->types; t++) {
        most = duet_max(instance->processors[t], most);
    }
    return solution->placement != NULL && solution->finer == 0 && most <= MOST &&
           duet_tasks(instance) + duet_instance_edges(instance) <= MOST;
}

// --- sequential tasks with edges -----------------------------------------------------------------

static duet_code carry_out(const duet_instance *instance, const duet_context *context,
                           const duet_solution *plan, duet_solution *early, duet_error *error)
{
    duet_watch watch = {.context = NULL};
    duet_reality reality = {.disturbances = 0};
    duet_context whole = *context; // a deadline that is over does not stop it
    whole.deadline_ns = INT64_MAX;
    whole.cancel = whole.halt = NULL;
    whole.reality = &reality;
    duet_code code = duet_reality_create(instance, &reality, &watch, error);
    if (code == DUET_OK) {
        duet_reality_reset(&reality, instance);
        code = duet_solution_hold_placements(early, error);
    }
    DUET_THEN(code, duet_replay(&whole, plan, DUET_KEEP_ORDER, early, error));
    duet_reality_free(&reality);
    return code;
}

static bool replay(const duet_instance *instance, const duet_context *context,
                   duet_solution *solution)
{
    duet_error why = DUET_ERROR_INIT;
    duet_solution *early = NULL;
    if (duet_solution_create_blank(solution->tasks, &early, &why) != DUET_OK) {
        return false;
    }
    bool done = carry_out(instance, context, solution, early, &why) == DUET_OK;
    if (done) {
        memcpy(solution->placement, early->placement,
               (size_t)solution->tasks * sizeof *solution->placement);
    }
    duet_solution_free(early);
    return done;
}

// --- other tasks ---------------------------------------------------------------------------------

typedef struct planned {
    int64_t start, time;
    int32_t position; // in a topological order
    int32_t task;
} planned;

typedef struct shift {
    duet_arena arena; // It holds the arrays.
    const duet_instance *instance;
    duet_solution *solution;
    planned *task;                    // in the order of starts
    int64_t *end;                     // of a task
    int64_t *free_at;                 // of a processor
    size_t first[DUET_MAX_TYPES + 1]; // processor of a type
} shift;

// Of tasks that start together those that take no time come first, predecessors before others.
static int by_start(const void *left, const void *right)
{
    const planned *a = left;
    const planned *b = right;
    return 4 * duet_order(a->start, b->start) + 2 * duet_order(a->time, b->time) +
           duet_order(a->position, b->position);
}

static duet_code create(shift *s, duet_error *error)
{
    const duet_instance *instance = s->instance;
    size_t tasks = (size_t)s->solution->tasks;
    for (size_t t = 0; t < instance->types; t++) {
        s->first[t + 1] = s->first[t] + (size_t)instance->processors[t];
    }
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(s->task, tasks + 1),
                                       DUET_ARENA_ARRAY(s->end, tasks + 1),
                                       DUET_ARENA_ARRAY(s->free_at, s->first[instance->types] + 1)};
    DUET_TRY(duet_arena_create(&s->arena, arrays, sizeof arrays / sizeof *arrays, error));
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t p = 0; p < instance->busy_count[t]; p++) {
            s->free_at[s->first[t] + (size_t)p] = instance->busy[t][p];
        }
    }
    return DUET_OK;
}

static duet_code read_plan(shift *s, duet_error *error)
{
    const duet_instance *instance = s->instance;
    int32_t *order = NULL;
    if (instance->graph != NULL) {
        order = duet_graph_order(instance->graph, error);
        DUET_NEED(order);
    }
    for (int64_t i = 0; i < s->solution->tasks; i++) {
        int64_t j = order == NULL ? i : order[i];
        int64_t start = s->solution->placement[j].start;
        s->end[j] = duet_solution_end(s->solution, instance, j);
        s->task[i] = (planned){start, s->end[j] - start, (int32_t)i, (int32_t)j};
    }
    duet_free(order);
    qsort(s->task, (size_t)s->solution->tasks, sizeof *s->task, by_start);
    return DUET_OK;
}

// When what a task waits for is there, but for its processors.
static int64_t arrival(const shift *s, int64_t task, duet_processor_set set)
{
    const duet_graph *graph = s->instance->graph;
    int64_t latest = duet_release(s->instance, duet_instance_kind_of(s->instance, task));
    for (int64_t at = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        int32_t before = graph->tail[edge];
        duet_processor_range one;
        duet_processor_set from = duet_solution_set(s->solution, before, &one);
        int64_t there = s->end[before] + duet_moldable_transfer(s->instance, edge, from, set);
        latest = duet_max(there, latest);
    }
    return latest;
}

static void start_task(shift *s, const planned *task)
{
    duet_processor_range one;
    duet_processor_set set = duet_solution_set(s->solution, task->task, &one);
    int64_t start = arrival(s, task->task, set);
    for (size_t i = 0; i < set.count; i++) {
        int64_t *free_at = s->free_at + s->first[set.range[i].type];
        for (int64_t p = set.range[i].first; p <= set.range[i].last; p++) {
            start = duet_max(free_at[p], start);
        }
    }
    DUET_ASSERT(start <= task->start);
    s->solution->placement[task->task].start = start;
    s->end[task->task] = start + task->time;
    for (size_t i = 0; i < set.count; i++) {
        int64_t *free_at = s->free_at + s->first[set.range[i].type];
        for (int64_t p = set.range[i].first; p <= set.range[i].last; p++) {
            free_at[p] = start + task->time;
        }
    }
}

// False, and nothing is changed: there is no memory.
static bool shift_left(const duet_instance *instance, duet_solution *solution)
{
    duet_error why = DUET_ERROR_INIT;
    shift s = {.instance = instance, .solution = solution};
    duet_code code = create(&s, &why);
    DUET_THEN(code, read_plan(&s, &why));
    for (int64_t i = 0; i < solution->tasks && code == DUET_OK; i++) {
        start_task(&s, &s.task[i]);
    }
    duet_arena_free(&s.arena);
    return code == DUET_OK;
}

void duet_start_early(const duet_instance *instance, const duet_context *context,
                      duet_solution *solution)
{
    bool replays = instance->graph != NULL && instance->moldable == NULL;
    solution->aborted_count = 0; // what is given up does not help those who know all times
    if (is_meant(instance, solution) &&
        (replays ? replay(instance, context, solution) : shift_left(instance, solution))) {
        duet_solution_finish(solution, instance);
    }
}
