// SPDX-License-Identifier: Apache-2.0
// Shelves of moldable tasks with monotone tables, at a guess (λ) on m identical processors.
//
// Method:    tasks of shelf 1 start at 0 and end within λ, tasks of shelf 2 end at T = floor(3λ/2)
//            and take at most λ/2. Where shelf 2 is wider than m, tasks move to shelf 0, whose
//            processors have nothing above them: four transformations, in this order, the first
//            that applies, until shelves 0 and 2 fit beside each other.
// Guarantee: one of the four always applies where shelf 1 has at most m processors and the area of
//            all tasks is at most mλ.
// Cost:      at most two transformations for a task, O(tasks) each.
// Memory:    O(tasks).
// Reference: Mounie, Rapine, Trystram, "A 3/2-dual approximation algorithm for scheduling
//            independent monotonic malleable tasks", SIAM J. Computing 37(2), 2007.
#ifndef DUET_HEURISTICS_MOLDABLE_SHELVES_H
#define DUET_HEURISTICS_MOLDABLE_SHELVES_H

#include <stddef.h>

#include <duet/error.h>

#include "core/instance/time_table.h"

// A task that is longer than λ/2 on one processor.
typedef struct duet_shelf_task {
    duet_time_table table;
    int64_t size; // processors
    int64_t tops; // of these, how many have another task on top: they belong to shelf 0
    size_t under; // the task that it is on top of; SIZE_MAX: none
    int shelf;    // 0, 1, 2
} duet_shelf_task;

enum { DUET_SHELF_RULES = 4 };

typedef struct duet_shelves {
    int64_t guess;      // λ
    int64_t processors; // m: no table is longer
    duet_shelf_task *task;
    size_t count;
    int64_t width[3];                  // of each shelf, in processors
    int64_t applied[DUET_SHELF_RULES]; // how often each transformation was
} duet_shelves;

static inline int64_t duet_shelf_time(const duet_shelf_task *task)
{
    return duet_time_at(task->table, task->size);
}

// The end of shelf 2, T.
static inline int64_t duet_shelves_end(const duet_shelves *shelves)
{
    return shelves->guess + shelves->guess / 2;
}

// Puts a task on shelf 1 or 2, as narrow as it can be there. False where it does not get short
// enough.
bool duet_shelves_put(duet_shelves *shelves, size_t task, int shelf);

// Transforms until shelves 0 and 2 fit on the processors together. False where no rule applies,
// which the premises exclude.
bool duet_shelves_fit(duet_shelves *shelves);

#endif
