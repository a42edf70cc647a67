// SPDX-License-Identifier: Apache-2.0
// A schedule as a table.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_CSV_WRITE_H
#define DUET_INSTANCES_FORMATS_SOLUTION_CSV_WRITE_H

#include <stdio.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"

// Writes the schedule with the columns task, type, processor, start and end, aborted where runs
// were given up, host where processors have names, and start_time and end_time where times of day
// are known; sorted by type, first processor and start. `id` has room for the longest id of a task.
// DUET_E_MEMORY.
duet_code duet_solution_write_csv(FILE *stream, const duet_instance *instance,
                                  const duet_solution *solution, char *id, size_t id_size,
                                  duet_error *error);

// What such a table cannot say is refused before anything is written. DUET_E_USAGE.
duet_code duet_solution_check_csv(const duet_instance *instance, const duet_solution *solution,
                                  duet_error *error);

#endif
