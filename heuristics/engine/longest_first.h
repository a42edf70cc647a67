// SPDX-License-Identifier: Apache-2.0
// Graham's rule after an allocation.
//
// Method:    on each type the longest task is next, on the least loaded processor. Many equal tasks
//            start at once (duet_processors_start_many()).
// Guarantee: 4/3 - 1/(3m) of the best schedule of the allocation on a type with m processors, but
//            for a task that goes last.
// Cost:      O(kinds log kinds + min(n, runs) log m) time, O(kinds + m) memory beside the schedule.
// Reference: Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2), 1969.
#ifndef DUET_HEURISTICS_ENGINE_LONGEST_FIRST_H
#define DUET_HEURISTICS_ENGINE_LONGEST_FIRST_H

#include "core/algorithm.h"

// How many tasks of each kind run on each type. Of a kind the first ones run on the first type, the
// next ones on the next.
typedef struct duet_allocation {
    int64_t *share;              // kinds x types; each row adds up to the kind's count
    size_t last[DUET_MAX_TYPES]; // a kind of which one task goes last on that type; SIZE_MAX: none
} duet_allocation;

duet_code duet_allocation_create(const duet_instance *instance, duet_allocation *allocation,
                                 duet_error *error);
void duet_allocation_free(duet_allocation *allocation);

// Schedules an allocation: as runs where there are at most a DUET_TASKS_PER_RUN-th as many as
// tasks, else task by task. Every processor gets the same tasks of each kind either way.
duet_code duet_schedule_longest_first(const duet_instance *instance,
                                      const duet_allocation *allocation, duet_solution *solution,
                                      duet_error *error);

#endif
