// SPDX-License-Identifier: Apache-2.0
// Decides the open part of a guess by a list of states: the sums that allocations of the bundles so
// far reach, but for those that another state is no worse than in every sum, that have lost more
// than the gap, or that all remaining bundles cannot bring back within the capacities. Ends at the
// first state that meets all constraints.
#ifndef DUET_DP_TABLE_STATE_LIST_H
#define DUET_DP_TABLE_STATE_LIST_H

#include "dp/table/bundles.h"

typedef enum duet_pool_end {
    DUET_POOL_YES,
    DUET_POOL_NO,
    DUET_POOL_FULL,   // more states or more work than allowed
    DUET_POOL_STOPPED // by the context
} duet_pool_end;

typedef struct duet_pool_limits {
    uint64_t visits; // states looked at
    uint64_t bytes;
} duet_pool_limits;

// On YES core->on_r becomes the allocation. `visits` and `bytes` receive what it took. The
// fewer states are alive early the better: bundles of large loss first.
duet_code duet_pool_decide(const duet_table_problem *problem, duet_core *core,
                           const duet_context *context, const duet_pool_limits *limits,
                           duet_pool_end *end, uint64_t *visits, size_t *bytes, duet_error *error);

#endif
