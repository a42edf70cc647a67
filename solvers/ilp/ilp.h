// SPDX-License-Identifier: Apache-2.0
// Inside of algorithm ilp: the state its parts share (ilp.c: start and end, ilp/program.c: the
// integer program, ilp/finish.c: the integer search for the last ticks).
#ifndef DUET_SOLVERS_ILP_ILP_H
#define DUET_SOLVERS_ILP_ILP_H

#include "core/algorithm.h"
#include "core/order.h"

// Processors that can be of use, at most one per task that can run there, are the slots
// 0 .. slots-1, type by type. "Units" are ticks divided by the common divisor of all times.
typedef struct duet_ilp {
    const duet_instance *instance;
    const duet_context *context;
    bool warm;
    int64_t unit; // ticks
    size_t slots;
    size_t first_slot[DUET_MAX_TYPES + 1];
    duet_ordered *order; // kinds by decreasing shortest time
    int32_t *slot;       // the slot of every task in the best schedule
    int64_t best;        // its makespan, units
    int64_t bound;       // no schedule is shorter, units
    bool interrupted;
    int64_t nodes, columns, rows; // of the program
    int64_t settled;              // nodes of the integer search
    int64_t reported_ns;          // when progress was last reported
} duet_ilp;

static inline int64_t duet_ilp_units(const duet_ilp *s, size_t kind, size_t type)
{
    return duet_time(s->instance, kind, type) / s->unit;
}

static inline bool duet_ilp_closed(const duet_ilp *s)
{
    return s->bound >= s->best;
}

// Reports progress, at most about five times a second unless `now`.
void duet_ilp_report(duet_ilp *s, bool now);

// Branch and bound by the solver. Improves best and bound; sets interrupted where a limit came.
duet_code duet_ilp_branch(duet_ilp *s, duet_error *error);

// Depth-first search in integers, for what the solver's margin left open: small instances, or
// little left to try. Gives up after a fixed number of nodes.
duet_code duet_ilp_finish(duet_ilp *s, duet_error *error);

#endif
