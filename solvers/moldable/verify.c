// SPDX-License-Identifier: Apache-2.0
#include "solvers/moldable/verify.h"

#include "core/system/try.h"
#include "solvers/moldable/hybrid_guess.h"
#include "solvers/moldable/shelf_guess.h"

static duet_code answer_one_type(const duet_instance *instance, const duet_context *context,
                                 int64_t guess, duet_answer *answer, duet_error *error)
{
    duet_shelf_guess state;
    size_t type = duet_find_used_types(instance).first;
    DUET_TRY(duet_require_monotone(instance, "the knapsack", type, error));
    duet_code code = duet_shelf_guess_create(instance, context, type, &state, error);
    DUET_THEN(code, duet_shelf_guess_ask(&state, guess, answer, error));
    duet_shelf_guess_free(&state);
    return code;
}

static duet_code answer_two_types(const duet_instance *instance, const duet_context *context,
                                  int64_t guess, duet_answer *answer, duet_error *error)
{
    static const int64_t finest = 1 << 20;
    duet_code code = duet_require_hybrid(instance, error);
    answer->yes = true;
    for (int64_t units = 4; code == DUET_OK && answer->yes; units *= 16) {
        units = units > finest ? 0 : units; // 0: exact areas
        duet_hybrid_guess state;
        code = duet_hybrid_guess_create(instance, context, units, &state, error);
        DUET_THEN(code, duet_hybrid_guess_ask(&state, guess, answer, error));
        duet_hybrid_guess_free(&state);
        if (units == 0) {
            break;
        }
    }
    return code;
}

duet_code duet_moldable_answer(const duet_instance *instance, const duet_context *context,
                               int64_t guess, duet_answer *answer, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_find_used_types(instance).count == 1
                         ? answer_one_type(instance, context, guess, answer, &why)
                         : answer_two_types(instance, context, guess, answer, &why);
    if (code == DUET_E_UNSUPPORTED) { // the certificate is at fault, not what was asked for
        return duet_error_set(error, DUET_E_INPUT, "certificate: %s", why.message);
    }
    return code == DUET_OK ? code : duet_error_set(error, code, "%s", why.message);
}
