// SPDX-License-Identifier: Apache-2.0
// Deciding a length by going through the deals of the tasks to the types.
#ifndef DUET_SOLVERS_EXACT_ALLOCATIONS_H
#define DUET_SOLVERS_EXACT_ALLOCATIONS_H

#include "solvers/exact/cover.h"

typedef struct duet_allocation_stats {
    int64_t splits; // deals that fit
    int64_t open;   // of them, those that neither side refuted nor both packed
    bool all;       // they are few: every one of them was looked at
} duet_allocation_stats;

// Enumerates the deals whose work fits on both types (dp/knapsack/knapsack.h): close to the
// knapsack bound they are few. Each leaves two problems on identical processors, with next to no
// idle time to spend: levelling packs them, or a cover search packs or refutes one. OPEN where more
// than `most` deals fit, or one of them stays open.
duet_code duet_allocation_search(const duet_classes *classes, int64_t most,
                                 const duet_cover_limits *limits, duet_random *random,
                                 const duet_context *context, duet_log *proof, duet_loads *loads,
                                 duet_cover_stats *stats, duet_allocation_stats *splits,
                                 duet_verdict *verdict, duet_error *error);

#endif
