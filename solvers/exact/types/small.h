// SPDX-License-Identifier: Apache-2.0
// All schedules of few tasks: the optimum of tiny instances, without a linear program.
//
// Method:    depth first over the tasks, longest on their best type first, each on every processor
//            where it ends before the best schedule does; processors of one type with equal loads
//            are one, and of equal tasks the later one goes to no earlier processor. A node is left
//            where the weighted work, every remaining task on its cheapest type, exceeds what the
//            processors have below the best makespan: the area bound of the node, in integers.
// Guarantee: exact within the nodes.
// Cost:      exponential in the tasks.
// Memory:    O(tasks x types).
#ifndef DUET_SOLVERS_EXACT_TYPES_SMALL_H
#define DUET_SOLVERS_EXACT_TYPES_SMALL_H

#include "solvers/exact/types/types_state.h"

// Searches for schedules below the best one, in at most `nodes` nodes. *all: all were searched, so
// that the best is the optimum. Too many tasks are left alone.
duet_code duet_types_enumerate(duet_types *s, int64_t nodes, bool *all, duet_error *error);

#endif
