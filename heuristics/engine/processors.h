// SPDX-License-Identifier: Apache-2.0
// The processors of one type, for list schedulers: a heap by load, then index, so that the least
// loaded one is at hand.
#ifndef DUET_HEURISTICS_ENGINE_PROCESSORS_H
#define DUET_HEURISTICS_ENGINE_PROCESSORS_H

#include "core/algorithm.h"
#include "core/system/assert.h"

typedef struct duet_processor {
    int64_t load;
    int32_t index;
} duet_processor;

// No more than one processor per task, since others stay idle.
typedef struct duet_processors {
    duet_processor *heap;
    size_t count;
    int32_t type;
} duet_processors;

// The processors of every type.
typedef struct duet_all_processors {
    duet_processors of[DUET_MAX_TYPES];
    size_t types;
} duet_all_processors;

duet_code duet_all_processors_create(const duet_instance *instance, duet_all_processors *all,
                                     duet_error *error);
// The same with processors that are loaded until the end of their busy time.
duet_code duet_all_processors_create_busy(const duet_instance *instance, duet_all_processors *all,
                                          duet_error *error);
void duet_all_processors_free(duet_all_processors *all);

// The load of the least loaded processor. There must be one.
static inline int64_t duet_processors_least(const duet_processors *processors)
{
    DUET_ASSERT(processors->count > 0);
    return processors->heap[0].load;
}

// The same; 0 where the type has no processors.
static inline int64_t duet_processors_ready(const duet_processors *processors)
{
    return processors->count > 0 ? duet_processors_least(processors) : 0;
}

// Starts a task of `time` ticks on the least loaded processor (the lowest index at equal loads).
// Returns its completion. O(log processors).
int64_t duet_processors_start(duet_processors *processors, int64_t time, duet_placement *placement);

// The same, but not before `release`.
int64_t duet_processors_start_from(duet_processors *processors, int64_t release, int64_t time,
                                   duet_placement *placement);

// Starts `count` tasks of `time` ticks, from task `first` on, with the same loads as starting them
// one by one. Adds at most min(count, processors) runs, for which the solution has room: each
// processor gets consecutive tasks. `given`: room for a number per processor. O(processors (log
// processors + log time)), whatever `count` is.
void duet_processors_start_many(duet_processors *processors, int64_t time, int64_t first,
                                int64_t count, int64_t *given, duet_solution *solution);

// Places all tasks of a kind on one type, task by task.
void duet_processors_start_kind(duet_processors *processors, const duet_instance *instance,
                                size_t kind, duet_solution *solution);

#endif
