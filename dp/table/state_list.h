// SPDX-License-Identifier: Apache-2.0
// Decides the open part of a guess by a list of states: the sums that allocations of the bundles so
// far reach. A state is dropped if another one is no worse in any sum, if it has lost more than the
// gap, or if the remaining bundles cannot bring it back within the capacities. Ends at the first
// state that meets all constraints.
#ifndef DUET_DP_TABLE_STATE_LIST_H
#define DUET_DP_TABLE_STATE_LIST_H

#include "dp/table/bundles.h"

typedef enum duet_state_list_end {
    DUET_STATE_LIST_YES,
    DUET_STATE_LIST_NO,
    DUET_STATE_LIST_FULL,   // more states or more work than allowed
    DUET_STATE_LIST_STOPPED // by the context
} duet_state_list_end;

typedef struct duet_state_list_limits {
    uint64_t visits; // states looked at
    uint64_t bytes;
} duet_state_list_limits;

typedef struct duet_state_list_result {
    duet_state_list_end end;
    uint64_t visits; // what it took
    size_t bytes;
} duet_state_list_result;

// On YES core->on_r becomes the allocation. It is fastest when few states are alive early, so with
// bundles of large loss first.
duet_code duet_state_list_decide(const duet_table_problem *problem, duet_core *core,
                                 const duet_context *context, const duet_state_list_limits *limits,
                                 duet_state_list_result *result, duet_error *error);

#endif
