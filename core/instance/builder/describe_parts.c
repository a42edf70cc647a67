// SPDX-License-Identifier: Apache-2.0
// What every description says in the same arrays, be its tasks sequential or moldable: edges with
// their cost tables, and releases. Parts of duet_instance_create().
#include <inttypes.h>

#include "core/instance/builder/builder_state.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A cost table of the description, which is checked.
static duet_code take_costs(const duet_instance_desc *desc, const duet_edge *edge, size_t index,
                            duet_read_time *cost, duet_error *error)
{
    size_t cells = desc->types * desc->types;
    if (edge->cost >= desc->cost_tables) {
        return duet_error_set(error, DUET_E_INPUT,
                              "edge %zu: cost table %zu: expected 0 to %zu, the last there is",
                              index, edge->cost, desc->cost_tables - 1);
    }
    for (size_t i = 0; i < cells; i++) {
        int64_t ticks = desc->costs[edge->cost * cells + i];
        if (ticks < 0 || ticks > DUET_MAX_WORK) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "edge %zu: cost %" PRId64 ": expected 0 to 2^62 ticks", index,
                                  ticks);
        }
        cost[i] = (duet_read_time){.value = {ticks, desc->moldable == NULL ? 0 : desc->decimals}};
    }
    return DUET_OK;
}

duet_code duet_builder_describe_edges(duet_builder *builder, const duet_instance_desc *desc,
                                      duet_error *error)
{
    size_t cells = desc->cost_tables == 0 ? 0 : desc->types * desc->types;
    duet_read_time *cost = duet_alloc(cells, sizeof *cost, error);
    duet_code code = cost == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < desc->edges && code == DUET_OK; i++) {
        const duet_edge *edge = &desc->edge[i];
        if (edge->from < 0 || edge->to < 0) {
            code = duet_error_set(error, DUET_E_INPUT, "edge %zu: expected tasks from 0 on", i);
        } else if (cells > 0) {
            code = take_costs(desc, edge, i, cost, error);
        }
        const duet_read_edge read = {.from = {.task = edge->from},
                                     .to = {.task = edge->to},
                                     .form = cells > 0 ? DUET_COST_TABLE : DUET_COST_NONE,
                                     .cost = cost,
                                     .cost_count = cells};
        DUET_THEN(code, duet_builder_add_edge(builder, &read, error));
    }
    duet_free(cost);
    return code;
}

duet_code duet_builder_describe_release(duet_builder *builder, const duet_instance_desc *desc,
                                        size_t kind, duet_error *error)
{
    int64_t release = desc->releases == NULL ? 0 : desc->releases[kind];
    const duet_read_time read = {.value = {release, 0}};
    if (release < 0 || release > DUET_MAX_WORK) {
        return duet_error_set(error, DUET_E_INPUT,
                              "kind %zu: release %" PRId64 ": expected 0 to 2^62 ticks", kind,
                              release);
    }
    return duet_builder_set_release(builder, &read, error);
}
