// SPDX-License-Identifier: Apache-2.0
// Random small instances of every shape, for tests against truth.
#ifndef DUET_BENCH_RUN_RANDOM_INSTANCE_H
#define DUET_BENCH_RUN_RANDOM_INSTANCE_H

#include <duet/instance.h>

#include "core/number/random.h"

enum { DUET_SHAPE_TYPES = 5 }; // at most

typedef struct duet_shape {
    int min_tasks, max_tasks;
    int min_processors, max_processors; // per type
    size_t types;
} duet_shape;

// An instance drawn from `random`: accelerated, decelerated and mixed times, small ranges (many
// ties) and large ones, equal tasks as kinds or apart, forbidden types, zero times. Every task may
// run somewhere. Owned by the caller; NULL only when out of memory.
duet_instance *duet_random_instance(duet_random *random, const duet_shape *shape);
// The same after `random` is seeded: `least` to `most` tasks, up to `processors` of each type, of
// every fifth seed also none.
duet_instance *duet_random_of_seed(duet_random *random, uint64_t seed, int least, int most,
                                   int processors, size_t types);

// random_graph.c
typedef struct duet_graph_shape {
    duet_shape tasks;
    int64_t cost; // highest cost of an edge; 0: plain precedence
} duet_graph_shape;

// Tasks as duet_random_instance() draws them, and edges: none or few, many, layers, chains or
// trees, in an order of tasks and of edges that says nothing. Owned by the caller; NULL only when
// out of memory.
duet_instance *duet_random_graph(duet_random *random, const duet_graph_shape *shape);

#endif
