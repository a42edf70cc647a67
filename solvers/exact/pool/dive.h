// SPDX-License-Identifier: Apache-2.0
// Dives over a pattern pool for a schedule of tasks whose types are all decided.
//
// Method:    processors get the patterns that the relaxation over the pool takes nearly wholly, or
//            where it takes none so, at random one of those it takes most; the relaxation of the
//            residual problem is solved anew, and so on, until few enough patterns fit for an exact
//            cover of the processors that remain.
// Guarantee: none: it finds loads within the guess or it does not.
// Cost:      some linear programs over the pool for each processor, and the cover at the end.
// Reference: as solvers/exact/dive.h, which dives over all patterns.
#ifndef DUET_SOLVERS_EXACT_POOL_DIVE_H
#define DUET_SOLVERS_EXACT_POOL_DIVE_H

#include "solvers/exact/pool/pool.h"
#include "solvers/exact/search.h"

// One dive from the search's residual problem, which decides the types of all tasks; open branching
// rows are left out of account. `time` is time alone as price, of each type; `scratch` receives the
// prices of the relaxations. *found: the loads grow by those of the pool's type. The solution of
// the pool's last relaxation is lost.
duet_code duet_pool_dive(duet_search *search, duet_pool *pool, duet_prices time[2],
                         duet_prices *scratch, bool *found, duet_error *error);

#endif
