// SPDX-License-Identifier: Apache-2.0
// The times of an instance that is being built, in ticks of one scale.
#include "core/builder/state.h"
#include "core/fraction.h"

duet_code duet_builder_scale_times(duet_builder *builder, duet_error *error)
{
    size_t cells = builder->kinds * builder->times_per_kind;
    int decimals = builder->instance->claim == NULL ? 0 : builder->claim_places;
    for (size_t i = 0; i < cells; i++) {
        decimals = builder->places[i] > decimals ? builder->places[i] : decimals;
    }
    for (size_t i = 0; i < cells; i++) {
        duet_decimal value = {builder->mantissa[i], builder->places[i]};
        if (value.mantissa != DUET_FORBIDDEN &&
            !duet_decimal_scale(value, decimals, &builder->mantissa[i])) {
            return duet_error_set_at(
                error, DUET_E_INPUT, builder->file, builder->line[i / builder->times_per_kind], 0,
                "time too large: expected at most 2^62 ticks of 10^-%d", decimals);
        }
    }
    builder->instance->decimals = decimals;
    return duet_builder_scale_claim(builder, decimals, error);
}

duet_code duet_builder_check_work(const duet_builder *builder, duet_error *error)
{
    duet_uint128 work = 0;
    duet_uint128 tasks = 0;
    for (size_t i = 0; i < builder->kinds; i++) {
        int64_t longest = 0;
        for (size_t t = 0; t < builder->times_per_kind; t++) {
            int64_t time = builder->mantissa[i * builder->times_per_kind + t];
            longest = time != DUET_FORBIDDEN && time > longest ? time : longest;
        }
        work += (duet_uint128)longest * (duet_uint128)builder->count[i];
        tasks += (uint64_t)builder->count[i];
        if (work > (duet_uint128)DUET_MAX_WORK || tasks > (duet_uint128)DUET_MAX_WORK) {
            return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->line[i], 0,
                                     "too much %s: expected at most 2^62 %s in total",
                                     work > (duet_uint128)DUET_MAX_WORK ? "work" : "to do",
                                     work > (duet_uint128)DUET_MAX_WORK ? "ticks" : "tasks");
        }
    }
    return DUET_OK;
}
