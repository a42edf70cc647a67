// SPDX-License-Identifier: Apache-2.0
// Dives over a list of patterns for a schedule of tasks whose types are all decided.
//
// Method:    processors get the patterns that the relaxation over the list takes nearly wholly, or
//            where there is none, at random one of those it takes most; the relaxation of what is
//            left is solved anew, and so on, until few enough patterns fit for a search of the
//            processors that are left.
// Guarantee: none: it finds loads within the length or it does not.
// Cost:      some linear programs over the list for each processor, and the search at the end.
// Reference: as exact/dive.h, which has the same over all patterns.
#ifndef DUET_SOLVERS_EXACT_POOL_DIVE_H
#define DUET_SOLVERS_EXACT_POOL_DIVE_H

#include "solvers/exact/cover.h"
#include "solvers/exact/pool/pool.h"

// One dive from a state that decides the types of all tasks; counts that are open are left out of
// account. `load` are prices by time alone, of each type; `scratch` receives what the relaxations
// say. *found: the loads grow by those of the list's type. The solution of the list's last
// relaxation is lost.
duet_code duet_pool_dive(const duet_classes *classes, duet_pool *pool, const duet_residual *from,
                         duet_prices load[2], const duet_cover_limits *limits, duet_random *random,
                         const duet_context *context, duet_prices *scratch, duet_loads *loads,
                         int64_t *programs, duet_cover_stats *stats, bool *found,
                         duet_error *error);

#endif
