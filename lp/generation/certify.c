// SPDX-License-Identifier: Apache-2.0
// Which integer prices are handed out: those of a refutation for the longest guess that they refute
// and as small as they may be, by rounding the same duals again.
#include <math.h>

#include "lp/generation/generation_state.h"
#include "lp/reach.h"

static duet_code refutes(void *self, int64_t guess, bool *refuted, duet_error *error)
{
    duet_generation *generation = self;
    duet_int128 slack;
    double scale = duet_generation_scale(generation, guess);
    duet_code code = duet_generation_round(generation, scale, guess, &slack, error);
    *refuted = code == DUET_OK && slack < 0;
    return code;
}

// The smallest prices that refute answer->proven: the checker's knapsack runs over them. `prices`
// has some that refute the guess. A caller that wants to stop waits only for prices of at least
// SMALL_ENOUGH bits less, and gets no others: checking those would take longer than finding them.
static duet_code find_smallest(duet_generation *generation, const duet_context *context,
                               duet_prices *prices, duet_generation_answer *answer,
                               duet_error *error)
{
    enum { shifts = 15, SMALL_ENOUGH = 7 };
    generation->context = NULL;
    double scale = duet_generation_scale(generation, answer->proven);
    for (int shift = shifts; shift >= 0; shift--) {
        if (shift < SMALL_ENOUGH && duet_context_stop(context)) {
            answer->refuted = answer->any = false;
            return DUET_OK;
        }
        duet_int128 slack;
        duet_code code =
            duet_generation_round(generation, ldexp(scale, -shift), answer->proven, &slack, error);
        if (code != DUET_OK || slack < 0) {
            duet_prices_copy(generation->classes, &generation->trial, prices);
            return code;
        }
    }
    answer->proven = generation->guess;
    return DUET_OK;
}

duet_code duet_generation_certify(duet_generation *generation, const duet_context *context,
                                  duet_prices *prices, duet_generation_answer *answer,
                                  duet_error *error)
{
    int64_t most = generation->classes->guess;
    const duet_reach reach = {.refutes = refutes,
                              .self = generation,
                              .step = duet_reach_step(generation->factor, answer->proven, most),
                              .least = answer->proven >> 21,
                              .most = most};
    duet_code code = duet_reach_guess(&reach, context, &answer->proven, error);
    return code == DUET_OK ? find_smallest(generation, context, prices, answer, error) : code;
}
