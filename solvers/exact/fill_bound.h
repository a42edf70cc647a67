// SPDX-License-Identifier: Apache-2.0
// A schedule as long as the bound, on two types, where there are likely many.
//
// Method:    the knapsack's most hopeful allocation at the bound (dp/knapsack/hope.c): its
//            processors are filled to the brim, for four times as long at each call for the same
//            bound. Where the lists of the knapsack are too long, the allocation of a random core.
// Guarantee: none; the schedule does not become longer.
// Cost:      the time of filling, beside that of the knapsack. Nothing where there is little hope,
//            or configurations rather than the area decide.
#ifndef DUET_SOLVERS_EXACT_FILL_BOUND_H
#define DUET_SOLVERS_EXACT_FILL_BOUND_H

#include "solvers/exact/exact_state.h"

duet_code duet_exact_fill_bound(duet_exact *s, duet_error *error);

#endif
