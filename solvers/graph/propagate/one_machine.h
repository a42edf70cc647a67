// SPDX-License-Identifier: Apache-2.0
// Edge finding on a type with one processor: the tasks that must run there do so one after another,
// which narrows their windows, and takes from others the type on which they fit nowhere beside
// these.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_ONE_MACHINE_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_ONE_MACHINE_H

#include "solvers/graph/propagate/windows.h"

// A task on the type, seen forward or backward in time: what is an end backward is a head here.
typedef struct duet_machine_task {
    int32_t task;
    int64_t time; // The time of the task on the type.
    int64_t head; // The task starts no earlier.
    int64_t due;  // The task ends no later.

    // The set of the tasks that are due by some time.
    int64_t work; // The work of its tasks with this task's head or a later one.
    // An earliest completion time of the set: the largest sum of a head, no later than this task's,
    // and of the work of the set with that head or a later one.
    int64_t ect;
    int64_t ect_from; // That head.

    // What follows, if `later` is above the head.
    int64_t later;     // The new head of the task.
    int64_t deadline;  // The deadline of the set of tasks that the task must follow.
    int64_t with_from; // The set and the task overload the interval from here to the deadline.
    int64_t from;      // The head from which on the work of the set alone ends last.
} duet_machine_task;

typedef struct duet_one_machine {
    duet_windows *windows;   // borrowed
    duet_machine_task *task; // Those that must run on the type by rising head, then those that may.
    size_t required;         // The number of tasks that must run on the type.
    size_t count;            // The number of tasks that must or may.
    size_t type;             // The type under way, which has one processor.
    bool backward;           // Tasks are seen backward in time.
    int64_t longest;         // The largest time of one of the tasks.
    int64_t price[DUET_MAX_TYPES]; // 1 for the type, else 0.
} duet_one_machine;

// `windows` is borrowed. DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_one_machine_create(duet_one_machine *machine, duet_windows *windows,
                                  duet_error *error);
void duet_one_machine_free(duet_one_machine *machine);

// Narrows the windows on each type with one processor, and propagates. Returns whether anything
// followed for a task when it was looked at. Nothing is tried on a type on which more than 512
// tasks may run. O(tasks^2) for each direction of time.
bool duet_one_machine_narrow(duet_one_machine *machine);

#endif
