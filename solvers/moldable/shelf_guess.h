// SPDX-License-Identifier: Apache-2.0
// A guess of moldable-3-2, from modes to shelves; also the deep check of its NO.
#ifndef DUET_SOLVERS_MOLDABLE_SHELF_GUESS_H
#define DUET_SOLVERS_MOLDABLE_SHELF_GUESS_H

#include "dp/moldable/shelf_knapsack.h"
#include "heuristics/moldable/shelves.h"
#include "solvers/moldable/guess.h"

typedef struct duet_shelf_guess {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    size_t type;
    size_t room; // tasks that are not small: fewer than two a processor, or the guess is NO

    // The last guess.
    duet_modes modes;
    duet_shelf_item *item; // tasks that may go to either shelf
    size_t items;
    duet_shelves shelves;
    size_t *number;   // of each task of the shelves
    duet_int128 area; // of all tasks, those that may go to either shelf on shelf 2
    int64_t width;    // of those that must go to shelf 1
} duet_shelf_guess;

// All tables of the type must be monotone. Free with duet_shelf_guess_free(), also after an error.
duet_code duet_shelf_guess_create(const duet_instance *instance, const duet_context *context,
                                  size_t type, duet_shelf_guess *state, duet_error *error);
void duet_shelf_guess_free(duet_shelf_guess *state);

// Answers a guess; with YES the shelves fit. A NO has a certificate: prices, or else the knapsack.
duet_code duet_shelf_guess_ask(duet_shelf_guess *state, int64_t lambda, duet_answer *answer,
                               duet_error *error);
// The schedule of the last guess, whose answer was YES.
duet_code duet_shelf_guess_plan(duet_shelf_guess *state, duet_plan *plan, duet_error *error);

#endif
