// SPDX-License-Identifier: Apache-2.0
// The plan of a snapshot: the best of several algorithms' on the machine with its bus.
//
// Method: each algorithm of DUET_ALGORITHMS plans twice, with what transfers cost and without. Each
//         plan is carried out on the bus (duet/bus.h), as it is and relocated, and the shortest run
//         counts. Where no data move, the plans' own makespans count.
#ifndef DUET_STARPU_PLAN_H
#define DUET_STARPU_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "starpu/snapshot.h"

// settings.c
enum duet_starpu_says {
    DUET_STARPU_SAYS_END = 1 << 0,     // a summary at the end, unless DUET_SILENT is set
    DUET_STARPU_SAYS_PLANS = 1 << 1,   // a line about each plan, if DUET_VERBOSE is set
    DUET_STARPU_SAYS_REFUSALS = 1 << 2 // which algorithm refused, if DUET_ALGORITHMS named it
};

typedef struct duet_starpu_settings {
    const char *base;       // DUET_BASE: the policy that runs what is not planned
    const char *algorithms; // DUET_ALGORITHMS: names, commas between them
    double seconds;         // DUET_TIME: of one plan
    double depart;          // DUET_DEPART: how far a run may be from its plan, as part of its rest
    long batch;             // DUET_BATCH: tasks that are submitted make a new plan
    bool strict;            // DUET_ORDER=strict: a worker waits for the next of its tasks
    bool prefetch;          // DUET_PREFETCH
    bool relocate;          // DUET_RELOCATE
    unsigned says;          // what is printed: bits of enum duet_starpu_says
} duet_starpu_settings;

// A value that means nothing, and a variable DUET_* that is none, are named in a line each.
duet_starpu_settings duet_starpu_read_settings(void);

// The first algorithm in the rest of a list, and how long its name is; NULL: none follows. Names of
// what plans no task graphs are passed over.
const char *duet_starpu_next_name(const char *list, size_t *length);

// plan.c
// Where a task runs, and when by the plan.
typedef struct duet_starpu_place {
    int32_t task; // of the snapshot
    int worker;
    double start; // us from when the plan begins
    double end;
} duet_starpu_place;

enum { DUET_STARPU_LEFT_OUT = 576 }; // a name and a message

typedef struct duet_starpu_plan {
    duet_starpu_place *place; // by start, so that predecessors come first
    double makespan;          // us, on the bus
    double bound;             // us, of any schedule
    double seconds;           // it took that long, of real time
    char algorithm[48];
    bool relocated;
    char left_out[DUET_STARPU_LEFT_OUT]; // the first algorithm that failed, and why; "": none
} duet_starpu_plan;

// `*plan` is the caller's (duet_starpu_plan_free()).
duet_code duet_starpu_make_plan(const duet_starpu_snapshot *snapshot,
                                const duet_starpu_settings *settings, const duet_cancel *cancel,
                                duet_starpu_plan *plan, duet_error *error);
void duet_starpu_plan_free(duet_starpu_plan *plan);

#endif
