// SPDX-License-Identifier: Apache-2.0
// Simulated annealing on the allocation of a task graph alone.
//
// Method:    the state is the type of each task; graph_search/allocation.h makes the schedule. A
//            task is at home on the type where it is shortest; the other ones are away. Tasks of
//            about the same loss away, time there to time at home, are a class. If those of the
//            lowest classes go away until the types have about equal loads, a part of the marginal
//            class does: most moves are about that. Moves: some give a task another type;
//            two fifths bring one home and send another away in its place, mostly of its class and
//            mostly one that starts about then; two fifths bring one or two home that lose much and
//            send one away that loses less. Each is evaluated with the makespan that the
//            temperature accepts as its limit. Where a GPU is some hundred times as fast as a CPU
//            on most tasks and ten times on few, the makespan is the GPU's work less what CPUs take
//            of it: what counts is which tasks these are, and that they do not start late.
// Guarantee: the best schedule is never longer than the one it began with.
// Cost:      as of the evaluations.
// Memory:    O(n).
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
//            The moves are ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ALLOCATION_ANNEAL_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ALLOCATION_ANNEAL_H

#include "core/number/random.h"
#include "heuristics/graph_search/allocation.h"
#include "heuristics/graph_search/anneal.h"
#include "heuristics/graph_search/tuning.h"

typedef struct duet_graph_allocation_annealer {
    const duet_graph_search_model *model;
    duet_random random;
    duet_graph_allocation allocation;
    duet_arena arena; // It holds the arrays.

    // Tasks by classes: the ratio of their shortest time away to that at home, two classes an
    // octave.
    uint8_t *home;   // Per task, the type on which it is shortest.
    uint8_t *class;  // Per task, its class; DUET_ALLOCATION_CLASSES: it runs on one type alone.
    int32_t *member; // The tasks of class c are member[class_at[c]] .. member[class_at[c + 1] - 1].
    int32_t class_at[DUET_ALLOCATION_CLASSES + 1];
    int32_t used[DUET_ALLOCATION_CLASSES]; // The classes that have tasks.
    int32_t used_count;                    // The number of these classes.
    int32_t marginal;   // The class of which a part is away where the types have equal loads.
    int32_t *away;      // The tasks that are away.
    int32_t *place;     // Per task, its place in `away`; -1: it is at home.
    int32_t away_count; // The number of tasks that are away.

    // The schedule of the walk, and the best one.
    int64_t makespan;
    int64_t *start;      // Per task, its start in the schedule of the walk.
    int64_t best;        // The best makespan; INT64_MAX: there is none.
    uint8_t *best_type;  // Per task, its type in the best schedule.
    int64_t *best_start; // Per task, its start in the best schedule.

    // The run under way.
    bool under_way;
    int64_t first_work; // The value of `work` at its beginning.
    int64_t first_ns;   // The clock at its beginning.

    // Counters.
    int64_t moves; // The moves proposed so far.
    int64_t work;  // What they took, in tasks that annealing of lists places.
} duet_graph_allocation_annealer;

// Only where data take no time. Free with duet_graph_allocation_annealer_free(), also after an
// error. DUET_E_MEMORY.
duet_code duet_graph_allocation_annealer_create(const duet_graph_search_model *model, uint64_t seed,
                                                duet_graph_allocation_annealer *annealer,
                                                duet_error *error);
void duet_graph_allocation_annealer_free(duet_graph_allocation_annealer *annealer);

// Whether at least half of the tasks are very much longer away from home.
bool duet_graph_allocation_annealer_loses_much(const duet_graph_allocation_annealer *annealer);

// Begins with the better of an allocation, if `type` is not NULL, and all tasks at home, on the
// model or its mirror, and forgets the best schedule: a run begins. `order` is a topological one of
// the model that is not mirrored.
void duet_graph_allocation_annealer_begin(duet_graph_allocation_annealer *annealer,
                                          const duet_graph_search_model *model,
                                          const int32_t *order, const uint8_t *type);
// Goes on with the allocation of another walk on the same model.
void duet_graph_allocation_annealer_adopt(duet_graph_allocation_annealer *annealer,
                                          const duet_graph_allocation_annealer *from);
// Continues the run as duet_graph_search_annealer_run() does.
void duet_graph_allocation_annealer_run(duet_graph_allocation_annealer *annealer,
                                        const duet_context *context,
                                        const duet_graph_search_cooling *cooling);

#endif
