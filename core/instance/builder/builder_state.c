// SPDX-License-Identifier: Apache-2.0
// What all parts of the builder share: the name and the unit of time, notes, whether tasks are
// moldable, numbers that are kept with 18 digits, and rows of one column that become rows of many.
#include "core/instance/builder/builder_state.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/builder/moldable.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_builder_add_notice(duet_builder *builder, const char *notice, duet_error *error)
{
    char *before = builder->instance->notice;
    if (before == NULL) {
        builder->instance->notice = duet_copy_string(notice, error);
        return builder->instance->notice == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    size_t size = strlen(before) + strlen("; ") + strlen(notice) + 1;
    char *both = duet_alloc(size, 1, error);
    DUET_NEED(both);
    snprintf(both, size, "%s; %s", before, notice);
    duet_free(before);
    builder->instance->notice = both;
    return DUET_OK;
}

static duet_code replace_string(char **target, const char *text, duet_error *error)
{
    char *copy = duet_copy_string(text, error);
    DUET_NEED(copy);
    duet_free(*target);
    *target = copy;
    return DUET_OK;
}

duet_code duet_builder_set_name(duet_builder *builder, const char *name, duet_error *error)
{
    return replace_string(&builder->instance->name, name, error);
}

duet_code duet_builder_set_time_unit(duet_builder *builder, const char *unit, duet_error *error)
{
    return replace_string(&builder->instance->time_unit, unit, error);
}

const char *duet_builder_time_unit(const duet_builder *builder)
{
    return builder->instance->time_unit;
}

bool duet_builder_is_moldable(const duet_builder *builder)
{
    return builder->moldable != NULL && (builder->moldable->tables || builder->moldable->network);
}

duet_decimal duet_builder_number(duet_builder *builder, const duet_read_time *read)
{
    duet_decimal value = read->value;
    bool rest = read->tail != DUET_DECIMAL_NO_TAIL;
    bool up = read->tail == DUET_DECIMAL_HALF_OR_MORE;
    for (; value.places > DUET_MAX_DECIMALS; value.places--) {
        int64_t last = value.mantissa % 10;
        rest = rest || last != 0;
        up = last >= 5;
        value.mantissa /= 10;
    }
    value.mantissa += up && value.mantissa < DUET_MAX_WORK;
    while (value.places > 0 && value.mantissa % 10 == 0) {
        value.mantissa /= 10;
        value.places--;
    }
    builder->moldable->rounded += rest;
    return value;
}

duet_code duet_builder_widen(duet_builder *builder, size_t types, duet_error *error)
{
    if (!builder->one_column) {
        return DUET_OK;
    }
    duet_builder_moldable *made = builder->moldable;
    size_t cells = builder->kinds * types;
    DUET_TRY(duet_vec_reserve(builder->mantissa, cells, error));
    DUET_TRY(duet_vec_reserve(builder->places, cells, error));
    DUET_TRY(duet_vec_reserve(made->m->cell, cells, error));
    for (size_t i = builder->kinds; i-- > 0;) {
        for (size_t t = types; t-- > 0;) {
            builder->mantissa[i * types + t] = builder->mantissa[i];
            builder->places[i * types + t] = builder->places[i];
            made->m->cell[i * types + t] = made->m->cell[i];
        }
    }
    builder->times_per_kind = types;
    builder->one_column = false;
    return DUET_OK;
}
