// SPDX-License-Identifier: Apache-2.0
// Kinds that follow one law on all types. Files may name them before the types are known: until
// then each has one column, that of every type.
#include "core/instance/builder/moldable.h"
#include "core/system/memory.h"

duet_code duet_builder_widen(duet_builder *builder, size_t types, duet_error *error)
{
    if (!builder->one_column) {
        return DUET_OK;
    }
    duet_builder_moldable *made = builder->moldable;
    size_t cells = builder->kinds * types;
    duet_code code = duet_reserve(&builder->mantissa, cells, &builder->mantissa_capacity,
                                  sizeof *builder->mantissa, error);
    if (code == DUET_OK) {
        code = duet_reserve(&builder->places, cells, &builder->places_capacity,
                            sizeof *builder->places, error);
    }
    if (code == DUET_OK) {
        code =
            duet_reserve(&made->m->cell, cells, &made->cell_capacity, sizeof *made->m->cell, error);
    }
    for (size_t i = builder->kinds; i-- > 0 && code == DUET_OK;) {
        for (size_t t = types; t-- > 0;) {
            builder->mantissa[i * types + t] = builder->mantissa[i];
            builder->places[i * types + t] = builder->places[i];
            made->m->cell[i * types + t] = made->m->cell[i];
        }
    }
    if (code == DUET_OK) {
        builder->times_per_kind = types;
        builder->one_column = false;
    }
    return code;
}

duet_code duet_builder_add_law_kind(duet_builder *builder, const duet_read_kind *kind,
                                    const duet_read_table *law, duet_error *error)
{
    duet_read_time times[DUET_MAX_TYPES];
    duet_read_table tables[DUET_MAX_TYPES];
    duet_read_kind same = *kind;
    size_t types = builder->instance->types;
    bool first = types == 0 && builder->kinds == 0;
    same.times = times;
    same.time_count = types > 0 ? types : first ? 1 : builder->times_per_kind;
    for (size_t t = 0; t < same.time_count; t++) {
        times[t] = (duet_read_time){.forbidden = false};
        tables[t] = *law;
    }
    duet_code code = duet_builder_add_moldable_kind(builder, &same, tables, error);
    builder->one_column = builder->one_column || (first && code == DUET_OK);
    return code;
}
