// SPDX-License-Identifier: Apache-2.0
// Moldable tasks as sequential ones; see as_types.h.
#include "solvers/moldable/as_types.h"

#include "core/instance/moldable.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Whether data take time, or some kind has no time on any type.
static bool is_unfit(const duet_instance *instance, size_t types, const int64_t *times)
{
    bool unfit = instance->moldable->amount_of != NULL || instance->moldable->cost_of != NULL;
    for (size_t i = 0; i < instance->kinds && !unfit; i++) {
        unfit = true;
        for (size_t t = 0; t < types; t++) {
            unfit = unfit && times[i * types + t] == DUET_FORBIDDEN;
        }
    }
    return unfit;
}

duet_code duet_moldable_as_types(const duet_instance *instance, size_t types,
                                 const duet_type *platform, const int64_t *times,
                                 duet_instance **out, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    size_t edges = graph == NULL ? 0 : (size_t)graph->edges;
    *out = NULL;
    if (is_unfit(instance, types, times)) {
        return DUET_E_UNSUPPORTED;
    }
    int64_t *counts = duet_alloc_raw(instance->kinds, sizeof *counts, error);
    duet_edge *edge = duet_alloc_raw(edges, sizeof *edge, error);
    duet_code code = counts == NULL || edge == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < instance->kinds && code == DUET_OK; i++) {
        counts[i] = duet_count(instance, i);
    }
    for (size_t e = 0; e < edges && code == DUET_OK; e++) {
        edge[e] = (duet_edge){graph->tail[e], graph->head[e], 0};
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .types = types,
                               .platform = platform,
                               .kinds = instance->kinds,
                               .counts = counts,
                               .times = times,
                               .edges = edges,
                               .edge = edge};
    DUET_THEN(code, duet_instance_create(&desc, out, error));
    duet_free(counts);
    duet_free(edge);
    return code;
}
