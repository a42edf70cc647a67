// SPDX-License-Identifier: Apache-2.0
// An instance of moldable tasks from arrays: the part of duet_instance_create() that reads a
// duet_moldable_desc.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"

// A number of the description, which is checked.
static duet_code take_number(const duet_number *number, const char *what, duet_read_time *out,
                             duet_error *error)
{
    *out = (duet_read_time){.value = {number->mantissa, number->places}};
    if (number->mantissa < 0 || number->mantissa > DUET_MAX_WORK || number->places < 0 ||
        number->places > DUET_MAX_DECIMALS) {
        return duet_error_set(error, DUET_E_INPUT,
                              "%s: %" PRId64 " with %d decimal places: expected 0 to 2^62 with 0 "
                              "to %d places",
                              what, number->mantissa, number->places, DUET_MAX_DECIMALS);
    }
    while (out->value.places > 0 && out->value.mantissa % 10 == 0) {
        out->value.mantissa /= 10;
        out->value.places--;
    }
    return DUET_OK;
}

// --- platform ------------------------------------------------------------------------------------

static duet_code take_links(duet_builder *builder, const duet_moldable_desc *moldable, size_t type,
                            duet_error *error)
{
    duet_read_time speed;
    duet_read_time bandwidth;
    duet_code code = DUET_OK;
    duet_read_links links = {.speed = NULL};
    if (moldable->speed != NULL) {
        links.speed = &speed;
        code = take_number(&moldable->speed[type], "speed", &speed, error);
    }
    if (code == DUET_OK && moldable->bandwidth != NULL && moldable->bandwidth[type].mantissa != 0) {
        links.bandwidth = &bandwidth;
        code = take_number(&moldable->bandwidth[type], "bandwidth", &bandwidth, error);
    }
    return code == DUET_OK ? duet_builder_set_links(builder, type, &links, error) : code;
}

static duet_code take_network(duet_builder *builder, const duet_moldable_desc *moldable,
                              duet_error *error)
{
    duet_read_time latency;
    duet_read_time inter_latency;
    duet_read_time inter_bandwidth;
    DUET_TRY(take_number(&moldable->latency, "latency", &latency, error));
    DUET_TRY(take_number(&moldable->inter_latency, "inter_latency", &inter_latency, error));
    DUET_TRY(take_number(&moldable->inter_bandwidth, "inter_bandwidth", &inter_bandwidth, error));
    bool limited = moldable->inter_bandwidth.mantissa != 0;
    const duet_read_network network = {.latency = &latency,
                                       .inter_latency = &inter_latency,
                                       .inter_bandwidth = limited ? &inter_bandwidth : NULL};
    return duet_builder_set_network(builder, &network, error);
}

// --- kinds ---------------------------------------------------------------------------------------

// A time in ticks as a decimal in the unit of the instance, or a size that is not allowed.
static duet_code take_ticks(const duet_instance_desc *desc, size_t kind, int64_t ticks,
                            duet_read_time *out, duet_error *error)
{
    *out = (duet_read_time){.value = {ticks == DUET_FORBIDDEN ? 0 : ticks, desc->decimals},
                            .forbidden = ticks == DUET_FORBIDDEN};
    if (out->forbidden || (ticks >= 0 && ticks <= DUET_MAX_WORK)) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_INPUT,
                          "kind %zu: time %" PRId64 " in a table: expected 0 to 2^62 ticks", kind,
                          ticks);
}

// One cell; `values` has room for its table.
static duet_code take_cell(const duet_instance_desc *desc, size_t kind,
                           const duet_moldable_times *given, duet_read_time *values,
                           duet_read_table *table, duet_error *error)
{
    *table = (duet_read_table){.time = values, .length = given->length};
    for (size_t p = 0; p < given->length; p++) {
        DUET_TRY(take_ticks(desc, kind, given->table[p], &values[p], error));
    }
    if (given->length == 0 && given->work.mantissa != 0) {
        table->law = true;
        DUET_TRY(take_number(&given->work, "work", &table->work, error));
        return take_number(&given->alpha, "alpha", &table->alpha, error);
    }
    return DUET_OK;
}

// The time on the fewest processors that are allowed.
static duet_read_time first_allowed(const duet_read_table *table)
{
    size_t at = 0;
    while (at + 1 < table->length && table->time[at].forbidden) {
        at++;
    }
    return table->time[at];
}

static duet_code take_kind(duet_builder *builder, const duet_instance_desc *desc,
                           const duet_moldable_desc *moldable, size_t kind, duet_read_time *values,
                           duet_error *error)
{
    duet_read_table tables[DUET_MAX_TYPES];
    duet_read_time times[DUET_MAX_TYPES];
    const duet_moldable_times *row = moldable->times + kind * desc->types;
    duet_code code = DUET_OK;
    size_t used = 0;
    for (size_t t = 0; t < desc->types && code == DUET_OK; t++) {
        code = take_cell(desc, kind, &row[t], values + used, &tables[t], error);
        used += row[t].length;
        times[t] = row[t].length > 0
                       ? first_allowed(&tables[t])
                       : (duet_read_time){.forbidden = code == DUET_OK && !tables[t].law};
    }
    char number[32];
    snprintf(number, sizeof number, "t%zu", kind);
    const char *id = desc->ids == NULL ? number : desc->ids[kind];
    const duet_read_kind read = {.id = id,
                                 .id_length = strlen(id),
                                 .count = desc->counts == NULL ? 1 : desc->counts[kind],
                                 .times = times,
                                 .time_count = desc->types};
    DUET_THEN(code, duet_builder_add_moldable_kind(builder, &read, tables, error));
    DUET_THEN(code, duet_builder_describe_release(builder, desc, kind, error));
    return code;
}

static duet_code take_kinds(duet_builder *builder, const duet_instance_desc *desc,
                            const duet_moldable_desc *moldable, duet_error *error)
{
    size_t longest = 0;
    for (size_t i = 0; i < desc->kinds; i++) {
        size_t length = 0;
        for (size_t t = 0; t < desc->types; t++) {
            length += moldable->times[i * desc->types + t].length;
        }
        longest = duet_max(length, longest);
    }
    duet_read_time *values = duet_alloc(longest, sizeof *values, error);
    duet_code code = values == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t i = 0; i < desc->kinds && code == DUET_OK; i++) {
        code = take_kind(builder, desc, moldable, i, values, error);
    }
    duet_free(values);
    return code;
}

// --- edges ---------------------------------------------------------------------------------------

static duet_code take_edges(duet_builder *builder, const duet_instance_desc *desc,
                            const duet_moldable_desc *moldable, duet_error *error)
{
    duet_code code = DUET_OK;
    if (desc->cost_tables > 0) {
        return moldable->data == NULL && !moldable->has_network
                   ? duet_builder_describe_edges(builder, desc, error)
                   : duet_error_set(error, DUET_E_INPUT,
                                    "tables of costs beside data or a network: expected one of "
                                    "them");
    }
    for (size_t i = 0; i < desc->edges && code == DUET_OK; i++) {
        const duet_edge *edge = &desc->edge[i];
        duet_read_time data;
        bool any = moldable->data != NULL && moldable->data[i].mantissa >= 0;
        if (edge->from < 0 || edge->to < 0) {
            return duet_error_set(error, DUET_E_INPUT, "edge %zu: expected tasks from 0 on", i);
        }
        if (any) {
            code = take_number(&moldable->data[i], "data of an edge", &data, error);
        }
        const duet_read_edge read = {.from = {.task = edge->from},
                                     .to = {.task = edge->to},
                                     .form = any ? DUET_COST_DATA : DUET_COST_NONE,
                                     .cost = &data,
                                     .cost_count = any ? 1 : 0};
        DUET_THEN(code, duet_builder_add_edge(builder, &read, error));
    }
    return code;
}

duet_code duet_builder_describe_moldable(duet_builder *builder, const duet_instance_desc *desc,
                                         duet_error *error)
{
    duet_moldable_desc moldable;
    memset(&moldable, 0, sizeof moldable);
    duet_code code = duet_struct_take(&moldable, sizeof moldable,
                                      DUET_SIZE_UNTIL(duet_moldable_desc, inter_bandwidth),
                                      desc->moldable, "duet_moldable_desc", error);
    if (code == DUET_OK && moldable.times == NULL && desc->kinds > 0) {
        code = duet_error_set(error, DUET_E_USAGE, "duet_moldable_desc: expected times");
    }
    if (code == DUET_OK) {
        const duet_read_time tick = {.value = {1, desc->decimals}};
        code = duet_builder_set_tick(builder, &tick, 0, 0, error);
    }
    for (size_t t = 0; t < desc->types && code == DUET_OK; t++) {
        code = take_links(builder, &moldable, t, error);
    }
    if (code == DUET_OK && moldable.has_network) {
        code = take_network(builder, &moldable, error);
    }
    DUET_THEN(code, take_kinds(builder, desc, &moldable, error));
    duet_builder_set_mixed_sets(builder, moldable.mixed_sets);
    return code == DUET_OK ? take_edges(builder, desc, &moldable, error) : code;
}
