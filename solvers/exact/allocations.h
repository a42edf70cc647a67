// SPDX-License-Identifier: Apache-2.0
// Deciding a guess by going through the allocations of the tasks to the types.
//
// Method:    close to the knapsack bound few allocations have work that fits on both types
//            (dp/knapsack/knapsack.h), and they are enumerated. Each leaves two problems on
//            identical processors with next to no idle time: packing solves them, or a cover search
//            packs or refutes one, which is enough.
// Guarantee: FOUND and REFUTED are exact; the written proof can be checked by itself.
// Cost:      a packing of both types for each allocation, and a cover search for most.
// Memory:    the knapsack's lists, and O(classes + tasks that may leave their cheaper type).
// Reference: the enumeration is ours; for the knapsack see dp/knapsack/knapsack.h.
#ifndef DUET_SOLVERS_EXACT_ALLOCATIONS_H
#define DUET_SOLVERS_EXACT_ALLOCATIONS_H

#include "solvers/exact/search.h"

typedef struct duet_allocation_stats {
    int64_t fitting; // allocations whose work fits on both types
    int64_t open;    // of them, those that neither type refuted nor both packed
    bool all;        // they are few: every one of them was looked at
} duet_allocation_stats;

// Searches the whole guess. OPEN where more than `most` allocations fit, or one of them stays open.
duet_code duet_allocation_search(duet_search *search, int64_t most, duet_allocation_stats *stats,
                                 duet_error *error);

#endif
