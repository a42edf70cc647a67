// SPDX-License-Identifier: Apache-2.0
// Two types exchange tasks, for schedules in which hundreds of tasks are on the wrong type.
//
// Method:    the tasks that may run on both types are ordered by how much faster one type runs them
//            than the other. Those before the point where both types have the same work per
//            processor belong on the faster one. Only tasks that change their type leave their
//            processors; they go, longest first, to the least loaded ones.
// Guarantee: it is made only if the most loaded processor of both types then ends earlier.
// Cost:      O(n + moved log m).
// Memory:    O(n).
// Reference: the point of equal work is the area bound's: Beaumont, Eyraud-Dubois, Kumar,
//            "Approximation proofs of a fast and efficient list scheduling algorithm for task-based
//            runtime systems on multicores and GPUs", IPDPS 2017, section 4.2.
#ifndef DUET_HEURISTICS_IMPROVE_TYPE_EXCHANGE_H
#define DUET_HEURISTICS_IMPROVE_TYPE_EXCHANGE_H

#include "heuristics/improve/task_lists.h"

// Exchanges tasks between two types that have lists, if the largest load of both falls by it.
// `*moved`: how many tasks changed their type; 0 where it did not pay. On an error the lists hold
// no schedule any more.
duet_code duet_type_exchange(duet_task_lists *lists, size_t a, size_t b, int64_t *moved,
                             duet_error *error);

#endif
