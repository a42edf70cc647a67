// SPDX-License-Identifier: Apache-2.0
// What auto and exact do with moldable tasks beside running rows.
#ifndef DUET_SOLVERS_MOLDABLE_PORTFOLIO_H
#define DUET_SOLVERS_MOLDABLE_PORTFOLIO_H

#include "core/algorithm.h"

// The row whose proven ratio holds for the instance, the best of them; NULL where none does.
const duet_algorithm *duet_moldable_ratio_row(const duet_instance *instance);

// Searches on from the schedule and the bound of `solution`: annealing, and branch and bound where
// there are few tasks. Leaves task graphs as they are. Errors: DUET_E_MEMORY.
duet_code duet_moldable_search_on(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error);

// Fills the solution by a first schedule, annealing, and branch and bound, at most `rounds` (0: to
// the end). Errors:
// DUET_E_UNSUPPORTED on task graphs, and those of duet_moldable_branch().
duet_code duet_moldable_exact(const duet_instance *instance, const duet_context *context,
                              int64_t rounds, duet_solution *solution, duet_error *error);

#endif
