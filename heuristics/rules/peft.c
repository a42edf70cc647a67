// SPDX-License-Identifier: Apache-2.0
// Algorithm: peft (Predict Earliest Finish Time).
// Method:    the optimistic cost of a task on a type is the time from its end there to the end of
//            all, if there were processors enough. Of the ready tasks the one of largest mean
//            optimistic cost goes where its end plus that cost is least. Any number of types. The
//            paper takes the mean cost of an edge between different processors; here it is that of
//            the two types, and 0 within a type.
// Guarantee: none.
// Cost:      O(edges Q^2) time and O(tasks Q) memory for the costs, O(tasks log tasks) time for the
//            ready tasks; else as heuristics/engine/graph_list.h.
// Reference: Arabnejad, Barbosa, "List scheduling algorithm for heterogeneous systems by an
//            optimistic cost table", IEEE TPDS 25(3), 2014.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/graph_list.h"
#include "heuristics/heuristics.h"

// The least time from the end of an edge's first task on a type to the end of all, through the
// second one.
static int64_t cost_through(const duet_graph_list *list, int64_t edge, size_t type,
                            const int64_t *optimistic)
{
    const duet_instance *instance = list->instance;
    int32_t head = list->graph->head[edge];
    size_t kind = (size_t)list->kind[head];
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            int64_t cost = optimistic[(size_t)head * instance->types + t] +
                           duet_time(instance, kind, t) +
                           (t == type ? 0 : duet_graph_cost(list->graph, edge, type, t));
            least = duet_min(cost, least);
        }
    }
    return least;
}

static void set_costs(const duet_graph_list *list, int64_t *optimistic)
{
    const duet_graph *graph = list->graph;
    size_t types = list->instance->types;
    for (int64_t i = graph->tasks; i-- > 0;) {
        int32_t task = list->order[i];
        for (size_t t = 0; t < types; t++) {
            int64_t most = 0;
            for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
                int64_t cost = cost_through(list, graph->leaving[at], t, optimistic);
                most = duet_max(cost, most);
            }
            optimistic[(size_t)task * types + t] = most;
        }
    }
}

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    size_t types = list->instance->types;
    int64_t *optimistic =
        duet_alloc_raw((size_t)list->graph->tasks, types * sizeof *optimistic, error);
    list->own = optimistic;
    DUET_NEED(optimistic);
    set_costs(list, optimistic);
    duet_means means;
    duet_code code =
        duet_means_create(list->instance, list->kind, DUET_MEAN_PROCESSORS, &means, error);
    for (int64_t j = 0; j < list->graph->tasks && code == DUET_OK; j++) {
        list->rank[j] = duet_mean_of(&means, (size_t)list->kind[j], &optimistic[(size_t)j * types]);
    }
    duet_means_free(&means);
    return code;
}

static duet_code choose(duet_graph_list *list, int32_t task, duet_choice *choice, duet_error *error)
{
    (void)error;
    const duet_instance *instance = list->instance;
    const int64_t *optimistic = (const int64_t *)list->own + (size_t)task * instance->types;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < instance->types; i++) {
        size_t type = duet_graph_list_type(list, i);
        if (duet_allowed(instance, (size_t)list->kind[task], type)) {
            duet_choice here = duet_graph_list_earliest_on(list, task, type);
            if (here.end + optimistic[type] < least) {
                least = here.end + optimistic[type];
                *choice = here;
            }
        }
    }
    return DUET_OK;
}

static void end(duet_graph_list *list)
{
    duet_free(list->own);
}

static const duet_graph_rule rule = {
    .rank = rank, .choose = choose, .end = end, .ready_first = true};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_peft = {
    .entry =
        {.name = "peft",
         .summary =
             "by a table of optimistic costs to the end, each where its end plus that is least",
         .reference = "Arabnejad, Barbosa, IEEE TPDS 25(3), 2014",
         .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
         .options = duet_graph_list_options},
    .run = run,
};
