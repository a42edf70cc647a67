// SPDX-License-Identifier: Apache-2.0
// Algorithm: hoft (Heterogeneous Optimistic Finish Time).
// Method:    the optimistic finish time of a task on a type is when it could end there if there
//            were processors enough. A task weighs the larger of its two over the smaller, an edge
//            nothing; the heaviest way to the end comes first. A task goes where it ends first. If
//            that is its slower type, what this saves is compared with what its successors lose
//            from there, each on the type of its smaller optimistic finish time: unless it saves
//            more, the task goes to the faster type. Two types.
// Guarantee: none.
// Cost:      as heuristics/engine/graph_list.h.
// Reference: McSweeney, Walton, Zounon, "An efficient new static scheduling heuristic for
//            accelerated architectures", ICCS 2020. Formula (8) has its bracket the wrong way
//            round: data cost something between different types. (12) has the finish times in both
//            sides; the authors' program compares the saving alone, as here. Where both times are
//            equal it takes the GPU for the faster type, and algorithm 2 of the paper neither. With
//            formula=printed both are as printed.
#include "heuristics/rules/hoft.h"

#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"

enum { TYPES = 2 };

const duet_option_spec duet_hoft_options[] = {
    DUET_OPTION_GRAPH_TIES,
    DUET_OPTION_TOPO,
    {.name = "formula",
     .type = DUET_OPTION_CHOICE,
     .fallback = "program",
     .choices = "program|printed",
     .unit = "",
     .text =
         "what is compared before a task goes to its slower type: as the authors' program does, "
         "or as formula (12) and line 11 of algorithm 2 have it"},
    {.name = NULL}};
enum { FORMULA_PROGRAM };

// How early the data of an edge may be on a type.
static int64_t optimistic_arrival(const duet_graph *graph, int64_t edge, const int64_t *finish,
                                  size_t type)
{
    int64_t earliest = INT64_MAX;
    for (size_t a = 0; a < TYPES; a++) {
        if (finish[a] < INT64_MAX) {
            int64_t cost = a == type ? 0 : duet_graph_cost(graph, edge, a, type);
            earliest = duet_min(finish[a] + cost, earliest);
        }
    }
    return earliest;
}

static void set_optimistic(const duet_graph_list *list, int32_t task, int64_t *finish)
{
    const duet_graph *graph = list->graph;
    size_t kind = (size_t)list->kind[task];
    for (size_t t = 0; t < TYPES; t++) {
        if (!duet_allowed(list->instance, kind, t)) {
            finish[TYPES * (size_t)task + t] = INT64_MAX;
            continue;
        }
        int64_t ready = 0;
        for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
            int32_t edge = graph->entering[at];
            const int64_t *before = &finish[TYPES * (size_t)graph->tail[edge]];
            int64_t arrival = optimistic_arrival(graph, edge, before, t);
            ready = duet_max(arrival, ready);
        }
        finish[TYPES * (size_t)task + t] = ready + duet_time(list->instance, kind, t);
    }
}

duet_code duet_hoft_prepare(duet_graph_list *list, duet_error *error)
{
    int64_t *finish = duet_alloc_raw((size_t)list->graph->tasks, TYPES * sizeof *finish, error);
    list->own = finish;
    for (int64_t i = 0; i < list->graph->tasks && finish != NULL; i++) {
        set_optimistic(list, list->order[i], finish);
    }
    return finish == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_hoft_end(duet_graph_list *list)
{
    duet_free(list->own);
}

// The type of the smaller optimistic finish time; the GPU at equal ones.
static size_t optimistic_type(const int64_t *finish)
{
    return finish[0] < finish[1] ? 0 : 1;
}

// How long after the task's end on a type the last of its successors would end.
static int64_t successors_end(const duet_graph_list *list, int32_t task, size_t type)
{
    const duet_graph *graph = list->graph;
    const int64_t *finish = list->own;
    int64_t latest = 0;
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
        int32_t edge = graph->leaving[at];
        int32_t head = graph->head[edge];
        size_t to = optimistic_type(&finish[TYPES * (size_t)head]);
        int64_t after = duet_graph_cost(graph, edge, type, to) +
                        duet_time(list->instance, (size_t)list->kind[head], to);
        latest = duet_max(after, latest);
    }
    return latest;
}

duet_code duet_hoft_choose(duet_graph_list *list, int32_t task, duet_choice *choice,
                           duet_error *error)
{
    (void)error;
    const duet_instance *instance = list->instance;
    size_t kind = (size_t)list->kind[task];
    *choice = duet_graph_list_earliest(list, task);
    size_t first = (size_t)choice->type;
    size_t other = 1 - first;
    if (!duet_allowed(instance, kind, other)) {
        return DUET_OK;
    }
    const duet_options *given = list->context->options;
    bool printed = duet_option_choice(given, duet_hoft_options, "formula") != FORMULA_PROGRAM;
    int64_t cpu = duet_time(instance, kind, 0);
    int64_t gpu = duet_time(instance, kind, 1);
    if (first == (cpu < gpu ? 0 : 1) || (printed && cpu == gpu)) {
        return DUET_OK;
    }
    duet_choice there = duet_graph_list_earliest_on(list, task, other);
    int64_t saved = there.end - choice->end;
    int64_t lost = successors_end(list, task, first) - successors_end(list, task, other);
    if ((printed ? 2 : 1) * saved <= lost) {
        *choice = there;
        list->counted++;
    }
    return DUET_OK;
}

// The larger optimistic finish time over the smaller one, which counts as one tick where it is 0; 1
// where they are equal or there is only one.
static duet_rank weight_of(const int64_t *finish)
{
    int64_t least = duet_min(finish[0], finish[1]);
    int64_t most = duet_max(finish[0], finish[1]);
    if (most == least || most == INT64_MAX) {
        return (duet_rank)1 << DUET_RANK_BITS;
    }
    return duet_rank_of((duet_uint128)most, (duet_uint128)(least > 0 ? least : 1));
}

void duet_hoft_rank(duet_graph_list *list)
{
    const int64_t *finish = list->own;
    for (int64_t j = 0; j < list->graph->tasks; j++) {
        list->rank[j] = weight_of(&finish[TYPES * (size_t)j]);
    }
    duet_ranks_upward(list->graph, NULL, list->order, list->rank);
}

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    DUET_TRY(duet_hoft_prepare(list, error));
    duet_hoft_rank(list);
    return DUET_OK;
}

static const duet_graph_rule rule = {
    .rank = rank, .choose = duet_hoft_choose, .end = duet_hoft_end, .counter = DUET_HOFT_COUNTER};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_hoft = {
    .entry =
        {.name = "hoft",
         .summary =
             "by optimistic finish times; a slower type only where that saves more than it costs",
         .reference = "McSweeney, Walton, Zounon, ICCS 2020",
         .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS,
         .options = duet_hoft_options},
    .run = run,
};
