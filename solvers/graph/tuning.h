// SPDX-License-Identifier: Apache-2.0
// The tuning constants of `exact` and `graph-search` on task graphs. They change how long a search
// takes and what it leaves open, never what a proof says.
#ifndef DUET_SOLVERS_GRAPH_TUNING_H
#define DUET_SOLVERS_GRAPH_TUNING_H

#include <stdint.h>

// Rounds of the search for schedules.
enum {
    // The bound by chains has a fifth of the time, where one type dominates.
    DUET_GRAPH_CHAINS_PART = 5,
    DUET_GRAPH_ROUNDS = 6,    // Rounds if neither rounds nor time are limited.
    DUET_GRAPH_SEARCHES = 64, // Most searches of a round.
    // Up to this many tasks and edges the quick rules all run, whatever the time.
    DUET_GRAPH_QUICK_ENTRIES = 5000,
    // The bounds to begin with have a fourth of the time: their program may be slow if data take
    // time.
    DUET_GRAPH_BOUNDS_PART = 4,
    // A rule that takes more than O(edges log tasks) has half of the time: if it ends its schedule
    // is mostly the best to begin with. On more tasks than these heft-lookahead has none.
    DUET_GRAPH_SLOW_RULE_PART = 2,
    DUET_GRAPH_SLOWER_RULES_TASKS = 2000,
    DUET_GRAPH_SLICES = 32, // `exact` divides a round of the search into this many steps.
};

// The bound's share in a hundred during the first round of the search, which is worth most.
enum { DUET_GRAPH_FIRST_SHARE = 20 };

// What nothing interrupts, in the mean of graphs of 31 to 8000 tasks.
enum {
    DUET_GRAPH_BOUND_BEGIN_NS = 8000, // For each task and edge: their transitive closure.
    DUET_GRAPH_LEARN_BEGIN_NS = 400, // For each pair of tasks and processor: the rules of learning.
};

// Shares of the work, so that a result is the same on every machine where rounds are counted.
enum {
    DUET_GRAPH_BOUND_WORK = 8,   // Operations on the bound that take as long as placing one task.
    DUET_GRAPH_PLACING_WORK = 3, // Operations of the learning search that take as long.
};

// Paces, which replace these where the time may decide.
#define DUET_GRAPH_PACE_NS 1e6        // A pace is known after a millisecond.
#define DUET_GRAPH_PACE_MEMORY_NS 5e8 // After half a second what was before counts half.

// The learning search.
enum {
    DUET_GRAPH_LEARN_FIRST = 100000, // Operations of the first turn; the next ones have at least
    DUET_GRAPH_LEARN_WORK = 2000000, // twice as many as the one before, up to these.
    DUET_GRAPH_SMALL_TASKS = 64,     // Up to this many tasks it comes before all else.
    DUET_GRAPH_MIDDLE_TASKS = 128,   // Up to this many it has most of the time where the gap is
    DUET_GRAPH_LEARN_NEAR = 50,      // at most this part of the bound; else it closes few.
    DUET_GRAPH_LEARN_SHARE = 400,    // Its percentage of the search's share, after the search's
                                     // first round.
};

// Proofs.
enum {
    DUET_GRAPH_PROOF_BYTES = 1 << 24,   // Longer proofs are written to a file alone.
    DUET_GRAPH_FILE_BYTES = 1 << 28,    // And of the learning search none is longer than this.
    DUET_GRAPH_PROOF_NS = 100000000,    // Time for lines that nobody asked for, beside as much as
                                        // the optimum took.
    DUET_GRAPH_PROOF_WORK = 1000000000, // Operations for lines of what is proven already.
};

#endif
