// SPDX-License-Identifier: Apache-2.0
// A machine with a bus (duet/bus.h), from the inside.
#ifndef DUET_CORE_INSTANCE_BUS_H
#define DUET_CORE_INSTANCE_BUS_H

#include <duet/bus.h>

#include "core/system/arena.h"

// Data of an access, with its mode.
typedef struct duet_bus_use {
    int32_t datum;
    unsigned mode;
} duet_bus_use;

// How data are sized: by bytes, or by a table of costs of the instance, whose types its nodes have.
typedef struct duet_bus_size {
    int64_t bytes; // 0 where `table` counts
    int32_t table; // -1 where `bytes` count
    int32_t home;
    uint64_t copies; // bits of nodes that have it at first, beside the home
} duet_bus_size;

struct duet_bus {
    duet_arena arena; // It holds the arrays.
    int64_t tasks;
    size_t types;
    size_t processors;
    size_t nodes;
    int64_t *capacity; // of each node; 0: no limit
    int32_t *node_of;  // of each processor
    int32_t *type_of;  // of each node: that of its first processor, for costs by type
    size_t first_of[DUET_MAX_TYPES + 1]; // processors of a type are consecutive
    size_t links;
    duet_bus_link *link;
    uint64_t *route; // nodes x nodes
    size_t data;
    duet_bus_size *datum;
    int64_t *use_at; // the accesses of task j are use[use_at[j]] .. use[use_at[j + 1] - 1]
    duet_bus_use *use;
};

// Ticks that data take from a node to another one, on links that are free.
int64_t duet_bus_ticks(const duet_bus *bus, const duet_instance *instance, int32_t datum,
                       size_t from, size_t to);

#endif
