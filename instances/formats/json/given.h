// SPDX-License-Identifier: Apache-2.0
// What is given of the tasks of an instance in JSON, and the processors that are lost: kept while
// the file is read, and made part of the instance behind it.
#ifndef DUET_INSTANCES_FORMATS_JSON_GIVEN_H
#define DUET_INSTANCES_FORMATS_JSON_GIVEN_H

#include <duet/replan.h>

#include "core/instance/instance.h"
#include "instances/formats/json/pull.h"

// An entry, as read. Names are places in the text.
typedef struct duet_json_fix {
    size_t task;
    size_t type; // meaningless unless has_type
    bool has_type;
    size_t range_at; // the first of its processors
    size_t ranges;
    bool has_start, has_end;
    duet_decimal start, end;
    int line, column;
} duet_json_fix;

// A range of processors, whose type is that of its entry, or has a name of its own.
typedef struct duet_json_range {
    bool has_type;
    size_t type; // its name
    int32_t first, last;
} duet_json_range;

typedef struct duet_json_given {
    duet_json_fix *fix;
    size_t fixes;
    duet_json_range *range;
    size_t ranges;
    duet_processor_range *without;
    size_t withouts;
    char *text; // all names, each with its final NUL
    size_t used;
    duet_decimal now; // from where a plan goes on; 0: none does
} duet_json_given;

void duet_json_given_free(duet_json_given *given);
// Reads the value of "fixed": an array of entries of a schedule.
void duet_json_read_given(duet_json *json, duet_json_given *given);
// Reads the value of "without" of the type of that index: an array of processors.
void duet_json_read_without(duet_json *json, int32_t type, duet_json_given *given);
// Takes a number, the value of "now", if the token is one. False: it is left alone.
bool duet_json_take_now(const duet_json *json, duet_json_given *given);
// Puts the instance in which all that is given into the place of the one that was read.
// DUET_E_INPUT with the file, and what duet_replan() says.
duet_code duet_json_take_given(const duet_json_given *given, const char *file,
                               duet_instance **instance, duet_error *error);

#endif
