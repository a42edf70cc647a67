// SPDX-License-Identifier: Apache-2.0
// List scheduling of rigid tasks, whose numbers of processors are given, on identical processors.
//
// Method:    at 0 and whenever tasks end, every task of the list that fits on the idle processors
//            starts, the first of the list first, on those of lowest number.
// Guarantee: with tasks of at most λ and an area of at most mλ it ends by 2λ: what runs at x + λ
//            did not fit at x, so more than m processors are busy at x and x + λ together.
// Cost:      O(n log n + sizes of the sets log m).
// Memory:    O(n + m).
// Reference: Garey, Graham, "Bounds for multiprocessor scheduling with resource constraints", SIAM
//            J. Computing 4(2), 1975.
#ifndef DUET_HEURISTICS_MOLDABLE_RIGID_LIST_H
#define DUET_HEURISTICS_MOLDABLE_RIGID_LIST_H

#include "heuristics/moldable/plan.h"

typedef struct duet_rigid_task {
    int64_t time;
    size_t task;  // its number in the plan
    int32_t size; // processors, at least 1
} duet_rigid_task;

// Longest first, then widest, then by number. O(n log n).
void duet_rigid_sort(duet_rigid_task *list, size_t count);

// Places the tasks of the list on `processors` processors of a type, none of them wider.
duet_code duet_rigid_list(const duet_rigid_task *list, size_t count, int32_t type,
                          size_t processors, duet_plan *plan, duet_error *error);

#endif
