// SPDX-License-Identifier: Apache-2.0
// Simulated annealing on the order and the types of a task graph's list.
//
// Method:    a schedule costs the sum over all tasks of what they make it longer than a target just
//            below the best one (graph_search/activity_list.h). Moves: a task goes elsewhere in the
//            list, or to another type, half of these together with a task near by that goes the
//            other way. Half of the tasks that are moved are among those that cost something. A
//            change is read up to where its cost exceeds what the temperature lets pass, or where
//            the processors' weighted work does: that is looked at some positions after the change,
//            and again whenever twice as much has been read. Now and then the list is sorted by
//            starts.
// Guarantee: the best schedule is never longer than the one it began with.
// Cost:      proportional to the positions of the list that are read.
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
//            The cost and the early rejections are ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ANNEAL_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ANNEAL_H

#include "core/number/random.h"
#include "heuristics/graph_search/activity_list.h"

typedef struct duet_graph_search_annealer {
    const duet_graph_search_model *model;
    duet_random random;
    duet_activity_list list;

    int32_t first_position; // tasks before it are not picked

    // The best schedule that it has seen.
    int32_t *best_task;
    uint8_t *best_type;
    int32_t *best_host; // where data take time
    int64_t best;

    // Workspace: positions of tasks that cost something, and for sorting.
    int32_t *late;
    int32_t late_count;
    int64_t *keys;

    // The run under way: `work` and clock at its beginning, and `moves` at which the list is sorted
    // next.
    bool under_way;
    int64_t first_work;
    int64_t first_ns;
    int64_t next_sort;

    // Counters.
    int64_t moves; // proposed
    int64_t work;  // positions that were read
} duet_graph_search_annealer;

// Free with duet_graph_search_annealer_free(), also after an error. DUET_E_MEMORY.
duet_code duet_graph_search_annealer_create(const duet_graph_search_model *model, uint64_t seed,
                                            duet_graph_search_annealer *annealer,
                                            duet_error *error);
void duet_graph_search_annealer_free(duet_graph_search_annealer *annealer);

// Begins with a list of the model or of its mirror: what was the best is forgotten. `task` is
// topological there. Only tasks that start in so large a last part of the schedule's time are
// moved; 1: all are. `host`: the processors of tasks that are pinned, which is then what changes;
// NULL: none are.
void duet_graph_search_annealer_begin(duet_graph_search_annealer *annealer,
                                      const duet_graph_search_model *model, const int32_t *task,
                                      const uint8_t *type, const int32_t *host, double part);

// How long and how hot.
typedef struct duet_graph_search_cooling {
    int64_t work;     // positions to be read
    int64_t until_ns; // or as many as can be until then; 0: no such end
    int64_t slice;    // of them in one call
    double hot;       // first temperature, as a share of the makespan
    double cold;      // last temperature, as a share of the first
    int64_t shortest; // a makespan that ends it: a proven bound, or what is asked for
} duet_graph_search_cooling;

// Looks for a shorter schedule until the work or the time is spent, `shortest` is reached or the
// context stops: then the run is over. Where the slice is spent before, it is under way, and the
// next call with the same work goes on with it, from where it is or from another list that was set
// since.
void duet_graph_search_annealer_run(duet_graph_search_annealer *annealer,
                                    const duet_context *context,
                                    const duet_graph_search_cooling *cooling);

#endif
