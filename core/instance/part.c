// SPDX-License-Identifier: Apache-2.0
#include "core/instance/part.h"

#include "core/instance/available.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// What the part is made from; owned.
typedef struct part_desc {
    int64_t *times;
    int64_t *releases;
    duet_edge *edge;
    size_t edges;
} part_desc;

static size_t count_leaving(const duet_graph *graph, const int32_t *task, int64_t count)
{
    int64_t leaving = 0;
    for (int64_t i = 0; i < count; i++) {
        leaving += graph->leave_at[task[i] + 1] - graph->leave_at[task[i]];
    }
    return (size_t)leaving;
}

// The edges between the tasks. at[j] is one more than where task j is among them, 0: it is not.
static void copy_edges(const duet_graph *graph, const int32_t *task, int64_t count,
                       const int32_t *at, part_desc *desc)
{
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = graph->leave_at[task[i]]; k < graph->leave_at[task[i] + 1]; k++) {
            int32_t e = graph->leaving[k];
            int32_t to = at[graph->head[e]];
            if (to > 0) {
                size_t cost = graph->transfer == NULL ? 0 : graph->transfer[e];
                desc->edge[desc->edges++] = (duet_edge){i, to - 1, cost};
            }
        }
    }
}

static duet_code describe(const duet_instance *instance, const int32_t *task, int64_t count,
                          part_desc *desc, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    size_t types = instance->types;
    int32_t *at = duet_alloc((size_t)duet_tasks(instance), sizeof *at, error);
    desc->times = duet_alloc_raw((size_t)count * types, sizeof *desc->times, error);
    desc->releases = duet_alloc_raw((size_t)count, sizeof *desc->releases, error);
    size_t leaving = graph == NULL ? 0 : count_leaving(graph, task, count);
    desc->edge = duet_alloc_raw(leaving, sizeof *desc->edge, error);
    duet_code code =
        at == NULL || desc->times == NULL || desc->releases == NULL || desc->edge == NULL
            ? DUET_E_MEMORY
            : DUET_OK;
    for (int64_t i = 0; code == DUET_OK && i < count; i++) {
        DUET_ASSERT(i == 0 || task[i - 1] < task[i]);
        at[task[i]] = (int32_t)i + 1;
        size_t kind = duet_instance_kind_of(instance, task[i]);
        desc->releases[i] = duet_release(instance, kind);
        for (size_t t = 0; t < types; t++) {
            desc->times[(size_t)i * types + t] = duet_time(instance, kind, t);
        }
    }
    if (code == DUET_OK && graph != NULL) {
        copy_edges(graph, task, count, at, desc);
    }
    duet_free(at);
    return code;
}

duet_code duet_instance_part(const duet_instance *instance, const int32_t *task, int64_t count,
                             duet_instance **out, duet_error *error)
{
    part_desc part = {.edges = 0};
    duet_type platform[DUET_MAX_TYPES];
    const duet_graph *graph = instance->graph;
    DUET_ASSERT(instance->moldable == NULL && instance->has_platform);
    *out = NULL;
    for (size_t t = 0; t < instance->types; t++) {
        platform[t] = (duet_type){instance->type_names[t], instance->processors[t]};
    }
    duet_code code = describe(instance, task, count, &part, error);
    if (code == DUET_OK) {
        bool costs = graph != NULL && graph->transfer != NULL;
        duet_instance_desc desc = {.struct_size = sizeof desc,
                                   .types = instance->types,
                                   .platform = platform,
                                   .kinds = (size_t)count,
                                   .times = part.times,
                                   .releases = part.releases,
                                   .edges = part.edges,
                                   .edge = part.edge,
                                   .cost_tables = costs ? graph->tables : 0,
                                   .costs = costs ? graph->cost : NULL};
        code = duet_instance_create(&desc, out, error);
        DUET_THEN(code, duet_copy_busy(instance, 1, *out, error));
        if (code != DUET_OK) {
            duet_instance_free(*out);
            *out = NULL;
        }
    }
    duet_free(part.times);
    duet_free(part.releases);
    duet_free(part.edge);
    return code;
}
