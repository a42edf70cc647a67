// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/information.h"

#include "core/system/memory.h"

// The shortest time of every task; owned by the caller.
static int64_t *shortest_times(const duet_instance *instance, duet_error *error)
{
    int64_t *shortest = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *shortest, error);
    for (size_t i = 0; i < instance->kinds && shortest != NULL; i++) {
        int64_t time = duet_shortest_time(instance, i);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            shortest[j] = time;
        }
    }
    return shortest;
}

duet_code duet_bottom_levels(const duet_instance *instance, int64_t **level, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    *level = shortest_times(instance, error);
    int32_t *order = graph == NULL || *level == NULL ? NULL : duet_graph_order(graph, error);
    if (order != NULL) {
        duet_graph_raise(graph, order, *level);
    }
    bool complete = *level != NULL && (graph == NULL || order != NULL);
    duet_free(order);
    return complete ? DUET_OK : DUET_E_MEMORY;
}

// Adds the times of those descendants of each task that are among the 64 tasks from `first` on.
// reached[j]: which of these task j is one of or has as a descendant.
static void add_block(const duet_graph *graph, const int32_t *order, int64_t first,
                      const int64_t *shortest, uint64_t *reached, int64_t *work)
{
    for (int64_t i = graph->tasks; i-- > 0;) {
        int32_t task = order[i];
        uint64_t set = 0;
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            set |= reached[graph->head[graph->leaving[at]]];
        }
        for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
            work[task] += shortest[first + __builtin_ctzll(rest)];
        }
        bool own = task >= first && task < first + 64;
        reached[task] = set | (own ? UINT64_C(1) << (task - first) : 0);
    }
}

duet_code duet_descendant_work(const duet_instance *instance, const duet_context *context,
                               int64_t **work, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    size_t tasks = (size_t)duet_tasks(instance);
    *work = duet_alloc(tasks, sizeof **work, error);
    if (*work == NULL || graph == NULL) {
        return *work == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    int64_t *shortest = shortest_times(instance, error);
    uint64_t *reached = duet_alloc_raw(tasks, sizeof *reached, error);
    int32_t *order = duet_graph_order(graph, error);
    bool complete = shortest != NULL && reached != NULL && order != NULL;
    duet_code code = complete ? DUET_OK : DUET_E_MEMORY;
    for (int64_t first = 0; first < graph->tasks && code == DUET_OK; first += 64) {
        add_block(graph, order, first, shortest, reached, *work);
        code = duet_context_stop(context) ? duet_context_stop_error(context, error) : DUET_OK;
    }
    duet_free(shortest);
    duet_free(reached);
    duet_free(order);
    return code;
}
