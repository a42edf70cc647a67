// SPDX-License-Identifier: Apache-2.0
// Stages of a task graph: tasks that all wait for all of the stage before, such as the steps of a
// computation with barriers.
//
// Method:    a task that is an ancestor or descendant of each other one cuts the graph: in a
//            topological order all before it have a path to it, and it has one to all behind. The
//            nearest ancestors of a task are a stage if each of them is a descendant of all farther
//            ancestors. These have ended when the stage begins, so that all that they contribute to
//            a bound is the time when it begins.
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
