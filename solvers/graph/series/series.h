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

// The tasks of stage i are task[begin[i]] .. task[begin[i + 1] - 1], in rising order.
typedef struct duet_series {
    int32_t *task;
    int64_t *begin;
    int64_t count;
} duet_series;

// A bound of a stage by its work, with the prices of the types that prove it.
typedef struct duet_series_area {
    int64_t value; // 0: none
    int64_t weight[DUET_MAX_TYPES];
} duet_series_area;

// As many stages as there are. The caller frees them. O(tasks log tasks + edges). DUET_E_MEMORY.
duet_code duet_series_find(const duet_instance *instance, duet_series *out, duet_error *error);
void duet_series_free(duet_series *stages);

// The bound that the areas and the paths of all stages give one after another, with lines that
// prove it, or without where they are too long or do not pass the checker. `area` has one for each
// stage. DUET_E_MEMORY.
duet_code duet_series_certify(const duet_instance *instance, const duet_context *context,
                              const duet_series *stages, const duet_series_area *area,
                              duet_bound *bound, duet_error *error);

// Whether a graph is worth being solved stage by stage, see below: one of at least 200 tasks. False
// if memory runs out.
// O(tasks log tasks + edges).
bool duet_graph_is_series(const duet_instance *instance);

// Solves a graph stage by stage, if its edges cost nothing, all is there at the beginning, and its
// stages are several graphs, or sets of independent tasks: a schedule of all is schedules of the
// stages one after another, and so is an optimal one. Each stage has the time that its share of
// the tasks earns, and an end of its own where there is no deadline. Offers a schedule, where it is
// shorter, and bounds to `solution`; `proven`: a bound needs lines. Errors: as of duet_solve().
duet_code duet_graph_offer_series(const duet_instance *instance, const duet_context *context,
                                  bool proven, duet_solution *solution, duet_error *error);

#endif
