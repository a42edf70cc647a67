// SPDX-License-Identifier: Apache-2.0
// An instance from arrays: duet_instance_create().
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"

static duet_code add_described_kinds(duet_builder *builder, const duet_instance_desc *desc,
                                     duet_error *error)
{
    duet_read_time times[DUET_MAX_TYPES];
    for (size_t i = 0; i < desc->kinds; i++) {
        for (size_t t = 0; t < desc->types; t++) {
            int64_t time = desc->times[i * desc->types + t];
            if (time < 0 || (time > DUET_MAX_WORK && time != DUET_FORBIDDEN)) {
                return duet_error_set(error, DUET_E_INPUT,
                                      "kind %zu: time %" PRId64 ": expected 0 to 2^62 ticks", i,
                                      time);
            }
            times[t] = (duet_read_time){.forbidden = time == DUET_FORBIDDEN, .value = {time, 0}};
        }
        char number[32];
        snprintf(number, sizeof number, "t%zu", i);
        const char *id = desc->ids == NULL ? number : desc->ids[i];
        const duet_read_kind kind = {.id = id,
                                     .id_length = strlen(id),
                                     .count = desc->counts == NULL ? 1 : desc->counts[i],
                                     .times = times,
                                     .time_count = desc->types};
        DUET_TRY(duet_builder_add_kind(builder, &kind, error));
        DUET_TRY(duet_builder_describe_release(builder, desc, i, error));
    }
    return DUET_OK;
}

static duet_code add_described_claim(duet_builder *builder, const duet_claim *claim,
                                     duet_error *error)
{
    const duet_read_claim read = {.algorithm = claim->algorithm,
                                  .options = claim->options,
                                  .limit = claim->limit,
                                  .source = claim->source,
                                  .optimum = {claim->optimum, 0},
                                  .makespan = {claim->makespan, 0},
                                  .refuted = claim->refuted};
    return duet_builder_set_claim(builder, &read, error);
}

static int compare_busy(const void *left, const void *right)
{
    const duet_busy *a = left;
    const duet_busy *b = right;
    return a->type != b->type ? duet_order((int64_t)a->type, (int64_t)b->type)
                              : duet_order(a->processor, b->processor);
}

// Processors that nothing is said of are free from 0, as far as the last one that is.
static duet_code add_busy(duet_builder *builder, const duet_instance_desc *desc, duet_error *error)
{
    static const duet_read_time free_from_0 = {.forbidden = false};
    duet_busy *busy = duet_alloc(desc->busy_count, sizeof *busy, error);
    duet_code code = busy == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK && desc->busy_count > 0) {
        memcpy(busy, desc->busy, desc->busy_count * sizeof *busy);
        qsort(busy, desc->busy_count, sizeof *busy, compare_busy);
    }
    int64_t next = 0;
    for (size_t i = 0; i < desc->busy_count && code == DUET_OK; i++) {
        const duet_read_time until = {.value = {busy[i].until, 0}};
        next = i > 0 && busy[i].type == busy[i - 1].type ? next : 0;
        if (busy[i].type >= desc->types || busy[i].processor < next ||
            busy[i].processor >= desc->platform[busy[i].type].count || busy[i].until < 0 ||
            busy[i].until > DUET_MAX_WORK) {
            code = duet_error_set(error, DUET_E_INPUT,
                                  "busy processor %" PRId64 ": expected each processor of a type "
                                  "once, until 0 to 2^62 ticks",
                                  busy[i].processor);
        }
        for (; code == DUET_OK && next < busy[i].processor; next++) {
            code = duet_builder_add_busy(builder, busy[i].type, &free_from_0, error);
        }
        DUET_THEN(code, duet_builder_add_busy(builder, busy[i].type, &until, error));
        next++;
    }
    duet_free(busy);
    return code;
}

static duet_code describe(duet_builder *builder, const duet_instance_desc *desc, duet_error *error)
{
    if (desc->types < 1 || desc->types > DUET_MAX_TYPES || desc->decimals < 0 ||
        desc->decimals > DUET_MAX_DECIMALS) {
        return duet_error_set(error, DUET_E_INPUT,
                              "expected 1 to %d processor types and 0 to %d decimals",
                              DUET_MAX_TYPES, DUET_MAX_DECIMALS);
    }
    duet_code code = DUET_OK;
    if (desc->name != NULL) {
        code = duet_builder_set_name(builder, desc->name, error);
    }
    if (code == DUET_OK && desc->time_unit != NULL) {
        code = duet_builder_set_time_unit(builder, desc->time_unit, error);
    }
    for (size_t t = 0; t < desc->types && code == DUET_OK; t++) {
        if (desc->platform[t].count < 0) {
            return duet_error_set(error, DUET_E_INPUT, "processors of type %s: expected at least 0",
                                  desc->platform[t].name);
        }
        code = duet_builder_add_type(builder, desc->platform[t].name, desc->platform[t].count, 0, 0,
                                     error);
    }
    DUET_THEN(code, add_busy(builder, desc, error));
    if (code == DUET_OK && desc->claim != NULL) {
        code = add_described_claim(builder, desc->claim, error);
    }
    if (code == DUET_OK && desc->moldable != NULL) {
        return duet_builder_describe_moldable(builder, desc, error);
    }
    DUET_THEN(code, add_described_kinds(builder, desc, error));
    return code == DUET_OK ? duet_builder_describe_edges(builder, desc, error) : code;
}

duet_code duet_instance_create(const duet_instance_desc *desc, duet_instance **out,
                               duet_error *error)
{
    *out = NULL;
    duet_instance_desc known = {.struct_size = sizeof known};
    duet_builder *builder;
    DUET_TRY(duet_struct_take(&known, sizeof known, DUET_SIZE_UNTIL(duet_instance_desc, claim),
                              desc, "duet_instance_desc", error));
    DUET_TRY(duet_builder_create(&builder, error));
    duet_code code = describe(builder, &known, error);
    DUET_THEN(code, duet_builder_finish(builder, out, error));
    if (code == DUET_OK) {
        (*out)->decimals = known.decimals;
    }
    duet_builder_free(builder);
    return code;
}
