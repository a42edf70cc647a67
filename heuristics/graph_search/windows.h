// SPDX-License-Identifier: Apache-2.0
// Shortens a schedule of a task graph by solving windows of it exactly, one after the other.
//
// Method:    tasks in the order of their starts; the window (graph_search/window.h) goes over them
//            from the first to the last by half its length, and what has left it stays. Behind it,
//            processors go on with the same rows of tasks. Sweeps follow each other, shifted by
//            part of a window, until two in a row gain nothing.
// Guarantee: the schedule is never longer than it was.
// Cost:      a sweep looks at each task twice, beside the nodes of its windows.
// Memory:    O(tasks + processors).
// Reference: see window.h.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_WINDOWS_H
#define DUET_HEURISTICS_GRAPH_SEARCH_WINDOWS_H

#include "core/context.h"
#include "core/solution.h"
#include "heuristics/graph_search/model.h"

typedef struct duet_graph_windows duet_graph_windows;

// Only where data take no time. DUET_E_MEMORY.
duet_code duet_graph_windows_create(const duet_graph_model *model, duet_graph_windows **out,
                                    duet_error *error);
void duet_graph_windows_free(duet_graph_windows *windows); // NULL is allowed

// Shortens the schedule in `placement` with about as much work as placing `work` tasks, and returns
// its makespan. `order` is a topological order.
int64_t duet_graph_windows_run(duet_graph_windows *windows, const duet_context *context,
                               const int32_t *order, int64_t work, duet_placement *placement);

// The work of all runs so far, in tasks that are placed.
int64_t duet_graph_windows_work(const duet_graph_windows *windows);

#endif
