// SPDX-License-Identifier: Apache-2.0
// The algorithms that prove something, in the order of the registry: one line each, which declares
// the row duet_algorithm_NAME and puts it into the table of registry.c.
#ifndef DUET_SOLVERS_SOLVERS_H
#define DUET_SOLVERS_SOLVERS_H

#include "core/algorithm.h"

#define DUET_SOLVERS(ROW)                                                                          \
    ROW(auto)                                                                                      \
    ROW(dual_4_3)                                                                                  \
    ROW(dual_2)                                                                                    \
    ROW(dualhp)                                                                                    \
    ROW(shelf_3_2)                                                                                 \
    ROW(accel_published)                                                                           \
    ROW(lst)                                                                                       \
    ROW(hlp)                                                                                       \
    ROW(moldable_2)                                                                                \
    ROW(moldable_3_2)                                                                              \
    ROW(moldable_hybrid)

// Those that search: the slow ones, behind the heuristics.
#define DUET_SEARCHES(ROW)                                                                         \
    ROW(local_search)                                                                              \
    ROW(graph_search)                                                                              \
    ROW(exact)                                                                                     \
    ROW(ilp)

DUET_SOLVERS(DUET_DECLARE_ALGORITHM)
DUET_SEARCHES(DUET_DECLARE_ALGORITHM)

#endif
