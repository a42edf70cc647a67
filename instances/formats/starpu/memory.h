// SPDX-License-Identifier: Apache-2.0
// The memory nodes of StarPU's records: which workers use each ("%rec: memory_workers"), and what
// lies between them ("%rec: memory_performance").
#ifndef DUET_INSTANCES_FORMATS_STARPU_MEMORY_H
#define DUET_INSTANCES_FORMATS_STARPU_MEMORY_H

#include "core/instance/instance.h"
#include "instances/formats/formats.h"

// A machine has a node for its main memory and one for each accelerator.
enum { DUET_STARPU_MOST_NODES = 256 };

// What sort of device the workers of a node are, as architectures are called: "cpu", "cuda".
enum { DUET_STARPU_SORT = 24 };

typedef struct duet_starpu_node {
    int64_t number;
    char sort[DUET_STARPU_SORT];
    size_t first; // its first worker, the last one is before that of the next node
    int64_t size; // bytes; 0: not known
} duet_starpu_node;

// From one node to another: bytes per microsecond, and microseconds.
typedef struct duet_starpu_link {
    int64_t from, to;
    duet_read_time bandwidth, latency;
} duet_starpu_link;

// Zeroed it is empty and ready.
typedef struct duet_starpu_memory {
    duet_starpu_node *nodes;
    size_t node_count;
    int64_t *workers; // those of the first node, of the second, ...
    size_t worker_count;
    duet_starpu_link *links;
    size_t link_count;
} duet_starpu_memory;

// A node as its record has it: "CUDA 1" and "4 5 6". DUET_E_INPUT where workers are no numbers.
duet_code duet_starpu_add_node(duet_starpu_memory *memory, int64_t number, const char *name,
                               const char *workers, duet_place place, duet_error *error);
duet_code duet_starpu_add_link(duet_starpu_memory *memory, const duet_starpu_link *link,
                               duet_error *error);
// A worker, and the place of its node among the nodes.
typedef struct duet_starpu_seat {
    int64_t worker;
    size_t node;
} duet_starpu_seat;

// All workers in the order of their numbers, `worker_count` of them; the caller's. NULL without
// memory. O(n log n).
duet_starpu_seat *duet_starpu_seats(const duet_starpu_memory *memory, duet_error *error);
// How long data take from type to type, latency + data * per_unit, types x types each: the mean
// over all pairs of two workers, or the least of any; without cost where both use one node.
// `workers`: how many workers
// of each type use each node of `memory`, types x nodes. O(types^2 nodes^2).
duet_code duet_starpu_transfer(const duet_starpu_memory *memory, bool least, size_t types,
                               const int64_t *workers, duet_read_time *latency,
                               duet_read_time *per_unit, duet_error *error);
void duet_starpu_free_memory(duet_starpu_memory *memory);

#endif
