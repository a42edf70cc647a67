// SPDX-License-Identifier: Apache-2.0
// The lower bounds, in the order of the registry: one line each, which declares the row
// duet_bound_NAME and puts it into the table of registry.c.
#ifndef DUET_SOLVERS_BOUNDS_H
#define DUET_SOLVERS_BOUNDS_H

#include "core/algorithm.h"

#define DUET_BOUNDS(ROW)                                                                           \
    ROW(longest)                                                                                   \
    ROW(area)                                                                                      \
    ROW(area_lp)                                                                                   \
    ROW(shelf)                                                                                     \
    ROW(knapsack)                                                                                  \
    ROW(configuration)                                                                             \
    ROW(path)                                                                                      \
    ROW(graph)                                                                                     \
    ROW(head_tail)                                                                                 \
    ROW(propagation)                                                                               \
    ROW(interval)                                                                                  \
    ROW(timed)                                                                                     \
    ROW(shaving)                                                                                   \
    ROW(branching)                                                                                 \
    ROW(chains)                                                                                    \
    ROW(prices)                                                                                    \
    ROW(steps)

#define DUET_DECLARE_BOUND(name) extern const duet_bound_method duet_bound_##name;
DUET_BOUNDS(DUET_DECLARE_BOUND)

#endif
