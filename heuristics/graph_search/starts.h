// SPDX-License-Identifier: Apache-2.0
// Schedules to begin a search with: dispatches (graph_search/dispatch.h) in both directions, in
// turns, with parameters that are drawn, later mostly near those of the best one.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_STARTS_H
#define DUET_HEURISTICS_GRAPH_SEARCH_STARTS_H

#include "heuristics/graph_search/dispatch.h"

// A schedule: when and on which type each task starts.
typedef struct duet_timetable {
    int64_t *start;
    uint8_t *type;
    int64_t makespan; // INT64_MAX: there is none
} duet_timetable;

// Parameters of a dispatch; see duet_graph_search_dispatch.
typedef struct duet_dispatch_draw {
    double target; // as a share of the best makespan
    double tail_weight;
    double noise;
    double penalty;
    bool late_first;
    bool justified; // what is behind a task is taken from the schedule before
    bool mirrored;  // the first direction
} duet_dispatch_draw;

typedef struct duet_graph_search_starts {
    const duet_graph_search_model *model;
    const duet_graph_search_model *mirror;
    duet_graph_search_dispatcher dispatcher;
    duet_random random;
    bool drawn; // not for the first time

    // The best of the last call, what it was drawn with, and what the next one reads.
    duet_timetable best;
    duet_dispatch_draw best_draw;
    int64_t *priority;
    int64_t *behind;
} duet_graph_search_starts;

// Free with duet_graph_search_starts_free(), also after an error. DUET_E_MEMORY.
duet_code duet_graph_search_starts_create(const duet_graph_search_model *model,
                                          const duet_graph_search_model *mirror, uint64_t seed,
                                          duet_graph_search_starts *starts, duet_error *error);
void duet_graph_search_starts_free(duet_graph_search_starts *starts);

// Dispatches for about as long as annealing places `work` tasks, or until the context stops.
// `known` is the best makespan so far; INT64_MAX: none. DUET_E_MEMORY.
duet_code duet_graph_search_starts_run(duet_graph_search_starts *starts,
                                       const duet_context *context, int64_t known, int64_t work,
                                       duet_error *error);

#endif
