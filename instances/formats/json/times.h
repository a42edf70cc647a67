// SPDX-License-Identifier: Apache-2.0
// What a task takes on a type, in JSON; for task.c and its parts alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_TIMES_H
#define DUET_INSTANCES_FORMATS_JSON_TIMES_H

#include "core/instance/instance.h"
#include "instances/formats/json/pull.h"

// A number, null, a table [9, 5, 4], or Amdahl's law {"work": 8, "alpha": 0.1}.
typedef struct duet_json_time {
    duet_read_time time; // the one time, or the first of a table
    size_t first;        // of a table, in `values`
    size_t length;       // 0: no table
    bool law;
    duet_read_time work, alpha;
} duet_json_time;

// The times of the tables of a task.
typedef struct duet_json_values {
    duet_read_time *value;
    size_t count;
} duet_json_values;

// The current token as what a task takes.
void duet_json_read_entry(duet_json *json, duet_json_values *values, duet_json_time *time);
// The current token as a number, which is above 0 where `positive`; `what` names it for the
// message.
void duet_json_read_number(duet_json *json, const char *what, bool positive,
                           duet_read_time *number);
// The next token as the sequential part of a task's work, 0 to 1.
void duet_json_read_alpha(duet_json *json, duet_read_time *alpha);

#endif
