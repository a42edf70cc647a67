// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of the best schedule, and of what dives end with.
#ifndef DUET_SOLVERS_EXACT_TYPES_ANNEAL_H
#define DUET_SOLVERS_EXACT_TYPES_ANNEAL_H

#include "solvers/exact/types/state.h"

// From the best schedule towards the bound: so many moves.
duet_code duet_types_anneal(duet_types *s, int64_t moves, duet_error *error);
// The same from the schedule that was offered last, towards a target. A shorter one than the best
// becomes the best.
duet_code duet_types_anneal_trial(duet_types *s, int64_t target, int64_t moves, duet_error *error);

#endif
