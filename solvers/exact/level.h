// SPDX-License-Identifier: Apache-2.0
// The last ticks of a schedule that is a little longer than the bound.
//
// Method:    with the processors of each type taken together (heuristics/improve/pooled.c), tasks
//            are exchanged between the types until their work fits the bound, or nearly; the
//            processors of each type are then levelled (heuristics/packing/). Last, the tasks of
//            pairs of processors, whatever their types, are partitioned anew. Where ticks are fine,
//            all of these need the many sums of 32 tasks at a time.
// Guarantee: the incumbent never becomes longer.
// Cost:      a pair takes about a millisecond; the effort grows where the incumbent stays.
#ifndef DUET_SOLVERS_EXACT_LEVEL_H
#define DUET_SOLVERS_EXACT_LEVEL_H

#include "solvers/exact/exact_state.h"

// Shortens the incumbent where the gap is small, with so much effort.
duet_code duet_exact_level_by(duet_exact *s, int64_t effort, duet_error *error);
// The same, with more effort where the incumbent is the one of the last time.
duet_code duet_exact_level(duet_exact *s, duet_error *error);

#endif
