// SPDX-License-Identifier: Apache-2.0
// What the edges of moldable tasks carry: amounts of data, which the network moves, in place of
// costs by types.
#include "core/instance/builder/moldable.h"
#include "core/system/memory.h"
#include "core/system/try.h"

bool duet_builder_has_costs(const duet_builder *builder)
{
    bool costs = builder->transfer_form != DUET_TRANSFER_UNSAID;
    for (size_t i = 0; i < builder->costs && !costs; i++) {
        duet_read_cost_form form = builder->cost[i].form;
        costs = form == DUET_COST_SAME || form == DUET_COST_TABLE;
    }
    return costs;
}

duet_code duet_builder_check_costs(duet_builder *builder, duet_error *error)
{
    int line = builder->costs > 1 ? builder->cost[1].line : builder->transfer_line;
    if (builder->moldable->network) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, 0,
                                 "what edges cost is said twice: expected a \"network\" and the "
                                 "edges' \"data\", or a \"cost\" or \"transfer\"");
    }
    if (builder->instance->mixed_sets) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, line, 0,
                                 "a cost by types beside mixed sets: expected a \"network\" and "
                                 "the edges' \"data\"");
    }
    return DUET_OK;
}

duet_code duet_builder_make_data(duet_builder *builder, duet_error *error)
{
    duet_moldable *m = builder->moldable->m;
    bool any = false;
    for (size_t i = 0; i < builder->costs; i++) {
        any = any || builder->cost[i].form == DUET_COST_DATA;
    }
    if (!any) {
        return DUET_OK;
    }
    m->amount = duet_alloc(builder->costs, sizeof *m->amount, error);
    m->edges_of = duet_alloc(builder->costs, sizeof *m->edges_of, error);
    DUET_NEED(m->amount != NULL && m->edges_of != NULL);
    m->amounts = builder->costs;
    for (size_t i = 1; i < builder->costs; i++) {
        m->amount[i] = duet_builder_number(builder, &builder->value[builder->cost[i].first]);
        m->edges_of[i] = builder->cost[i].edges;
    }
    m->amount_of = builder->edge_cost;
    builder->edge_cost = NULL;
    return DUET_OK;
}
