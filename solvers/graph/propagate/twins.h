// SPDX-License-Identifier: Apache-2.0
// Interchangeable tasks of a graph, called twins: the same kind, predecessors, successors and
// communication costs.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_TWINS_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_TWINS_H

#include "lp/graph/network.h"
#include "solvers/proof_text.h"

// Writes for each task the interchangeable task of the next smaller index; -1: there is none.
// O((tasks + edges) log) time, 8 bytes an edge and 48 a task meanwhile. DUET_E_MEMORY.
duet_code duet_find_twins(const duet_network *network, int32_t *before, duet_error *error);
// Puts the lines of a proof that name them, in the order of the tasks.
void duet_put_twins(const int32_t *before, int32_t tasks, duet_proof_writer *text);

#endif
