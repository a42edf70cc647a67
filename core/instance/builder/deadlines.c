// SPDX-License-Identifier: Apache-2.0
// When tasks of an instance that is being built are to have ended, and their priorities. Neither
// bounds anything: both are kept as they were read, and make no tick finer.
#include "core/instance/builder/builder_state.h"
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

duet_code duet_builder_set_priority(duet_builder *builder, duet_decimal priority, duet_error *error)
{
    static const duet_decimal none = {0, 0};
    while (builder->priorities < builder->kinds) {
        DUET_TRY(duet_vec_push(builder->priority, builder->priorities, error, none));
    }
    builder->priority[builder->kinds - 1] = priority;
    return DUET_OK;
}

// The values of the first kinds, and `none` of the others; NULL where none was given.
static duet_code keep(const duet_builder *builder, const duet_decimal *given, size_t count,
                      duet_decimal none, duet_decimal **out, duet_error *error)
{
    if (count == 0) {
        return DUET_OK;
    }
    *out = duet_alloc(builder->kinds, sizeof **out, error);
    DUET_NEED(*out);
    for (size_t i = 0; i < builder->kinds; i++) {
        (*out)[i] = i < count ? given[i] : none;
    }
    return DUET_OK;
}

duet_code duet_builder_keep_deadlines(duet_builder *builder, duet_error *error)
{
    duet_instance *instance = builder->instance;
    DUET_TRY(keep(builder, builder->deadline, builder->deadlines, (duet_decimal){DUET_FORBIDDEN, 0},
                  &instance->deadline, error));
    return keep(builder, builder->priority, builder->priorities, (duet_decimal){0, 0},
                &instance->priority, error);
}
