// SPDX-License-Identifier: Apache-2.0
// A task while its members are read; for task.c and task_settle.c alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_TASK_STATE_H
#define DUET_INSTANCES_FORMATS_JSON_TASK_STATE_H

#include "instances/formats/json/task.h"

// Members that are known, by their place in the list of task.c.
enum {
    DUET_JSON_ID,
    DUET_JSON_TASK_ALIAS,
    DUET_JSON_NAME_ALIAS,
    DUET_JSON_INDEX_ALIAS,
    DUET_JSON_COUNT,
    DUET_JSON_TIMES,
    DUET_JSON_AFTER,
    DUET_JSON_WORK,
    DUET_JSON_ALPHA
};

// What a task has beside its times.
enum {
    DUET_JSON_HAS_WEIGHT = 1,
    DUET_JSON_HAS_RELEASE = 2,
    DUET_JSON_HAS_DEADLINE = 4,
    DUET_JSON_HAS_GROUP = 8,
    DUET_JSON_HAS_PRIORITY = 16,
    DUET_JSON_HAS_DATA = 32, // a member "data", which may hold all that is said of it
};

// How a member names its task: one of a higher rank counts.
typedef enum duet_json_id_rank {
    DUET_JSON_NO_ID,
    DUET_JSON_NUMBERS_TASK, // "index", as tables have it
    DUET_JSON_IS_ALIAS,     // another word
    DUET_JSON_IS_NAME,      // "task" or "name"
    DUET_JSON_IS_ID,
    DUET_JSON_IS_PICKED // by the caller
} duet_json_id_rank;

// A task while it is read.
typedef struct duet_json_task {
    duet_json_object object;
    duet_json_time times[DUET_MAX_TYPES];
    duet_json_time law; // of all types
    size_t time_count;  // of an array, in the order of the types
    bool named;         // the times are an object
    int64_t count;
    duet_json_id_rank id_rank;
    char id_name[DUET_FIELD_KEPT + 1]; // what the member is called that names it
    int id_line, id_column;            // of an id that is a number, 0: it is a text
    unsigned has;                      // DUET_JSON_HAS_WEIGHT and the others
    duet_read_when release;
    duet_decimal priority;
    duet_read_when deadline;
    duet_json_named_time weight;
} duet_json_task;

// Keeps the name of a member whose value may be a time. False: there are too many, or a failure.
bool duet_json_keep_name(duet_json_task_reader *reader, const char *name);
// eligible.c
// Whether a member of a task, by its name, may say on which types it may run.
bool duet_json_names_types(const char *name);
// Reads the value of such a member, whose name is the current token: types, or one of them. What
// is a day or says yes or no goes into the ledger.
void duet_json_read_types(duet_json_task_reader *reader);
// Forbids the types on which the task may not run by that. Fails where they are not known.
void duet_json_forbid_types(duet_json_task_reader *reader, duet_json_task *task);

// What the members say together: each is a time of a type that is known, or in the ledger.
void duet_json_settle_task(duet_json_task_reader *reader, duet_json_task *task);
// Members that may have been times say else what they are called where the task has "times", or go
// into the ledger.
void duet_json_pass_times(duet_json_task_reader *reader, duet_json_task *task);
// Fails at a place of the task.
void duet_json_fail_at(duet_json *json, int line, int column, const char *what);

#endif
