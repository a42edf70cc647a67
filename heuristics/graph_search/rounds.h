// SPDX-License-Identifier: Apache-2.0
// Rounds of a search of task graphs: how long each is, in which direction and from where its
// searches anneal.
//
// Method:    the first rounds try both directions from new dispatches, and all later ones take the
//            one that ended shorter: they differ by up to two per cent. Large graphs begin all
//            rounds but the first with the best schedule, whose losses say what is annealed, and in
//            which direction (graph_search/idle_profile.h). Rounds double, but for pairs of one
//            length that try both directions, and a last one that takes what time is left. A small
//            part of each re-optimises windows (graph_search/window_sweeps.h).
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ROUNDS_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ROUNDS_H

#include "core/system/context.h"
#include "heuristics/graph_search/idle_profile.h"

// What rounds are made of beside dispatches and annealing of lists.
typedef enum duet_graph_search_round_form {
    DUET_GRAPH_ROUNDS_OF_LISTS,   // nothing else
    DUET_GRAPH_ROUNDS_OF_WINDOWS, // they end with window re-optimisation
    DUET_GRAPH_ROUNDS_OF_PINS,    // data take time: some anneal the best schedule, tasks pinned
} duet_graph_search_round_form;

typedef struct duet_graph_search_rounds {
    int32_t tasks;
    duet_graph_search_round_form form;
    int64_t first_ns; // the clock at the first round; 0: there was none

    // The round under way, or the last one.
    int64_t round;
    int64_t work;       // tasks that each search places
    int64_t end_ns;     // the clock at its end; 0: when the work is done
    bool mirrored;      // the direction of the first search, of a large graph
    int64_t begun_with; // the best makespan when it was begun
    duet_graph_search_idle_profile idle;
    bool was_vain; // the last round of a large graph gained next to nothing

    // How the searches of the rounds that try both directions ended: forward, mirrored.
    double makespans[2];
    int32_t ended[2];
} duet_graph_search_rounds;

// About how many tasks a search places in the next round, without regard to the time.
int64_t duet_graph_search_rounds_usual_work(const duet_graph_search_rounds *rounds);

// Whether the graph is so large that rounds look at what the best schedule loses.
bool duet_graph_search_rounds_are_large(const duet_graph_search_rounds *rounds);
// Begins a round, of a large graph after duet_graph_search_idle_profile_find(). Each search has
// placed `placed` tasks so far. `fits`: the last round takes the time that is left, and ends cold.
void duet_graph_search_rounds_begin(duet_graph_search_rounds *rounds, const duet_context *context,
                                    bool fits, int64_t placed);
// The part of the schedule's time that a search anneals, at its end: 1 is all.
double duet_graph_search_rounds_part(const duet_graph_search_rounds *rounds, bool mirrored);
bool duet_graph_search_rounds_are_mirrored(const duet_graph_search_rounds *rounds, size_t search);
// Whether searches begin with new dispatches, whatever the best schedule is.
bool duet_graph_search_rounds_are_fresh(const duet_graph_search_rounds *rounds);
// Whether searches begin with the best schedule, each task pinned to its processor: where data take
// time that reaches schedules which lists of types do not.
bool duet_graph_search_rounds_are_pinned(const duet_graph_search_rounds *rounds);
// Whether new dispatches are worth their time: where they are no better, the best schedule is
// taken.
bool duet_graph_search_rounds_dispatch(const duet_graph_search_rounds *rounds);
// The work of window re-optimisation at the end of the round; 0: it is left out.
int64_t duet_graph_search_rounds_window_work(const duet_graph_search_rounds *rounds);
// A search has ended the round with this makespan.
void duet_graph_search_rounds_note(duet_graph_search_rounds *rounds, bool mirrored,
                                   int64_t makespan);
// All searches have ended the round, and `best` is the makespan of the best schedule.
void duet_graph_search_rounds_end(duet_graph_search_rounds *rounds, int64_t best);
// Whether the number of moves is about that of the lists of a small graph.
bool duet_graph_search_rounds_are_exhausted(const duet_graph_search_rounds *rounds, int64_t moves);

#endif
