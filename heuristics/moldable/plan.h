// SPDX-License-Identifier: Apache-2.0
// A schedule of moldable tasks in the making: start, type and set of processors of each task.
#ifndef DUET_HEURISTICS_MOLDABLE_PLAN_H
#define DUET_HEURISTICS_MOLDABLE_PLAN_H

#include "core/solution/solution.h"

// Where a task runs.
typedef struct duet_planned {
    int64_t start;
    int64_t time;
    size_t first; // of its processors in duet_plan.processor; SIZE_MAX: it is not placed yet
    int32_t size; // how many they are
    int32_t type;
} duet_planned;

typedef struct duet_plan {
    duet_planned *task;
    size_t tasks;
    int32_t *processor; // the sets one after another, each in ascending order
    size_t used;
} duet_plan;

// No task placed. Free with duet_plan_free(), also after an error.
duet_code duet_plan_create(size_t tasks, duet_plan *plan, duet_error *error);
void duet_plan_free(duet_plan *plan);
// Forgets all placements.
void duet_plan_clear(duet_plan *plan);

// When the last task that is placed ends.
int64_t duet_plan_makespan(const duet_plan *plan);

// Makes room for a set of `size` processors at the end of `processor`, which the caller fills; NULL
// with DUET_E_MEMORY recorded. A later call may move it.
int32_t *duet_plan_add(duet_plan *plan, size_t task, int32_t size, duet_error *error);

// The set of a task that is placed.
static inline const int32_t *duet_plan_set(const duet_plan *plan, size_t task)
{
    return plan->processor + plan->task[task].first;
}

// Moves every task of a type, in the order of their starts, to the earliest time at which its set
// is idle for good. `processors`: of the type. O(n log n + sizes of the sets).
duet_code duet_plan_shift_left(duet_plan *plan, int32_t type, size_t processors, duet_error *error);

// Writes the schedule, of which every task is placed. O(n + sizes of the sets).
duet_code duet_plan_write(const duet_plan *plan, duet_solution *solution, duet_error *error);

// rigid_list.c
typedef struct duet_rigid_task {
    int64_t time;
    size_t task;  // its number in the plan
    int32_t size; // processors, at least 1
} duet_rigid_task;

// Longest first, then widest, then by number. O(n log n).
void duet_rigid_sort(duet_rigid_task *list, size_t count);

// Places the tasks of the list on `processors` processors of a type, none of them wider.
duet_code duet_rigid_list(const duet_rigid_task *list, size_t count, int32_t type,
                          size_t processors, duet_plan *plan, duet_error *error);

#endif
