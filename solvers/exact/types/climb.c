// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/climb.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"

enum {
    ROUNDS = 1000, // of column generation: a guard
    FINE = 21      // bits: guesses are no closer together than that share of them
};

duet_code duet_types_seed(duet_types *s, duet_error *error)
{
    const duet_column_store *store = &s->exact->columns;
    const double *limit;
    const double *price = duet_volume_prices(s->exact->volume, &limit);
    bool same = store->classes == s->classes.count && store->valid == s->classes.valid;
    duet_code code = price != NULL && same
                         ? duet_generation_seed(s->program, store, price, limit, error)
                         : DUET_OK;
    duet_column_store_clear(&s->exact->columns);
    return code;
}

// Asks the relaxation about one guess. Everything may go everywhere: a certificate knows no more.
static duet_code ask(duet_types *s, int64_t guess, duet_configuration_answer *answer,
                     duet_error *error)
{
    duet_generation_set_guess(s->program, guess);
    duet_generation_take_none(s->program);
    duet_code code = duet_generation_solve(
        s->program, &s->root, (duet_generation_request){DUET_GENERATION_REFUTE, ROUNDS},
        s->exact->context, &s->prices, answer, error);
    s->exact->programs += answer->iterations;
    s->exact->guesses++;
    DUET_THEN(code, duet_generation_note(s->program, &s->basis, error));
    return code == DUET_OK && answer->refuted ? duet_types_claim(s, answer->proven, error) : code;
}

// A guess below the best schedule, and below what was not refuted.
static int64_t guess_above(const duet_types *s, int64_t step)
{
    int64_t shorter = s->exact->best->makespan - 1;
    int64_t most = duet_min(s->unrefuted - 1, shorter);
    int64_t guess = s->exact->bound.value + step - 1;
    return duet_min(guess, most);
}

duet_code duet_types_climb(duet_types *s, duet_error *error)
{
    DUET_ASSERT(s->exact->best->makespan - 1 <= s->classes.guess);
    int64_t least = (s->exact->bound.value >> FINE) + 1;
    int64_t step = least;
    duet_code code = DUET_OK;
    while (s->program != NULL && code == DUET_OK && duet_exact_is_open(s->exact) &&
           s->exact->bound.value + least <= s->unrefuted) {
        int64_t bound = s->exact->bound.value;
        int64_t guess = guess_above(s, step);
        duet_configuration_answer answer;
        code = ask(s, guess, &answer, error);
        if (code == DUET_OK && s->exact->bound.value > bound) {
            step *= 2;
        } else {
            s->unrefuted = guess;
            step = duet_max(step / 4, least);
        }
        duet_context_report(s->exact->context, s->exact->doing, s->exact->bound.value,
                            s->exact->best->makespan);
    }
    return code;
}
