// SPDX-License-Identifier: Apache-2.0
// The bound by allocations of whole tasks to the types, and schedules for the best of them.
//
// Method:    guesses upward from the bound: within the slack that area and configuration prices
//            leave, all allocations are gone through (dp/knapsack/vector.h). None that fits refutes
//            the guess; the one that fits the least guess is the bound, and it is levelled.
// Cost:      that of dp/knapsack/vector.h, a linear program for each guess, and of levelling.
// Memory:    O(types x classes), and that of levelling.
#ifndef DUET_SOLVERS_EXACT_TYPES_ALLOCATIONS_H
#define DUET_SOLVERS_EXACT_TYPES_ALLOCATIONS_H

#include "solvers/exact/types/types_state.h"

// What may be spent.
typedef struct duet_types_allocating {
    int64_t nodes;         // for each guess, times the types: a node's time is theirs
    int64_t schedules;     // that are tried
    duet_exact_effort one; // for each guess at the makespan of a type
} duet_types_allocating;

duet_code duet_types_try_allocations(duet_types *s, const duet_types_allocating *effort,
                                     duet_error *error);

// The proof of the bound, where that came from allocations, in s->exact->proof: where the nodes
// suffice, and all is known that is needed.
duet_code duet_types_prove_bound(duet_types *s, const duet_types_allocating *effort,
                                 duet_error *error);

#endif
