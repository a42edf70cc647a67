// SPDX-License-Identifier: Apache-2.0
// Which integer prices are handed out: those of a refutation for the longest guess that they refute
// and as small as they may be, by rounding the same duals again.
#include <math.h>

#include "core/assert.h"
#include "lp/generation/state.h"

// Longer guesses that the same duals refute, in growing steps and back. *guess is refuted. The last
// millionths of a long guess are not worth the time.
static duet_code jump(duet_generation *generation, const duet_context *context, int64_t *guess,
                      duet_error *error)
{
    const double share = 0.5;
    duet_code code = DUET_OK;
    double reach = fmax(0, (generation->factor - 1) * (double)*guess * share);
    reach = fmin(reach, (double)(generation->classes->guess - *guess) / 2);
    int64_t step = reach > 1 ? (int64_t)reach : 1;
    int64_t least = *guess >> 21;
    bool growing = true;
    while (step > least && code == DUET_OK && !duet_context_stop(context)) {
        duet_int128 slack = 0;
        if (step <= generation->classes->guess - *guess) {
            double scale = duet_generation_scale(generation, *guess + step);
            code = duet_generation_round(generation, scale, *guess + step, &slack, error);
        }
        if (slack < 0) {
            *guess += step;
            step = growing && step < INT64_MAX / 2 ? step * 2 : step / 2;
        } else {
            growing = false;
            step /= 2;
        }
    }
    return code;
}

// The smallest prices that refute answer->proven: the checker's knapsack runs over them. `prices`
// has some that refute the guess.
static duet_code find_smallest(duet_generation *generation, duet_prices *prices,
                               duet_generation_answer *answer, duet_error *error)
{
    enum { shifts = 15 };
    double scale = duet_generation_scale(generation, answer->proven);
    for (int shift = shifts; shift >= 0; shift--) {
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
    duet_code code = jump(generation, context, &answer->proven, error);
    return code == DUET_OK ? find_smallest(generation, prices, answer, error) : code;
}
