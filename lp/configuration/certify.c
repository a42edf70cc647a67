// SPDX-License-Identifier: Apache-2.0
// Which integer prices are handed out: those of a refutation for the longest guess that they refute
// and as small as they may be, finer ones where rounding lost the refutation, and small ones that
// leave about the least slack. All by rounding the same duals again.
#include <math.h>

#include "core/system/try.h"
#include "lp/configuration/configuration_state.h"
#include "lp/reach.h"

enum {
    SMALL = 11, // bits by which the prices of a node are smaller, or some less
    SMALL_STEP = 2,
    SMALL_ENOUGH = 7, // with fewer the checker takes long
};

static duet_code refutes(void *self, int64_t guess, bool *refuted, duet_error *error)
{
    duet_configuration *c = self;
    duet_int128 slack;
    duet_code code = duet_rounding_prices(c, duet_rounding_scale(c, guess), guess, &slack, error);
    *refuted = code == DUET_OK && slack < 0;
    return code;
}

// A caller that wants to stop waits only for prices of at least SMALL_ENOUGH bits less, which are
// there at once. It gets no others: checking those would take longer than finding them did.
duet_code duet_certify_smallest(duet_configuration *c, const duet_context *context,
                                duet_prices *prices, duet_configuration_answer *answer,
                                duet_error *error)
{
    enum { shifts = 15 };
    int64_t guess = answer->proven;
    c->context = NULL;
    double scale = duet_rounding_scale(c, guess);
    for (int shift = shifts; shift >= 0; shift--) {
        if (shift < SMALL_ENOUGH && duet_context_stop(context)) {
            answer->refuted = answer->any = false;
            return DUET_OK;
        }
        duet_int128 slack;
        duet_code code = duet_rounding_prices(c, ldexp(scale, -shift), guess, &slack, error);
        if (code != DUET_OK || slack < 0) {
            duet_prices_copy(c->classes, &c->trial, prices);
            return code;
        }
    }
    answer->proven = c->guess; // refuted by the prices that are in `prices` already
    return DUET_OK;
}

duet_code duet_certify_refutation(duet_configuration *c, const duet_context *context,
                                  duet_prices *prices, duet_configuration_answer *answer,
                                  duet_error *error)
{
    const int of_guess = c->lasts ? 21 : 19; // bits
    int64_t most = c->lasts ? c->classes->guess : c->classes->valid;
    int64_t step = duet_reach_step(c->factor, answer->proven, most);
    const duet_reach reach = {.refutes = refutes,
                              .self = c,
                              .step = step,
                              .least = c->effort.fine > 0 ? step / 8 : answer->proven >> of_guess,
                              .most = most};
    answer->refuted = true;
    duet_code code = duet_reach_guess(&reach, context, &answer->proven, error);
    return code == DUET_OK ? duet_certify_smallest(c, context, prices, answer, error) : code;
}

duet_code duet_certify_finer(duet_configuration *c, const duet_context *context,
                             duet_prices *prices, duet_configuration_answer *answer,
                             duet_error *error)
{
    enum { once = 2, most = 5 }; // bits
    const double hope = 1 + 1e-8;
    duet_code code = DUET_OK;
    bool tables = c->effort.by_table && !(c->divisible[0] && c->divisible[1]);
    for (c->effort.fine = once; tables && !duet_context_stop(context) && c->effort.fine <= most &&
                                c->factor > hope && code == DUET_OK && !answer->refuted;
         c->effort.fine += once + 1) {
        bool refuted;
        code = refutes(c, c->guess, &refuted, error);
        if (code == DUET_OK && refuted) {
            duet_prices_copy(c->classes, &c->trial, prices);
            code = duet_certify_refutation(c, context, prices, answer, error);
        }
    }
    c->effort.fine = 0;
    return code;
}

duet_code duet_certify_small(duet_configuration *c, double scale, duet_prices *prices, bool *small,
                             duet_error *error)
{
    duet_code code = DUET_OK;
    *small = false;
    for (int shift = SMALL; shift >= SMALL_ENOUGH && code == DUET_OK && !*small;
         shift -= SMALL_STEP) {
        duet_int128 slack;
        code = duet_rounding_prices(c, ldexp(scale, -shift), c->guess, &slack, error);
        *small = code == DUET_OK && slack < 0;
    }
    if (*small) {
        duet_prices_copy(c->classes, &c->trial, prices);
    }
    return code;
}

duet_code duet_certify_reduced(duet_configuration *c, duet_prices *prices,
                               duet_configuration_answer *answer, duet_error *error)
{
    // Lost is at most 2^-9 of a processor's limit, and a quarter of the slack; or 2^-12 and 2 %.
    const int lost = c->precise ? 12 : 9;
    const double more = c->precise ? 1.02 : 1.25;
    int64_t guess = c->guess;
    double slack =
        (double)duet_branching_rows_slack(c->classes, c->state, prices, c->branching_row);
    double limit = (double)(c->divisible[0] ? prices->limit[1] : prices->limit[0]);
    duet_duals_smooth(c, 1);
    double scale = duet_rounding_scale(c, guess);
    for (int shift = SMALL; shift > 0; shift -= SMALL_STEP) {
        duet_int128 left;
        DUET_TRY(duet_rounding_prices(c, ldexp(scale, -shift), guess, &left, error));
        if (!c->effort.unknown &&
            ldexp((double)left, shift) <= slack * more + ldexp(limit, -lost)) {
            duet_prices_copy(c->classes, &c->trial, prices);
            answer->refuted = left < 0;
            return DUET_OK;
        }
    }
    return DUET_OK;
}
