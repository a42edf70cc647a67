// SPDX-License-Identifier: Apache-2.0
// Schedules to begin a search with: dispatches (graph_search/dispatch.h) in both directions, in
// turns, with parameters that are drawn.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_INITIAL_H
#define DUET_HEURISTICS_GRAPH_SEARCH_INITIAL_H

#include "heuristics/graph_search/dispatch.h"

// A schedule: when and on which type each task starts.
typedef struct duet_timetable {
    int64_t *start;   // Per task, its start.
    uint8_t *type;    // Per task, its type.
    int64_t makespan; // The latest end; INT64_MAX: there is no schedule.
} duet_timetable;

typedef struct duet_graph_search_initial {
    const duet_graph_search_model *model;
    const duet_graph_search_model *mirror;
    duet_graph_search_dispatcher dispatcher;
    duet_random random;
    bool drawn;   // The first draw, which has the plain parameters, has been made.
    int64_t work; // What all dispatches took, in tasks that annealing places.

    duet_timetable best; // The best schedule of the last call.
    int64_t *priority;   // The priorities of the dispatch under way.
    int64_t *behind;     // The times behind the tasks in that dispatch.
} duet_graph_search_initial;

// Free with duet_graph_search_initial_free(), also after an error. DUET_E_MEMORY.
duet_code duet_graph_search_initial_create(const duet_graph_search_model *model,
                                           const duet_graph_search_model *mirror, uint64_t seed,
                                           duet_graph_search_initial *initial, duet_error *error);
void duet_graph_search_initial_free(duet_graph_search_initial *initial);

// Dispatches for about as long as annealing places `work` tasks, or until the context stops.
// `known` is the makespan of the best schedule so far, which must exist (below INT64_MAX).
// DUET_E_MEMORY.
duet_code duet_graph_search_initial_run(duet_graph_search_initial *initial,
                                        const duet_context *context, int64_t known, int64_t work,
                                        duet_error *error);

#endif
