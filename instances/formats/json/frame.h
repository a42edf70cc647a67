// SPDX-License-Identifier: Apache-2.0
// Tables as pandas writes them: to_json(orient="split"), {"columns": [...], "index": [...], "data":
// [[...]]}; orient="columns", an object for each column; orient="index", an object for each row;
// and lists by column, as to_dict("list") has them. For json/instance.c alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_FRAME_H
#define DUET_INSTANCES_FORMATS_JSON_FRAME_H

#include "instances/formats/json/task.h"

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
