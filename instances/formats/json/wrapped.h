// SPDX-License-Identifier: Apache-2.0
// A member of a name that means nothing, whose value holds an instance, as {"data": {"tasks":
// [...]}}. Whether it is the instance is known at the end: only where the file has no tasks of its
// own. For json/instance.c alone.
#ifndef DUET_INSTANCES_FORMATS_JSON_WRAPPED_H
#define DUET_INSTANCES_FORMATS_JSON_WRAPPED_H

#include "instances/formats/json/pull.h"

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

#endif
