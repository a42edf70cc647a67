// SPDX-License-Identifier: Apache-2.0
// What the edges of an instance cost. Many edges share a cost, so each is kept once: one value for
// all pairs of types, a table of them, or an amount of data. In the end each is a table of ticks.
#include <inttypes.h>
#include <stdio.h>

#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

void duet_builder_free_costs(duet_builder *builder)
{
    duet_free(builder->cost);
    duet_free(builder->value);
    duet_names_free(&builder->cost_names);
    duet_free(builder->cell);
    duet_free(builder->transfer);
}

// --- reading -------------------------------------------------------------------------------------

static duet_code keep_cost(duet_builder *builder, const duet_read_edge *edge, duet_error *error)
{
    DUET_TRY(duet_vec_grow(builder->cost, builder->costs, error));
    DUET_TRY(duet_vec_reserve(builder->value, builder->values + edge->cost_count, error));
    builder->cost[builder->costs++] =
        (duet_builder_cost){edge->form, builder->values, edge->cost_count, 0, edge->line};
    for (size_t i = 0; i < edge->cost_count; i++) {
        builder->value[builder->values++] = edge->cost[i];
    }
    return DUET_OK;
}

// An edge's cost as a text that is the same for equal costs.
static char *write_cost(const duet_read_edge *edge, duet_error *error)
{
    enum { per_value = 40 };
    size_t size = edge->cost_count * per_value + 1;
    char *text = duet_alloc(size, 1, error);
    size_t used = 0;
    for (size_t i = 0; text != NULL && i < edge->cost_count; i++) {
        const duet_read_time *value = &edge->cost[i];
        used += (size_t)snprintf(text + used, size - used, "%" PRId64 "e%d,%d ",
                                 value->value.mantissa, value->value.places, (int)value->tail);
    }
    return text;
}

// Whether data take no time, as it is already known.
static bool is_free(const duet_builder *builder, const duet_read_edge *edge)
{
    return edge->form == DUET_COST_DATA && builder->transfer_form == DUET_TRANSFER_BY_TYPES &&
           builder->latency_count + builder->per_unit_count == 0;
}

duet_code duet_builder_add_cost(duet_builder *builder, const duet_read_edge *edge, uint32_t *number,
                                duet_error *error)
{
    static const duet_read_edge free_edge = {.form = DUET_COST_NONE};
    duet_code code = builder->costs == 0 ? keep_cost(builder, &free_edge, error) : DUET_OK;
    *number = 0;
    if (code == DUET_OK && edge->form != DUET_COST_NONE && !is_free(builder, edge)) {
        char *text = write_cost(edge, error);
        code = text == NULL ? DUET_E_MEMORY
                            : duet_names_add(&builder->cost_names, (uint32_t)edge->form, text,
                                             number, error);
        duet_free(text);
        ++*number; // 0 is no cost
        if (code == DUET_OK && *number == builder->costs) {
            code = keep_cost(builder, edge, error);
        }
    }
    if (code == DUET_OK) {
        DUET_ASSERT(*number < builder->costs);
        builder->cost[*number].edges++;
    }
    return code;
}

bool duet_builder_has_data(const duet_builder *builder)
{
    bool data = false;
    for (size_t i = 0; i < builder->costs; i++) {
        data = data || (builder->cost[i].form == DUET_COST_DATA && builder->cost[i].edges > 0);
    }
    return data;
}

void duet_builder_set_uniform_transfer(duet_builder *builder, const duet_read_time *latency,
                                       const duet_read_time *per_unit)
{
    builder->transfer_form = DUET_TRANSFER_UNIFORM;
    builder->uniform_latency = *latency;
    builder->uniform_per_unit = *per_unit;
}

duet_code duet_builder_set_transfer(duet_builder *builder, const duet_read_transfer *transfer,
                                    duet_error *error)
{
    size_t count = transfer->latency_count + transfer->per_unit_count;
    duet_read_time *kept = duet_alloc(count, sizeof *kept, error);
    DUET_NEED(kept);
    for (size_t i = 0; i < count; i++) {
        kept[i] = i < transfer->latency_count ? transfer->latency[i]
                                              : transfer->per_unit[i - transfer->latency_count];
    }
    duet_free(builder->transfer);
    builder->transfer = kept;
    if (builder->transfer_form != DUET_TRANSFER_UNIFORM) {
        builder->transfer_form = DUET_TRANSFER_BY_TYPES;
    }
    builder->latency_count = transfer->latency_count;
    builder->per_unit_count = transfer->per_unit_count;
    builder->transfer_line = transfer->line;
    builder->transfer_column = transfer->column;
    return DUET_OK;
}

// --- tables --------------------------------------------------------------------------------------

static duet_code check_transfer(const duet_builder *builder, duet_error *error)
{
    size_t cells = builder->instance->types * builder->instance->types;
    if ((builder->latency_count == 0 || builder->latency_count == cells) &&
        (builder->per_unit_count == 0 || builder->per_unit_count == cells)) {
        return DUET_OK;
    }
    return duet_error_set_at(
        error, DUET_E_INPUT, builder->file, builder->transfer_line, builder->transfer_column,
        "the transfer has %zu latencies and %zu times per unit; expected %zu "
        "of each, a row of %zu for each processor type",
        builder->latency_count, builder->per_unit_count, cells, builder->instance->types);
}

static duet_long_decimal decimal_of(const duet_read_time *time)
{
    return (duet_long_decimal){time->value, time->tail};
}

// How long data take between the pair of types `at`. False where that is too long.
static bool transfer_data(const duet_builder *builder, size_t at, const duet_read_time *data,
                          duet_read_time *time)
{
    static const duet_read_time none = {.forbidden = false};
    bool uniform = builder->transfer_form == DUET_TRANSFER_UNIFORM;
    const duet_read_time *latency = uniform                       ? &builder->uniform_latency
                                    : builder->latency_count == 0 ? &none
                                                                  : &builder->transfer[at];
    const duet_read_time *per_unit = uniform ? &builder->uniform_per_unit
                                     : builder->per_unit_count == 0
                                         ? &none
                                         : &builder->transfer[builder->latency_count + at];
    duet_long_decimal sum;
    bool fits =
        duet_decimal_product_sum(decimal_of(data), decimal_of(per_unit), decimal_of(latency), &sum);
    *time = (duet_read_time){.value = sum.value, .tail = sum.tail};
    return fits;
}

// Fills the table of a cost.
static duet_code fill_table(const duet_builder *builder, const duet_builder_cost *cost,
                            duet_read_time *table, duet_error *error)
{
    size_t types = builder->instance->types;
    size_t cells = types * types;
    if (cost->form == DUET_COST_TABLE && cost->count != cells) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, cost->line, 0,
                                 "an edge with %zu costs; expected %zu, a row of %zu for each "
                                 "processor type",
                                 cost->count, cells, types);
    }
    bool untimed = builder->transfer_form == DUET_TRANSFER_UNSAID;
    if (cost->form == DUET_COST_DATA && untimed && duet_builder_is_moldable(builder)) {
        return DUET_OK; // as without a network
    }
    if (cost->form == DUET_COST_DATA && untimed) {
        return duet_error_set_at(
            error, DUET_E_INPUT, builder->file, cost->line, 0,
            "an edge with data and no word how long they take; expected "
            "\"transfer\": {\"latency\": ..., \"per_unit\": ...}, or -O per-unit=P "
            "and latency=L");
    }
    const duet_read_time *value = &builder->value[cost->first];
    for (size_t i = 0; i < cells && cost->form != DUET_COST_NONE; i++) {
        if (cost->form != DUET_COST_DATA) {
            table[i] = value[cost->form == DUET_COST_SAME ? 0 : i];
        } else if (!transfer_data(builder, i, value, &table[i])) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, cost->line, 0,
                                     "a transfer that takes too long: expected at most 2^62 ticks");
        }
    }
    return DUET_OK;
}

duet_code duet_builder_make_tables(duet_builder *builder, duet_error *error)
{
    duet_graph *graph = builder->instance->graph;
    bool moldable = duet_builder_is_moldable(builder);
    if (moldable && !duet_builder_has_costs(builder)) {
        return duet_builder_make_data(builder, error);
    }
    if (moldable) {
        DUET_TRY(duet_builder_check_costs(builder, error));
    }
    duet_code code =
        builder->transfer_form == DUET_TRANSFER_BY_TYPES ? check_transfer(builder, error) : DUET_OK;
    if (code != DUET_OK || builder->costs == 1) {
        return code; // nothing but free edges
    }
    size_t cells = graph->types * graph->types;
    code = duet_memory_check(builder->costs, cells * (sizeof *builder->cell + sizeof *graph->cost),
                             0, "the costs of edges", error);
    if (code != DUET_OK) {
        return code;
    }
    builder->cell = duet_alloc(builder->costs, cells * sizeof *builder->cell, error);
    graph->cost = duet_alloc(builder->costs, cells * sizeof *graph->cost, error);
    DUET_NEED(builder->cell != NULL && graph->cost != NULL);
    graph->tables = builder->costs;
    for (size_t i = 0; i < builder->costs && code == DUET_OK; i++) {
        code = fill_table(builder, &builder->cost[i], builder->cell + i * cells, error);
    }
    if (code == DUET_OK) {
        graph->transfer = builder->edge_cost;
        builder->edge_cost = NULL;
    }
    return code;
}

// --- ticks ---------------------------------------------------------------------------------------

static size_t cells_of(const duet_builder *builder)
{
    const duet_graph *graph = builder->instance->graph;
    return graph == NULL ? 0 : graph->tables * graph->types * graph->types;
}

int duet_builder_cost_places(const duet_builder *builder, int most)
{
    for (size_t i = 0; i < cells_of(builder); i++) {
        const duet_read_time *cell = &builder->cell[i];
        int places = cell->tail == DUET_DECIMAL_NO_TAIL ? cell->value.places : DUET_MAX_DECIMALS;
        most = duet_max(places, most);
    }
    return most;
}

bool duet_builder_cost_work(const duet_builder *builder, int decimals, duet_uint128 *work)
{
    const duet_graph *graph = builder->instance->graph;
    *work = 0;
    for (size_t table = 0; graph != NULL && table < graph->tables; table++) {
        size_t cells = graph->types * graph->types;
        int64_t highest = 0;
        for (size_t i = table * cells; i < (table + 1) * cells; i++) {
            int64_t ticks;
            duet_uint128 off;
            if (!duet_decimal_round(builder->cell[i].value, builder->cell[i].tail, decimals, &ticks,
                                    &off)) {
                return false;
            }
            highest = duet_max(ticks, highest);
        }
        *work += (duet_uint128)highest * (duet_uint128)builder->cost[table].edges;
    }
    return true;
}

static duet_code too_large(const duet_builder *builder, size_t table, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->cost[table].line, 0,
                             "cost too large: expected at most 2^62 ticks of 10^-%d; write times "
                             "in a larger unit or with fewer decimal places",
                             builder->instance->decimals);
}

// Where all tables are 0 the edges are plain precedence.
static void drop_zeros(duet_graph *graph)
{
    for (size_t i = 0; i < graph->tables * graph->types * graph->types; i++) {
        if (graph->cost[i] != 0) {
            return;
        }
    }
    duet_free(graph->transfer);
    duet_free(graph->cost);
    graph->transfer = NULL;
    graph->cost = NULL;
    graph->tables = 0;
}

// A whole number in *amount.
static bool read_amount(const duet_builder *builder, const duet_builder_cost *cost, int64_t *amount)
{
    const duet_read_time *value = &builder->value[cost->first];
    return cost->form == DUET_COST_DATA && value->tail == DUET_DECIMAL_NO_TAIL &&
           duet_decimal_scale(value->value, 0, amount);
}

// Keeps amounts and rates, from which the costs follow without rounding.
static duet_code keep_amounts(const duet_builder *builder, duet_graph *graph, duet_error *error)
{
    size_t cells = graph->types * graph->types;
    size_t rates = builder->latency_count + builder->per_unit_count;
    bool exact = builder->transfer_form == DUET_TRANSFER_BY_TYPES && rates == 2 * cells;
    for (size_t i = 0; i < rates && exact; i++) {
        exact = builder->transfer[i].tail == DUET_DECIMAL_NO_TAIL;
    }
    if (!exact || graph->tables == 0) {
        return DUET_OK;
    }
    graph->amount = duet_alloc(graph->tables, sizeof *graph->amount, error);
    graph->rate = duet_alloc(rates, sizeof *graph->rate, error);
    DUET_NEED(graph->amount != NULL && graph->rate != NULL);
    graph->amount[0] = 0;
    for (size_t i = 1; i < graph->tables && exact; i++) {
        exact = read_amount(builder, &builder->cost[i], &graph->amount[i]);
    }
    for (size_t i = 0; i < rates; i++) {
        graph->rate[i] = builder->transfer[i].value;
    }
    if (!exact) {
        duet_graph_forget_amounts(graph);
    }
    return DUET_OK;
}

duet_code duet_builder_scale_costs(duet_builder *builder, bool exact,
                                   duet_builder_rounding *rounding, duet_error *error)
{
    duet_graph *graph = builder->instance->graph;
    int decimals = builder->instance->decimals;
    bool exactly = true;
    for (size_t i = 0; i < cells_of(builder); i++) {
        const duet_read_time *cell = &builder->cell[i];
        size_t table = i / (graph->types * graph->types);
        duet_uint128 off = 0;
        if (exact ? !duet_decimal_scale(cell->value, decimals, &graph->cost[i])
                  : !duet_decimal_round(cell->value, cell->tail, decimals, &graph->cost[i], &off)) {
            return too_large(builder, table, error);
        }
        if (off != 0 && builder->wants.exact) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->cost[table].line,
                                     0,
                                     "the cost of an edge cannot be exact: expected at most %d "
                                     "decimal places; round it, or let times be rounded",
                                     decimals);
        }
        rounding->times++;
        rounding->rounded += off != 0;
        exactly = exactly && off == 0 && cell->tail == DUET_DECIMAL_NO_TAIL;
        rounding->largest = duet_max(off, rounding->largest);
    }
    if (graph == NULL) {
        return DUET_OK;
    }
    drop_zeros(graph);
    return exactly ? keep_amounts(builder, graph, error) : DUET_OK;
}
