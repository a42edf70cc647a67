// SPDX-License-Identifier: Apache-2.0
// Verifies certificates of every kind. Those by a table or a knapsack are computed again here,
// since check/, which verifies the others, cannot see dp/.
#include <duet/check.h>

#include "core/instance/rest.h"
#include "core/solution/certificate.h"
#include "core/system/context.h"
#include "core/system/threads.h"
#include "core/system/try.h"
#include "dp/table/table.h"
#include "solvers/moldable/verify.h"

// The form of the table to try first. All forms give the same answer to every guess. The collapsed
// form is the plainest; the adaptive one is for guesses where that would take more than some
// seconds (exact work has a cell per tick).
static duet_table_form form_for(const duet_table_guess *guess)
{
    static const uint64_t some_seconds = UINT64_C(1) << 32; // of cells
    static const int64_t many_tasks = 1 << 20; // duet_table_measure() takes memory for each task
    duet_table_size size;
    if (duet_tasks(guess->instance) <= many_tasks &&
        duet_table_measure(DUET_TABLE_COLLAPSED, guess, false, &size, NULL) == DUET_OK &&
        size.cells <= some_seconds) {
        return DUET_TABLE_COLLAPSED;
    }
    return DUET_TABLE_ADAPTIVE;
}

// Decides by the form to try first; by the other one where that does not fit into memory.
static duet_code decide(const duet_table_guess *guess, const duet_context *context,
                        duet_table_answer *answer, duet_error *error)
{
    duet_error first = DUET_ERROR_INIT;
    duet_table_form form = form_for(guess);
    duet_code code = duet_table_decide(form, guess, context, answer, &first);
    if (code == DUET_E_LIMIT) {
        *answer = (duet_table_answer){.yes = false};
        form = form == DUET_TABLE_COLLAPSED ? DUET_TABLE_ADAPTIVE : DUET_TABLE_COLLAPSED;
        return duet_table_decide(form, guess, context, answer, error);
    }
    return code == DUET_OK ? code : duet_error_set(error, code, "%s", first.message);
}

static duet_code answer_by_table(const duet_instance *instance, const duet_certificate *certificate,
                                 const duet_context *context, duet_answer *answer,
                                 duet_error *error)
{
    duet_table_guess guess = {.instance = instance,
                              .lambda = certificate->lambda - 1,
                              .rounded = certificate->rounded,
                              .grid = certificate->grid};
    duet_table_answer found = {.yes = false};
    duet_code code = decide(&guess, context, &found, error);
    answer->yes = found.yes;
    answer->stopped = found.stopped;
    return code;
}

// Whether the answer is the NO that the certificate claims.
static duet_code judge(const duet_instance *instance, const duet_certificate *certificate,
                       const duet_context *context, const duet_answer *answer, duet_error *error)
{
    const char *what = certificate->proof == DUET_PROOF_TABLE ? "table" : "knapsack";
    if (answer->stopped) {
        return duet_cancel_requested(context->cancel)
                   ? duet_error_set(error, DUET_E_CANCELLED,
                                    "cancelled before the %s was computed again", what)
                   : duet_error_set(error, DUET_E_LIMIT,
                                    "the time limit came before the %s was computed again", what);
    }
    if (answer->yes) {
        char digits[32];
        duet_instance_format_time(instance, certificate->lambda - 1, digits);
        return duet_error_set(error, DUET_E_INPUT,
                              "certificate: the %s says yes to %s: expected no", what, digits);
    }
    return DUET_OK;
}

static duet_code verify_deep(const duet_instance *instance, const duet_certificate *certificate,
                             const duet_params *params, duet_error *error)
{
    DUET_TRY(duet_instance_ready(instance, error));
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_certificate_check(certificate, instance, params, &why);
    if (code != DUET_E_UNSUPPORTED || !duet_proof_is_deep(certificate->proof)) {
        return code == DUET_OK ? code : duet_error_set(error, code, "%s", why.message);
    }
    duet_context context;
    DUET_TRY(duet_context_init(&context, params, error));
    context.threads = duet_threads_startable(context.threads);
    duet_answer answer = {.yes = false};
    int64_t guess = certificate->lambda - 1;
    DUET_TRY(certificate->proof == DUET_PROOF_TABLE
                 ? answer_by_table(instance, certificate, &context, &answer, error)
                 : duet_moldable_answer(instance, &context, guess, &answer, error));
    return judge(instance, certificate, &context, &answer, error);
}

duet_code duet_verify_deep(const duet_instance *instance, const duet_certificate *certificate,
                           const duet_params *params, duet_error *error)
{
    if (instance->pins == NULL) {
        return verify_deep(instance, certificate, params, error);
    }
    duet_rest rest;
    duet_code code = duet_rest_create(instance, &rest, error);
    duet_certificate own = *certificate;
    if (code == DUET_OK) {
        own.task = duet_rest_number(&rest, own.task);
        code = verify_deep(rest.instance, &own, params, error);
    }
    duet_rest_free(&rest);
    return code;
}
