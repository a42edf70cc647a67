// SPDX-License-Identifier: Apache-2.0
// What the parts of the writer of solutions in JSON share.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_WRITER_H
#define DUET_INSTANCES_FORMATS_SOLUTION_WRITER_H

#include <stdio.h>

#include "core/instance/instance.h"
#include "core/solution/solution.h"

typedef struct duet_solution_writer {
    FILE *stream;
    const duet_instance *instance;
    char *id; // of a task, with room for the longest
    size_t id_size;
} duet_solution_writer;

// Each of these writes `member`, which may be empty, and a value: a time in units, the id of a
// task, or a text, null where it is NULL or empty.
void duet_solution_write_time(const duet_solution_writer *writer, const char *member,
                              int64_t ticks);
void duet_solution_write_task(const duet_solution_writer *writer, const char *member, int64_t task);
void duet_solution_write_name(const duet_solution_writer *writer, const char *member,
                              const char *text);
// Writes the member "certificate" and ends the solution.
void duet_solution_write_certificate(const duet_solution_writer *writer,
                                     const duet_certificate *certificate);

// csv_write.c
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
