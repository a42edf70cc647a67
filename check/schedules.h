// SPDX-License-Identifier: Apache-2.0
// The checks of schedules: what schedule.c hands to the files beside it.
#ifndef DUET_CHECK_SCHEDULES_H
#define DUET_CHECK_SCHEDULES_H

#include "check/limits.h"
#include "core/instance/instance.h"
#include "core/instance/pins.h"
#include "core/solution/solution.h"

// available.c
// S4: a task starts at or after its release, and after all processors of a range have stopped being
// busy. The range exists. `start` is in the ticks of the solution. DUET_E_INPUT names the task.
duet_code duet_check_available(const duet_instance *instance, const duet_solution *solution,
                               int64_t task, int64_t start, duet_processor_range range,
                               duet_error *error);

// given.c
// I6: every task has the start and the processors that are given of it; I7: no task but one that
// has begun is on a lost processor. The placements have been checked one by one. DUET_E_INPUT names
// the task.
duet_code duet_check_given(const duet_instance *instance, const duet_solution *solution,
                           duet_error *error);

// Whether a task has begun, so that it is exempt from S4, and from S3 but for the end of its
// predecessors.
static inline bool duet_check_begun(const duet_instance *instance, int64_t task)
{
    return instance->pins != NULL &&
           duet_is_run(duet_pin_of(instance, duet_instance_kind_of(instance, task)));
}

// precedence.c
// Every task starts when its predecessors have ended and their data are there, and so did every run
// that was given up. The placements have been checked one by one. The first fault is DUET_E_INPUT
// with both tasks and the instant.
duet_code duet_check_precedence(const duet_instance *instance, const duet_solution *solution,
                                duet_watch *watch, duet_error *error);

// How many of the ticks of a solution make one of its instance: more than 1 where it starts tasks
// between ticks. Computed here and not by the core, as all that is judged.
int64_t duet_check_tick(const duet_solution *solution);

// Writes a time in these ticks in the unit of the instance; returns `buffer`, of 32 bytes.
char *duet_check_format(const duet_instance *instance, const duet_solution *solution, int64_t ticks,
                        char *buffer);

// moldable.c
// Every task runs once, on processors that exist, none of them named twice, of one type; of several
// only where the instance has mixed sets. It takes what its table or law says of that number of
// processors. No processor has two tasks at once, and every task starts when its predecessors have
// ended and their data have been redistributed. *makespan receives the latest end. The first fault
// is DUET_E_INPUT with the task. O(n log n) and the processors of all tasks; a law is computed
// anew.
duet_code duet_check_moldable(const duet_instance *instance, const duet_solution *solution,
                              duet_watch *watch, int64_t *makespan, duet_error *error);

#endif
