// SPDX-License-Identifier: Apache-2.0
// Which data tasks of StarPU's records hand to each other: who reads what another one has written
// last, in the order of submission. What nobody has written comes from main memory.
#ifndef DUET_INSTANCES_FORMATS_STARPU_FLOWS_H
#define DUET_INSTANCES_FORMATS_STARPU_FLOWS_H

#include "instances/formats/starpu/records.h"

// What a task reads of one other.
typedef struct duet_starpu_flow {
    size_t from; // a task; DUET_STARPU_NONE: main memory
    int64_t bytes;
    bool joined; // an edge has it
} duet_starpu_flow;

// What a task reads and writes back, its tile.
typedef struct duet_starpu_tile {
    int parameter; // among its handles, from 0; -1: it has none
    size_t from;   // who wrote it last, as above
} duet_starpu_tile;

// Zeroed it is empty.
typedef struct duet_starpu_flows {
    duet_starpu_flow *flow;
    size_t count;
    size_t *first; // per task, in `flow`
    size_t *end;
    duet_starpu_tile *tile; // per task
    bool first_reads;       // some task reads main memory
} duet_starpu_flows;

// O(n log n + a) for n tasks with a handles in all, of which each has few. DUET_E_MEMORY. To be
// freed after a failure too.
duet_code duet_starpu_find_flows(const duet_starpu_records *records, duet_starpu_flows *flows,
                                 duet_error *error);
void duet_starpu_free_flows(duet_starpu_flows *flows);

#endif
