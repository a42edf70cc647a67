// SPDX-License-Identifier: Apache-2.0
// Schedules of searches in which no task waits for nothing.
#ifndef DUET_SOLVERS_START_EARLY_H
#define DUET_SOLVERS_START_EARLY_H

#include "core/algorithm.h"

// Starts each task of a schedule, whose tasks are placed one by one, as early as the tasks before
// it on its processors, those that it waits for, its release and its processors allow; processors
// and orders stay, and runs that are aborted are left out. Nothing else is done to schedules that
// are held as runs, to very large ones, and where memory ends. The schedule gets no longer. O((n +
// e) log n + processors of all tasks) time, O(n + e + processors) memory.
void duet_start_early(const duet_instance *instance, const duet_context *context,
                      duet_solution *solution);

#endif
