// SPDX-License-Identifier: Apache-2.0
// Random small moldable tasks of every shape, for tests against truth.
#ifndef DUET_TESTS_SUPPORT_RANDOM_MOLDABLE_H
#define DUET_TESTS_SUPPORT_RANDOM_MOLDABLE_H

#include <duet/instance.h>

#include "core/number/random.h"

typedef enum duet_table_shape {
    DUET_TABLES_ANY,      // any times above 0, also ones that grow
    DUET_TABLES_MONOTONE, // times never increase, areas never decrease
    DUET_TABLES_LAW,      // Amdahl's law
    DUET_TABLES_MIXED     // each of these, and sequential tasks
} duet_table_shape;

typedef struct duet_moldable_shape {
    duet_table_shape tables;
    int64_t most_tasks;      // 1 to 8
    int64_t most_processors; // of the first type; at least 1
    int64_t most_gpus;       // of a second type, where tasks are sequential; 0: there is none
    bool second_cluster;     // the second type is another cluster instead, with tables of its own
    size_t empty;            // so many clusters before these have no processors, at most 5
    int64_t longest;         // time on one processor
    bool edges;
    bool data;  // bytes on edges, and a network
    bool costs; // of edges by types; without data
    bool gaps;  // tables have sizes that are not allowed, and tasks of one size 0 ticks
} duet_moldable_shape;

// Owned by the caller; NULL only when out of memory. Every task may run somewhere, some only on one
// of two types.
duet_instance *duet_random_moldable(duet_random *random, const duet_moldable_shape *shape);
// A random table t(1) .. t(length) that is monotone, t(1) being at most `longest`.
void duet_random_monotone(duet_random *random, int64_t longest, size_t length, int64_t *table);

#endif
