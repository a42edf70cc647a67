// SPDX-License-Identifier: Apache-2.0
// What is known of the tasks of a graph in every schedule within a guess. Propagation, the linear
// program of intervals and the time-indexed Lagrangian all read the same windows; the checker has
// its own (check/proof/graph/graph.h).
#ifndef DUET_LP_GRAPH_WINDOW_H
#define DUET_LP_GRAPH_WINDOW_H

#include <stdint.h>

// What is known of a task. A larger number is a stronger claim, and so are fewer types.
typedef struct duet_window {
    int64_t start;    // The earliest time at which the task may start: its head.
    int64_t end;      // The earliest time at which it may end.
    int64_t rest;     // From the task's start to the guess there are at least this many ticks.
    int64_t tail;     // From the task's end to the guess there are at least this many ticks.
    int64_t shortest; // The least of the task's times on the types left.
    int64_t longest;  // The greatest of these times.
    uint64_t types;   // Bit t is set if the task may still run on type t.
} duet_window;

// The window of one of the tasks.
typedef struct duet_window_of_task {
    int32_t task;
    duet_window window;
} duet_window_of_task;

#endif
