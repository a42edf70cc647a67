// SPDX-License-Identifier: Apache-2.0
// A schedule without its times: a lane per processor with the tasks that it runs. For searches that
// move tasks from lane to lane and ask for the most loaded one all the time.
#ifndef DUET_HEURISTICS_IMPROVE_TASK_LISTS_H
#define DUET_HEURISTICS_IMPROVE_TASK_LISTS_H

#include "core/instance.h"
#include "core/solution.h"

typedef struct duet_task_list {
    int64_t load;
    int64_t *task; // `count` tasks, in any order
    size_t count;
    size_t capacity;
    uint64_t changed; // when its tasks last changed, by the clock of the lanes
    int32_t type;
    int32_t index; // of its processor, within the type
} duet_task_list;

typedef struct duet_task_lists {
    const duet_instance *instance;
    size_t count;
    duet_task_list *at;               // type by type
    size_t begin[DUET_MAX_TYPES + 1]; // the lanes of type t are at[begin[t]] .. at[begin[t+1]-1]
    size_t *kind;                     // of a task
    size_t *winner;                   // a tournament for the largest load: its root is winner[1]
    size_t leaves;
    uint64_t clock; // changes so far
} duet_task_lists;

// The lanes of a complete schedule: processors that it uses, and idle ones of each type as far as
// there are tasks for them. Idle gaps and aborted runs are left out. O(tasks + lanes). Free with
// duet_task_lists_free().
duet_code duet_task_lists_create(const duet_instance *instance, const duet_placement *placement,
                                 duet_task_lists *lanes, duet_error *error);
void duet_task_lists_free(duet_task_lists *lanes);

// Bytes that the lanes of an instance take, and what trades and orders tasks beside them.
uint64_t duet_task_lists_memory(const duet_instance *instance);

// The most loaded lane, the first of those. There must be a lane.
static inline size_t duet_task_lists_top(const duet_task_lists *lanes)
{
    return lanes->winner[1];
}

static inline int64_t duet_task_lists_longest(const duet_task_lists *lanes)
{
    return lanes->count == 0 ? 0 : lanes->at[duet_task_lists_top(lanes)].load;
}

// To be called where the tasks of a lane have changed. O(log lanes).
void duet_task_lists_changed(duet_task_lists *lanes, size_t lane);

// The time of a task on a type; DUET_FORBIDDEN where it cannot run there.
static inline int64_t duet_task_lists_time(const duet_task_lists *lanes, int64_t task, size_t type)
{
    return duet_time(lanes->instance, lanes->kind[task], type);
}

// Makes a schedule of the lanes: each runs its tasks in the order of their numbers, from 0 on
// without a gap. O(tasks).
void duet_task_lists_place(duet_task_lists *lanes, duet_placement *placement);

#endif
