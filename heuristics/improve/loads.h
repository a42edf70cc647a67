// SPDX-License-Identifier: Apache-2.0
// A schedule without its times: a lane per processor with the tasks that it runs. For searches that
// move tasks from lane to lane and ask for the most loaded one all the time.
#ifndef DUET_HEURISTICS_IMPROVE_LOADS_H
#define DUET_HEURISTICS_IMPROVE_LOADS_H

#include "core/instance.h"
#include "core/solution.h"

typedef struct duet_lane {
    int64_t load;
    int64_t *task; // `count` tasks, in any order
    size_t count;
    size_t capacity;
    uint64_t changed; // when its tasks last changed, by the clock of the lanes
    int32_t type;
    int32_t index; // of its processor, within the type
} duet_lane;

typedef struct duet_lanes {
    const duet_instance *instance;
    size_t count;
    duet_lane *at;                    // type by type
    size_t begin[DUET_MAX_TYPES + 1]; // the lanes of type t are at[begin[t]] .. at[begin[t+1]-1]
    size_t *kind;                     // of a task
    size_t *winner;                   // a tournament for the largest load: its root is winner[1]
    size_t leaves;
    uint64_t clock; // changes so far
} duet_lanes;

// The lanes of a complete schedule: processors that it uses, and idle ones of each type as far as
// there are tasks for them. Idle gaps and aborted runs are left out. O(tasks + lanes). Free with
// duet_lanes_free().
duet_code duet_lanes_create(const duet_instance *instance, const duet_placement *placement,
                            duet_lanes *lanes, duet_error *error);
void duet_lanes_free(duet_lanes *lanes);

// Bytes that the lanes of an instance take, and what trades and orders tasks beside them.
uint64_t duet_lanes_memory(const duet_instance *instance);

// The most loaded lane, the first of those. There must be a lane.
static inline size_t duet_lanes_top(const duet_lanes *lanes)
{
    return lanes->winner[1];
}

static inline int64_t duet_lanes_longest(const duet_lanes *lanes)
{
    return lanes->count == 0 ? 0 : lanes->at[duet_lanes_top(lanes)].load;
}

// To be called where the tasks of a lane have changed. O(log lanes).
void duet_lanes_changed(duet_lanes *lanes, size_t lane);

// The time of a task on a type; DUET_FORBIDDEN where it cannot run there.
static inline int64_t duet_lanes_time(const duet_lanes *lanes, int64_t task, size_t type)
{
    return duet_time(lanes->instance, lanes->kind[task], type);
}

// Makes a schedule of the lanes: each runs its tasks in the order of their numbers, from 0 on
// without a gap. O(tasks).
void duet_lanes_place(duet_lanes *lanes, duet_placement *placement);

#endif
