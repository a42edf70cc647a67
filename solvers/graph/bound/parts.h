// SPDX-License-Identifier: Apache-2.0
// Raising the lower bound of a task graph part by part and as a whole: what a few tasks before, or
// behind, each task take at least is found by the same means as of a small graph, and then holds of
// the whole.
#ifndef DUET_SOLVERS_GRAPH_BOUND_PARTS_H
#define DUET_SOLVERS_GRAPH_BOUND_PARTS_H

#include "solvers/graph/bound/raise.h"

typedef struct duet_parts duet_parts;

// Graphs of how many tasks have parts, and what the first pass looks at.
typedef struct duet_parts_plan {
    int64_t least, most;
    int64_t least_size; // tasks of a part, at least
    int64_t size;       // and at most
    int64_t work;       // operations for it
} duet_parts_plan;
extern const duet_parts_plan duet_parts_usual;

// As duet_raise_create(). `plan` is borrowed.
duet_code duet_parts_create(const duet_instance *instance, const duet_parts_plan *plan,
                            const duet_context *context, int64_t lower, duet_parts **out,
                            duet_error *error);
void duet_parts_free(duet_parts *parts); // NULL is allowed

// The bound of the whole graph.
const duet_raise *duet_parts_whole(const duet_parts *parts);
// Work so far, as duet_raise_spent().
int64_t duet_parts_spent(const duet_parts *parts);

// As duet_raise_work() of the whole graph, some of it on parts where it goes on to branching.
// `upper` is never above that of an earlier call: what parts have shown rests on it.
duet_code duet_parts_work(duet_parts *parts, int64_t upper, int64_t work, duet_raise_stage last,
                          duet_error *error);

#endif
