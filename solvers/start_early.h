// SPDX-License-Identifier: Apache-2.0
// Schedules of searches in which no task waits for nothing.
#ifndef DUET_SOLVERS_START_EARLY_H
#define DUET_SOLVERS_START_EARLY_H

#include "core/algorithm.h"

// Starts each task of a schedule of sequential tasks with edges as early as the tasks before it on
// its processor, those that it waits for, its release and its processor allow; types, processors
// and orders stay. Nothing is done to other schedules, to those with aborted runs, and where memory
// ends. The schedule gets no longer. O((n + e) log n) time, O(n + e) memory.
void duet_start_early(const duet_instance *instance, const duet_context *context,
                      duet_solution *solution);

#endif
