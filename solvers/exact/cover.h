// SPDX-License-Identifier: Apache-2.0
// The search for a schedule within a length, processor by processor: every task must be in some
// pattern (solvers/exact/enumerate.h) of some processor.
//
// Method:    Prices bound what is left: the tasks that remain are worth more than the processors
//            that remain can afford, or they leave a budget, and only patterns within it are tried.
//            At every node the class with the fewest ways to be covered is covered next. The type
//            whose processors are priced by area has no patterns: its tasks come last, by a pack
//            search of their own, with time itself as the price.
// Guarantee: a search that ends is exact: FOUND with the loads of all processors, or REFUTED, and
//            then the written proof can be checked by itself.
// Cost:      exponential; nodes are counted against a limit. A node costs one pass over the
//            patterns that its parent left.
// Reference: exact cover with the fewest choices first: Knuth, "Dancing links", 2000; the price
//            argument is ours.
#ifndef DUET_SOLVERS_EXACT_COVER_H
#define DUET_SOLVERS_EXACT_COVER_H

#include "core/random.h"
#include "solvers/exact/enumerate.h"
#include "solvers/exact/log.h"
#include "solvers/exact/pack.h"

typedef enum duet_verdict {
    DUET_FOUND,   // a schedule within the length
    DUET_REFUTED, // there is none
    DUET_OPEN     // a limit came first
} duet_verdict;

typedef struct duet_cover_limits {
    int64_t nodes;       // of the search
    size_t patterns;     // of one list
    int64_t pack_effort; // of the levelling of the last type
    bool complete;       // give up where not all patterns can be listed
    size_t listed;       // patterns that a tree on types goes on with alone, at most
} duet_cover_limits;

typedef struct duet_cover_stats {
    int64_t nodes;
    size_t patterns;
} duet_cover_stats;

// Searches from `state`, which is the same afterwards. `pooled[t]`: whether type t is covered by
// patterns. On FOUND, `loads` has the schedule; on REFUTED, `proof` (may be NULL) has grown by its
// subtree.
duet_code duet_cover_search(const duet_classes *classes, duet_residual *state, duet_prices *prices,
                            const bool pooled[2], const duet_cover_limits *limits,
                            duet_random *random, const duet_context *context, duet_log *proof,
                            duet_loads *loads, duet_cover_stats *stats, duet_verdict *verdict,
                            duet_error *error);

// The same for the tasks of one type alone, where every task's type is decided: whether they can be
// packed on its processors. `load` are prices by time alone, of each type.
duet_code duet_cover_side(const duet_classes *classes, duet_residual *state, size_t type,
                          duet_prices load[2], const duet_cover_limits *limits, duet_random *random,
                          const duet_context *context, duet_log *proof, duet_loads *loads,
                          duet_cover_stats *stats, duet_verdict *verdict, duet_error *error);

#endif
