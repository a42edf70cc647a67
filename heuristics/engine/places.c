// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/places.h"

#include "core/system/memory.h"
#include "core/system/try.h"

// --- places of levels ----------------------------------------------------------------------------

static duet_code raise_to_levels(const duet_graph *graph, duet_rank *weight, int32_t *order,
                                 duet_error *error)
{
    if (graph == NULL) {
        return DUET_OK;
    }
    // Any topological order will do, and this one takes linear time.
    int64_t sorted = duet_graph_sort(graph, DUET_TOPOLOGICAL_STACK, order, error);
    if (sorted >= 0) {
        duet_ranks_upward(graph, NULL, order, weight);
    }
    return sorted < 0 ? DUET_E_MEMORY : DUET_OK;
}

// The places of tasks of these weights, which are levels where `graph` is NULL.
static duet_code sort_levels(const duet_graph *graph, int64_t tasks, duet_rank *weight,
                             int32_t **place, duet_error *error)
{
    *place = duet_alloc_raw((size_t)tasks, sizeof **place, error);
    int32_t *order = duet_alloc_raw((size_t)tasks, sizeof *order, error);
    duet_code code = *place == NULL || order == NULL ? DUET_E_MEMORY
                                                     : raise_to_levels(graph, weight, order, error);
    for (int64_t j = 0; j < tasks && code == DUET_OK; j++) {
        order[j] = (int32_t)j;
    }
    DUET_THEN(code, duet_ranks_sort(weight, tasks, order, error));
    int32_t next = 0;
    for (int64_t i = 0; i < tasks && code == DUET_OK; i++) {
        next += i > 0 && weight[order[i]] != weight[order[i - 1]];
        (*place)[order[i]] = next;
    }
    duet_free(order);
    if (code != DUET_OK) {
        duet_free(*place);
        *place = NULL;
    }
    return code;
}

duet_code duet_places_by_weight(const duet_instance *instance, duet_rank *weight, int32_t **place,
                                duet_error *error)
{
    return sort_levels(instance->graph, duet_tasks(instance), weight, place, error);
}

duet_code duet_places_of_levels(int64_t tasks, const int64_t *level, int32_t **place,
                                duet_error *error)
{
    *place = NULL;
    duet_rank *weight = duet_alloc_raw((size_t)tasks, sizeof *weight, error);
    DUET_NEED(weight);
    for (int64_t j = 0; j < tasks; j++) {
        weight[j] = (duet_rank)level[j];
    }
    duet_code code = sort_levels(NULL, tasks, weight, place, error);
    duet_free(weight);
    return code;
}

// --- weights -------------------------------------------------------------------------------------

// The weight of every task of a kind.
static void set_weight(const duet_instance *instance, size_t kind, duet_rank value,
                       duet_rank *weight)
{
    for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
        weight[j] = value;
    }
}

static duet_rank mean_time(const duet_instance *instance, size_t kind)
{
    duet_uint128 work = 0;
    duet_uint128 processors = 0;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            uint64_t count = (uint64_t)instance->processors[t];
            work += (duet_uint128)duet_time(instance, kind, t) * count;
            processors += count;
        }
    }
    return duet_rank_of(work, processors);
}

duet_code duet_places_by_bottom_level(const duet_instance *instance, duet_level level,
                                      int32_t **place, duet_error *error)
{
    *place = NULL;
    duet_rank *weight = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *weight, error);
    DUET_NEED(weight);
    for (size_t i = 0; i < instance->kinds; i++) {
        set_weight(instance, i,
                   level == DUET_LEVEL_MEAN
                       ? mean_time(instance, i)
                       : (duet_rank)duet_shortest_time(instance, i) << DUET_RANK_BITS,
                   weight);
    }
    duet_code code = duet_places_by_weight(instance, weight, place, error);
    duet_free(weight);
    return code;
}
