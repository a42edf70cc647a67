// SPDX-License-Identifier: Apache-2.0
// Processors with queues: tasks of a graph are put behind what is there, and start when the
// processor is free and their data have arrived.
//
// A rule of list scheduling asks when a task would start on a type. That is on the processor of the
// type where it starts first, the lowest index where several do. Only two processors of a type can
// be that one: the data come last from one processor, and to all others they come at the same
// instant, so of these it is the lowest one that is free by then, or the first that is free after.
#ifndef DUET_HEURISTICS_ENGINE_QUEUES_H
#define DUET_HEURISTICS_ENGINE_QUEUES_H

#include "core/algorithm.h"
#include "core/instance/reality.h"
#include "core/number/minmax.h"
#include "heuristics/engine/tournament.h"

typedef struct duet_queues {
    const duet_instance *instance;
    const int32_t *kind;                // of a task; borrowed
    duet_placement *placement;          // of the tasks put so far; borrowed
    duet_tournament of[DUET_MAX_TYPES]; // when a processor of a type has ended all it has
    bool costs;                         // data take time
    const duet_instance *executed; // of a reality: the times of what has ended; NULL: as planned
} duet_queues;

// Where a task would start.
typedef struct duet_spot {
    int64_t start;
    size_t processor;
} duet_spot;

// At most one processor per task is of use, and those that go. `reality` may be NULL. Free with
// duet_queues_free(), also after an error.
duet_code duet_queues_create(const duet_instance *instance, const int32_t *kind,
                             const duet_reality *reality, duet_placement *placement,
                             duet_queues *queues, duet_error *error);
void duet_queues_free(duet_queues *queues);
// Makes `to`, of the same instance, a copy of the processors of `from`. O(processors).
void duet_queues_copy(duet_queues *to, const duet_queues *from);

// When a task that has been put ends.
static inline int64_t duet_queues_end(const duet_queues *queues, int64_t task)
{
    const duet_placement *at = &queues->placement[task];
    return at->start + duet_time(queues->instance, (size_t)queues->kind[task], (size_t)at->type);
}

// When the data of a task are on a processor; its predecessors have ended. O(predecessors).
int64_t duet_queues_arrival(const duet_queues *queues, int64_t task, size_t type, size_t processor);

// When the last predecessor of a task ends; all have been put. O(predecessors).
int64_t duet_queues_last_end(const duet_queues *queues, int64_t task);

// The spot of a task on a type that has processors, not before `ready`, with data that take time:
// its predecessors have been put. O(predecessors + log processors).
duet_spot duet_queues_spot_with_data(const duet_queues *queues, int64_t task, size_t type,
                                     int64_t ready);

// The same; without costs its predecessors have ended by `ready`. O(log processors) then.
static inline duet_spot duet_queues_spot(const duet_queues *queues, int64_t task, size_t type,
                                         int64_t ready)
{
    if (queues->costs) {
        return duet_queues_spot_with_data(queues, task, type, ready);
    }
    const duet_tournament *free_from = &queues->of[type];
    int64_t least = duet_tournament_least(free_from);
    int64_t start = duet_max(least, ready);
    return (duet_spot){start, duet_tournament_first(free_from, start)};
}

// Puts a task there and returns when it ends.
static inline int64_t duet_queues_put(duet_queues *queues, int64_t task, size_t type,
                                      duet_spot spot)
{
    queues->placement[task] = (duet_placement){spot.start, (int32_t)spot.processor, (int32_t)type};
    int64_t end = duet_queues_end(queues, task);
    duet_tournament_set(&queues->of[type], spot.processor, end);
    return end;
}

#endif
