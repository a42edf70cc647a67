// SPDX-License-Identifier: Apache-2.0
// The part of the learning search (learn/learn.h) in `exact`: its turns, and the bound that it
// claims. The search over ideals (ideals/ideals.h), which proves narrow graphs, has a share of
// them, and so have searches at lower guesses, for the bound (lift.h). A turn works on a schedule
// of its own, so that other searches may go on beside it.
#ifndef DUET_SOLVERS_GRAPH_LEARNING_H
#define DUET_SOLVERS_GRAPH_LEARNING_H

#include "solvers/graph/ideals/ideals.h"
#include "solvers/graph/learn/learn.h"
#include "solvers/graph/lift.h"

// What proved that the best schedule is optimal.
typedef enum duet_learning_proof {
    DUET_LEARNING_UNPROVEN,
    DUET_LEARNING_BY_IDEALS, // The search over ideals did, as `counted` says.
    DUET_LEARNING_BY_LINES   // The learning search did, which may have lines.
} duet_learning_proof;

typedef struct duet_learning {
    duet_learn *search;           // The search; NULL: it has not begun, or is over.
    duet_solution *own;           // The best schedule that it knows, and the bound; NULL: none.
    duet_lift lift;               // Searches at guesses below, for the bound.
    bool over;                    // The graph is too large for it, or memory ran out.
    duet_learning_proof proven;   // What proved that the best schedule is optimal.
    duet_ideals *ideals;          // The search over ideals; NULL: it has not begun, or is over.
    bool ideals_over;             // There are too many states for it, or it is done.
    duet_bound counted;           // What the search over ideals proved; its value 0: nothing yet.
    int64_t ns;                   // The time of all turns.
    int64_t conflicts;            // The number of conflicts so far.
    int64_t work;                 // The operations of all of these searches.
    duet_certificate certificate; // The lines that prove it, once they are claimed for a file.
} duet_learning;

// Returns about how many nanoseconds it takes to state the rules of the learning search, for each
// pair of tasks and, if data take time, on each processor.
int64_t duet_learning_price(const duet_instance *instance);

// Returns the fewest operations of a turn, which leave other searches their part of the time.
// `counted`: nothing may depend on time.
int64_t duet_learning_least(const duet_context *context, bool counted);

// Takes over the schedule and the bound of `best` before a turn. DUET_E_MEMORY.
duet_code duet_learning_take(duet_learning *learning, duet_solution *best, duet_error *error);
// A turn: continues the search for about `work` operations, and that over ideals for as many or
// fewer. If memory for them runs out they are over, without an error.
void duet_learning_turn(duet_learning *learning, const duet_instance *instance,
                        const duet_context *context, int64_t work);
// Gives `best` the bound of the turn if it is higher, without a certificate, and the schedule if it
// is shorter. Returns whether that was. If a proof is `asked` for, only a bound with lines is
// given.
bool duet_learning_give(duet_learning *learning, duet_solution *best, bool asked);

// Returns whether there are lines that prove the optimum.
bool duet_learning_has_proof(const duet_learning *learning);
// Offers the makespan of `best` to it as a bound if that was proven, with the lines if there are
// any, or else the lines for its bound. If a proof is `asked` for, it does so only with lines, and
// keeps these in `certificate`.
// DUET_E_MEMORY.
duet_code duet_learning_claim(duet_learning *learning, duet_solution *best, bool asked,
                              duet_error *error);
void duet_learning_free(duet_learning *learning);

#endif
