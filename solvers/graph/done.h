// SPDX-License-Identifier: Apache-2.0
// What the sides of `exact` on a graph do: their work, and the longest chain of what waits for each
// other.
#ifndef DUET_SOLVERS_GRAPH_DONE_H
#define DUET_SOLVERS_GRAPH_DONE_H

#include "solvers/graph/sides.h"

// Both in placed tasks.
typedef struct duet_graph_work {
    int64_t work; // What all have done.
    int64_t span; // The longest chain of that.
} duet_graph_work;

// What the sides have done so far.
typedef struct duet_graph_done {
    int64_t searched;   // By all searches, in placed tasks.
    int64_t waited;     // The longest chain of that.
    int64_t bounded;    // On the bound, in operations.
    int64_t chained;    // The longest chain of that.
    int64_t learned;    // By the search that learns, in operations.
    int64_t learned_ns; // The time that it took.
} duet_graph_done;

duet_graph_done duet_graph_done_so_far(const duet_graph_sides *sides);

// Adds what a call of duet_graph_sides_run() did since then. Where rounds are counted, operations
// are placed tasks by rates that are the same everywhere; or else a side did as much as one search
// has done in that time.
void duet_graph_done_add(duet_graph_work *sum, const duet_graph_sides *sides,
                         const duet_graph_done *before);

#endif
