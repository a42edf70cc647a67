// SPDX-License-Identifier: Apache-2.0
// The plan of a snapshot: the best of several algorithms' on the machine with its bus.
//
// Method: each algorithm of DUET_ALGORITHMS plans twice, with what transfers cost and without. Each
//         plan is carried out on the bus (duet/bus.h), as it is and relocated, and the shortest run
//         counts. Where no data move, the plans' own makespans count.
#ifndef DUET_STARPU_PLAN_H
#define DUET_STARPU_PLAN_H

#include "starpu/settings.h"
#include "starpu/snapshot.h"

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
