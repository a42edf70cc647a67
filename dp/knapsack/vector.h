// SPDX-License-Identifier: Apache-2.0
// The allocations of whole tasks to any number of types that fit: on each type no more work than
// its processors have time for within the guess. A small vector packing.
//
// Method:    weights of the area bound make one type the cheapest for each class, and leave a slack
//            between the weighted work of all tasks there and the weighted time of all processors.
//            A task elsewhere costs the difference of its weighted times. The sets of such moves
//            that cost no more than the slack are gone through depth first: those from or to the
//            leading type before others, the dearest first. A branch ends where the moves that may
//            follow cannot bring the work of each type within its time, or the prices of the tasks
//            within what processors may take.
// Guarantee: every allocation that fits is visited, unless the nodes are spent. All in integers.
// Cost:      exponential in the moves that cost less than the slack: close to the area bound these
//            are few.
// Memory:    O(types x moves).
// Reference: reduced-cost fixing and the core of a knapsack: Kellerer, Pferschy, Pisinger,
//            "Knapsack Problems", Springer 2004, chapters 5 and 9.
#ifndef DUET_DP_KNAPSACK_VECTOR_H
#define DUET_DP_KNAPSACK_VECTOR_H

#include "core/solution/prices.h"
#include "core/system/context.h"

typedef struct duet_vector_problem {
    const duet_classes *classes;
    int64_t guess;             // at most that of the classes
    const int64_t *weight;     // per type
    const duet_prices *prices; // that hold within the guess, none of divisible types being needed;
                               // NULL: none
    size_t leading;            // the type whose tasks are decided first
    int64_t nodes;
    const duet_context *context;
} duet_vector_problem;

// An allocation that fits.
typedef struct duet_vector_allocation {
    const int64_t *tasks; // of class c on type t at [c * types + t]
    int64_t guess;        // the least that it fits
} duet_vector_allocation;

// What a visit decides.
typedef struct duet_vector_wish {
    int64_t guess; // may be lowered: allocations that do not fit it are left out from then on; a
                   // negative one ends the search
    bool leave_leader; // others that give the same tasks to the leading type may be left out
} duet_vector_wish;

// Is given each allocation.
typedef duet_code duet_vector_visit(void *self, const duet_vector_allocation *found,
                                    duet_vector_wish *wish, duet_error *error);

// *complete: every allocation that fits was visited. Errors: DUET_E_MEMORY, those of `visit`.
duet_code duet_vector_search(const duet_vector_problem *problem, duet_vector_visit *visit,
                             void *self, bool *complete, duet_error *error);

#endif
