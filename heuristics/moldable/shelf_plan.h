// SPDX-License-Identifier: Apache-2.0
// The schedule of three shelves (shelves.h) and of small tasks, which take at most λ/2 on one
// processor, in the gaps of the processors.
//
// Guarantee: ends by T = floor(3λ/2) where the area of all tasks is at most mλ: each processor has
//            one gap, and where a small task fits into none of them, every processor is busy for
//            more than T - floor(λ/2) = λ.
// Cost:      O(n log n + sizes of the sets).
// Memory:    O(n + m).
#ifndef DUET_HEURISTICS_MOLDABLE_SHELF_PLAN_H
#define DUET_HEURISTICS_MOLDABLE_SHELF_PLAN_H

#include "heuristics/moldable/plan.h"
#include "heuristics/moldable/shelves.h"

typedef struct duet_small_task {
    int64_t time; // on one processor
    size_t task;  // its number in the plan
} duet_small_task;

// Longest first, then by number. O(n log n).
void duet_small_sort(duet_small_task *small, size_t count);

// The tasks of a guess.
typedef struct duet_shelf_tasks {
    const duet_shelves *shelves; // they fit
    const size_t *number;        // in the plan, of each task of the shelves
    const duet_small_task *small;
    size_t smalls;
} duet_shelf_tasks;

// Places all of them on a type, shifted to the left.
duet_code duet_shelf_plan(const duet_shelf_tasks *tasks, int32_t type, duet_plan *plan,
                          duet_error *error);

#endif
