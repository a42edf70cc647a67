// SPDX-License-Identifier: Apache-2.0
// Groups of tasks of an instance that is being built, as its input says them.
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_builder_set_group(duet_builder *builder, const char *group, size_t length,
                                 duet_error *error)
{
    uint32_t number = 0;
    if (length == 0) {
        return DUET_OK;
    }
    char *copy = duet_alloc(length + 1, 1, error);
    DUET_NEED(copy);
    memcpy(copy, group, length);
    duet_code code = duet_names_add(&builder->instance->group_names, 0, copy, &number, error);
    duet_free(copy);
    while (code == DUET_OK && builder->grouped < builder->kinds) {
        code = duet_vec_push(builder->group, builder->grouped, error, 0U);
    }
    if (code == DUET_OK) {
        builder->group[builder->kinds - 1] = number + 1;
    }
    return code;
}

duet_code duet_builder_keep_groups(duet_builder *builder, duet_error *error)
{
    if (builder->grouped == 0) {
        return DUET_OK;
    }
    uint32_t *kept = duet_alloc(builder->kinds, sizeof *kept, error);
    DUET_NEED(kept);
    memcpy(kept, builder->group, builder->grouped * sizeof *kept);
    builder->instance->group = kept;
    return DUET_OK;
}
