// SPDX-License-Identifier: Apache-2.0
#include "solvers/simulation/replanning.h"

#include <stdlib.h>

#include <duet/replan.h>

#include "core/instance/graph.h"
#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/watch.h"

// A task of the plan, as it is now.
typedef struct planned {
    int64_t start;        // planned
    int64_t end;          // as it is expected
    int64_t not_before;   // when it was planned last
    int64_t begins, ends; // really
    int32_t type, processor;
    int32_t rank; // in a topological order
} planned;

typedef struct along {
    const duet_instance *instance;
    const duet_context *context;
    const duet_replanning *how;
    duet_watch watch;
    duet_error *error;
    duet_arena arena;
    int64_t tasks;
    planned *task;
    int32_t *order;
    int64_t *free_at; // of each processor that is used
    size_t first[DUET_MAX_TYPES + 1];
    duet_fix *fix;
    duet_processor_range *range;
} along;

// Sorting needs the tasks: an entry holds what counts.
typedef struct ordered {
    int64_t start, end;
    int32_t rank;
    int32_t task;
} ordered;

static int in_order(const void *left, const void *right)
{
    const ordered *a = left;
    const ordered *b = right;
    return 4 * duet_order(a->start, b->start) + 2 * duet_order(a->end, b->end) +
           duet_order(a->rank, b->rank);
}

// The order in which the plan starts the tasks.
static duet_code sort_tasks(along *a)
{
    ordered *list = duet_alloc((size_t)a->tasks, sizeof *list, a->error);
    DUET_NEED(list);
    for (int64_t j = 0; j < a->tasks; j++) {
        list[j] = (ordered){a->task[j].start, a->task[j].end, a->task[j].rank, (int32_t)j};
    }
    if (a->tasks > 0) {
        qsort(list, (size_t)a->tasks, sizeof *list, in_order);
    }
    for (int64_t i = 0; i < a->tasks; i++) {
        a->order[i] = list[i].task;
    }
    duet_free(list);
    return DUET_OK;
}

// What really happens to the plan as it is.
static void carry_out(along *a)
{
    const duet_instance *instance = a->instance;
    const duet_graph *graph = instance->graph;
    for (size_t t = 0; t < instance->types; t++) {
        for (size_t p = a->first[t]; p < a->first[t + 1]; p++) {
            a->free_at[p] = duet_busy_until(instance, t, (int64_t)(p - a->first[t]));
        }
    }
    for (int64_t i = 0; i < a->tasks; i++) {
        int64_t j = a->order[i];
        planned *at = &a->task[j];
        size_t p = a->first[at->type] + (size_t)at->processor;
        int64_t start = duet_release(instance, duet_instance_kind_of(instance, j));
        start = duet_max(at->not_before, start);
        start = duet_max(a->free_at[p], start);
        for (int64_t k = graph == NULL ? 0 : graph->enter_at[j];
             graph != NULL && k < graph->enter_at[j + 1]; k++) {
            int32_t edge = graph->entering[k];
            const planned *before = &a->task[graph->tail[edge]];
            bool here = before->type == at->type && before->processor == at->processor;
            int64_t cost =
                here ? 0 : duet_graph_cost(graph, edge, (size_t)before->type, (size_t)at->type);
            start = duet_max(before->ends + cost, start);
        }
        at->begins = start;
        at->ends = duet_reality_run(a->context->reality, j, (size_t)at->type, at->processor, start);
        a->free_at[p] = at->ends;
    }
}

// The next instant after `now` at which it is planned again; DUET_FORBIDDEN: there is none, since
// all tasks have begun by then, or all is as planned.
static int64_t next_instant(const along *a, int64_t now)
{
    int64_t last = 0; // start
    int64_t next = DUET_FORBIDDEN;
    for (int64_t j = 0; j < a->tasks; j++) {
        const planned *at = &a->task[j];
        last = duet_max(at->begins, last);
        if (a->how->every == 0 && at->ends > now && at->ends != at->end) {
            next = duet_min(at->ends, next);
        }
    }
    if (a->how->every > 0) {
        next = (now / a->how->every + 1) * a->how->every;
    }
    return next > last ? DUET_FORBIDDEN : next;
}

static duet_code take_plan(along *a, const duet_instance *instance, const duet_solution *plan,
                           int64_t now)
{
    size_t at = 0;
    for (int64_t j = 0; j < a->tasks; j++) {
        planned *task = &a->task[j];
        duet_placement placed = duet_solution_place(plan, j, &at);
        int64_t time = duet_time(instance, duet_instance_kind_of(instance, j), (size_t)placed.type);
        bool begun = now >= 0 && task->begins < now;
        task->start = placed.start;
        task->type = placed.type;
        task->processor = placed.processor;
        task->end = placed.start + time;
        task->not_before = begun || now < 0 ? task->not_before : now;
    }
    return sort_tasks(a);
}

// What has begun is given, and the rest is in the order of the plan.
static void say_plan(along *a, int64_t now)
{
    for (int64_t i = 0; i < a->tasks; i++) {
        int64_t j = a->order[i];
        const planned *at = &a->task[j];
        bool begun = at->begins < now;
        int64_t time =
            duet_time(a->instance, duet_instance_kind_of(a->instance, j), (size_t)at->type);
        int64_t expected = duet_max(at->begins + time, now + 1);
        a->range[j] = (duet_processor_range){at->type, at->processor, at->processor};
        a->fix[j] =
            (duet_fix){j, at->type, &a->range[j], 1, begun ? at->begins : now + i, DUET_FORBIDDEN};
        if (begun) {
            a->fix[j].end = at->ends <= now ? at->ends : expected;
        }
    }
}

static duet_code plan_again(along *a, int64_t now)
{
    duet_instance *given = NULL;
    duet_solution *continued = NULL;
    duet_solution *plan = NULL;
    const duet_params none = DUET_PARAMS_INIT;
    duet_params params = none;
    say_plan(a, now);
    const duet_replan_desc desc = {
        .struct_size = sizeof desc, .now = now, .plan = a->fix, .plans = (size_t)a->tasks};
    duet_code code = duet_replan(a->instance, &desc, &given, &continued, a->error);
    if (code == DUET_OK) {
        params.threads = 1;
        params.seed = a->context->seed;
        params.cancel = a->context->cancel;
        params.start_from = continued;
        params.registry = a->context->registry;
        code = duet_solve(given, a->how->row->entry.name, &params, &plan, a->error);
    }
    DUET_THEN(code, take_plan(a, given, plan, now));
    duet_solution_free(plan);
    duet_solution_free(continued);
    duet_instance_free(given);
    return code;
}

static duet_code rank_tasks(along *a)
{
    int32_t *order = NULL;
    if (a->instance->graph != NULL) {
        order = duet_graph_order(a->instance->graph, a->error);
        DUET_NEED(order);
    }
    for (int64_t i = 0; i < a->tasks; i++) {
        int64_t task = order == NULL ? i : order[i];
        a->task[task].rank = (int32_t)i;
    }
    duet_free(order);
    return DUET_OK;
}

static duet_code allocate(along *a)
{
    size_t tasks = (size_t)a->tasks;
    for (size_t t = 0; t < a->instance->types; t++) {
        int64_t used =
            duet_min(a->instance->processors[t],
                     duet_max(a->context->reality->used[t], a->tasks) + a->instance->busy_count[t]);
        a->first[t + 1] = a->first[t] + (size_t)used;
    }
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(a->task, tasks), DUET_ARENA_ARRAY(a->order, tasks),
        DUET_ARENA_ARRAY(a->fix, tasks), DUET_ARENA_ARRAY(a->range, tasks),
        DUET_ARENA_ARRAY(a->free_at, a->first[a->instance->types])};
    DUET_TRY(duet_arena_create(&a->arena, arrays, sizeof arrays / sizeof *arrays, a->error));
    return rank_tasks(a);
}

duet_code duet_replan_along(const duet_instance *instance, const duet_context *context,
                            const duet_solution *plan, const duet_replanning *how,
                            duet_solution *solution, int64_t *plans, duet_error *error)
{
    along a = {.instance = instance,
               .context = context,
               .how = how,
               .watch = {.context = context},
               .error = error,
               .tasks = duet_tasks(instance)};
    int64_t now = 0;
    *plans = 0;
    duet_code code = allocate(&a);
    DUET_THEN(code, take_plan(&a, instance, plan, -1));
    if (code == DUET_OK) {
        carry_out(&a);
    }
    while (code == DUET_OK && (now = next_instant(&a, now)) != DUET_FORBIDDEN) {
        code = duet_watch_look(&a.watch) ? duet_watch_code(&a.watch, error) : plan_again(&a, now);
        if (code == DUET_OK) {
            carry_out(&a);
            ++*plans;
        }
    }
    for (int64_t j = 0; code == DUET_OK && j < a.tasks; j++) {
        const planned *at = &a.task[j];
        solution->placement[j] = (duet_placement){at->begins, at->processor, at->type};
    }
    duet_arena_free(&a.arena);
    return code;
}
