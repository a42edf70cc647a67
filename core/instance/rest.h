// SPDX-License-Identifier: Apache-2.0
// The rest of an instance in which some tasks are given (problem.md, "The rest"): an instance
// without anything given, whose time 0 is the *origin*, the instant before which nothing of it can
// start.
//
// Every schedule of the whole, without the given tasks and moved to the left by the origin, is one
// of the rest: what is a bound there is one of the whole, with the origin on top. Where the rest is
// *exact*, the converse holds, too.
#ifndef DUET_CORE_INSTANCE_REST_H
#define DUET_CORE_INSTANCE_REST_H

#include "core/instance/pins.h"

typedef struct duet_rest {
    duet_instance *instance; // without tasks where all are given
    int64_t origin;          // ticks
    int64_t end;             // of the given tasks: the latest
    int64_t *task;           // of the whole, of each task of the rest, rising
    int64_t tasks;
    bool exact;
} duet_rest;

// The caller frees it, also after an error. DUET_E_MEMORY, and what duet_moldable_fit() may say.
// O(kinds log kinds + edges + ranges of the given tasks' processors).
duet_code duet_rest_create(const duet_instance *instance, duet_rest *rest, duet_error *error);
void duet_rest_free(duet_rest *rest);
// The number in the rest of a task of the whole; -1: it is given. O(log tasks).
int64_t duet_rest_number(const duet_rest *rest, int64_t task);

#endif
