// SPDX-License-Identifier: Apache-2.0
// Lower bounds of a task graph by subproblems and of the whole: what a few tasks before, or behind,
// each task take at least is found by the same means as of a small graph, and then holds of the
// whole.
#ifndef DUET_SOLVERS_GRAPH_BOUND_SUBPROBLEMS_H
#define DUET_SOLVERS_GRAPH_BOUND_SUBPROBLEMS_H

#include "solvers/graph/bound/destructive.h"

typedef struct duet_subproblems duet_subproblems;

// Which graphs have subproblems, and how large these are.
typedef struct duet_subproblems_plan {
    int64_t least_graph; // Graphs of fewer tasks have no subproblems unless they have stages.
    int64_t most_graph;  // Graphs of more tasks have none.
    int64_t least_size;  // A subproblem that is no stage has at least this many tasks.
    int64_t first_size;  // In the first pass a subproblem has at most this many tasks.
    int64_t first_work;  // In the first pass a subproblem takes this many operations.
} duet_subproblems_plan;
extern const duet_subproblems_plan duet_subproblems_usual;

// As duet_destructive_create(). `plan` is borrowed.
duet_code duet_subproblems_create(const duet_instance *instance, const duet_subproblems_plan *plan,
                                  const duet_context *context, int64_t lower,
                                  duet_subproblems **out, duet_error *error);
void duet_subproblems_free(duet_subproblems *subproblems); // NULL is allowed

// Returns the bound of the whole graph.
const duet_destructive *duet_subproblems_whole(const duet_subproblems *subproblems);
// Returns the operations so far, as duet_destructive_spent().
int64_t duet_subproblems_spent(const duet_subproblems *subproblems);
// Returns those of the longest chain of what waits for each other.
int64_t duet_subproblems_chained(const duet_subproblems *subproblems);
// Returns, in any thread, a number that these have reached: all of them once a call has ended.
int64_t duet_subproblems_told(const duet_subproblems *subproblems);

// As duet_destructive_work() of the whole graph. If it goes on to branching some of the work is on
// subproblems. `upper` is never above that of an earlier call: what subproblems have shown rests on
// it.
duet_code duet_subproblems_work(duet_subproblems *subproblems, int64_t upper, int64_t work,
                                duet_bound_phase last, duet_error *error);

#endif
