// SPDX-License-Identifier: Apache-2.0
// Kinds of two types by the difference of their times, with what is left of them: max-min and
// sufferage ask, over and over, for the extreme task among those that would finish first on one
// type, and those are a prefix or a suffix of this order.
#ifndef DUET_HEURISTICS_ENGINE_DIFFERENCE_H
#define DUET_HEURISTICS_ENGINE_DIFFERENCE_H

#include "core/order.h"
#include "heuristics/engine/processors.h"

// What is extreme in a range of the order, as kinds; SIZE_MAX: the range has no task left. The
// lowest index where several are alike.
typedef struct duet_extremes {
    size_t longest[2]; // by the time on each type
    size_t first;      // the lowest index
} duet_extremes;

// Kinds by CPU time - GPU time, increasing, those that may only run on a CPU first and those that
// may only run on a GPU last; a tournament over them.
typedef struct duet_differences {
    const duet_instance *instance;
    duet_ordered *order; // decreasing key
    size_t *place;       // of a kind in the order
    duet_extremes *node; // root 1, leaves from `leaves` on
    size_t leaves;
    int64_t *left; // tasks of each kind
} duet_differences;

// How many kinds come before the first one whose difference is at least `limit`, or above it if
// `above`. O(log kinds).
size_t duet_differences_below(const duet_differences *differences, int64_t limit, bool above);
// The place of the first kind in the order as different as the one at `place`. O(log kinds).
size_t duet_differences_alike(const duet_differences *differences, size_t place);

// Extremes of the places begin .. end - 1. O(log kinds).
duet_extremes duet_differences_range(const duet_differences *differences, size_t begin, size_t end);
// The first and the last place within begin .. end - 1 that has tasks left; SIZE_MAX: there is
// none. O(log kinds).
size_t duet_differences_first(const duet_differences *differences, size_t begin, size_t end);
size_t duet_differences_last(const duet_differences *differences, size_t begin, size_t end);

// Starts the next task of a kind on the least loaded processor of a pool. O(log kinds + log m).
void duet_differences_place(duet_differences *differences, duet_processors *processors, size_t kind,
                            duet_solution *solution);

// One step of an algorithm: places some tasks with duet_differences_place(), at least one; returns
// how many.
typedef size_t duet_differences_step(duet_differences *differences, duet_all_processors *all,
                                     bool gpu_first, duet_solution *solution);

// Takes steps until every task is placed.
duet_code duet_differences_run(const duet_instance *instance, const duet_context *context,
                               duet_differences_step *step, bool gpu_first, duet_solution *solution,
                               duet_error *error);

#endif
