// SPDX-License-Identifier: Apache-2.0
// The learning search's part of `exact`: turns, and what is claimed of what it proved.
#ifndef DUET_SOLVERS_GRAPH_LEARNING_H
#define DUET_SOLVERS_GRAPH_LEARNING_H

#include "solvers/graph/learn/learn.h"

typedef struct duet_learning {
    duet_learn *search;           // NULL: it has not begun, or is over.
    bool over;                    // The graph is too large for it, or there is no memory.
    bool proven;                  // It proved the best schedule optimal.
    int64_t ns;                   // The time that it took.
    int64_t conflicts;            // Conflicts so far.
    duet_certificate certificate; // That proves it, if a proof is asked for.
} duet_learning;

// Goes on for so much work: `best` may get a shorter schedule. Without memory for it nothing
// happens, but to `over`. DUET_E_MEMORY: none for a shorter schedule.
duet_code duet_learning_turn(duet_learning *learning, const duet_instance *instance,
                             const duet_context *context, int64_t work, duet_solution *best,
                             duet_error *error);
// Claims what was proven, with its lines if there are any; if a proof is asked for, with them
// alone, which are kept. DUET_E_MEMORY.
duet_code duet_learning_claim(duet_learning *learning, duet_solution *best, bool asked,
                              duet_error *error);
void duet_learning_free(duet_learning *learning);

#endif
