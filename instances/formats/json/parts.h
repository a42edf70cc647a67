// SPDX-License-Identifier: Apache-2.0
// The members of an instance in JSON that instance.c leaves to the files beside it.
#ifndef DUET_INSTANCES_FORMATS_JSON_PARTS_H
#define DUET_INSTANCES_FORMATS_JSON_PARTS_H

#include <stdio.h>

#include "core/instance/instance.h"
#include "core/names.h"
#include "instances/formats/json/pull.h"
#include "instances/formats/json/task.h"

// claim.c
// Reads the value of the member "claim". A failure is in json->code.
void duet_read_claim_json(duet_json *json, duet_builder *builder);
// Writes the member with its comma and line break; nothing where there is no claim.
void duet_write_claim_json(FILE *stream, const duet_instance *instance);

// head.c
void duet_json_read_tick(duet_json *json, duet_builder *builder);
void duet_json_read_mixed_sets(duet_json *json, duet_builder *builder);
// Whether a graph is one of arrows; another one is refused.
void duet_json_read_directed(duet_json *json);
void duet_json_read_multigraph(duet_json *json, duet_builder *builder);
// What a graph has beside its nodes and edges: its name, and what goes into the ledger. *line and
// *column are of the first list of texts, which says the order if nothing else does; without one
// they stay as they are.
void duet_json_read_attributes(duet_json *json, duet_builder *builder, int *line, int *column);

// looks.c
// Whether an array is a column that says an order: of some task that nothing comes before. An edge
// is an object, or an array of two ids and more.
bool duet_json_is_order(const duet_json_tape *array);
// Whether an object has a list of tasks: a member that is called so, an array of objects.
bool duet_json_holds_tasks(const duet_json_tape *object);
// An object of numbers alone has the times of tests, one each; or it is one task, as
// {"job": 1, "cpu": 4} on one line. Fails where the names say that.
void duet_json_check_tests(duet_json *json, const duet_names *names);
// Whether each line is an object of its own: a second one begins behind the first line.
bool duet_json_has_lines(duet_input *input);

// origin.c
// Reads the value of the member.
void duet_read_origin_json(duet_json *json, duet_builder *builder);
// Writes the member with the comma before it; nothing where there is no order of submission.
void duet_write_origin_json(FILE *stream, const duet_instance *instance);

// wrapped.c
typedef struct duet_json_wrapped {
    duet_json_tape tape; // the first of them
    char *name;          // its; NULL: there is none
    int line, column;
    char *second; // the name of another one; NULL: there is none
    int second_line, second_column;
    duet_json_tape looked; // what was looked at last
} duet_json_wrapped;

// Keeps the member whose value begins with the current token, if it holds an instance. Whether it
// does; where it does not, the current token is again the first one of its value.
bool duet_json_wrapped_keep(duet_json *json, duet_json_wrapped *wrapped, const char *name);
// Behind all members: comes to the object that holds the instance, of which there is to be one.
// Whether there is one.
bool duet_json_wrapped_open(duet_json *json, const duet_json_wrapped *wrapped);
// Behind all members, where these are not the instance: they go into the ledger.
void duet_json_wrapped_pass(duet_json *json, const duet_json_wrapped *wrapped);
void duet_json_wrapped_free(duet_json_wrapped *wrapped);

// frame.c
typedef struct duet_json_frame {
    duet_json *json;             // borrowed
    duet_json_task_reader *task; // borrowed; what reads a row as a task

    // Members that are objects or lists, of which it is known at the end what they are.
    duet_json_tape members; // a name, and its value
    size_t objects, lists;

    // Of orient="split".
    duet_json_tape columns, index; // arrays
    bool split;                    // its rows were read
    duet_json_tape row;            // as the object that it is
} duet_json_frame;

void duet_json_frame_free(duet_json_frame *frame);
// Takes a member, whose value's first token is the current one and opens an object or an array: a
// part of a table as orient="split" has it is read, and any other is kept.
void duet_json_frame_take(duet_json_frame *frame, const char *name);
// Whether what was kept, or read, is a table.
bool duet_json_frame_is_table(const duet_json_frame *frame);
// Reads what was kept as tasks.
void duet_json_frame_read(duet_json_frame *frame);
// Puts what was kept into the ledger.
void duet_json_frame_pass(duet_json_frame *frame);

#endif
