// SPDX-License-Identifier: Apache-2.0
// A plan that is carried out while real times differ from planned ones, and planned again on the
// way.
//
// Method:    the order on each processor is carried out with real times. At an instant the tasks
//            that have begun are given (<duet/replan.h>), those that run with their planned end,
//            or one tick from then where that has passed; a row plans the others again, starting
//            from the plan, continued. Instants are the ends of tasks that are not as planned, or
//            the multiples of a time.
// Cost:      that of the row, and O((n + e) log n), for each instant.
// Memory:    O(n + e).
#ifndef DUET_SOLVERS_SIMULATION_REPLANNING_H
#define DUET_SOLVERS_SIMULATION_REPLANNING_H

#include "core/algorithm.h"
#include "core/instance/reality.h"

typedef struct duet_replanning {
    const duet_algorithm *row;
    int64_t every; // ticks; 0: at ends that are not as planned
} duet_replanning;

// Carries out `plan` in `context->reality`, whose processors all stay. `solution` has room for all
// placements. *plans: how often it was planned again. Errors: those of the row.
duet_code duet_replan_along(const duet_instance *instance, const duet_context *context,
                            const duet_solution *plan, const duet_replanning *how,
                            duet_solution *solution, int64_t *plans, duet_error *error);

#endif
