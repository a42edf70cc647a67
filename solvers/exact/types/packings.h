// SPDX-License-Identifier: Apache-2.0
// Whether the tasks of one type, all of them decided, fit on its processors within a guess.
//
// Method:    the longest task that is left goes to each processor in turn, those of equal loads
//            being one.
// Guarantee: exact within the nodes.
// Cost:      exponential in the tasks.
#ifndef DUET_SOLVERS_EXACT_TYPES_PACKINGS_H
#define DUET_SOLVERS_EXACT_TYPES_PACKINGS_H

#include "solvers/exact/types/state.h"

// DUET_FOUND, DUET_REFUTED, or DUET_OPEN where the nodes were spent or there are too many tasks.
// On DUET_FOUND s->loads have grown by the type's loads.
duet_code duet_types_pack_all(duet_types *s, size_t type, int64_t guess, int64_t nodes,
                              duet_verdict *verdict, duet_error *error);

#endif
