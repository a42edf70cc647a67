// SPDX-License-Identifier: Apache-2.0
// Lower bounds of a task graph by refuting guesses below its best schedule with searches that learn
// why they fail.
//
// Method:    a guess between the bound and the schedule has a search of its own
//            (learn/learn.h). If it refutes the guess the bound rises above it; if it finds a
//            schedule, that is much shorter, and may be proven optimal at once. If it does neither
//            within its allowance a guess nearer to the bound comes next. Allowances double once no
//            nearer one is left.
// Guarantee: the bound is proven, and mostly by lines.
// Cost:      guesses that are far from the optimum take a small part of what the last one takes.
// Memory:    two searches: the one at work, and the last one that refuted its guess.
// Reference: destructive improvement: Klein, Scholl, European J. Operational Research 112(2), 1999.
#ifndef DUET_SOLVERS_GRAPH_LIFT_H
#define DUET_SOLVERS_GRAPH_LIFT_H

#include "solvers/graph/learn/learn.h"

typedef struct duet_lift {
    duet_learn *search;  // At the guess; NULL: none is at work.
    duet_learn *refuted; // The search that proved `lower`; NULL: none did.
    duet_solution *own;  // The search's schedule, of a length above the guess; NULL: none yet.
    int64_t guess;       // Whether there is a schedule of at most this is asked.
    int64_t lower;       // The proven bound; 0: none.
    int64_t ceiling;     // One more than a guess that took too long; 0: none did.
    int64_t allowance;   // Operations for a guess; 0: it has not begun.
    int64_t spent;       // Operations on the present guess.
    int64_t work;        // All operations.
    bool over;           // Memory ran out, or a search does nothing more.
} duet_lift;

void duet_lift_free(duet_lift *lift);

// Works for about `work` operations on guesses below the schedule of `best`, which has placements.
// A shorter schedule becomes that of `best`, which has no certificate, and its bound rises to what
// is proven. If memory runs out it is over, without an error.
void duet_lift_run(duet_lift *lift, const duet_instance *instance, const duet_context *context,
                   int64_t work, duet_solution *best);

// Returns whether it has lines that prove this bound.
bool duet_lift_has_proof(const duet_lift *lift, int64_t bound);

#endif
