// SPDX-License-Identifier: Apache-2.0
// The lower bounds that cost next to nothing, for solutions whose algorithm proves none or less.
#ifndef DUET_SOLVERS_CHEAP_BOUNDS_H
#define DUET_SOLVERS_CHEAP_BOUNDS_H

#include "core/algorithm.h"

// Offers the solution the longest task and the area bound: in closed form on two types, elsewhere
// through the linear program where the build has one and it ends within a second.
duet_code duet_offer_cheap_bounds(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error);

#endif
