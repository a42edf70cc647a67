// SPDX-License-Identifier: Apache-2.0
// Algorithm: m-heft.
// Method:    tasks by falling rank: the mean of their times over all sizes on all clusters, and the
//            longest way behind them, in which data take the mean over ordered pairs of whole
//            clusters (a cluster and itself being the same set). Each takes the size and the
//            cluster that let it finish first, of those the fewest processors.
// Guarantee: none.
// Cost:      O((n + e) sum P_i).
// Memory:    O(n + e + processors + sizes of the sets).
// Reference: Casanova, Desprez, Suter, "From heterogeneous task scheduling to heterogeneous mixed
//            parallel scheduling", Euro-Par 2004.
#include <stdlib.h>

#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "heuristics/moldable/rows.h"

typedef struct m_heft {
    const duet_instance *instance;
    int32_t *kind;  // of each task
    int64_t *rank;  // of each task
    int32_t *order; // topological
    duet_clusters clusters;
} m_heft;

// The mean of all times of a kind over the sizes that it may have, rounded up.
static int64_t mean_time(const duet_instance *instance, size_t kind)
{
    duet_int128 sum = 0;
    int64_t count = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_time_table table = duet_table_of(instance, kind, t);
        bool gaps = duet_has_gaps(table);
        for (int64_t i = 0; i < table.steps; i++) {
            int64_t size = duet_step_size(table, i);
            int64_t next = gaps                  ? size + 1
                           : i + 1 < table.steps ? duet_step_size(table, i + 1)
                                                 : table.sizes + 1;
            sum += (duet_int128)table.time[i] * (next - size);
            count += next - size;
        }
    }
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): each kind may run somewhere
    return (int64_t)((sum + count - 1) / count);
}

// The mean of what the data of an edge take between whole clusters, rounded up.
static int64_t mean_move(const duet_instance *instance, int64_t edge)
{
    duet_int128 sum = 0;
    int64_t used = 0;
    for (size_t i = 0; i < instance->types; i++) {
        used += instance->processors[i] > 0;
        for (size_t j = 0; j < instance->types; j++) {
            int64_t p = instance->processors[i];
            int64_t q = instance->processors[j];
            sum += i != j && p > 0 && q > 0 ? duet_moldable_move(instance, edge, i, p, j, q) : 0;
        }
    }
    int64_t pairs = used * used;
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a platform has processors
    return (int64_t)((sum + pairs - 1) / pairs);
}

// Ranks and the topological order. The mean time of each kind is in `mean`.
static duet_code find_ranks(m_heft *state, const int64_t *mean, duet_error *error)
{
    const duet_graph *graph = state->instance->graph;
    int64_t tasks = duet_tasks(state->instance);
    for (int64_t j = 0; j < tasks; j++) {
        state->rank[j] = mean[state->kind[j]];
        state->order[j] = (int32_t)j;
    }
    if (graph == NULL) {
        return DUET_OK;
    }
    if (duet_graph_sort(graph, DUET_TOPOLOGICAL_SMALLEST, state->order, error) < 0) {
        return DUET_E_MEMORY;
    }
    for (int64_t i = tasks; i-- > 0;) {
        int32_t task = state->order[i];
        int64_t longest = 0;
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int32_t edge = graph->leaving[at];
            int64_t way = mean_move(state->instance, edge) + state->rank[graph->head[edge]];
            longest = duet_max(way, longest);
        }
        state->rank[task] += longest;
    }
    return DUET_OK;
}

static duet_code rank(m_heft *state, duet_error *error)
{
    const duet_instance *instance = state->instance;
    size_t tasks = (size_t)duet_tasks(instance);
    int64_t *mean = duet_alloc_raw(instance->kinds, sizeof *mean, error);
    state->kind = duet_kinds_of_tasks(instance, error);
    state->rank = duet_alloc_raw(tasks, sizeof *state->rank, error);
    state->order = duet_alloc_raw(tasks, sizeof *state->order, error);
    duet_code code =
        mean == NULL || state->kind == NULL || state->rank == NULL || state->order == NULL
            ? DUET_E_MEMORY
            : DUET_OK;
    if (code == DUET_OK) {
        for (size_t i = 0; i < instance->kinds; i++) {
            mean[i] = mean_time(instance, i);
        }
        code = find_ranks(state, mean, error);
    }
    duet_free(mean);
    return code;
}

// A task and where it is in topological order.
typedef struct ranked {
    int64_t rank;
    int32_t task;
    int32_t place;
} ranked;

static int by_rank(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    int order = duet_order(b->rank, a->rank);
    return order != 0 ? order : duet_order(a->place, b->place);
}

// Whether a trial is better: the earlier finish, fewer processors, the lower cluster.
static bool is_better(const duet_trial *a, const duet_trial *b)
{
    if (a->finish != b->finish) {
        return a->finish < b->finish;
    }
    return a->size != b->size ? a->size < b->size : a->type < b->type;
}

static duet_code place_task(m_heft *state, int32_t task, duet_error *error)
{
    const duet_instance *instance = state->instance;
    size_t kind = (size_t)state->kind[task];
    duet_trial best = {.finish = INT64_MAX, .size = INT32_MAX};
    for (size_t t = 0; t < instance->types; t++) {
        int64_t sizes = duet_moldable_sizes(instance, kind, t);
        for (int64_t p = 1; p <= sizes; p++) {
            int64_t time = duet_moldable_time(instance, kind, t, p);
            if (time == DUET_FORBIDDEN) {
                continue;
            }
            duet_trial trial = duet_clusters_try(&state->clusters, task, t, p, time);
            best = is_better(&trial, &best) ? trial : best;
        }
    }
    return duet_clusters_place(&state->clusters, task, &best, error);
}

// Ranks fall along edges, so that predecessors come first.
static duet_code place_all(m_heft *state, const duet_context *context, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(state->instance);
    ranked *list = duet_alloc_raw(tasks, sizeof *list, error);
    duet_code code = list == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < tasks && code == DUET_OK; i++) {
        int32_t task = state->order[i];
        list[i] = (ranked){state->rank[task], task, (int32_t)i};
    }
    if (code == DUET_OK) {
        qsort(list, tasks, sizeof *list, by_rank);
    }
    for (size_t i = 0; i < tasks && code == DUET_OK; i++) {
        code = duet_context_stop(context) ? duet_context_stop_error(context, error)
                                          : place_task(state, list[i].task, error);
    }
    duet_free(list);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    m_heft state = {.instance = instance};
    duet_code code = rank(&state, error);
    DUET_THEN(code, duet_clusters_of_instance(instance, &state.clusters, error));
    DUET_THEN(code, place_all(&state, context, error));
    DUET_THEN(code, duet_plan_write(&state.clusters.plan, solution, error));
    duet_clusters_free(&state.clusters);
    duet_free(state.kind);
    duet_free(state.rank);
    duet_free(state.order);
    return code;
}

const duet_algorithm duet_algorithm_m_heft = {
    .entry = {.name = "m-heft",
              .summary = "moldable tasks on clusters: highest rank first, on any number of "
                         "processors where it finishes first",
              .reference = "Casanova, Desprez, Suter, Euro-Par 2004",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS |
                         DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS | DUET_FEATURE_RIGID},
    .run = run,
    .makes_runs = true,
    .pace = {.most_tasks = 10000},
};
