// SPDX-License-Identifier: Apache-2.0
// Prices tried on a guess, and on longer ones where they refute it. What is refuted is refuted in
// integers.
#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "lp/volume/volume_state.h"

enum {
    STATES_AT_A_STEP = 1 << 8, // of a knapsack's lists; a limit above the true one weakens a step
    STATES_AT_A_CLIMB = 1 << 12
};

// What the tasks cost, and what the processors can take.
typedef struct volume_balance {
    duet_int128 demand;
    duet_int128 supply;
} volume_balance;

// No set at these prices is worth more than this: by density, or all tasks together.
static double most_valuable(const duet_volume *v, const double *price)
{
    double most = 0;
    for (size_t t = 0; t < v->supply.types; t++) {
        const duet_supply_type *type = &v->supply.type[t];
        int64_t capacity = v->supply.guess / type->unit;
        double densest = 0;
        double all = 0;
        for (size_t i = 0; i < type->fit && type->processors > 0; i++) {
            double one = price[type->class[i]];
            densest = fmax(densest, one / (double)type->exact[i]);
            all += one * (double)type->most[i];
        }
        most = fmax(most, fmin(all, densest * (double)capacity));
    }
    return most;
}

// Rounds the trial prices so that the largest limit has about v->bits bits, and none too many.
static void round_trial(duet_volume *v)
{
    const double room = 0.45 * (double)DUET_DEAREST_MAX_PRICE;
    double most = most_valuable(v, v->trial);
    double scale = most > 0 ? ldexp(1, v->bits) / (v->dearest > 0 ? v->dearest : most) : 0;
    scale = scale * most > room ? room / most : scale;
    for (size_t c = 0; c < v->classes.count; c++) {
        v->integer[c] = (int64_t)(v->trial[c] * scale + 0.5);
    }
}

// Demand and supply of the integer prices at a guess. Both are 0 where that is not known: a set may
// be worth more than the knapsacks take, or the context stops them.
static duet_code evaluate(duet_volume *v, int64_t guess, const duet_context *context,
                          volume_balance *out, duet_error *error)
{
    *out = (volume_balance){0, 0};
    if (guess != v->supply.guess) {
        duet_supply_set_guess(&v->supply, guess);
    }
    for (size_t c = 0; c < v->classes.count; c++) {
        v->ahead[c] = (double)v->integer[c];
    }
    if (most_valuable(v, v->ahead) > (double)DUET_DEAREST_MAX_PRICE / 2) {
        return DUET_OK;
    }
    duet_int128 supply;
    DUET_TRY(duet_supply_solve(&v->supply, v->integer, context, &supply, error));
    if (supply >= 0) {
        *out = (volume_balance){duet_supply_demand(&v->supply, v->integer), supply};
    }
    return DUET_OK;
}

// The integer prices refute the guess v->bound: looks for the longest one that they refute, by
// doubling and bisection.
static duet_code climb(duet_volume *v, const duet_context *context, duet_error *error)
{
    int64_t low = v->bound; // refuted
    int64_t high = v->upper;
    int64_t step = 1;
    duet_code code = DUET_OK;
    memcpy(v->proof, v->integer, v->classes.count * sizeof *v->proof);
    v->proven = true;
    v->supply.states = STATES_AT_A_CLIMB;
    while (high - low > 1 && code == DUET_OK && !duet_context_stop(context)) {
        int64_t half = (high - low) / 2;
        int64_t guess = low + duet_min(step, half);
        volume_balance at;
        code = evaluate(v, guess, context, &at, error);
        if (code == DUET_OK && at.demand > at.supply) {
            low = guess;
            step *= step < half ? 2 : 1;
        } else {
            high = guess;
        }
    }
    v->supply.states = STATES_AT_A_STEP;
    v->bound = low + 1;
    return code;
}

// The integer prices become the best ones, such that their supply is 1.
static void keep_best(duet_volume *v, duet_int128 supply, double ratio)
{
    for (size_t c = 0; c < v->classes.count; c++) {
        v->best[c] = (double)v->integer[c] / (double)supply;
    }
    v->best_ratio = ratio;
    v->dearest = 0;
    for (size_t t = 0; t < v->supply.types; t++) {
        v->limit[t] = (double)v->supply.type[t].found.value / (double)supply;
        v->dearest = fmax(v->dearest, v->limit[t]);
    }
}

duet_code volume_try(duet_volume *v, const duet_context *context, volume_trial *trial,
                     duet_error *error)
{
    volume_balance at;
    *trial = (volume_trial){.ratio = 0};
    v->supply.states = STATES_AT_A_STEP;
    round_trial(v);
    duet_code code = evaluate(v, v->bound, context, &at, error);
    if (code == DUET_OK && at.demand > at.supply) {
        trial->climbed = true;
        v->best_ratio = 0; // of a guess that is left behind
        code = climb(v, context, error);
        if (code == DUET_OK && volume_open(v)) {
            code = evaluate(v, v->bound, context, &at, error);
        }
    }
    if (code != DUET_OK || !volume_open(v) || at.supply == 0) {
        return code;
    }
    trial->ratio = (double)at.demand / (double)at.supply;
    if (trial->climbed || trial->ratio > v->best_ratio) {
        keep_best(v, at.supply, trial->ratio);
    }
    return code;
}
