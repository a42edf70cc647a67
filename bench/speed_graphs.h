// SPDX-License-Identifier: Apache-2.0
// Time of the fast algorithms on a task graph, and of reading it.
#ifndef DUET_BENCH_SPEED_GRAPHS_H
#define DUET_BENCH_SPEED_GRAPHS_H

#include <stdint.h>

#include <duet/error.h>

typedef struct duet_speed_graph {
    const char *name;
    double limit;   // times qsort
    double seconds; // median
    double sort;    // median of qsort on as many records as the graph has tasks
} duet_speed_graph;

// Graphs of a Cholesky factorisation; 181 tiles of a side are 1,004,731 tasks.
enum { DUET_SPEED_GRAPHS = 5, DUET_SPEED_MOST_TILES = 300 };
// Times each in `rounds` rounds; *tasks receives the number of tasks. Errors: DUET_E_MEMORY,
// DUET_E_OUTPUT where there is no room for the graph as a file.
duet_code duet_bench_time_graphs(int64_t tiles, int rounds, int64_t *tasks,
                                 duet_speed_graph rows[DUET_SPEED_GRAPHS], duet_error *error);

#endif
