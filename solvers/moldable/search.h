// SPDX-License-Identifier: Apache-2.0
// Searches for schedules of moldable tasks, from one that is there.
#ifndef DUET_SOLVERS_MOLDABLE_SEARCH_H
#define DUET_SOLVERS_MOLDABLE_SEARCH_H

#include "core/algorithm.h"

// Simulated annealing over types, sizes and the order of a list schedule (rigid_list.c): for an
// effort that depends on the number of tasks, again and again where there is a deadline, until the
// schedule of `solution` is within the target of its bound. Never makes it longer. Sets the
// makespan. Errors: DUET_E_LIMIT (memory), DUET_E_MEMORY. O(n^2) for a move: more than
// DUET_ANNEAL_TASKS tasks are left as they are.
enum { DUET_ANNEAL_TASKS = 5000 };
duet_code duet_moldable_improve(const duet_instance *instance, const duet_context *context,
                                duet_solution *solution, duet_error *error);

// The same for graphs, over types, sizes and topological orders in which tasks are placed
// (clusters.h). Errors: DUET_E_LIMIT (memory), DUET_E_MEMORY.
duet_code duet_moldable_improve_graph(const duet_instance *instance, const duet_context *context,
                                      duet_solution *solution, duet_error *error);

// Branch and bound over the starts of tasks, event by event, for one guess after another between
// the bound and the makespan of `solution`; `nodes`: the most nodes for a guess in the first round,
// which become more in later ones. Raises the bound and shortens the schedule of `solution` until
// they meet, the context stops, or `rounds` are over (0: no limit). Errors: DUET_E_LIMIT (too many
// tasks), DUET_E_MEMORY.
duet_code duet_moldable_branch(const duet_instance *instance, const duet_context *context,
                               int64_t nodes, int rounds, duet_solution *solution,
                               duet_error *error);

enum { DUET_BRANCH_TASKS = 64 }; // at most

#endif
