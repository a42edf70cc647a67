// SPDX-License-Identifier: Apache-2.0
// Inside of algorithm ilp: the state that its parts share. ilp.c starts and ends it, program.c is
// the integer program, finish.c the search in integers for the last ticks.
#ifndef DUET_SOLVERS_ILP_ILP_H
#define DUET_SOLVERS_ILP_ILP_H

#include "core/algorithm.h"
#include "core/instance/order.h"
#include "core/system/assert.h"

// Processors that can be of use, at most one per task that may run there, are the slots
// 0 .. slots-1, type by type. A unit is the common divisor of all times.
typedef struct duet_ilp {
    // inputs
    const duet_instance *instance;
    const duet_context *context;
    duet_cancel *halt; // of the context: asked once the schedule is near enough to the bound
    bool warm;         // option warm
    // derived from the instance
    int64_t unit; // ticks
    size_t slots;
    size_t first_slot[DUET_MAX_TYPES + 1];
    duet_ordered *order; // kinds by decreasing shortest time
    // the best schedule and the best bound so far
    int32_t *slot; // the slot of every task
    int64_t best;  // the makespan, units
    int64_t bound; // no schedule is shorter, units
    // how it went
    bool interrupted;
    int64_t nodes, columns, rows; // of the program
    int64_t integer_nodes;        // of the search in integers
    int64_t reported_ns;          // when progress was last reported
} duet_ilp;

// The time of a kind on a type that it may run on, in units.
static inline int64_t duet_ilp_units(const duet_ilp *s, size_t kind, size_t type)
{
    DUET_ASSERT(duet_time(s->instance, kind, type) % s->unit == 0);
    return duet_time(s->instance, kind, type) / s->unit;
}

// Whether the best schedule is optimal.
static inline bool duet_ilp_closed(const duet_ilp *s)
{
    return s->bound >= s->best;
}

// Whether it is optimal, or as near to the bound as option gap asks for.
static inline bool duet_ilp_near(const duet_ilp *s)
{
    return s->best * s->unit <= duet_context_target(s->context, s->bound * s->unit);
}

// Reports progress: at most about five times a second, or `now`.
void duet_ilp_report(duet_ilp *s, bool now);

// Branch and bound by the solver. Improves best and bound; sets `interrupted` where a limit came.
duet_code duet_ilp_branch(duet_ilp *s, duet_error *error);

// Depth-first search in integers for what the solver's margin left open. It comes to an end on
// small instances, or where there is little left to try, and gives up after a fixed number of
// nodes.
duet_code duet_ilp_finish(duet_ilp *s, duet_error *error);

#endif
