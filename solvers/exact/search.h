// SPDX-License-Identifier: Apache-2.0
// Inside of algorithm exact: the state its parts share (exact.c: start and end; exact/rounds.c: the
// loop; exact/decide.c: one length; exact/cover.c, exact/allocations.c, exact/dive.c,
// exact/branch_and_price.c: the searches; exact/repack.c: the best schedule's deal, packed better;
// exact/log.c: what they write down).
#ifndef DUET_SOLVERS_EXACT_SEARCH_H
#define DUET_SOLVERS_EXACT_SEARCH_H

#include "core/algorithm.h"
#include "lp/configuration/configuration.h"
#include "solvers/exact/cover.h"
#include "solvers/exact/log.h"

// Beyond these nothing is searched. Schedules name each task, and every length looks at all kinds.
enum { DUET_EXACT_MOST_TASKS = 10000000, DUET_EXACT_MOST_KINDS = 1000000 };

// The prices that a length's relaxation left, kept for the next effort.
enum { DUET_EXACT_CACHE = 8 };
typedef struct duet_exact_cached {
    int64_t guess;
    duet_prices prices;
    bool pooled[2];
    bool used;
} duet_exact_cached;

typedef struct duet_exact {
    const duet_instance *instance;
    const duet_context *context;
    duet_solution *best;  // the caller's: the best schedule so far
    duet_solution *trial; // the next one
    duet_bound bound;     // no schedule is shorter
    duet_random random;
    duet_log log;    // of the length being decided
    duet_log proof;  // of the bound
    bool searchable; // small enough
    bool proof_wanted;
    bool simple;                  // the bound came from no search: its proof is not written yet
    duet_certificate certificate; // of the last refutation, where prices alone are enough
    int64_t nodes, patterns, programs, guesses, dives; // counters
    bool one_sided;      // patterns of one type alone, the other is priced by area
    bool treed;          // the last length was decided by the tree on types
    bool wide;           // which had too many patterns for a list at first
    bool relaxed;        // the last length was refuted by the relaxation alone
    int64_t unrefuted;   // the shortest length that the relaxation cannot refute
    int64_t left_open;   // the last length that this round's searches could not decide
    int64_t most_rounds; // 0: no limit
    const char *doing;   // for the progress line
    duet_exact_cached cache[DUET_EXACT_CACHE];
    size_t cached; // entries written so far
    duet_column_store columns;
} duet_exact;

// How much one length may cost; each level is a multiple of the one below.
typedef struct duet_exact_effort {
    int64_t nodes;
    size_t patterns;
    int64_t tree; // nodes of a tree of relaxations; 0: none
    int64_t splits;
    int64_t pack;
    int64_t dives;
    int64_t guesses; // of the way up from the bound
} duet_exact_effort;

// Whether there is a gap, and time to close it.
bool duet_exact_is_open(const duet_exact *s);

// Rounds of growing effort from the first bound and schedule on, until they meet, the context stops
// or nothing is left to try (exact/rounds.c).
duet_code duet_exact_solve(duet_exact *s, duet_error *error);

// Everything but the best schedule.
void duet_exact_free(duet_exact *s);

// Shortens the best schedule where that is easy; a unit of effort is some milliseconds.
duet_code duet_exact_shorten(duet_exact *s, int64_t effort, duet_error *error);

// Shortens the best schedule by packing its deal of the tasks to the types anew, where one type has
// few tasks per processor (exact/repack.c).
duet_code duet_exact_repack(duet_exact *s, duet_error *error);

// Decides whether there is a schedule within `guess`. On FOUND the best schedule is replaced where
// the new one is better; on REFUTED, `log` is the proof that there is none within *refuted, which
// is at least `guess`.
duet_code duet_exact_decide(duet_exact *s, int64_t guess, const duet_exact_effort *effort,
                            duet_verdict *verdict, int64_t *refuted, duet_error *error);

// Takes the schedule of the loads where it is better than the best.
duet_code duet_exact_offer(duet_exact *s, const duet_classes *classes, const duet_loads *loads,
                           duet_error *error);

// Improves the schedule of the loads first; a unit of effort is some milliseconds.
duet_code duet_exact_polish(duet_exact *s, const duet_classes *classes, const duet_loads *loads,
                            int64_t effort, duet_error *error);

#endif
