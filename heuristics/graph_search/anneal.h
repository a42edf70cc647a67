// SPDX-License-Identifier: Apache-2.0
// Simulated annealing on the order and the types of a task graph's list.
//
// Method:    the cost of a schedule is its total tardiness for a target just below the best
//            makespan (graph_search/activity_list.h). Moves: half change the type of a task, nine
//            in ten of these together with a nearby task that changes its type the other way; a
//            fifth exchange two tasks of the list; the rest shift one task in the list. Tasks that
//            are pinned change processors in place of types. Half of the moves pick a tardy task. A
//            change is evaluated until its cost exceeds what the temperature accepts, or until the
//            processors' weighted work does: that is compared some positions after the change, and
//            again whenever twice as much has been evaluated. The list is sorted by starts at
//            regular intervals.
// Guarantee: the best schedule is never longer than the one it began with.
// Cost:      proportional to the positions of the list that are read.
// Reference: Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220, 1983.
//            The cost and the early rejections are ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ANNEAL_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ANNEAL_H

#include "core/number/random.h"
#include "core/system/context.h"
#include "heuristics/graph_search/activity_list.h"

typedef struct duet_graph_search_annealer {
    const duet_graph_search_model *model;
    duet_random random;
    duet_activity_list list;

    int32_t first_position; // Tasks at earlier positions are not picked.

    // The best schedule found.
    int32_t *best_task; // Its tasks in the order of the list.
    uint8_t *best_type; // Per task, its type.
    int32_t *best_host; // Per task, its processor; only set if data take time.
    int64_t best;       // Its makespan.

    // Workspace.
    int32_t *tardy;      // The tardy tasks: those whose end plus tail is after the target.
    int32_t tardy_count; // The number of tardy tasks.
    int64_t *keys;       // Room for sorting, two entries a task.

    // The run under way.
    bool under_way;     // A run has begun and not ended.
    int64_t first_work; // The value of `work` at its beginning.
    int64_t first_ns;   // The clock at its beginning.
    int64_t next_sort;  // The list is sorted when `moves` reaches this.

    // Counters.
    int64_t moves; // The moves proposed so far.
    int64_t work;  // The positions of the list evaluated so far.
} duet_graph_search_annealer;

// Free with duet_graph_search_annealer_free(), also after an error. DUET_E_MEMORY.
duet_code duet_graph_search_annealer_create(const duet_graph_search_model *model, uint64_t seed,
                                            duet_graph_search_annealer *annealer,
                                            duet_error *error);
void duet_graph_search_annealer_free(duet_graph_search_annealer *annealer);

// Begins with a list of the model or of its mirror, in a topological order of that, and forgets the
// best schedule. `part` is the last share of the schedule's time from which tasks are picked for a
// move; 1: from all of it. If `host` is not NULL it has the processor to which each task is pinned,
// and moves change these processors.
void duet_graph_search_annealer_begin(duet_graph_search_annealer *annealer,
                                      const duet_graph_search_model *model, const int32_t *task,
                                      const uint8_t *type, const int32_t *host, double part);

// Goes on with the list of another walk on the same model.
void duet_graph_search_annealer_adopt(duet_graph_search_annealer *annealer,
                                      const duet_graph_search_annealer *from);

// The length and the temperatures of a run.
typedef struct duet_graph_search_cooling {
    int64_t work;     // The run evaluates this many positions.
    int64_t until_ns; // If not 0, the run ends at this time instead.
    int64_t slice;    // A call evaluates at most this many positions.
    double hot;       // The first temperature is this times the best makespan.
    double cold;      // The last temperature is this times the first one.
    int64_t shortest; // The run ends when a schedule is no longer than this.
} duet_graph_search_cooling;

// How much of a run is over that has done so much work and began at a time: 1 is all. One that has
// a time is cold at its end, whatever else has taken of it.
static inline double duet_graph_search_cooling_over(const duet_graph_search_cooling *cooling,
                                                    int64_t work, int64_t begun_ns)
{
    if (cooling->until_ns == 0) {
        return (double)work / (double)cooling->work;
    }
    double time = (double)(cooling->until_ns - begun_ns);
    return time > 0 ? (double)(duet_clock_ns() - begun_ns) / time : 1.0;
}

// Looks for a shorter schedule until the work or the time is spent, `shortest` is reached or the
// context stops: then the run is over. A call that ends with its slice leaves the run under way.
// The next call, with the same `work`, continues it from the current list, also if that was
// replaced in between.
void duet_graph_search_annealer_run(duet_graph_search_annealer *annealer,
                                    const duet_context *context,
                                    const duet_graph_search_cooling *cooling);

#endif
