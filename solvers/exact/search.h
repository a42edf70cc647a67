// SPDX-License-Identifier: Apache-2.0
// What every search for a schedule within a guess is given, and what it leaves: one argument for
// cover, branch and price, allocations and dives.
//
// A search that calls another one hands over a copy with other limits, another residual problem or
// no log; loads, statistics and random numbers are then shared.
#ifndef DUET_SOLVERS_EXACT_SEARCH_H
#define DUET_SOLVERS_EXACT_SEARCH_H

#include "core/number/random.h"
#include "core/solution/prices.h"
#include "core/system/context.h"
#include "lp/configuration/column_store.h"
#include "solvers/exact/loads.h"
#include "solvers/exact/log.h"

typedef enum duet_verdict {
    DUET_FOUND,   // a schedule within the guess
    DUET_REFUTED, // there is none
    DUET_OPEN     // a limit came first
} duet_verdict;

// What two parts of a search tree make together: one schedule is enough, one open part leaves all
// open.
static inline duet_verdict duet_verdict_join(duet_verdict a, duet_verdict b)
{
    if (a == DUET_FOUND || b == DUET_FOUND) {
        return DUET_FOUND;
    }
    return a == DUET_OPEN || b == DUET_OPEN ? DUET_OPEN : DUET_REFUTED;
}

typedef struct duet_search_limits {
    int64_t nodes;       // of a cover search, or of each that a search makes
    size_t patterns;     // that a cover search enumerates for one type
    int64_t pack_effort; // of packing a type without patterns
    int64_t fill_effort; // of filling its processors where levelling alone was asked for
    bool complete;       // a cover search gives up where it cannot have all patterns
    size_t pool;         // patterns of a pool that branch and price works on, at most
    bool divided;        // trees are divided as soon and as often as they can be
} duet_search_limits;

// Counters: they only grow.
typedef struct duet_search_stats {
    int64_t nodes; // of cover searches
    size_t patterns;
    int64_t programs; // linear programs
} duet_search_stats;

// Adds the counters of a part.
void duet_search_count(duet_search_stats *stats, const duet_search_stats *part);

typedef struct duet_search {
    // The question. A search leaves the residual problem as it found it.
    const duet_classes *classes;
    duet_residual *state;
    bool divisible[2]; // divisible types: they have no patterns in a relaxation
    bool pooled[2];    // types that a cover search fills by patterns

    // Means and limits.
    const duet_context *context;
    duet_random *random;
    duet_column_store *store; // columns of earlier relaxations
    duet_search_limits limits;

    // Answers.
    duet_log *log;     // NULL: no proof is wanted. On REFUTED it has grown by the subtree
    bool exchanges;    // what exchanges of tasks show may be used, of which proofs know nothing:
                       // the log is then lost
    duet_loads *loads; // on FOUND they have grown by the schedule
    duet_search_stats *stats;
    duet_verdict verdict;
} duet_search;

// Whether the residual problem is everything that the classes have: nothing scheduled, nothing
// decided but what a forbidden type decides.
bool duet_search_is_whole(const duet_search *search);

// Whether the numbers of the residual problem are in order: 0 <= low <= high <= left.
bool duet_search_is_sound(const duet_search *search);

#endif
