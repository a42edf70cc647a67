// SPDX-License-Identifier: Apache-2.0
// The file of a proof that `exact` was asked for on a task graph.
#ifndef DUET_SOLVERS_GRAPH_PROOF_FILE_H
#define DUET_SOLVERS_GRAPH_PROOF_FILE_H

#include "solvers/graph/bound/subproblems.h"
#include "solvers/graph/exact.h"

// What is claimed, and what may prove it.
typedef struct duet_graph_claim {
    const duet_instance *instance;
    const duet_context *context;
    duet_solution *best; // Its note says why there is no file.
    // What refuted guesses; NULL: nothing did. They are freed where a bound is proven anew, which
    // takes their memory.
    duet_subproblems **subproblems;
    const duet_proof_lines *learned; // The lines of the learning search; NULL: there are none.
} duet_graph_claim;

// Writes a proof of the best solution's bound, and commits the file. If it finds none, the file is
// abandoned, the solution's note says so, and its output counts as failed. DUET_E_MEMORY.
duet_code duet_graph_write_proof(const duet_graph_claim *s, const duet_graph_proof *proof,
                                 duet_error *error);

#endif
