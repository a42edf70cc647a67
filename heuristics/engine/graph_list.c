// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/graph_list.h"

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/arrivals.h"
#include "heuristics/engine/finish.h"

const duet_option_spec duet_graph_list_options[] = {
    DUET_OPTION_GRAPH_TIES, DUET_OPTION_TOPO, {.name = NULL}};

// --- where a task may go -------------------------------------------------------------------------

size_t duet_graph_list_type(const duet_graph_list *list, size_t i)
{
    return list->later_first ? list->instance->types - 1 - i : i;
}

static size_t kind_of(const duet_graph_list *list, int32_t task)
{
    return (size_t)list->kind[task];
}

// Without costs the data are everywhere as soon as the last predecessor ends.
static void await_ends(duet_graph_list *list, int32_t task)
{
    const duet_graph *graph = list->graph;
    int64_t ready = 0;
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int64_t end = list->placed[graph->tail[graph->entering[at]]].end;
        ready = duet_max(end, ready);
    }
    for (size_t t = 0; t < list->instance->types; t++) {
        list->arrival[t] = (duet_arrival){.all = ready, .last = -1};
    }
}

static void await_data(duet_graph_list *list, int32_t task, size_t type)
{
    const duet_graph *graph = list->graph;
    duet_arrivals a = DUET_ARRIVALS_NONE;
    for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
        int32_t edge = graph->entering[at];
        const duet_placed *before = &list->placed[graph->tail[edge]];
        if (before->type >= 0) {
            int64_t cost = duet_graph_cost(graph, edge, (size_t)before->type, type);
            duet_arrivals_add(&a, before->end, cost, before->type, before->processor);
        }
    }
    bool here = a.from == (int32_t)type;
    list->arrival[type] = (duet_arrival){a.all, here ? a.last : -1, duet_arrivals_there(&a)};
}

void duet_graph_list_await(duet_graph_list *list, int32_t task)
{
    bool costs = list->graph->transfer != NULL;
    int64_t release = duet_release(list->instance, kind_of(list, task));
    if (!costs) {
        await_ends(list, task);
    }
    for (size_t t = 0; t < list->instance->types; t++) {
        if (costs) {
            await_data(list, task, t);
        }
        list->arrival[t].all = duet_max(release, list->arrival[t].all);
        list->arrival[t].there = duet_max(release, list->arrival[t].there);
    }
}

duet_choice duet_graph_list_choice_on(const duet_graph_list *list, int32_t task, size_t type,
                                      int32_t processor)
{
    const duet_arrival *arrival = &list->arrival[type];
    int64_t time = duet_time(list->instance, kind_of(list, task), type);
    int64_t from = processor == arrival->last ? arrival->there : arrival->all;
    int64_t start = duet_timeline_earliest(&list->machine[type].timeline[processor], from, time);
    return (duet_choice){start, start + time, processor, (int32_t)type};
}

duet_choice duet_graph_list_earliest_on(const duet_graph_list *list, int32_t task, size_t type)
{
    const duet_arrival *arrival = &list->arrival[type];
    int64_t time = duet_time(list->instance, kind_of(list, task), type);
    duet_slot first = duet_insertion_earliest(&list->machine[type], arrival->all, time);
    duet_choice best = {first.start, first.start + time, first.processor, (int32_t)type};
    if (arrival->last >= 0 && arrival->there < arrival->all) {
        duet_choice there = duet_graph_list_choice_on(list, task, type, arrival->last);
        if (there.start < best.start ||
            (there.start == best.start && there.processor < best.processor)) {
            best = there;
        }
    }
    return best;
}

bool duet_graph_list_stops(duet_graph_list *list)
{
    list->interrupted = list->interrupted || duet_context_stop(list->context);
    return list->interrupted;
}

duet_choice duet_graph_list_earliest(const duet_graph_list *list, int32_t task)
{
    const duet_instance *instance = list->instance;
    size_t kind = kind_of(list, task);
    duet_choice best = {.end = INT64_MAX, .type = -1};
    for (size_t i = 0; i < instance->types; i++) {
        size_t type = duet_graph_list_type(list, i);
        if (!duet_allowed(instance, kind, type)) {
            continue;
        }
        // No processor of the type has the data before this.
        const duet_arrival *arrival = &list->arrival[type];
        int64_t from = arrival->last >= 0 ? arrival->there : arrival->all;
        if (from + duet_time(instance, kind, type) < best.end) {
            duet_choice choice = duet_graph_list_earliest_on(list, task, type);
            best = choice.end < best.end ? choice : best;
        }
    }
    DUET_ASSERT(best.type >= 0);
    return best;
}

duet_code duet_graph_list_place(duet_graph_list *list, int32_t task, const duet_choice *choice,
                                duet_error *error)
{
    list->placed[task] = (duet_placed){choice->end, choice->processor, choice->type};
    return duet_insertion_add(&list->machine[choice->type],
                              (duet_slot){choice->start, choice->processor},
                              choice->end - choice->start, error);
}

// --- the list ------------------------------------------------------------------------------------

void duet_graph_list_weigh(const duet_graph_list *list, const duet_means *means, duet_rank *weight)
{
    const duet_instance *instance = list->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        duet_rank mean = duet_mean_of(means, i, &instance->times[i * instance->types]);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            weight[j] = mean;
        }
    }
}

duet_code duet_graph_list_rank_mean(duet_graph_list *list, duet_mean which, duet_error *error)
{
    duet_means means;
    duet_code code = duet_means_create(list->instance, list->kind, which, &means, error);
    if (code == DUET_OK) {
        duet_graph_list_weigh(list, &means, list->rank);
        duet_ranks_upward(list->graph, &means, list->order, list->rank);
    }
    duet_means_free(&means);
    return code;
}

// A graph of `tasks` tasks without edges.
static duet_code make_empty_graph(int64_t tasks, duet_graph *empty, duet_error *error)
{
    *empty = (duet_graph){.tasks = tasks};
    empty->leave_at = duet_alloc((size_t)tasks + 1, sizeof *empty->leave_at, error);
    empty->enter_at = empty->leave_at;
    return empty->leave_at == NULL ? DUET_E_MEMORY : DUET_OK;
}

// The processors of a type, those that are busy as if a task ran on them until they are not.
static duet_code create_machine(const duet_instance *instance, size_t type, duet_insertion *machine,
                                duet_error *error)
{
    int64_t busy = instance->busy_count[type];
    DUET_TRY(duet_insertion_create(instance->processors[type], duet_tasks(instance) + busy, machine,
                                   error));
    for (int64_t p = 0; p < busy; p++) {
        DUET_TRY(duet_insertion_add(machine, (duet_slot){0, (int32_t)p}, instance->busy[type][p],
                                    error));
    }
    return DUET_OK;
}

static duet_code list_create(const duet_instance *instance, const duet_graph *graph,
                             duet_graph_list *list, duet_error *error)
{
    int64_t tasks = duet_tasks(instance);
    *list = (duet_graph_list){.instance = instance, .graph = graph};
    list->kind = duet_kinds_of_tasks(instance, error);
    list->order = duet_alloc_raw((size_t)tasks, sizeof *list->order, error);
    list->rank = duet_alloc_raw((size_t)tasks, sizeof *list->rank, error);
    list->placed = duet_alloc_raw((size_t)tasks, sizeof *list->placed, error);
    DUET_NEED(list->kind != NULL && list->order != NULL && list->rank != NULL &&
              list->placed != NULL);
    for (int64_t j = 0; j < tasks; j++) {
        list->placed[j] = (duet_placed){.type = -1};
    }
    for (size_t t = 0; t < instance->types; t++) {
        DUET_TRY(create_machine(instance, t, &list->machine[t], error));
    }
    return DUET_OK;
}

static void list_free(duet_graph_list *list)
{
    duet_free(list->kind);
    duet_free(list->order);
    duet_free(list->rank);
    duet_free(list->placed);
    for (size_t t = 0; t < list->instance->types; t++) {
        duet_insertion_free(&list->machine[t]);
    }
}

// Tasks in the order of falling rank, equal ones in topological order.
static duet_code make_order(const duet_graph_rule *rule, duet_graph_list *list, duet_error *error)
{
    int topo = duet_option_choice(list->context->options, duet_graph_list_options, "topo");
    int64_t sorted = duet_graph_sort(list->graph, (duet_topological)topo, list->order, error);
    if (sorted < 0) {
        return DUET_E_MEMORY;
    }
    DUET_ASSERT(sorted == list->graph->tasks);
    duet_code code = rule->rank(list, error);
    DUET_THEN(code, duet_ranks_sort(list->rank, list->graph->tasks, list->order, error));
    duet_free(list->rank);
    list->rank = NULL;
    return code;
}

// --- the schedule --------------------------------------------------------------------------------

static duet_code schedule_task(const duet_graph_rule *rule, duet_graph_list *list, int32_t task,
                               duet_solution *solution, duet_error *error)
{
    duet_choice choice;
    duet_code code = DUET_OK;
    duet_graph_list_await(list, task);
    if (rule->choose == NULL) {
        choice = duet_graph_list_earliest(list, task);
    } else {
        code = rule->choose(list, task, &choice, error);
    }
    if (code == DUET_OK) {
        solution->placement[task] = (duet_placement){choice.start, choice.processor, choice.type};
        code = duet_graph_list_place(list, task, &choice, error);
    }
    return code;
}

static duet_code schedule_in_order(const duet_graph_rule *rule, duet_graph_list *list,
                                   duet_solution *solution, duet_error *error)
{
    for (int64_t i = 0; i < list->graph->tasks; i++) {
        DUET_TRY(schedule_task(rule, list, list->order[i], solution, error));
    }
    return DUET_OK;
}

static bool comes_first(const void *none, int32_t a, int32_t b)
{
    (void)none;
    return a < b;
}

DUET_HEAP(positions, int32_t, void, comes_first)

// Ready tasks wait by their position in the order.
typedef struct ready_list {
    int32_t *position; // of each task
    int32_t *missing;  // predecessors without a place, of each task
    int32_t *heap;
    size_t count;
} ready_list;

static void release(const duet_graph *graph, ready_list *ready, int32_t task)
{
    for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
        int32_t head = graph->head[graph->leaving[at]];
        if (--ready->missing[head] == 0) {
            positions_push(NULL, ready->heap, &ready->count, ready->position[head]);
        }
    }
}

static duet_code schedule_ready(const duet_graph_rule *rule, duet_graph_list *list,
                                ready_list *ready, duet_solution *solution, duet_error *error)
{
    const duet_graph *graph = list->graph;
    for (int64_t i = 0; i < graph->tasks; i++) {
        int32_t task = list->order[i];
        ready->position[task] = (int32_t)i;
        ready->missing[task] = (int32_t)(graph->enter_at[task + 1] - graph->enter_at[task]);
        if (ready->missing[task] == 0) {
            positions_push(NULL, ready->heap, &ready->count, (int32_t)i);
        }
    }
    duet_code code = DUET_OK;
    while (ready->count > 0 && code == DUET_OK) {
        int32_t task = list->order[positions_pop(NULL, ready->heap, &ready->count)];
        code = schedule_task(rule, list, task, solution, error);
        release(graph, ready, task);
    }
    return code;
}

static duet_code schedule_ready_first(const duet_graph_rule *rule, duet_graph_list *list,
                                      duet_solution *solution, duet_error *error)
{
    size_t tasks = (size_t)list->graph->tasks;
    ready_list ready = {.count = 0};
    ready.position = duet_alloc_raw(tasks, sizeof *ready.position, error);
    ready.missing = duet_alloc_raw(tasks, sizeof *ready.missing, error);
    ready.heap = duet_alloc_raw(tasks, sizeof *ready.heap, error);
    duet_code code = DUET_E_MEMORY;
    if (ready.position != NULL && ready.missing != NULL && ready.heap != NULL) {
        code = schedule_ready(rule, list, &ready, solution, error);
    }
    duet_free(ready.position);
    duet_free(ready.missing);
    duet_free(ready.heap);
    return code;
}

// Whether the later of two types wins a tie. The rules of task graphs on three and more types are
// published with the processors in one row, of which the first wins; on two types, and where tasks
// are independent, ties go to the GPU.
static bool later_type_wins(const duet_instance *instance, const duet_graph *graph,
                            const duet_options *options)
{
    if (instance->types > 2 && graph->edges > 0 && !duet_option_given(options, "ties")) {
        return false;
    }
    return duet_option_choice(options, duet_graph_list_options, "ties") == DUET_TIES_GPU;
}

static duet_code run_on(const duet_graph_rule *rule, const duet_graph *graph,
                        const duet_instance *instance, const duet_context *context,
                        duet_solution *solution, duet_error *error)
{
    duet_graph_list list;
    duet_code code = list_create(instance, graph, &list, error);
    list.context = context;
    list.later_first = later_type_wins(instance, graph, context->options);
    DUET_THEN(code, make_order(rule, &list, error));
    if (code == DUET_OK && rule->begin != NULL) {
        code = rule->begin(&list, error);
    }
    DUET_THEN(code, rule->ready_first ? schedule_ready_first(rule, &list, solution, error)
                                      : schedule_in_order(rule, &list, solution, error));
    if (rule->counter != NULL) {
        duet_solution_count(solution, rule->counter, list.counted);
    }
    solution->interrupted = list.interrupted;
    if (rule->end != NULL) {
        rule->end(&list);
    }
    list_free(&list);
    return code;
}

duet_code duet_graph_list_run(const duet_graph_rule *rule, const duet_instance *instance,
                              const duet_context *context, duet_solution *solution,
                              duet_error *error)
{
    // Per task: kind, order, rank, place, and two items to sort; what rules keep comes on top.
    enum { BYTES_PER_TASK = 80 };
    int64_t tasks = duet_tasks(instance);
    if (tasks > DUET_MAX_GRAPH) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "%lld tasks in a list of ranked tasks: expected at most %lld",
                              (long long)tasks, (long long)DUET_MAX_GRAPH);
    }
    duet_code code = duet_memory_check((uint64_t)tasks, BYTES_PER_TASK, context->memory_limit,
                                       "the list of ranked tasks", error);
    if (code != DUET_OK || instance->graph != NULL) {
        return code == DUET_OK ? run_on(rule, instance->graph, instance, context, solution, error)
                               : code;
    }
    duet_graph empty;
    code = make_empty_graph(tasks, &empty, error);
    DUET_THEN(code, run_on(rule, &empty, instance, context, solution, error));
    duet_free(empty.leave_at);
    return code;
}
