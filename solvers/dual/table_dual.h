// SPDX-License-Identifier: Apache-2.0
// What the dual approximations by a table (dual-4-3, dual-2) share: dp/table/table.h answers a
// guess, and the allocation of a YES is scheduled longest task first on each type.
#ifndef DUET_SOLVERS_DUAL_TABLE_DUAL_H
#define DUET_SOLVERS_DUAL_TABLE_DUAL_H

#include "dp/table/table.h"
#include "heuristics/engine/longest_first.h"
#include "solvers/dual/dual.h"

typedef struct duet_table_dual {
    duet_context context; // the caller's, with threads that can be started
    duet_table_form form;
    duet_table_guess guess; // all but lambda is the caller's
    bool shelves;           // places as solvers/dual/shelves.h, else longest task first
    duet_allocation allocation;
    int64_t *on_gpu; // per kind, tasks that the table allocates to the GPUs
    int64_t tables;  // guesses that a table answered
    uint64_t cells;
} duet_table_dual;

// Allocates for the instance of a guess; free with duet_table_dual_free(), after a failure too.
duet_code duet_table_dual_create(const duet_context *context, duet_table_form form,
                                 const duet_table_guess *guess, duet_table_dual *out,
                                 duet_error *error);
void duet_table_dual_free(duet_table_dual *state);

// The driver's view of it; `state` must stay where it is.
duet_dual duet_table_dual_driver(duet_table_dual *state, const char *name);
// Sets the counters tables, cells.
void duet_table_dual_count(const duet_table_dual *state, duet_solution *solution);

#endif
