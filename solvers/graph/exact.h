// SPDX-License-Identifier: Apache-2.0
// `exact` on task graphs; see exact.c.
#ifndef DUET_SOLVERS_GRAPH_EXACT_H
#define DUET_SOLVERS_GRAPH_EXACT_H

#include "core/algorithm.h"
#include "core/system/output.h"

// Fills the solution: the optimum, or the best schedule and bound within the time. `rounds` is the
// limit of rounds of growing effort; 0: there is none if there is a deadline, and otherwise the
// limit is six. `proof` is an open file for the proof of the bound, which is committed; NULL: none
// is wanted. If none is written the solution's note says why.
duet_code duet_graph_exact(const duet_instance *instance, const duet_context *context,
                           int64_t rounds, duet_output *proof, duet_solution *solution,
                           duet_error *error);

#endif
