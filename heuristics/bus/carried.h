// SPDX-License-Identifier: Apache-2.0
// A plan while it is carried out on a machine with a bus.
#ifndef DUET_HEURISTICS_BUS_CARRIED_H
#define DUET_HEURISTICS_BUS_CARRIED_H

#include <duet/bus.h>

#include "core/instance/pins.h"
#include "heuristics/bus/copies.h"

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
