// SPDX-License-Identifier: Apache-2.0
// Schedules for an allocation of the tasks to the types.
//
// Method:    what is not decided goes where the relaxation has most of it; then each type's tasks
//            are levelled on its processors.
// Cost:      that of heuristics/packing/packing.h for each type.
// Memory:    O(n).
#ifndef DUET_SOLVERS_EXACT_TYPES_ALLOCATION_H
#define DUET_SOLVERS_EXACT_TYPES_ALLOCATION_H

#include "solvers/exact/types/types_state.h"

// Decides what s->state leaves open by the last solution of the relaxation.
void duet_types_round(duet_types *s);

// The schedule of s->state, of which everything is decided, levelled towards the guess and offered.
// *found: it is within the guess.
duet_code duet_types_schedule(duet_types *s, int64_t guess, bool *found, duet_error *error);

#endif
