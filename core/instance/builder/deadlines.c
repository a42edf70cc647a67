// SPDX-License-Identifier: Apache-2.0
// When tasks of an instance that is being built are to have ended. A deadline bounds nothing: it is
// kept as it was read, and makes no tick finer.
#include "core/instance/builder/state.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_builder_set_deadline(duet_builder *builder, const duet_read_time *deadline,
                                    duet_error *error)
{
    static const duet_decimal none = {DUET_FORBIDDEN, 0};
    if (deadline->forbidden) {
        return DUET_OK;
    }
    while (builder->deadlines < builder->kinds) {
        DUET_TRY(duet_vec_push(builder->deadline, builder->deadlines, error, none));
    }
    builder->deadline[builder->kinds - 1] = deadline->value;
    return DUET_OK;
}

duet_code duet_builder_keep_deadlines(duet_builder *builder, duet_error *error)
{
    if (builder->deadlines == 0) {
        return DUET_OK;
    }
    duet_decimal *kept = duet_alloc(builder->kinds, sizeof *kept, error);
    DUET_NEED(kept);
    for (size_t i = 0; i < builder->kinds; i++) {
        bool given = i < builder->deadlines;
        kept[i] = given ? builder->deadline[i] : (duet_decimal){DUET_FORBIDDEN, 0};
    }
    builder->instance->deadline = kept;
    return DUET_OK;
}
