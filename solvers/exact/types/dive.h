// SPDX-License-Identifier: Apache-2.0
// Dives into the configuration relaxation for a schedule within a guess, on any number of types.
//
// Method:    the relaxation says how many tasks of each class a type runs. The surest of these
//            counts are decided, those that the prices leave no choice as well, and the relaxation
//            is solved again. Where it refutes what was decided, or everything is, the allocation
//            is rounded and levelled on the processors of each type.
// Guarantee: none; what is found is a schedule.
// Cost:      a few tens of relaxations.
// Reference: Vanderbeck, "Branching in branch-and-price: a generic scheme", Mathematical
//            Programming 130, 2011, for dives with column generation.
#ifndef DUET_SOLVERS_EXACT_TYPES_DIVE_H
#define DUET_SOLVERS_EXACT_TYPES_DIVE_H

#include "solvers/exact/types/types_state.h"

// One dive; each is different by the random numbers of the state. *found: a schedule within the
// guess, or a shorter one, is the best now.
duet_code duet_types_dive(duet_types *s, int64_t guess, bool *found, duet_error *error);

#endif
