// SPDX-License-Identifier: Apache-2.0
// Whether a bound that was computed holds by its certificate.
#include <duet/check.h>

#include "check/certificates.h"
#include "check/limits.h"
#include "core/instance/instance.h"
#include "core/instance/rest.h"
#include "core/number/minmax.h"
#include "core/solution/certificate.h"
#include "core/system/try.h"

// What every schedule of an instance in which tasks are given waits for.
typedef struct given {
    int64_t origin; // before which nothing of the rest starts: its certificates count from there
    int64_t end;    // of the given tasks
} given;

static duet_code find_given(const duet_instance *instance, given *of, duet_error *error)
{
    *of = (given){0, 0};
    if (instance->pins == NULL) {
        return DUET_OK;
    }
    duet_rest rest;
    duet_code code = duet_rest_create(instance, &rest, error);
    if (code == DUET_OK) {
        // A task of the rest ends at the origin at the earliest.
        *of = (given){rest.origin, rest.tasks > 0 ? duet_max(rest.origin, rest.end) : rest.end};
    }
    duet_rest_free(&rest);
    return code;
}

duet_code duet_check_bound(const duet_instance *instance, const duet_bound *bound,
                           const duet_params *params, duet_bound_check *check, duet_error *error)
{
    given of;
    duet_context context;
    const duet_certificate *proof = &bound->certificate;
    *check = DUET_BOUND_NONE;
    DUET_TRY(duet_check_begin(&context, params, duet_certificate_size(proof), error));
    if (!instance->has_platform) {
        return duet_error_set(error, DUET_E_USAGE,
                              "the instance has no platform: expected processor counts (-m, -k)");
    }
    DUET_TRY(find_given(instance, &of, error));
    if (bound->value <= of.end) {
        *check = bound->value > 0 ? DUET_BOUND_CERTIFIED : DUET_BOUND_NONE;
        return DUET_OK;
    }
    *check = DUET_BOUND_UNPROVEN;
    if (proof->proof == DUET_PROOF_NONE || proof->lambda < bound->value - of.origin) {
        return DUET_OK;
    }
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check(proof, instance, params, &why);
    bool deep = code == DUET_E_UNSUPPORTED && duet_proof_is_deep(proof->proof);
    if (code != DUET_OK && !deep) {
        return duet_error_set(error, code, "%s", why.message);
    }
    *check = deep ? DUET_BOUND_DEEP : DUET_BOUND_CERTIFIED;
    return DUET_OK;
}
