// SPDX-License-Identifier: Apache-2.0
// The lower bounds that cost next to nothing, for solutions whose algorithm proves none or less.
#ifndef DUET_SOLVERS_CHEAP_BOUNDS_H
#define DUET_SOLVERS_CHEAP_BOUNDS_H

#include "core/algorithm.h"

// Offers the solution the longest task; on two types the area bound in closed form and, where it is
// better, the shelf bound; on other platforms the area bound by estimated weights.
duet_code duet_offer_cheap_bounds(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error);

// The best of the longest task and the area bound: what another solver's program can start from.
// Errors: as of the bounds.
duet_code duet_cheap_bound(const duet_instance *instance, int64_t *value, duet_error *error);

#endif
