// SPDX-License-Identifier: Apache-2.0
// What an instance claims about itself: an algorithm's makespan beside the optimum.
#include "core/instance/instance.h"

#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

void duet_claim_free(duet_kept_claim *kept)
{
    for (int i = 0; kept != NULL && i < DUET_CLAIM_TEXTS; i++) {
        duet_free(kept->text[i]);
    }
    duet_free(kept);
}

char *duet_claim_ratio(const duet_claim *claim, char *buffer)
{
    duet_fraction ratio = {(uint64_t)claim->makespan, (uint64_t)claim->optimum};
    return duet_fraction_format(ratio, buffer);
}

static duet_code fault(const duet_read_claim *read, const char *message, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, read->file, read->line, read->column, "%s",
                             message);
}

// Sets the times and checks them against each other and the stated ratio.
static duet_code take_times(const duet_read_claim *read, duet_claim *claim, int places,
                            duet_error *error)
{
    if (!duet_decimal_scale(read->optimum, places, &claim->optimum) ||
        !duet_decimal_scale(read->makespan, places, &claim->makespan) ||
        claim->makespan > DUET_MAX_WORK) {
        return fault(read, "claimed times too large: expected at most 2^62 ticks", error);
    }
    if (claim->optimum < 1) {
        return fault(read, "the claimed optimum is 0; expected more", error);
    }
    if (claim->makespan < claim->optimum) {
        return fault(read, "the claimed makespan is below the optimum; expected at least that",
                     error);
    }
    char ratio[80];
    if (read->ratio != NULL && strcmp(read->ratio, duet_claim_ratio(claim, ratio)) != 0) {
        return duet_error_set_at(error, DUET_E_INPUT, read->file, read->line, read->column,
                                 "claimed ratio \"%.40s\": expected \"%s\", the makespan by the "
                                 "optimum in lowest terms",
                                 read->ratio, ratio);
    }
    return DUET_OK;
}

static duet_code take_texts(const duet_read_claim *read, duet_kept_claim *kept, duet_error *error)
{
    const char *const given[DUET_CLAIM_TEXTS] = {read->algorithm, read->options, read->limit,
                                                 read->source};
    for (int i = 0; i < DUET_CLAIM_TEXTS; i++) {
        kept->text[i] = duet_copy_string(given[i] == NULL ? "" : given[i], error);
        DUET_NEED(kept->text[i]);
    }
    kept->claim.algorithm = kept->text[0];
    kept->claim.options = kept->text[1];
    kept->claim.limit = kept->text[2];
    kept->claim.source = kept->text[3];
    return DUET_OK;
}

duet_code duet_claim_create(const duet_read_claim *read, duet_kept_claim **out, int *places,
                            duet_error *error)
{
    *out = NULL;
    if (read->algorithm == NULL || read->algorithm[0] == '\0') {
        return fault(read, "the claim names no algorithm; expected the one it is about", error);
    }
    duet_kept_claim *kept = duet_alloc(1, sizeof *kept, error);
    DUET_NEED(kept);
    *places = duet_max(read->optimum.places, read->makespan.places);
    kept->claim.refuted = read->refuted;
    duet_code code = take_times(read, &kept->claim, *places, error);
    DUET_THEN(code, take_texts(read, kept, error));
    if (code != DUET_OK) {
        duet_claim_free(kept);
        return code;
    }
    *out = kept;
    return DUET_OK;
}

bool duet_claim_scale(duet_kept_claim *kept, int places, int decimals)
{
    duet_decimal optimum = {kept->claim.optimum, places};
    duet_decimal makespan = {kept->claim.makespan, places};
    return duet_decimal_scale(optimum, decimals, &kept->claim.optimum) != 0 &&
           duet_decimal_scale(makespan, decimals, &kept->claim.makespan) != 0;
}
