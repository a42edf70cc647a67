// SPDX-License-Identifier: Apache-2.0
// Random small task graphs of every shape, for tests against truth.
#ifndef DUET_BENCH_RUN_RANDOM_GRAPH_H
#define DUET_BENCH_RUN_RANDOM_GRAPH_H

#include "bench/run/random_instance.h"

typedef struct duet_graph_shape {
    duet_shape tasks;
    int64_t cost; // highest cost of an edge; 0: plain precedence
} duet_graph_shape;

// Tasks as duet_random_instance() draws them, and edges: none or few, many, layers, chains or
// trees, in an order of tasks and of edges that says nothing. Owned by the caller; NULL only when
// out of memory.
duet_instance *duet_random_graph(duet_random *random, const duet_graph_shape *shape);

#endif
