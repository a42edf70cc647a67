// SPDX-License-Identifier: Apache-2.0
// Tasks of instances in JSON; for instance.c and its parts alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_TASK_H
#define DUET_INSTANCES_FORMATS_JSON_TASK_H

#include "instances/formats/fields.h"
#include "instances/formats/formats.h"
#include "instances/formats/json/edges.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/json/times.h"

// A time that has a type's name.
typedef struct duet_json_named_time {
    size_t name; // in `names`
    duet_json_time time;
    duet_decimal_fault fault; // why it is none, where it turns out to be meant as one
    int line, column;
    bool known;  // there is a type of that name already
    bool length; // it is a length of time, which is in seconds
} duet_json_named_time;

// Whether the weights of tasks are their times.
typedef enum duet_json_weights {
    DUET_JSON_WEIGHTS_UNKNOWN, // no task is read
    DUET_JSON_WEIGHTS_TIMES,
    DUET_JSON_WEIGHTS_NO_TIMES
} duet_json_weights;

// What a member says of where a task may run.
typedef struct duet_json_where {
    bool said;
    bool forbids;         // the types are those where it may not
    duet_json_tape types; // an array of their names
    char name[80];        // of the member
    int line, column;     // of its value
} duet_json_where;

typedef struct duet_json_task_reader {
    duet_json *json;        // borrowed
    duet_builder *builder;  // borrowed
    duet_json_edges *edges; // borrowed; what the task waits for passes through it

    // The id of the task being read, kept while other members are parsed.
    char *id;
    size_t id_length;

    // Its group likewise.
    char *group;
    size_t group_length;

    // Its times by name, and the names, each with its final NUL.
    duet_json_named_time named[DUET_MAX_TYPES];
    size_t named_count;
    char *names;
    size_t names_used;

    // Its tables, and all that it takes on each type, as the builder is told.
    duet_json_values values;
    duet_read_time times[DUET_MAX_TYPES];
    duet_read_table tables[DUET_MAX_TYPES];

    duet_json_where where;
    duet_json_weights weights;
    char other_id[DUET_FIELD_KEPT + 1]; // a member that names tasks, too; "": there is none
    bool durations;                     // some time is a length of time, in seconds
    bool profiled;                      // some task has a "profile"
} duet_json_task_reader;

// Frees what the reader holds.
// Behind the last task: what is said of edges that name no task.
void duet_json_advise_ids(duet_json_task_reader *reader);
void duet_json_task_free(duet_json_task_reader *reader);
// Keeps the current string as the id.
void duet_json_read_id(duet_json_task_reader *reader);
// Reads the task whose object has begun into the builder.
void duet_json_read_task(duet_json_task_reader *reader);

#endif
