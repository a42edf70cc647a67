// SPDX-License-Identifier: Apache-2.0
// Stages of a task graph: tasks that all wait for all of the stage before, such as the steps of a
// computation with barriers.
//
// Method:    a task that is before or behind each other one cuts the graph: in a topological order
//            all before it have, step by step, a way to it, and it has one to all behind. Of the
//            tasks before one, the nearest are a stage where each of them waits for all the others:
//            what these do is over when the stage begins, and says no more than when that is.
// Cost:      O(tasks + edges) for the graph; for a task, that of looking at the tasks before the
//            nearest of them.
// Reference: Carlier, Pinson, 1989, as of subproblems.h; series decomposition of an order is
//            folklore.
#ifndef DUET_SOLVERS_GRAPH_BOUND_STAGES_H
#define DUET_SOLVERS_GRAPH_BOUND_STAGES_H

#include "core/instance/graph.h"
#include "solvers/graph/propagate/reachable.h"

// Sets `*has` to whether tasks cut the graph into pieces of at most half of its tasks. `order` is a
// topological order. DUET_E_MEMORY.
duet_code duet_stages_exist(const duet_graph *graph, const int32_t *order, bool *has,
                            duet_error *error);

// Finds a stage among the ancestors, or the descendants, of a task. Returns the least number k, at
// most `most`, such that all farther tasks are ancestors (or descendants) of each of the k nearest
// ones; 0 if there is none. `near` has the ancestors (or descendants), the nearest first; `all` is
// the closure in the same direction. `mark` is workspace per task, no entry above `*stamp`, which
// is raised. Adds the operations to `*work`.
int64_t duet_stages_nearest(const duet_reachable *all, const int32_t *near, int64_t count,
                            int64_t most, int32_t *mark, int32_t *stamp, int64_t *work);

#endif
