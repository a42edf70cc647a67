// SPDX-License-Identifier: Apache-2.0
// The part of the learning search (learn/learn.h) in `exact`: its turns, and the bound that it
// claims.
#ifndef DUET_SOLVERS_GRAPH_LEARNING_H
#define DUET_SOLVERS_GRAPH_LEARNING_H

#include "solvers/graph/learn/learn.h"

typedef struct duet_learning {
    duet_learn *search;           // The search; NULL: it has not begun, or is over.
    bool over;                    // The graph is too large for it, or memory ran out.
    bool proven;                  // It proved that the best schedule is optimal.
    int64_t ns;                   // The time of all turns.
    int64_t conflicts;            // The number of conflicts so far.
    int64_t work;                 // The operations that it has done.
    duet_certificate certificate; // The lines that prove it, once they are claimed for a file.
} duet_learning;

// Continues the search for about `work` operations, which may give `best` a shorter schedule. If
// memory for the search runs out it is over, without an error. DUET_E_MEMORY: none for placements
// of `best`.
duet_code duet_learning_turn(duet_learning *learning, const duet_instance *instance,
                             const duet_context *context, int64_t work, duet_solution *best,
                             duet_error *error);
// Offers the makespan of `best` to it as a bound if that was proven, with the lines if there are
// any. If a proof is `asked` for, it does so only with lines, and keeps these in `certificate`.
// DUET_E_MEMORY.
duet_code duet_learning_claim(duet_learning *learning, duet_solution *best, bool asked,
                              duet_error *error);
void duet_learning_free(duet_learning *learning);

#endif
