// SPDX-License-Identifier: Apache-2.0
// Tasks are known by their place in the plan, so that the first one is the one with the lowest
// number. The order of places is one in which the plan can be carried out: a predecessor starts
// earlier, or at the same instant and ends earlier, or both take no time and it is before in a
// topological order. So whatever list a task is in, the first of all that have not ended can run.
#include "heuristics/engine/replay.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/system/arena.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/crew.h"

static bool lower(const void *none, int32_t a, int32_t b)
{
    (void)none;
    return a < b;
}

DUET_HEAP(places, int32_t, void, lower)

// Tasks by their places: a heap, but for ready tasks whose data take time.
typedef struct bag {
    int32_t *place;
    size_t count;
} bag;

typedef struct replay {
    duet_arena arena; // It holds the arrays.
    duet_reality *reality;
    duet_keep keep;
    duet_crew crew;
    bool costs;       // data take time
    int32_t *task_at; // by place
    int32_t *place;   // of a task
    int32_t *planned; // the planned type of a task
    bool *ready;      // of a task: its predecessors have ended

    // Order: what each worker still has to start, its planned time, and whether it is gone; and
    // tasks whose processor is gone.
    bag *list;
    int64_t *work;
    bool *gone;
    bag homeless;
    // Allocation: the ready tasks of each type.
    bag waiting[DUET_MAX_TYPES];
} replay;

static duet_code add(bag *b, int32_t place, duet_error *error)
{
    DUET_TRY(duet_vec_grow(b->place, b->count, error));
    places_push(NULL, b->place, &b->count, place);
    return DUET_OK;
}

static int64_t planned_time(const replay *r, int64_t task, size_t type)
{
    return duet_time(&r->reality->platform, (size_t)r->crew.kind[task], type);
}

// The planned type of a task, or where it takes least once that one has lost all processors.
static size_t type_of(const replay *r, int64_t task)
{
    size_t type = (size_t)r->planned[task];
    return r->reality->platform.processors[type] > 0
               ? type
               : duet_reality_refuge(r->reality, (size_t)r->crew.kind[task]);
}

// --- order ---------------------------------------------------------------------------------------

static duet_code give(replay *r, size_t worker, int64_t task, duet_error *error)
{
    r->work[worker] += planned_time(r, task, duet_workers_type(&r->crew.workers, worker));
    return add(&r->list[worker], r->place[task], error);
}

// What a worker still has to do as planned.
static int64_t work_of(const replay *r, size_t worker)
{
    const duet_workers *workers = &r->crew.workers;
    const duet_worker *held = &workers->worker[worker];
    int64_t rest = held->busy && held->end > workers->now ? held->end - workers->now : 0;
    return r->work[worker] + rest;
}

// Gives a task whose processor is gone to another one.
static duet_code rehouse(replay *r, int64_t task, duet_error *error)
{
    size_t type = type_of(r, task);
    size_t begin = r->crew.worker_at[type];
    size_t best = SIZE_MAX;
    for (size_t w = begin; w < begin + r->crew.busy[type].count; w++) {
        if (!r->gone[w] && (best == SIZE_MAX || work_of(r, w) < work_of(r, best))) {
            best = w;
        }
    }
    DUET_ASSERT(best != SIZE_MAX);
    return give(r, best, task, error);
}

// A worker starts its next task if that is ready.
static duet_code start_next(replay *r, size_t worker, duet_error *error)
{
    bag *list = &r->list[worker];
    const duet_worker *held = &r->crew.workers.worker[worker];
    if (held->busy || list->count == 0 ||
        !duet_crew_processor_is_idle(&r->crew, (size_t)held->type, (size_t)held->processor) ||
        !r->ready[r->task_at[list->place[0]]]) {
        return DUET_OK;
    }
    int64_t task = r->task_at[places_pop(NULL, list->place, &list->count)];
    size_t type = (size_t)held->type;
    size_t processor = (size_t)held->processor;
    r->work[worker] -= planned_time(r, task, type);
    int64_t start = duet_crew_arrival(&r->crew, task, type, processor);
    return duet_crew_start_at(&r->crew, type, processor, task, start, error);
}

static duet_code act_in_order(replay *r, duet_error *error)
{
    while (r->homeless.count > 0) {
        int32_t place = places_pop(NULL, r->homeless.place, &r->homeless.count);
        DUET_TRY(rehouse(r, r->task_at[place], error));
    }
    for (size_t w = 0; w < r->crew.workers.count; w++) {
        DUET_TRY(start_next(r, w, error));
    }
    return DUET_OK;
}

// --- allocation ----------------------------------------------------------------------------------

// The rule is to look again when the data of a ready task are on some processor of its type.
static duet_code wake_for(replay *r, int64_t task, size_t type, duet_error *error)
{
    const duet_graph *graph = r->crew.waits.graph;
    const duet_placement *placement = r->crew.workers.solution->placement;
    DUET_TRY(duet_crew_wake(&r->crew, duet_crew_arrival(&r->crew, task, type, SIZE_MAX), error));
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        const duet_placement *before = &placement[graph->tail[graph->entering[at]]];
        if ((size_t)before->type == type) {
            size_t processor = (size_t)before->processor;
            int64_t there = duet_crew_arrival(&r->crew, task, type, processor);
            DUET_TRY(duet_crew_wake(&r->crew, there, error));
        }
    }
    return DUET_OK;
}

static duet_code await(replay *r, int64_t task, duet_error *error)
{
    size_t type = type_of(r, task);
    duet_code code = add(&r->waiting[type], r->place[task], error);
    return code == DUET_OK && r->costs ? wake_for(r, task, type, error) : code;
}

// Takes the first task whose data are on a processor; -1: no task waits there.
static int64_t take_arrived(replay *r, size_t type, size_t processor)
{
    bag *waiting = &r->waiting[type];
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < waiting->count; i++) {
        int64_t task = r->task_at[waiting->place[i]];
        if ((best == SIZE_MAX || waiting->place[i] < waiting->place[best]) &&
            duet_crew_arrival(&r->crew, task, type, processor) <= r->crew.workers.now) {
            best = i;
        }
    }
    if (best == SIZE_MAX) {
        return -1;
    }
    int64_t task = r->task_at[waiting->place[best]];
    waiting->place[best] = waiting->place[--waiting->count];
    return task;
}

static int64_t take_first(replay *r, size_t type)
{
    bag *waiting = &r->waiting[type];
    return waiting->count == 0 ? -1 : r->task_at[places_pop(NULL, waiting->place, &waiting->count)];
}

static duet_code serve_type(replay *r, size_t type, duet_error *error)
{
    for (size_t p = 0; p < r->crew.busy[type].count && r->waiting[type].count > 0 &&
                       duet_crew_is_idle(&r->crew, type);
         p++) {
        if (duet_crew_processor_is_idle(&r->crew, type, p)) {
            int64_t task = r->costs ? take_arrived(r, type, p) : take_first(r, type);
            if (task >= 0) {
                DUET_TRY(duet_crew_start_at(&r->crew, type, p, task, r->crew.workers.now, error));
            }
        }
    }
    return DUET_OK;
}

// --- the rule of the crew ------------------------------------------------------------------------

static duet_code join(void *rule, int64_t task, duet_error *error)
{
    replay *r = rule;
    bool again = r->ready[task];
    r->ready[task] = true;
    if (r->keep == DUET_KEEP_ALLOCATION) {
        return await(r, task, error);
    }
    return again ? add(&r->homeless, r->place[task], error) : DUET_OK;
}

static duet_code act(void *rule, duet_error *error)
{
    replay *r = rule;
    if (r->keep == DUET_KEEP_ORDER) {
        return act_in_order(r, error);
    }
    for (size_t t = 0; t < r->reality->platform.types; t++) {
        DUET_TRY(serve_type(r, t, error));
    }
    return DUET_OK;
}

// Moves what waits in one bag to the homeless, or to where it may run now.
static duet_code lose(void *rule, size_t type, size_t processor, duet_error *error)
{
    replay *r = rule;
    duet_code code = DUET_OK;
    if (r->keep == DUET_KEEP_ORDER) {
        size_t worker = r->crew.worker_at[type] + processor;
        bag *list = &r->list[worker];
        r->gone[worker] = true;
        while (list->count > 0 && code == DUET_OK) {
            code = add(&r->homeless, list->place[--list->count], error);
        }
    } else if (r->reality->platform.processors[type] == 0) {
        bag *waiting = &r->waiting[type];
        while (waiting->count > 0 && code == DUET_OK) {
            code = await(r, r->task_at[waiting->place[--waiting->count]], error);
        }
    }
    return code;
}

// --- the plan ------------------------------------------------------------------------------------

typedef struct planned_run {
    int64_t start;
    int64_t end;
    int32_t position; // in a topological order
    int32_t task;
} planned_run;

static int compare_runs(const void *left, const void *right)
{
    const planned_run *a = left;
    const planned_run *b = right;
    return 4 * duet_order(a->start, b->start) + 2 * duet_order(a->end, b->end) +
           duet_order(a->position, b->position);
}

// Where each task stands in a topological order; without edges, its index.
static duet_code number_tasks(const duet_instance *instance, planned_run *runs, duet_error *error)
{
    int64_t tasks = duet_tasks(instance);
    int32_t *order = NULL;
    if (instance->graph != NULL) {
        order = duet_alloc_raw((size_t)tasks, sizeof *order, error);
        if (order == NULL ||
            duet_graph_sort(instance->graph, DUET_TOPOLOGICAL_SMALLEST, order, error) < 0) {
            duet_free(order);
            return DUET_E_MEMORY;
        }
    }
    for (int64_t i = 0; i < tasks; i++) {
        runs[order == NULL ? i : order[i]].position = (int32_t)i;
    }
    duet_free(order);
    return DUET_OK;
}

static duet_code read_plan(replay *r, const duet_solution *plan, duet_error *error)
{
    const duet_instance *instance = &r->reality->platform;
    size_t tasks = (size_t)duet_tasks(instance);
    planned_run *runs = duet_alloc(tasks, sizeof *runs, error);
    duet_code code = runs == NULL ? DUET_E_MEMORY : number_tasks(instance, runs, error);
    size_t at = 0;
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        duet_placement placed = duet_solution_place(plan, (int64_t)j, &at);
        r->planned[j] = placed.type;
        runs[j].task = (int32_t)j;
        runs[j].start = placed.start;
        runs[j].end = placed.start + planned_time(r, (int64_t)j, (size_t)placed.type);
    }
    if (code == DUET_OK) {
        qsort(runs, tasks, sizeof *runs, compare_runs);
    }
    at = 0;
    for (size_t i = 0; i < tasks && code == DUET_OK; i++) {
        r->task_at[i] = runs[i].task;
        r->place[runs[i].task] = (int32_t)i;
    }
    for (size_t j = 0; j < tasks && code == DUET_OK && r->keep == DUET_KEEP_ORDER; j++) {
        duet_placement placed = duet_solution_place(plan, (int64_t)j, &at);
        size_t worker = r->crew.worker_at[placed.type] + (size_t)placed.processor;
        code = give(r, worker, (int64_t)j, error);
    }
    duet_free(runs);
    return code;
}

static duet_code create(replay *r, const duet_context *context, const duet_solution *plan,
                        duet_solution *solution, duet_error *error)
{
    const duet_instance *instance = &r->reality->platform;
    size_t tasks = (size_t)duet_tasks(instance);
    DUET_TRY(duet_crew_create(instance, context, NULL, solution, &r->crew, error));
    r->costs = instance->graph != NULL && instance->graph->transfer != NULL;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(r->task_at, tasks),
                                       DUET_ARENA_ARRAY(r->place, tasks),
                                       DUET_ARENA_ARRAY(r->planned, tasks),
                                       DUET_ARENA_ARRAY(r->ready, tasks),
                                       DUET_ARENA_ARRAY(r->list, r->crew.workers.count),
                                       DUET_ARENA_ARRAY(r->work, r->crew.workers.count),
                                       DUET_ARENA_ARRAY(r->gone, r->crew.workers.count)};
    DUET_TRY(duet_arena_create(&r->arena, arrays, sizeof arrays / sizeof *arrays, error));
    return read_plan(r, plan, error);
}

static void destroy(replay *r)
{
    for (size_t w = 0; r->list != NULL && w < r->crew.workers.count; w++) {
        duet_free(r->list[w].place);
    }
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        duet_free(r->waiting[t].place);
    }
    duet_free(r->homeless.place);
    duet_arena_free(&r->arena);
    duet_crew_free(&r->crew);
}

duet_code duet_replay(const duet_context *context, const duet_solution *plan, duet_keep keep,
                      duet_solution *solution, duet_error *error)
{
    static const duet_crew_rule functions = {.join = join, .act = act, .lose = lose};
    replay r = {.reality = context->reality, .keep = keep};
    duet_code code = create(&r, context, plan, solution, error);
    DUET_THEN(code, duet_crew_run(&r.crew, &functions, &r, error));
    destroy(&r);
    return code;
}
