// SPDX-License-Identifier: Apache-2.0
// Kinds that follow one law on all types. Files may name them before the types are known: until
// then each has one column, that of every type.
#include "core/instance/builder/moldable.h"

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
