// SPDX-License-Identifier: Apache-2.0
// A guess of moldable-hybrid: prices, then a mode for every task; also the deep check of its NO.
#ifndef DUET_SOLVERS_MOLDABLE_HYBRID_GUESS_H
#define DUET_SOLVERS_MOLDABLE_HYBRID_GUESS_H

#include "dp/moldable/mode_choice.h"
#include "heuristics/moldable/plan.h"
#include "heuristics/moldable/shelf_plan.h"
#include "solvers/moldable/guess.h"

typedef struct duet_hybrid_guess {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    duet_used_types used; // CPUs, GPUs
    int64_t units;        // GPU areas are in units of λ/(units n); 0: exact

    // The last guess.
    int64_t guess;
    duet_modes modes;
    duet_mode_prices multipliers;
    duet_choice_item *item; // of each task

    // Its schedule.
    duet_shelves shelves;
    size_t *number; // of each task of the shelves
    duet_small_task *small;
    duet_rigid_task *gpu;
} duet_hybrid_guess;

// DUET_E_UNSUPPORTED, naming what is in the way, where moldable-hybrid does not take the instance.
duet_code duet_require_hybrid(const duet_instance *instance, duet_error *error);

// All tables are monotone on the CPUs and have one size on the GPUs. Free with
// duet_hybrid_guess_free(), also after an error.
duet_code duet_hybrid_guess_create(const duet_instance *instance, const duet_context *context,
                                   int64_t units, duet_hybrid_guess *state, duet_error *error);
void duet_hybrid_guess_free(duet_hybrid_guess *state);

// Answers a guess. A NO has a certificate: prices, or else the dynamic program. Errors:
// DUET_E_LIMIT where that needs too many states.
duet_code duet_hybrid_guess_ask(duet_hybrid_guess *state, int64_t lambda, duet_answer *answer,
                                duet_error *error);
// The schedule of the last guess, whose answer was YES.
duet_code duet_hybrid_guess_plan(duet_hybrid_guess *state, duet_plan *plan, duet_error *error);

#endif
