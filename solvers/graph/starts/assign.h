// SPDX-License-Identifier: Apache-2.0
// A schedule of a task graph from the types and starts of its tasks.
#ifndef DUET_SOLVERS_GRAPH_STARTS_ASSIGN_H
#define DUET_SOLVERS_GRAPH_STARTS_ASSIGN_H

#include "core/solution/solution.h"
#include "solvers/graph/bound/destructive.h"

// Gives each task a processor of its type that is idle when it starts, and makes that the schedule
// of `solution` if it is shorter. Sets `*taken` to whether it did; it does not if more tasks run at
// a time than there are processors. Data must take no time. DUET_E_MEMORY.
duet_code duet_starts_assign(const duet_instance *instance, const duet_leaf_task *place,
                             duet_solution *solution, bool *taken, duet_error *error);

#endif
