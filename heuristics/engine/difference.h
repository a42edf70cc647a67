// SPDX-License-Identifier: Apache-2.0
// Kinds of two types by the difference of their times, with what is left of them.
//
// Max-min and sufferage ask again and again for the extreme task among those that would finish
// first on one type. Those are a prefix or a suffix of this order, and a tree over it answers in
// O(log kinds).
#ifndef DUET_HEURISTICS_ENGINE_DIFFERENCE_H
#define DUET_HEURISTICS_ENGINE_DIFFERENCE_H

#include "core/instance/order.h"
#include "heuristics/engine/processors.h"

// The extreme kinds of a range of the order, the lowest index where several are alike. SIZE_MAX:
// the range has no task left.
typedef struct duet_extremes {
    size_t longest[2]; // by the time on each type
    size_t first;      // the lowest index
} duet_extremes;

// Kinds by rising CPU time - GPU time. Those that may only run on a CPU come first, those that may
// only run on a GPU last.
typedef struct duet_differences {
    const duet_instance *instance;
    duet_ordered *order; // decreasing key
    size_t *position;    // of a kind in the order
    duet_extremes *node; // a tournament: the root is node[1], the leaves are those from `leaves` on
    size_t leaves;
    int64_t *left; // tasks of each kind
} duet_differences;

// How many kinds come before the first one whose difference is at least `limit`, or above it if
// `above`. O(log kinds).
size_t duet_differences_below(const duet_differences *differences, int64_t limit, bool above);
// The position of the first kind in the order whose difference is that of the one at `position`.
// O(log kinds).
size_t duet_differences_alike(const duet_differences *differences, size_t position);

// The extremes of the positions begin .. end - 1. O(log kinds).
duet_extremes duet_differences_range(const duet_differences *differences, size_t begin, size_t end);
// The first and the last position within begin .. end - 1 that has tasks left; SIZE_MAX: there is
// none. O(log kinds).
size_t duet_differences_first(const duet_differences *differences, size_t begin, size_t end);
size_t duet_differences_last(const duet_differences *differences, size_t begin, size_t end);

// Starts the next task of a kind on the least loaded of some processors. O(log kinds + log m).
void duet_differences_start(duet_differences *differences, duet_processors *processors, size_t kind,
                            duet_solution *solution);

// One step of an algorithm: starts some tasks with duet_differences_start(), at least one, and
// returns how many.
typedef size_t duet_differences_step(duet_differences *differences, duet_all_processors *all,
                                     bool gpu_first, duet_solution *solution);

// Takes steps until every task is scheduled.
duet_code duet_differences_run(const duet_instance *instance, const duet_context *context,
                               duet_differences_step *step, bool gpu_first, duet_solution *solution,
                               duet_error *error);

#endif
