// SPDX-License-Identifier: Apache-2.0
// What is known of the tasks of a graph in every schedule within a guess. Propagation, the linear
// program of intervals and the time-indexed Lagrangian all read the same windows; the checker has
// its own (check/proof/graph/graph.h).
#ifndef DUET_LP_GRAPH_WINDOW_H
#define DUET_LP_GRAPH_WINDOW_H

#include <stdint.h>

// A task. A larger number is a stronger claim, and so are fewer types.
typedef struct duet_window {
    int64_t start;    // It starts no earlier: its head.
    int64_t end;      // It ends no earlier.
    int64_t rest;     // From its start to the guess it is at least this long.
    int64_t tail;     // From its end to the guess it is at least this long.
    int64_t shortest; // The least of its times on the types left.
    int64_t longest;  // The greatest of them.
    uint64_t types;   // Bit t is set if it may still run on type t.
} duet_window;

// The window of one of the tasks.
typedef struct duet_window_of_task {
    int32_t task;
    duet_window window;
} duet_window_of_task;

#endif
