// SPDX-License-Identifier: Apache-2.0
// A schedule without its times: for each processor the list of the tasks that it runs. For searches
// that move tasks between processors and ask for the most loaded one again and again.
#ifndef DUET_HEURISTICS_IMPROVE_TASK_LISTS_H
#define DUET_HEURISTICS_IMPROVE_TASK_LISTS_H

#include "core/instance/instance.h"
#include "core/solution/solution.h"

typedef struct duet_task_list {
    int64_t load;
    int64_t *task; // `count` tasks, in any order
    size_t count;
    uint64_t changed; // when its tasks last changed, by the clock of the lists
    int32_t type;
    int32_t index; // of its processor, within the type
} duet_task_list;

typedef struct duet_task_lists {
    const duet_instance *instance;
    size_t count;
    duet_task_list *at;               // type by type
    size_t begin[DUET_MAX_TYPES + 1]; // the lists of type t are at[begin[t]] .. at[begin[t+1]-1]
    size_t *kind;                     // of a task
    size_t *winner;                   // a tournament for the largest load: its root is winner[1]
    size_t leaves;
    uint64_t clock; // changes so far
} duet_task_lists;

// The lists of a complete schedule: those of the processors that it uses, and of idle ones of each
// type as far as there are tasks for them. Idle gaps and aborted runs are left out. O(tasks +
// lists). Free with duet_task_lists_free().
duet_code duet_task_lists_create(const duet_instance *instance, const duet_placement *placement,
                                 duet_task_lists *lists, duet_error *error);
void duet_task_lists_free(duet_task_lists *lists);

// Bytes that the lists of an instance take, with what a type exchange needs beside them.
uint64_t duet_task_lists_memory(const duet_instance *instance);

// The list of the largest load, the first of several. There must be a list.
static inline size_t duet_task_lists_top(const duet_task_lists *lists)
{
    return lists->winner[1];
}

static inline int64_t duet_task_lists_longest(const duet_task_lists *lists)
{
    return lists->count == 0 ? 0 : lists->at[duet_task_lists_top(lists)].load;
}

// To be called where the tasks of a list have changed. O(log lists).
void duet_task_lists_changed(duet_task_lists *lists, size_t list);

// The time of a task on a type; DUET_FORBIDDEN where it cannot run there.
static inline int64_t duet_task_lists_time(const duet_task_lists *lists, int64_t task, size_t type)
{
    return duet_time(lists->instance, lists->kind[task], type);
}

// Makes a schedule of the lists: each runs its tasks in the order of their numbers, from 0 on
// without a gap. O(tasks).
void duet_task_lists_place(duet_task_lists *lists, duet_placement *placement);

#endif
