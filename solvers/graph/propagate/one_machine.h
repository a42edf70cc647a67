// SPDX-License-Identifier: Apache-2.0
// A type with one processor: the tasks that must run there do so one after another, which narrows
// their windows, and takes from others the type on which they fit nowhere beside these.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_ONE_MACHINE_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_ONE_MACHINE_H

#include "solvers/graph/propagate/windows.h"

// A task on the type, seen forward or backward in time: what backward is an end is a head there.
typedef struct duet_machine_task {
    int32_t task;
    int64_t time;
    int64_t head; // it starts no earlier
    int64_t due;  // it ends no later
    int64_t work; // of the tasks in question that have its head or a later one
    // Of the heads up to its own: the latest end of the tasks in question, if they start with one,
    int64_t full;
    int64_t full_from; // and that head
    // What follows: it starts no earlier than `later`, since the tasks due by `before` fill the
    // time with it from one head on, and without it up to `later` from another.
    int64_t later, before, with_from, from;
} duet_machine_task;

typedef struct duet_one_machine {
    duet_windows *windows;   // borrowed
    duet_machine_task *task; // those that must run on the type by rising head, then those that may
    size_t musts, all;
    size_t type;
    bool backward;
    int64_t longest; // time of one of them
    int64_t price[DUET_MAX_TYPES];
} duet_one_machine;

// `windows` is borrowed. DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_one_machine_create(duet_one_machine *machine, duet_windows *windows,
                                  duet_error *error);
void duet_one_machine_free(duet_one_machine *machine);

// Narrows the windows on each type with one processor, and propagates. Whether anything followed
// for a task when it was looked at. Nothing is tried on a type where more than 512 tasks may run.
// O(tasks^2) for each direction of time.
bool duet_one_machine_narrow(duet_one_machine *machine);

#endif
