// SPDX-License-Identifier: Apache-2.0
// Stages of a task graph: sets of tasks such that each task of one is before each task of the next,
// as the tasks between two barriers. Files, each calling only those before it:
//   cuts      which stages there are
//   proof     lines that prove what the stages take together
//   solve     schedules and bounds stage by stage
#ifndef DUET_SOLVERS_GRAPH_SERIES_SERIES_H
#define DUET_SOLVERS_GRAPH_SERIES_SERIES_H

#include "core/solution/solution.h"
#include "core/system/context.h"

// The stages of a graph in their order (series decomposition).
typedef struct duet_series {
    int32_t *task;  // The tasks of stage i are task[begin[i]] .. task[begin[i + 1] - 1], rising.
    int64_t *begin; // Per stage, the place of its first task; the entry `count` ends the last.
    int64_t count;  // The number of stages.
} duet_series;

// The area bound of a stage.
typedef struct duet_series_area {
    int64_t value; // The least time of the stage, in ticks; 0: there is no such bound.
    int64_t weight[DUET_MAX_TYPES]; // Per type, the price of a tick of work, which proves it.
} duet_series_area;

// Finds the stages, as many as possible; the caller frees them. O(tasks log tasks + edges).
// DUET_E_MEMORY.
duet_code duet_series_find(const duet_instance *instance, duet_series *out, duet_error *error);
void duet_series_free(duet_series *stages);

// Makes the sum over the stages of the larger of area and path bound, with lines that prove it;
// without lines if these are too long or do not pass the checker. `area` has one entry a stage.
// DUET_E_MEMORY.
duet_code duet_series_certify(const duet_instance *instance, const duet_context *context,
                              const duet_series *stages, const duet_series_area *area,
                              duet_bound *bound, duet_error *error);

// Returns whether duet_graph_offer_series() would solve a graph stage by stage, and it has at least
// 200 tasks; false if memory runs out. O(tasks log tasks + edges).
bool duet_graph_is_series(const duet_instance *instance);

// Solves a graph stage by stage, and offers the schedule and the bounds to `solution`. It does so
// if data take no time, tasks and processors are there at time 0, and there are several stages
// worth it: optimal schedules of the stages one after another are then an optimal schedule. The
// time of a stage is proportional to its tasks; without a deadline each stage ends by itself. If
// `proven`, a bound is offered only with lines. Errors: as of duet_solve().
duet_code duet_graph_offer_series(const duet_instance *instance, const duet_context *context,
                                  bool proven, duet_solution *solution, duet_error *error);

#endif
