// SPDX-License-Identifier: Apache-2.0
// Processors that differ in speed, of which a file says how fast each is: the one time of each kind
// is what it takes at speed 1. Each is a type of its own.

#include "core/instance/builder/speeds.h"
#include "core/instance/builder/builder_state.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// The types by which the file called its one column are forgotten.
static duet_code take_types(duet_builder *builder, const duet_read_speed *speeds, size_t count,
                            duet_error *error)
{
    duet_instance *instance = builder->instance;
    for (size_t t = 0; t < instance->types; t++) {
        duet_free(instance->type_names[t]);
        instance->type_names[t] = NULL;
    }
    instance->types = 0;
    builder->counts_known = false;
    for (size_t t = 0; t < count; t++) {
        DUET_TRY(duet_builder_add_type(builder, speeds[t].name, 1, speeds[t].line, speeds[t].column,
                                       error));
    }
    return DUET_OK;
}

duet_code duet_builder_set_speeds(duet_builder *builder, const duet_read_speed *speeds,
                                  size_t count, duet_error *error)
{
    size_t kinds = builder->kinds;
    if (kinds > 0 && (builder->times_per_kind != 1 || builder->moldable != NULL)) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, speeds[0].line,
                                 speeds[0].column,
                                 "machines with speeds, and tasks with more than one time each; "
                                 "expected the cost of each task, or no machines");
    }
    int64_t *mantissa = duet_alloc(kinds, count * sizeof *mantissa, error);
    uint8_t *places = duet_alloc(kinds, count * sizeof *places, error);
    duet_code code = mantissa == NULL || places == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t at = 0; at < kinds * count && code == DUET_OK; at++) {
        const duet_read_time *speed = &speeds[at % count].speed;
        duet_long_decimal time;
        duet_long_decimal made;
        time.value = duet_builder_time(builder, at / count, &time.tail);
        bool forbidden = time.value.mantissa == DUET_FORBIDDEN;
        if (!forbidden &&
            !duet_decimal_quotient(time, (duet_long_decimal){speed->value, speed->tail}, &made)) {
            code =
                duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[at / count], 0,
                                  "a task takes more than 2^62 on machine \"%.60s\"; expected "
                                  "a higher speed",
                                  speeds[at % count].name);
        }
        if (code == DUET_OK) {
            mantissa[at] = forbidden ? DUET_FORBIDDEN : made.value.mantissa;
            places[at] = forbidden ? 0 : duet_builder_pack_places(made.value.places, made.tail);
        }
    }
    DUET_THEN(code, take_types(builder, speeds, count, error));
    if (code != DUET_OK) {
        duet_free(mantissa);
        duet_free(places);
        return code;
    }
    duet_free(builder->mantissa);
    duet_free(builder->places);
    builder->mantissa = mantissa;
    builder->places = places;
    builder->times_per_kind = kinds > 0 ? count : 0;
    return DUET_OK;
}
