// SPDX-License-Identifier: Apache-2.0
// Computing the table behind a DUET_PROOF_TABLE certificate again. Not in core/: it needs dp/.
#include <duet/check.h>

#include <inttypes.h>

#include "core/context.h"
#include "dp/table.h"

// The plainest table that fits: every form gives the same answers.
static duet_code decide(const duet_table_guess *guess, const duet_context *context,
                        duet_table_answer *answer, duet_error *error)
{
    duet_error first = DUET_ERROR_INIT;
    duet_code code = duet_table_decide(DUET_TABLE_COLLAPSED, guess, context, answer, &first);
    if (code == DUET_E_LIMIT) {
        *answer = (duet_table_answer){.yes = false};
        return duet_table_decide(DUET_TABLE_ADAPTIVE, guess, context, answer, error);
    }
    return code == DUET_OK ? code : duet_error_set(error, code, "%s", first.message);
}

duet_code duet_verify_table(const duet_instance *instance, const duet_certificate *certificate,
                            const duet_params *params, duet_error *error)
{
    if (certificate->proof != DUET_PROOF_TABLE) {
        return duet_error_set(error, DUET_E_USAGE, "certificate: expected one by table");
    }
    duet_code code = duet_instance_ready(instance, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_error why = DUET_ERROR_INIT;
    code = duet_certificate_check(certificate, instance, &why);
    if (code != DUET_E_UNSUPPORTED) { // ill-formed, or with nothing to prove
        return code == DUET_OK ? code : duet_error_set(error, code, "%s", why.message);
    }
    duet_context context;
    duet_context_init(&context, params);
    duet_table_guess guess = {.instance = instance,
                              .lambda = certificate->lambda - 1,
                              .rounded = certificate->rounded,
                              .grid = certificate->grid};
    duet_table_answer answer = {.yes = false};
    code = decide(&guess, &context, &answer, error);
    if (code == DUET_OK && answer.stopped) {
        return duet_context_stop_error(&context, error);
    }
    if (code == DUET_OK && answer.yes) {
        char digits[32];
        duet_instance_format_time(instance, guess.lambda, digits);
        return duet_error_set(error, DUET_E_INPUT,
                              "certificate: the table says yes to %s: expected no", digits);
    }
    return code;
}
