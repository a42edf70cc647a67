// SPDX-License-Identifier: Apache-2.0
// Dives over a pattern pool for a schedule of tasks whose types are all decided.
//
// Method:    processors get the patterns that the relaxation over the pool takes nearly wholly, or
//            where there is none, at random one of those it takes most; the relaxation of the
//            residual problem is solved anew, and so on, until few enough patterns fit for an exact
//            cover of the processors that remain.
// Guarantee: none: it finds loads within the guess or it does not.
// Cost:      some linear programs over the pool for each processor, and the cover at the end.
// Reference: as solvers/exact/dive.h, which dives over all patterns.
#ifndef DUET_SOLVERS_EXACT_POOL_DIVE_H
#define DUET_SOLVERS_EXACT_POOL_DIVE_H

#include "solvers/exact/cover.h"
#include "solvers/exact/pool/pool.h"

// What dives over a pool work with.
typedef struct duet_pool_diver {
    duet_prices *load; // 2: time alone as price, of each type
    const duet_cover_limits *limits;
    duet_random *random;
    duet_prices *scratch; // receives the prices of the relaxations
    duet_loads *loads;
    duet_cover_stats *stats;
} duet_pool_diver;

// One dive from a state that decides the types of all tasks; open branching rows are left out of
// account. *found: the loads grow by those of the pool's type. The solution of the pool's last
// relaxation is lost.
duet_code duet_pool_dive(duet_pool *pool, const duet_residual *from, const duet_pool_diver *diver,
                         bool *found, duet_error *error);

#endif
