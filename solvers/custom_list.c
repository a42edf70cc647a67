// SPDX-License-Identifier: Apache-2.0
// List scheduling for algorithms of the caller's own: an order, an allocation or a choice of
// processor is theirs, the rest is the library's (duet_work_list(), duet_work_start()).
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/graph_list.h"
#include "heuristics/engine/information.h"
#include "heuristics/engine/ranks.h"
#include "heuristics/rules/rules.h"
#include "solvers/custom_work.h"

// --- a choice of processor -----------------------------------------------------------------------

static duet_code make_free_at(duet_work *work, duet_error *error)
{
    int64_t processors = 0;
    for (size_t t = 0; t < work->instance->types; t++) {
        work->first[t] = processors;
        processors += work->instance->processors[t];
    }
    work->free_at = duet_alloc((size_t)processors, sizeof *work->free_at, error);
    DUET_NEED(work->free_at);
    for (size_t t = 0; t < work->instance->types; t++) {
        for (int64_t p = 0; p < work->instance->processors[t]; p++) {
            work->free_at[work->first[t] + p] = duet_busy_until(work->instance, t, p);
        }
    }
    for (int64_t j = 0; j < duet_tasks(work->instance); j++) {
        if (work->solution->placement[j].type >= 0) {
            duet_work_occupy(work, j);
        }
    }
    return DUET_OK;
}

// When the data of a task are on a processor, from those predecessors that have their places.
static int64_t arrival(const duet_work *work, int64_t task, size_t type, int64_t processor)
{
    const duet_graph *graph = work->instance->graph;
    int64_t ready = 0;
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        const duet_placement *before = &work->solution->placement[graph->tail[edge]];
        if (before->type < 0) {
            continue;
        }
        bool here = before->type == (int32_t)type && before->processor == (int32_t)processor;
        int64_t cost = here ? 0 : duet_graph_cost(graph, edge, (size_t)before->type, type);
        int64_t there = duet_work_end(work, graph->tail[edge]) + cost;
        ready = duet_max(there, ready);
    }
    return ready;
}

static duet_code refuse_moldable(const duet_work *work, duet_error *error)
{
    return work->instance->moldable == NULL
               ? DUET_OK
               : duet_error_set(error, DUET_E_UNSUPPORTED,
                                "list scheduling of custom algorithms is of sequential tasks: "
                                "place moldable ones yourself");
}

duet_code duet_work_start(duet_work *work, int64_t task, size_t type, int64_t processor,
                          int64_t *start, duet_error *error)
{
    *start = 0;
    DUET_TRY(refuse_moldable(work, error));
    DUET_TRY(duet_work_check(work, task, type, processor, 0, error));
    DUET_TRY(work->free_at == NULL ? make_free_at(work, error) : DUET_OK);
    int64_t ready = work->instance->graph == NULL ? 0 : arrival(work, task, type, processor);
    size_t kind = duet_instance_kind_of(work->instance, task);
    ready = duet_max(ready, duet_release(work->instance, kind));
    *start = duet_max(work->free_at[work->first[type] + processor], ready);
    return DUET_OK;
}

// --- a list --------------------------------------------------------------------------------------

// What the rule of the engine finds behind list->context.
typedef struct given_list {
    duet_context context;
    const int64_t *order;
    const size_t *type;
} given_list;

static const given_list *given_of(const duet_graph_list *list)
{
    return (const given_list *)list->context;
}

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    const int64_t *order = given_of(list)->order;
    int64_t tasks = list->graph->tasks;
    int64_t *level = NULL;
    if (order == NULL) {
        DUET_TRY(list->instance->graph == NULL ? DUET_OK
                                               : duet_bottom_levels(list->instance, &level, error));
    }
    for (int64_t i = 0; i < tasks; i++) {
        if (order != NULL) {
            list->rank[order[i]] = (duet_rank)(tasks - i);
        } else {
            size_t kind = (size_t)list->kind[i];
            int64_t own = level != NULL
                              ? level[i]
                              : duet_time(list->instance, kind,
                                          duet_least_time(list->instance, kind, DUET_TIE_EARLIER));
            list->rank[i] = (duet_rank)own;
        }
    }
    duet_free(level);
    return DUET_OK;
}

static duet_code choose_given(duet_graph_list *list, int32_t task, duet_choice *choice,
                              duet_error *error)
{
    (void)error;
    *choice = duet_graph_list_earliest_on(list, task, given_of(list)->type[task]);
    return DUET_OK;
}

static const duet_graph_rule by_order = {.rank = rank, .ready_first = true};
static const duet_graph_rule by_order_and_type = {
    .rank = rank, .choose = choose_given, .ready_first = true};

static duet_code check_order(const int64_t *order, int64_t tasks, duet_error *error)
{
    bool *seen = duet_alloc((size_t)tasks, sizeof *seen, error);
    DUET_NEED(seen);
    duet_code code = DUET_OK;
    for (int64_t i = 0; i < tasks && code == DUET_OK; i++) {
        int64_t task = order[i];
        if (task < 0 || task >= tasks || seen[task]) {
            code = duet_error_set(error, DUET_E_USAGE,
                                  "order[%lld] is %lld: expected every task from 0 to %lld once",
                                  (long long)i, (long long)task, (long long)tasks - 1);
        } else {
            seen[task] = true;
        }
    }
    duet_free(seen);
    return code;
}

static duet_code check_types(const duet_instance *instance, const size_t *type, duet_error *error)
{
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        if (type[j] >= instance->types ||
            !duet_allowed(instance, duet_instance_kind_of(instance, j), type[j])) {
            char id[64];
            duet_instance_task_id(instance, j, id, sizeof id);
            return duet_error_set(error, DUET_E_USAGE,
                                  "task '%s' on type %zu: expected one where it may run", id,
                                  type[j]);
        }
    }
    return DUET_OK;
}

duet_code duet_work_list(duet_work *work, const int64_t *order, const size_t *type,
                         duet_error *error)
{
    const duet_instance *instance = work->instance;
    given_list given = {.context = *work->context, .order = order, .type = type};
    given.context.options = NULL; // those are the custom algorithm's
    DUET_TRY(refuse_moldable(work, error));
    DUET_TRY(order == NULL ? DUET_OK : check_order(order, duet_tasks(instance), error));
    DUET_TRY(type == NULL ? DUET_OK : check_types(instance, type, error));
    const duet_graph_rule *rule = type == NULL ? &by_order : &by_order_and_type;
    return duet_graph_list_run(rule, instance, &given.context, work->solution, error);
}
