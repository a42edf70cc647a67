// SPDX-License-Identifier: Apache-2.0
// The adaptive form: the same answer with as little table as the guess needs.
#ifndef DUET_DP_TABLE_ADAPTIVE_H
#define DUET_DP_TABLE_ADAPTIVE_H

#include "dp/table/bundles.h"
#include "dp/table/problem.h"

// What it may use, so that tests can reach every part of it.
enum duet_adaptive_parts {
    DUET_ADAPTIVE_LP = 1,   // answers of the linear relaxation
    DUET_ADAPTIVE_LIST = 2, // the list of states
    DUET_ADAPTIVE_ALL = 3   // with the staged table behind them
};

// For a problem without misfit; see duet_table_decide().
duet_code duet_adaptive_decide(const duet_table_problem *problem, const duet_context *context,
                               unsigned parts, duet_table_answer *answer, duet_error *error);

// state_list.c
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

// repair.c
// Whether one or two bundles make the base meet all constraints, as far as a search along the units
// finds them; core->on_r is then the allocation. O(bundles log bundles).
duet_code duet_repair(const duet_table_problem *problem, duet_core *core, bool *found,
                      duet_error *error);

#endif
