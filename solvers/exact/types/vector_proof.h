// SPDX-License-Identifier: Apache-2.0
// The proof that no allocation of the tasks to the types has a schedule within a guess, as nodes.
//
// Method:    depth first over the numbers of tasks of a class on a type, those of the leading type
//            first, or by class, the longest first. A node is a leaf where prices refute it: those
//            of the relaxation, weights of the area bound, the work of one type alone or of all
//            types but one; or where a type whose tasks are all decided has no schedule, as is
//            known of its set (types/sets.h). Else the slack of prices and weights narrows the
//            numbers.
// Guarantee: what is written holds; it is lost where the nodes are spent, or something is not
// known. Cost:      O(types x types x classes) for each node. Memory:    O(types x classes) for
// each level. Reference: dp/knapsack/vector.h, which goes through the same allocations and writes
// nothing.
#ifndef DUET_SOLVERS_EXACT_TYPES_VECTOR_PROOF_H
#define DUET_SOLVERS_EXACT_TYPES_VECTOR_PROOF_H

#include "solvers/exact/types/allocations.h"

// Writes the proof to s->exact->log, within the effort's nodes. `prices`: s->prices hold within the
// guess. *proven: it is there.
duet_code duet_types_prove_allocations(duet_types *s, int64_t guess, bool prices,
                                       const duet_types_allocating *effort, bool by_class,
                                       bool *proven, duet_error *error);

#endif
