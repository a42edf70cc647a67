// SPDX-License-Identifier: Apache-2.0
// Algorithm: cpop (Critical Path On a Processor).
// Method:    the priority of a task is the heaviest way through it, where tasks and edges weigh
//            their means. The tasks of one heaviest way, the critical path, all go to one
//            processor, of the type where they take least time in sum and all may run. Of the
//            ready tasks the one of highest priority is next; those off the path go where they end
//            first, as all do where no type may run the whole path. Any number of types.
// Guarantee: none.
// Cost:      O(tasks log tasks) time for the ready tasks; else as heuristics/engine/graph_list.h.
// Reference: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for
//            heterogeneous computing", IEEE TPDS 13(3), 2002.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/graph_list.h"
#include "heuristics/heuristics.h"

typedef struct critical_path {
    bool *on;    // of each task
    size_t type; // of its processor, the first of the type; the number of types: none
} critical_path;

static bool joined(const duet_graph *graph, int32_t from, int32_t to)
{
    int64_t at = graph->enter_at[to];
    while (at < graph->enter_at[to + 1] && graph->tail[graph->entering[at]] != from) {
        at++;
    }
    return at < graph->enter_at[to + 1];
}

// Marks the path and adds up its tasks' times on each type; INT64_MAX where one may not run. Every
// task of highest priority has a predecessor and a successor of the same priority, but for the ends
// of the path, since ranks are exact sums. Of several the first in topological order counts.
static void mark_path(const duet_graph_list *list, critical_path *path, int64_t *work)
{
    const duet_instance *instance = list->instance;
    duet_rank highest = 0;
    for (int64_t j = 0; j < list->graph->tasks; j++) {
        highest = duet_max(list->rank[j], highest);
    }
    int32_t last = -1;
    for (int64_t i = 0; i < list->graph->tasks; i++) {
        int32_t task = list->order[i];
        if (list->rank[task] < highest || (last >= 0 && !joined(list->graph, last, task))) {
            continue;
        }
        size_t kind = (size_t)list->kind[task];
        for (size_t t = 0; t < instance->types; t++) {
            bool counts = work[t] < INT64_MAX && duet_allowed(instance, kind, t);
            work[t] = counts ? work[t] + duet_time(instance, kind, t) : INT64_MAX;
        }
        path->on[task] = true;
        last = task;
    }
}

static duet_code set_priorities(duet_graph_list *list, duet_error *error)
{
    size_t tasks = (size_t)list->graph->tasks;
    duet_means means;
    duet_rank *down = duet_alloc_raw(tasks, sizeof *down, error);
    duet_rank *weight = duet_alloc_raw(tasks, sizeof *weight, error);
    duet_code code =
        duet_means_create(list->instance, list->kind, DUET_MEAN_PROCESSORS, &means, error);
    code = down == NULL || weight == NULL ? DUET_E_MEMORY : code;
    if (code == DUET_OK) {
        duet_graph_list_weigh(list, &means, weight);
        duet_graph_list_weigh(list, &means, down);
        duet_graph_list_weigh(list, &means, list->rank);
        duet_ranks_downward(list->graph, &means, list->order, down);
        duet_ranks_upward(list->graph, &means, list->order, list->rank);
    }
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        list->rank[j] += down[j] - weight[j]; // a task's own weight is in both
    }
    duet_means_free(&means);
    duet_free(weight);
    duet_free(down);
    return code;
}

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    critical_path *path = duet_alloc(1, sizeof *path, error);
    list->own = path;
    DUET_NEED(path);
    path->on = duet_alloc((size_t)list->graph->tasks, sizeof *path->on, error);
    DUET_TRY(path->on == NULL ? DUET_E_MEMORY : set_priorities(list, error));
    int64_t work[DUET_MAX_TYPES] = {0};
    int64_t least = INT64_MAX;
    mark_path(list, path, work);
    path->type = list->instance->types;
    for (size_t i = 0; i < list->instance->types; i++) {
        size_t type = duet_graph_list_type(list, i);
        if (work[type] < least) {
            least = work[type];
            path->type = type;
        }
    }
    return DUET_OK;
}

static duet_code choose(duet_graph_list *list, int32_t task, duet_choice *choice, duet_error *error)
{
    (void)error;
    const critical_path *path = list->own;
    *choice = path->on[task] && path->type < list->instance->types
                  ? duet_graph_list_choice_on(list, task, path->type, 0)
                  : duet_graph_list_earliest(list, task);
    return DUET_OK;
}

static void end(duet_graph_list *list)
{
    critical_path *path = list->own;
    if (path != NULL) {
        duet_free(path->on);
    }
    duet_free(path);
}

static const duet_graph_rule rule = {
    .rank = rank, .choose = choose, .end = end, .ready_first = true};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_cpop = {
    .entry = {.name = "cpop",
              .summary = "heaviest way through a task first, the critical path on one processor",
              .reference = "Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = duet_graph_list_options},
    .run = run,
};
