// SPDX-License-Identifier: Apache-2.0
// Shortens a schedule of a task graph by solving stretches of it exactly, one after the other.
//
// Method:    tasks are in the order of their starts. The stretch (graph_search/stretch.h) goes over
//            them from the first to the last by half its length, and what has left it stays. Behind
//            it, processors go on with the same rows of tasks. Sweeps follow each other, shifted by
//            part of a stretch, until two in a row gain nothing.
// Guarantee: the schedule is never longer than it was.
// Cost:      a sweep sorts the tasks, and looks at each of them and at all processors several times
//            in each stretch, beside the nodes of its search.
// Memory:    O(tasks + processors).
// Reference: see stretch.h.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_STRETCHES_H
#define DUET_HEURISTICS_GRAPH_SEARCH_STRETCHES_H

#include "core/solution/solution.h"
#include "core/system/context.h"
#include "heuristics/graph_search/model.h"

typedef struct duet_graph_search_stretches duet_graph_search_stretches;

// Only where data take no time. DUET_E_MEMORY.
duet_code duet_graph_search_stretches_create(const duet_graph_search_model *model,
                                             duet_graph_search_stretches **out, duet_error *error);
void duet_graph_search_stretches_free(duet_graph_search_stretches *stretches); // NULL is allowed

// Shortens the schedule in `placement`, which is a whole one, with about as much work as placing
// `work` tasks, unless it is no longer than `shortest`. Returns its makespan. `order` is a
// topological order.
int64_t duet_graph_search_stretches_run(duet_graph_search_stretches *stretches,
                                        const duet_context *context, const int32_t *order,
                                        int64_t work, int64_t shortest, duet_placement *placement);

// The work of all runs so far, in tasks that are placed.
int64_t duet_graph_search_stretches_work(const duet_graph_search_stretches *stretches);

#endif
