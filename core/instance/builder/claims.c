// SPDX-License-Identifier: Apache-2.0
// A claim of an instance that is being built.
#include "core/instance/builder/builder_state.h"

duet_code duet_builder_set_claim(duet_builder *builder, const duet_read_claim *claim,
                                 duet_error *error)
{
    duet_claim_free(builder->instance->claim);
    builder->claim_line = claim->line;
    builder->claim_column = claim->column;
    duet_read_claim located = *claim;
    located.file = builder->file;
    return duet_claim_create(&located, &builder->instance->claim, &builder->claim_places, error);
}

duet_code duet_builder_check_claim(duet_builder *builder, duet_error *error)
{
    if (builder->instance->claim == NULL || builder->instance->has_platform) {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_INPUT, builder->file, builder->claim_line,
                             builder->claim_column,
                             "a claim about no platform: expected one with processor counts");
}

duet_code duet_builder_scale_claim(duet_builder *builder, int decimals, duet_error *error)
{
    if (builder->instance->claim != NULL &&
        !duet_claim_scale(builder->instance->claim, builder->claim_places, decimals)) {
        return duet_error_set_at(
            error, DUET_E_INPUT, builder->file, builder->claim_line, builder->claim_column,
            "claimed times too large: expected at most 2^62 ticks of 10^-%d", decimals);
    }
    return DUET_OK;
}

duet_code duet_builder_drop_claim(duet_builder *builder, duet_error *error)
{
    if (builder->instance->claim == NULL) {
        return DUET_OK;
    }
    duet_claim_free(builder->instance->claim);
    builder->instance->claim = NULL;
    return duet_builder_add_notice(
        builder, "what the file claims is left out, since it is about the exact times", error);
}
