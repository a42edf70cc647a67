// SPDX-License-Identifier: Apache-2.0
// Decides the open part of a guess by a list of states: the sums that allocations of the bundles so
// far reach, but for those that another state is no worse than in every sum, that have lost more
// than the gap, or that all remaining bundles cannot bring back within the capacities. Ends at the
// first state that meets all constraints.
#ifndef DUET_DP_TABLE_STATE_LIST_H
#define DUET_DP_TABLE_STATE_LIST_H

#include "dp/table/bundles.h"

typedef enum duet_list_end {
    DUET_LIST_YES,
    DUET_LIST_NO,
    DUET_LIST_FULL,   // more states or more work than allowed
    DUET_LIST_STOPPED // by the context
} duet_list_end;

typedef struct duet_list_limits {
    uint64_t visits; // states looked at
    uint64_t bytes;
} duet_list_limits;

// On YES core->on_r becomes the allocation. `visits` and `bytes` receive what it took. The
// fewer states are alive early the better: bundles of large loss first.
duet_code duet_list_decide(const duet_table_problem *problem, duet_core *core,
                           const duet_context *context, const duet_list_limits *limits,
                           duet_list_end *end, uint64_t *visits, size_t *bytes, duet_error *error);

#endif
