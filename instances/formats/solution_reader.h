// SPDX-License-Identifier: Apache-2.0
// What the parts of the solution reader share.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_READER_H
#define DUET_INSTANCES_FORMATS_SOLUTION_READER_H

#include "core/instance.h"
#include "core/solution.h"
#include "instances/formats/json_pull.h"
#include "instances/formats/task_map.h"

typedef struct duet_solution_reader {
    duet_json json;
    duet_instance *instance;
    duet_solution *solution;
    duet_task_map tasks;
    int64_t counts[DUET_MAX_TYPES]; // of the solution's platform, by the instance's types
    bool counted[DUET_MAX_TYPES];
} duet_solution_reader;

// Index of the type that the current token names, or -1.
int32_t duet_solution_type(const duet_solution_reader *reader);
// Notes something that no schedule can be, at the current token, for the checker to report. The
// reader goes on: the file is readable, only wrong.
void duet_solution_fault(duet_solution_reader *reader, const char *format, ...) DUET_PRINTF(2, 3);

// Each of these reads a value. A file that is not readable is a failure of `json`.

// Reads the next token as a time in whole ticks of the instance. A time below 0 is kept: it is for
// the checker to judge.
void duet_solution_time(duet_solution_reader *reader, const char *what, int64_t *ticks);
// Reads the next token as the id of a task, or as the name of a type; -1 where there is no such
// one, which is noted.
void duet_solution_read_task(duet_solution_reader *reader, int64_t *task);
void duet_solution_read_type(duet_solution_reader *reader, int32_t *type);
// Reads the array of placements, or of aborted runs.
void duet_solution_read_intervals(duet_solution_reader *reader, bool aborted);
void duet_solution_read_certificate(duet_solution_reader *reader);

#endif
