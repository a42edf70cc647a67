// SPDX-License-Identifier: Apache-2.0
// The adaptive form: the same answer with as little table as the guess needs.
#ifndef DUET_DP_TABLE_ADAPTIVE_H
#define DUET_DP_TABLE_ADAPTIVE_H

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

#endif
