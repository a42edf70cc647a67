// SPDX-License-Identifier: Apache-2.0
// Reads a task graph for its search; model.h says what there is.
#include "heuristics/graph_search/model.h"

#include <math.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static void count_processors(duet_graph_search_model *model)
{
    for (size_t t = 0; t < model->types; t++) {
        int64_t count = model->instance->processors[t];
        model->begin[t + 1] = model->begin[t] + (int32_t)duet_min(count, model->tasks);
    }
}

// DUET_E_LIMIT where numbers do not fit into 31 bits, or the whole not into memory.
static duet_code check_size(const duet_instance *instance, const duet_context *context,
                            duet_error *error)
{
    // A task: its rows, head and tail here; a list with its ends, checkpoints and the best one. An
    // edge: in both rows. And what allocations take of each task, and of each type of it.
    enum { per_task = 88 + 120 + 80, per_type = 8 + 16, per_edge = 16 };
    duet_uint128 tasks = (duet_uint128)duet_tasks(instance);
    duet_uint128 edges = instance->graph == NULL ? 0 : (duet_uint128)instance->graph->edges;
    duet_uint128 processors = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_uint128 count = (duet_uint128)instance->processors[t];
        processors += duet_min(count, tasks);
    }
    if (tasks >= INT32_MAX || processors >= INT32_MAX) {
        return duet_error_set(error, DUET_E_LIMIT, "more tasks than graph-search can number");
    }
    duet_uint128 bytes =
        tasks * (per_task + instance->types * per_type) + edges * per_edge + processors * 64;
    return duet_memory_check(bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes, 1,
                             context->memory_limit, "the search of a task graph", error);
}

static duet_code allocate(duet_graph_search_model *model, duet_error *error)
{
    size_t tasks = (size_t)model->tasks;
    const duet_graph *graph = model->instance->graph;
    size_t edges = graph == NULL ? 0 : (size_t)graph->edges;
    bool costs = graph != NULL && graph->transfer != NULL;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(model->before_at, tasks + 1),
                                       DUET_ARENA_ARRAY(model->behind_at, tasks + 1),
                                       DUET_ARENA_ARRAY(model->before, edges),
                                       DUET_ARENA_ARRAY(model->behind, edges),
                                       DUET_ARENA_ARRAY(model->time, tasks * model->types),
                                       DUET_ARENA_ARRAY(model->head, tasks),
                                       DUET_ARENA_ARRAY(model->tail, tasks),
                                       DUET_ARENA_ARRAY(model->row, tasks),
                                       DUET_ARENA_ARRAY(model->mirrored_row, tasks),
                                       DUET_ARENA_ARRAY(model->before_table, edges),
                                       DUET_ARENA_ARRAY(model->behind_table, edges)};
    const size_t count = sizeof arrays / sizeof *arrays;
    const size_t of_costs = 2; // The last ones.
    return duet_arena_create(&model->arena, arrays, costs ? count : count - of_costs, error);
}

static void copy_times(duet_graph_search_model *model)
{
    const duet_instance *instance = model->instance;
    int64_t *time = model->time;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            for (size_t t = 0; t < model->types; t++) {
                *time++ = duet_time(instance, i, t);
            }
        }
    }
}

static void copy_edges(duet_graph_search_model *model)
{
    const duet_graph *graph = model->instance->graph;
    for (int32_t j = 0; j < model->tasks; j++) {
        model->before_at[j + 1] = (int32_t)graph->enter_at[j + 1];
        model->behind_at[j + 1] = (int32_t)graph->leave_at[j + 1];
    }
    for (int64_t i = 0; i < graph->edges; i++) {
        model->before[i] = graph->tail[graph->entering[i]];
        model->behind[i] = graph->head[graph->leaving[i]];
        if (model->before_table != NULL) {
            model->before_table[i] = graph->transfer[graph->entering[i]];
            model->behind_table[i] = graph->transfer[graph->leaving[i]];
        }
    }
}

static duet_code measure_ways(duet_graph_search_model *model, duet_error *error)
{
    int32_t *order = duet_graph_order(model->instance->graph, error);
    int64_t *shortest = duet_alloc_raw((size_t)model->tasks, sizeof *shortest, error);
    if (order == NULL || shortest == NULL) {
        duet_free(order);
        duet_free(shortest);
        return DUET_E_MEMORY;
    }
    const duet_instance *instance = model->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t least = duet_shortest_time(instance, i);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            shortest[j] = least;
        }
    }
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t task = order[i];
        for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
            int32_t head = model->behind[at];
            model->head[head] = duet_max(model->head[head], model->head[task] + shortest[task]);
        }
    }
    for (int32_t i = model->tasks; i-- > 0;) {
        int32_t task = order[i];
        for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
            int32_t tail = model->before[at];
            model->tail[tail] = duet_max(model->tail[tail], model->tail[task] + shortest[task]);
        }
    }
    duet_free(order);
    duet_free(shortest);
    return DUET_OK;
}

static void make_rows(duet_graph_search_model *model)
{
    for (int32_t j = 0; j < model->tasks; j++) {
        duet_graph_search_model_task *row = &model->row[j];
        int32_t at = model->before_at[j];
        row->more_end = model->before_at[j + 1];
        for (int32_t i = 0; i < DUET_GRAPH_SEARCH_MODEL_FEW; i++) {
            row->before[i] = at < row->more_end ? model->before[at++] : model->tasks;
        }
        row->more_at = at;
        row->tail = model->tail[j];
    }
}

// --- weights -------------------------------------------------------------------------------------

// The type on which a kind costs least at these weights.
static size_t cheapest(const duet_instance *instance, size_t kind, const double *weight)
{
    size_t found = SIZE_MAX;
    double least = 0;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            double price = weight[t] * (double)duet_time(instance, kind, t);
            if (found == SIZE_MAX || price < least) {
                found = t;
                least = price;
            }
        }
    }
    return found;
}

// Subgradient steps: a type that is asked to do more than the others becomes dearer.
static void weigh_types(duet_graph_search_model *model)
{
    enum { steps = 200 };
    const duet_instance *instance = model->instance;
    double sum[DUET_MAX_TYPES] = {0};
    for (size_t t = 0; t < model->types; t++) {
        model->weight[t] = 1.0;
    }
    for (int step = 1; step <= steps; step++) {
        double load[DUET_MAX_TYPES] = {0};
        double total = 0;
        for (size_t i = 0; i < instance->kinds; i++) {
            size_t t = cheapest(instance, i, model->weight);
            if (t != SIZE_MAX) {
                load[t] += (double)duet_time(instance, i, t) * (double)duet_count(instance, i) /
                           (double)instance->processors[t];
            }
        }
        for (size_t t = 0; t < model->types; t++) {
            total += load[t];
        }
        for (size_t t = 0; t < model->types && total > 0; t++) {
            double excess = load[t] / total - 1.0 / (double)model->types;
            model->weight[t] *= exp(2.0 * excess / sqrt(step));
            sum[t] += 2 * step > steps ? log(model->weight[t]) : 0.0;
        }
    }
    for (size_t t = 0; t < model->types; t++) {
        model->weight[t] = exp(sum[t] / (steps - steps / 2.0));
    }
}

duet_code duet_graph_search_model_create(const duet_instance *instance, const duet_context *context,
                                         duet_graph_search_model *model, duet_error *error)
{
    *model = (duet_graph_search_model){.instance = instance, .types = instance->types};
    DUET_TRY(check_size(instance, context, error));
    model->tasks = (int32_t)duet_tasks(instance);
    count_processors(model);
    duet_code code = allocate(model, error);
    if (code == DUET_OK) {
        copy_times(model);
        weigh_types(model);
    }
    if (code == DUET_OK && instance->graph != NULL) {
        copy_edges(model);
        code = measure_ways(model, error);
    }
    if (code == DUET_OK) {
        duet_graph_search_model mirror = duet_graph_search_model_mirror(model);
        make_rows(model);
        make_rows(&mirror);
    }
    if (code != DUET_OK) {
        duet_graph_search_model_free(model);
    }
    return code;
}

void duet_graph_search_model_free(duet_graph_search_model *model)
{
    DUET_ASSERT(!model->mirrored);
    duet_arena_free(&model->arena);
    *model = (duet_graph_search_model){.tasks = 0};
}

duet_graph_search_model duet_graph_search_model_mirror(const duet_graph_search_model *model)
{
    duet_graph_search_model mirror = *model;
    mirror.before_at = model->behind_at;
    mirror.before = model->behind;
    mirror.behind_at = model->before_at;
    mirror.behind = model->before;
    mirror.before_table = model->behind_table;
    mirror.behind_table = model->before_table;
    mirror.head = model->tail;
    mirror.tail = model->head;
    mirror.row = model->mirrored_row;
    mirror.mirrored_row = model->row;
    mirror.mirrored = !model->mirrored;
    return mirror;
}
