// SPDX-License-Identifier: Apache-2.0
// Schedules for a guess on two types: an allocation of the tasks to the types whose work fits it,
// by the knapsack, and then each type for itself.
#ifndef DUET_SOLVERS_EXACT_GUESS_SCHEDULE_H
#define DUET_SOLVERS_EXACT_GUESS_SCHEDULE_H

#include "dp/knapsack/knapsack.h"
#include "solvers/exact/exact_state.h"

// How to look for an allocation, and what to spend on its schedule.
typedef struct duet_allocating {
    bool core;     // that of a random core, else the most hopeful one
    bool hopeful;  // none without hope
    int64_t level; // pairs of processors in vain
    int64_t fill;  // milliseconds, about, of filling processors to the brim
} duet_allocating;

// Where an allocation fits the guess, it is scheduled towards the bound and offered. Errors:
// DUET_E_MEMORY.
duet_code duet_exact_schedule_guess(duet_exact *s, int64_t guess, const duet_allocating *how,
                                    duet_knapsack_answer *answer, duet_error *error);

#endif
