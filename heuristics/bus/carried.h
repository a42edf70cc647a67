// SPDX-License-Identifier: Apache-2.0
// A plan while it is carried out on a machine with a bus.
#ifndef DUET_HEURISTICS_BUS_CARRIED_H
#define DUET_HEURISTICS_BUS_CARRIED_H

#include <stddef.h>
#include <stdint.h>

#include <duet/bus.h>
#include <duet/error.h>

#include "core/instance/bus.h"
#include "core/instance/pins.h"

// links.c
typedef struct duet_link_use {
    int64_t from;
    int64_t until;
} duet_link_use;

typedef struct duet_link {
    duet_link_use *busy;
    size_t count;
} duet_link;

// The first instant from `ready` on at which all links of `route` are free for `ticks`.
int64_t duet_links_find(const duet_link *links, uint64_t route, int64_t ready, int64_t ticks);
// Occupies them from `start` on, where they are free. DUET_E_MEMORY.
duet_code duet_links_take(duet_link *links, uint64_t route, int64_t start, int64_t ticks,
                          duet_error *error);

// copies.c
typedef struct duet_copies {
    // Inputs.
    const duet_bus *bus;
    const duet_instance *instance;
    int64_t now; // no transfer begins earlier
    // State.
    duet_arena arena;
    duet_link links[DUET_MAX_LINKS];
    int64_t *there; // data x nodes: from when on a copy is there; DUET_FORBIDDEN: there is none
    int64_t *used;  // data x nodes: the end of its last use
    int64_t *bytes; // of each node, that copies take
    // Counters.
    int64_t moved;
    int64_t transfers;
    int64_t evictions;
} duet_copies;

duet_code duet_copies_create(duet_copies *copies, const duet_bus *bus,
                             const duet_instance *instance, duet_error *error);
void duet_copies_free(duet_copies *copies);

// When a task's data would be on a node, and for how many ticks links would carry them.
typedef struct duet_copies_arrival {
    int64_t at;
    int64_t carried;
} duet_copies_arrival;
duet_copies_arrival duet_copies_look(const duet_copies *copies, int64_t task, size_t node);
// Brings them; `*at` as above. DUET_E_INFEASIBLE: the task alone needs more memory than the node
// has.
duet_code duet_copies_bring(duet_copies *copies, int64_t task, size_t node, int64_t *at,
                            duet_error *error);
// The task ends at `end` on that node: what it wrote is there and nowhere else.
void duet_copies_end(duet_copies *copies, int64_t task, size_t node, int64_t end);
// Whether a node has the memory for a task.
bool duet_copies_fit(const duet_copies *copies, int64_t task, size_t node);

// carried.c
// A task in the order of planned starts.
typedef struct duet_keyed {
    int64_t start;
    int32_t place; // in a topological order
    int32_t task;
} duet_keyed;

typedef struct duet_carried {
    // Inputs.
    const duet_bus *bus;
    const duet_instance *instance;
    const duet_placement *plan;
    duet_bus_keep keep;
    int64_t weight; // of a tick that links carry data, in ticks of delay
    // State.
    duet_arena arena;
    duet_copies copies;
    duet_keyed *order;
    int64_t *free_at; // of each processor
    duet_placement *placed;
    int64_t *end; // of each task; -1: it has not begun
    int64_t waiting;
} duet_carried;

// A processor among those of all types.
static inline size_t duet_carried_processor(const duet_carried *c, const duet_placement *p)
{
    return c->bus->first_of[p->type] + (size_t)p->processor;
}

// Whether a processor, of those of all types, takes no more tasks.
static inline bool duet_carried_is_lost(const duet_carried *c, size_t type, size_t processor)
{
    return c->instance->pins != NULL &&
           duet_is_lost(c->instance, type, (int64_t)(processor - c->bus->first_of[type]));
}

// Runs a task on a processor from `could` on, as soon as its data are there, which are brought.
duet_code duet_carried_run(duet_carried *c, int64_t task, size_t processor, int64_t could,
                           duet_error *error);

// queues.c: runs all tasks of `order` as a runtime does that has a queue for each processor.
duet_code duet_carried_run_queues(duet_carried *c, duet_error *error);

#endif
