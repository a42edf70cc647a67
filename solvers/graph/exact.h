// SPDX-License-Identifier: Apache-2.0
// `exact` on task graphs; see exact.c.
#ifndef DUET_SOLVERS_GRAPH_EXACT_H
#define DUET_SOLVERS_GRAPH_EXACT_H

#include "core/algorithm.h"
#include "core/system/output.h"

// Where the proof of a bound is written.
typedef struct duet_graph_proof {
    // An open file of the caller. It is committed, or abandoned if there is no proof.
    duet_output *output;
    // The proof is about the instance that this one was made of (core/instance/moved.h).
    bool moved;
} duet_graph_proof;

// Fills the solution: the optimum, or the best schedule and bound within the time. `rounds` limits
// the rounds of growing effort; 0: there is no limit with a deadline, and six without one. `proof`
// is NULL if none is wanted. If one is wanted and none is written, the solution's note says why.
// Errors: as of duet_solve().
duet_code duet_graph_exact(const duet_instance *instance, const duet_context *context,
                           int64_t rounds, const duet_graph_proof *proof, duet_solution *solution,
                           duet_error *error);

#endif
