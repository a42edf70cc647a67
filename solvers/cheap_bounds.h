// SPDX-License-Identifier: Apache-2.0
// The lower bounds that cost next to nothing, for solutions whose algorithm proves none or less.
#ifndef DUET_SOLVERS_CHEAP_BOUNDS_H
#define DUET_SOLVERS_CHEAP_BOUNDS_H

#include "core/algorithm.h"

// Task graphs: offers the solution the best of path, area, graph with a limit of its work,
// head-tail, and shelf and knapsack where they are above them.
// Mixed sets: path, or the longest task, and area.
// Independent tasks: offers it the longest task; on two types the area bound in closed form and,
// where it is better, the shelf bound; on other platforms the area bound by estimated weights.
duet_code duet_offer_cheap_bounds(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error);

// Task graphs: offers the solution the bound graph with the limit of work that it has where it is
// asked for.
duet_code duet_offer_graph_bound(const duet_instance *instance, const duet_context *context,
                                 duet_solution *solution, duet_error *error);

// Which bound duet_solve() adds to a schedule: option `bound`, in the order of its choices.
typedef enum duet_wanted_bound {
    DUET_WANTED_BEST, // as duet_offer_cheap_bounds()
    DUET_WANTED_PATH,
    DUET_WANTED_AREA,
    DUET_WANTED_GRAPH,
    DUET_WANTED_NONE
} duet_wanted_bound;
#define DUET_WANTED_BOUNDS "best|path|area|graph|none"

// Offers the solution that bound.
duet_code duet_offer_bound(const duet_instance *instance, const duet_context *context,
                           duet_wanted_bound wanted, duet_solution *solution, duet_error *error);

// The best of the longest task and the area bound: what another solver's program can start from.
// Errors: as of the bounds.
duet_code duet_cheap_bound(const duet_instance *instance, int64_t *value, duet_error *error);

#endif
