// SPDX-License-Identifier: Apache-2.0
// Graham's rule after an allocation: on each type, longest tasks first, each on the least loaded
// processor.
#ifndef DUET_HEURISTICS_ENGINE_LONGEST_FIRST_H
#define DUET_HEURISTICS_ENGINE_LONGEST_FIRST_H

#include "core/algorithm.h"

// How many tasks of each kind run on each type; the tasks of a kind are dealt to the types in
// order.
typedef struct duet_allocation {
    int64_t *share;              // kinds x types; each row adds up to the kind's count
    size_t last[DUET_MAX_TYPES]; // a kind of which one task goes last on that type; SIZE_MAX: none
} duet_allocation;

duet_code duet_allocation_create(const duet_instance *instance, duet_allocation *allocation,
                                 duet_error *error);
void duet_allocation_free(duet_allocation *allocation);

// Schedules an allocation, as runs where those are at most a DUET_TASKS_PER_RUN-th of the tasks,
// else task by task; every processor gets the same tasks of each kind either way. O(kinds log kinds
// + min(n, runs) log m).
duet_code duet_schedule_longest_first(const duet_instance *instance,
                                      const duet_allocation *allocation, duet_solution *solution,
                                      duet_error *error);

#endif
