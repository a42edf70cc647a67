// SPDX-License-Identifier: Apache-2.0
// `exact` on task graphs; see exact.c.
#ifndef DUET_SOLVERS_GRAPH_EXACT_H
#define DUET_SOLVERS_GRAPH_EXACT_H

#include "core/algorithm.h"
#include "core/system/output.h"

// Where the proof of a bound goes.
typedef struct duet_graph_proof {
    duet_output *output; // an open file, which is committed
    bool moved;          // it is about what the instance was made of (core/instance/moved.h)
} duet_graph_proof;

// Fills the solution: the optimum, or the best schedule and bound within the time. `rounds` is the
// limit of rounds of growing effort; 0: there is none if there is a deadline, and otherwise the
// limit is six. `proof`: NULL where none is wanted. If none is written the solution's note says
// why.
duet_code duet_graph_exact(const duet_instance *instance, const duet_context *context,
                           int64_t rounds, const duet_graph_proof *proof, duet_solution *solution,
                           duet_error *error);

#endif
