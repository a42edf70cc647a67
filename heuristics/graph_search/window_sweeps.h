// SPDX-License-Identifier: Apache-2.0
// Shortens a schedule of a task graph by re-optimising windows of it, one after the other.
//
// Method:    tasks are in the order of their starts. The window (graph_search/window.h) moves over
//            them from the first to the last, by half its length each time. What it has left stays.
//            Behind it, processors go on with the same sequences of tasks. Sweeps follow each
//            other, shifted by one task in turn, until two in a row gain nothing.
// Guarantee: the schedule is never longer than it was.
// Cost:      a sweep sorts the tasks. Each window looks at its tasks and at all processors several
//            times, beside the nodes of its search.
// Memory:    O(tasks + processors).
// Reference: as window.h.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_WINDOW_SWEEPS_H
#define DUET_HEURISTICS_GRAPH_SEARCH_WINDOW_SWEEPS_H

#include "core/solution/solution.h"
#include "core/system/context.h"
#include "heuristics/graph_search/model.h"

typedef struct duet_graph_search_window_sweeps duet_graph_search_window_sweeps;

// Only where data take no time. DUET_E_MEMORY.
duet_code duet_graph_search_window_sweeps_create(const duet_graph_search_model *model,
                                                 duet_graph_search_window_sweeps **out,
                                                 duet_error *error);
void duet_graph_search_window_sweeps_free(
    duet_graph_search_window_sweeps *sweeps); // NULL is allowed

// Shortens the complete schedule in `placement` until about as much work is done as placing `work`
// tasks takes, two sweeps in a row gain nothing, the context stops or the makespan is at most
// `shortest`. Returns the makespan. `order` is a topological order.
int64_t duet_graph_search_window_sweeps_run(duet_graph_search_window_sweeps *sweeps,
                                            const duet_context *context, const int32_t *order,
                                            int64_t work, int64_t shortest,
                                            duet_placement *placement);

// Returns the work of all runs so far, in placed tasks.
int64_t duet_graph_search_window_sweeps_work(const duet_graph_search_window_sweeps *sweeps);

#endif
