// SPDX-License-Identifier: Apache-2.0
// Reading an instance: accessors and derived task ids.
#include "core/instance/instance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <duet/graph.h>

#include "core/instance/available.h"
#include "core/instance/moldable.h"
#include "core/instance/pins.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

void duet_origin_free(duet_origin *origin)
{
    if (origin != NULL) {
        duet_free(origin->submit_order);
        duet_free(origin->worker);
        duet_free(origin->node);
        duet_free(origin->tile);
        duet_free(origin);
    }
}

void duet_instance_free(duet_instance *instance)
{
    if (instance == NULL) {
        return;
    }
    duet_free(instance->name);
    duet_free(instance->time_unit);
    duet_free(instance->notice);
    duet_origin_free(instance->origin);
    for (size_t t = 0; t < instance->types; t++) {
        duet_free(instance->type_names[t]);
        duet_free(instance->busy[t]);
        duet_names_free(&instance->names[t]);
    }
    duet_free(instance->first);
    duet_free(instance->times);
    duet_free(instance->ids);
    duet_free(instance->id_at);
    duet_graph_free(instance->graph);
    duet_moldable_free(instance->moldable);
    duet_claim_free(instance->claim);
    duet_free(instance->release);
    duet_free(instance->deadline);
    duet_free(instance->priority);
    duet_names_free(&instance->group_names);
    duet_free(instance->group);
    duet_pins_free(instance->pins);
    duet_free(instance);
}

// Other counts drop a claim; tables of laws are as long as there are processors.
static duet_code change_counts(duet_instance *instance, const int64_t *counts, duet_error *error)
{
    int64_t before[DUET_MAX_TYPES];
    size_t size = instance->types * sizeof *before;
    memcpy(before, instance->processors, size);
    memcpy(instance->processors, counts, size);
    int64_t kind;
    duet_code code =
        instance->moldable == NULL ? DUET_OK : duet_moldable_fit(instance, NULL, &kind, error);
    if (code != DUET_OK) {
        memcpy(instance->processors, before, size);
        return code;
    }
    duet_claim_free(instance->claim);
    instance->claim = NULL;
    return DUET_OK;
}

duet_code duet_instance_set_counts(duet_instance *instance, size_t types, const int64_t *counts,
                                   duet_error *error)
{
    if (types != instance->types) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "the instance has %zu processor types: expected %zu processor counts, got %zu",
            instance->types, instance->types, types);
    }
    int64_t total = 0;
    for (size_t t = 0; t < types; t++) {
        if (counts[t] < 0 || counts[t] > DUET_MAX_PROCESSORS) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "processors of type %s: expected 0 to %" PRId64 ", got %" PRId64,
                                  instance->type_names[t], DUET_MAX_PROCESSORS, counts[t]);
        }
        if (counts[t] < instance->busy_count[t]) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "more busy processors of type %s than there are: expected at "
                                  "most %" PRId64 ", got %" PRId64,
                                  instance->type_names[t], counts[t], instance->busy_count[t]);
        }
        total += counts[t];
    }
    if (total == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the platform has no processors: expected at least one");
    }
    bool changed = memcmp(instance->processors, counts, types * sizeof *counts) != 0;
    if (changed && instance->pins != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "tasks are fixed on the platform that the instance has: expected the "
                              "same processor counts");
    }
    duet_code code = changed ? change_counts(instance, counts, error) : DUET_OK;
    instance->has_platform = instance->has_platform || code == DUET_OK;
    return code;
}

unsigned duet_instance_features(const duet_instance *instance)
{
    unsigned features = instance->types == 2 ? 0 : DUET_FEATURE_ANY_TYPES;
    if (instance->graph != NULL) {
        features |= DUET_FEATURE_PRECEDENCE;
        features |= instance->graph->transfer == NULL ? 0U : DUET_FEATURE_COMMUNICATION;
    }
    features |= instance->release == NULL ? 0U : DUET_FEATURE_RELEASES;
    features |= duet_has_busy(instance) ? DUET_FEATURE_BUSY : 0U;
    features |= instance->pins == NULL ? 0U : DUET_FEATURE_FIXED;
    const duet_moldable *moldable = instance->moldable;
    features |= instance->mixed_sets ? DUET_FEATURE_MIXED_SETS : 0U;
    if (moldable != NULL) {
        bool data = moldable->cost_of != NULL || (moldable->network && moldable->amount_of != NULL);
        features |= DUET_FEATURE_MOLDABLE;
        features |= data ? DUET_FEATURE_COMMUNICATION : 0U;
        features |= moldable->shape != DUET_TABLES_FULL ? DUET_FEATURE_RIGID : 0U;
    }
    return features;
}

bool duet_instance_mixed_sets(const duet_instance *instance)
{
    return instance->mixed_sets;
}

bool duet_instance_has_platform(const duet_instance *instance)
{
    return instance->has_platform;
}

const char *duet_instance_name(const duet_instance *instance)
{
    return instance->name;
}

const char *duet_instance_time_unit(const duet_instance *instance)
{
    return instance->time_unit;
}

int duet_instance_decimals(const duet_instance *instance)
{
    return instance->decimals;
}

size_t duet_instance_types(const duet_instance *instance)
{
    return instance->types;
}

const char *duet_instance_type_name(const duet_instance *instance, size_t type)
{
    return instance->type_names[type];
}

int64_t duet_instance_type_count(const duet_instance *instance, size_t type)
{
    return instance->processors[type];
}

size_t duet_instance_kinds(const duet_instance *instance)
{
    return instance->kinds;
}

const char *duet_instance_kind_id(const duet_instance *instance, size_t kind)
{
    return instance->ids + instance->id_at[kind];
}

int64_t duet_instance_kind_count(const duet_instance *instance, size_t kind)
{
    return duet_count(instance, kind);
}

int64_t duet_instance_time(const duet_instance *instance, size_t kind, size_t type)
{
    return duet_time(instance, kind, type);
}

int64_t duet_instance_release(const duet_instance *instance, size_t kind)
{
    return duet_release(instance, kind);
}

int64_t duet_instance_busy(const duet_instance *instance, size_t type, int64_t processor)
{
    return duet_busy_until(instance, type, processor);
}

int64_t duet_instance_tasks(const duet_instance *instance)
{
    return duet_tasks(instance);
}

size_t duet_instance_kind_of(const duet_instance *instance, int64_t task)
{
    if (duet_tasks(instance) == (int64_t)instance->kinds) {
        return (size_t)task; // every count is 1
    }
    size_t low = 0;
    size_t high = instance->kinds;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (instance->first[middle] <= task) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t duet_instance_task_id(const duet_instance *instance, int64_t task, char *buffer, size_t size)
{
    size_t kind = duet_instance_kind_of(instance, task);
    const char *id = duet_instance_kind_id(instance, kind);
    int length;
    if (duet_count(instance, kind) == 1) {
        length = snprintf(buffer, size, "%s", id);
    } else {
        length = snprintf(buffer, size, "%s#%" PRId64, id, task - instance->first[kind]);
    }
    return length < 0 ? 0 : (size_t)length;
}

int64_t duet_instance_edges(const duet_instance *instance)
{
    return instance->graph == NULL ? 0 : instance->graph->edges;
}

duet_edge duet_instance_edge(const duet_instance *instance, int64_t edge)
{
    const duet_graph *graph = instance->graph;
    return (duet_edge){graph->tail[edge], graph->head[edge],
                       graph->transfer == NULL ? 0 : graph->transfer[edge]};
}

int64_t duet_instance_transfer(const duet_instance *instance, int64_t edge, size_t from, size_t to)
{
    return duet_graph_cost(instance->graph, edge, from, to);
}

static const int32_t *row_of(const int64_t *at, const int32_t *row, int64_t task, size_t *count)
{
    *count = (size_t)(at[task + 1] - at[task]);
    return row + at[task];
}

const int32_t *duet_instance_edges_from(const duet_instance *instance, int64_t task, size_t *count)
{
    const duet_graph *graph = instance->graph;
    *count = 0;
    return graph == NULL ? NULL : row_of(graph->leave_at, graph->leaving, task, count);
}

const int32_t *duet_instance_edges_to(const duet_instance *instance, int64_t task, size_t *count)
{
    const duet_graph *graph = instance->graph;
    *count = 0;
    return graph == NULL ? NULL : row_of(graph->enter_at, graph->entering, task, count);
}

const char *duet_instance_notice(const duet_instance *instance)
{
    return instance->notice;
}

const duet_claim *duet_instance_claim(const duet_instance *instance)
{
    return instance->claim == NULL ? NULL : &instance->claim->claim;
}

char *duet_instance_format_time(const duet_instance *instance, int64_t ticks, char *buffer)
{
    return duet_decimal_format(ticks, instance->decimals, buffer);
}

int64_t duet_shortest_time(const duet_instance *instance, size_t kind)
{
    int64_t shortest =
        instance->mixed_sets ? duet_moldable_best_mix(instance, kind) : DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        duet_time_table table = duet_table_of(instance, kind, t);
        for (int64_t i = 0; i < table.steps; i++) {
            shortest = duet_min(table.time[i], shortest);
        }
    }
    return shortest;
}

int32_t *duet_kinds_of_tasks(const duet_instance *instance, duet_error *error)
{
    DUET_ASSERT(duet_tasks(instance) <= DUET_MAX_GRAPH);
    int32_t *kind = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *kind, error);
    for (size_t i = 0; i < instance->kinds && kind != NULL; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            kind[j] = (int32_t)i;
        }
    }
    return kind;
}

duet_code duet_instance_ready(const duet_instance *instance, duet_error *error)
{
    if (!instance->has_platform) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the instance has no platform: expected processor counts (-m, -k)");
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        bool somewhere = false;
        for (size_t t = 0; t < instance->types; t++) {
            somewhere = somewhere || duet_allowed(instance, i, t);
        }
        if (!somewhere) {
            return duet_error_set(error, DUET_E_INFEASIBLE,
                                  "no schedule exists: task '%s' cannot run on any processor of "
                                  "the platform%s",
                                  duet_instance_kind_id(instance, i),
                                  instance->moldable == NULL
                                      ? ""
                                      : ", or needs more of them at once than each type has");
        }
    }
    return DUET_OK;
}
