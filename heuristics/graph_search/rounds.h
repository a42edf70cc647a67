// SPDX-License-Identifier: Apache-2.0
// Rounds of a search of task graphs: how long each is, in which direction and from where its
// searches anneal.
//
// Method:    the first rounds try both directions from new dispatches, and all later ones take the
//            one that ended shorter: they differ by up to two per cent. Large graphs begin all
//            rounds but the first with the best schedule, whose losses say what is annealed, and in
//            which direction (graph_search/idle_profile.h). Rounds double, but for pairs of one
//            length that try both directions, and a last one that takes what time is left. Where
//            data take time, short limits shorten the first four, so that pins are tried. A small
//            part of each re-optimises windows (graph_search/window_sweeps.h). Where data take no
//            time, the later trials anneal allocations (graph_search/allocation_anneal.h) and then
//            their lists. If one has a shorter schedule than all before, later rounds do so, too.
//            In large graphs all rounds do where most tasks are very much longer away from home;
//            these begin with all tasks at home if they are long; two short ones try the
//            directions, and if time is limited one takes the rest of it. Elsewhere, if tasks are
//            of few kinds, the second of each three rounds is a trial, and else there is none.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ROUNDS_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ROUNDS_H

#include "core/system/context.h"
#include "heuristics/graph_search/allocation_anneal.h"
#include "heuristics/graph_search/anneal.h"
#include "heuristics/graph_search/idle_profile.h"

// What rounds are made of beside dispatches and annealing of lists.
typedef enum duet_graph_search_round_form {
    DUET_GRAPH_ROUNDS_OF_LISTS,   // They are made of nothing else.
    DUET_GRAPH_ROUNDS_OF_WINDOWS, // They end with window re-optimisation.
    DUET_GRAPH_ROUNDS_OF_PINS,    // Data take time: some anneal the best schedule, tasks pinned.
} duet_graph_search_round_form;

// Which rounds anneal allocations before lists (graph_search/allocation_anneal.h).
typedef enum duet_graph_search_allocating {
    DUET_GRAPH_ALLOCATING_NEVER,     // No round does.
    DUET_GRAPH_ALLOCATING_IN_TRIALS, // Some do, to see whether they are shorter by that alone.
    DUET_GRAPH_ALLOCATING_ALWAYS     // All do from now on.
} duet_graph_search_allocating;

typedef struct duet_graph_search_rounds {
    int32_t tasks;
    duet_graph_search_round_form form;
    int64_t first_ns; // The clock at the first round; 0: there was none.

    // The round under way, or the last one.
    int64_t round;      // Its number, from 0 on.
    int64_t work;       // Each of its searches places this many tasks, divided by `sharing`.
    int64_t sharing;    // This many searches share the work of one.
    int64_t end_ns;     // It ends at this time; 0: it ends when the work is done.
    bool mirrored;      // In a large graph, its first search works on the mirrored graph.
    int64_t begun_with; // The best makespan when it began.
    duet_graph_search_idle_profile idle;
    bool was_vain; // The last round gained next to nothing.

    // Annealing of allocations.
    duet_graph_search_allocating allocating;
    bool is_trial;        // The round under way is a trial of that.
    int64_t before_trial; // The best makespan when the trial began, or the first of two in a row.

    // Of the first four rounds, per direction: 0 is forward, 1 mirrored.
    double makespans[2]; // The sum of the makespans with which searches ended.
    int32_t ended[2];    // The number of these searches.
} duet_graph_search_rounds;

// Returns about how many tasks a search places in the next round, without regard to the time.
int64_t duet_graph_search_rounds_usual_work(const duet_graph_search_rounds *rounds);

// Whether the graph is so large that rounds look at what the best schedule loses.
bool duet_graph_search_rounds_are_large(const duet_graph_search_rounds *rounds);
// Chooses which rounds anneal allocations. The tasks are of that number of kinds. What they lose
// away from home is read from the annealer, unless data take time.
void duet_graph_search_rounds_choose_allocating(duet_graph_search_rounds *rounds, size_t kinds,
                                                const duet_graph_allocation_annealer *annealer);
// Begins a round; for a large graph call duet_graph_search_idle_profile_find() first. `placed` is
// the number of tasks that each search has placed so far. If `fits`, a round after which there
// would be no time for another one is made to last until the deadline.
void duet_graph_search_rounds_begin(duet_graph_search_rounds *rounds, const duet_context *context,
                                    bool fits, int64_t placed);
// Returns the share of the schedule's time, counted from its end, from which annealing picks tasks;
// 1: all of it.
double duet_graph_search_rounds_part(const duet_graph_search_rounds *rounds, bool mirrored);
// Returns how many tasks each search of the round places.
int64_t duet_graph_search_rounds_each(const duet_graph_search_rounds *rounds);
// Returns how many of these it places between two exchanges.
int64_t duet_graph_search_rounds_apart(const duet_graph_search_rounds *rounds);
// Return how the annealing of a list, of which `moved` tasks can be moved, and of an allocation
// that began at a time cool in this round.
duet_graph_search_cooling duet_graph_search_rounds_cool(const duet_graph_search_rounds *rounds,
                                                        int32_t moved);
duet_graph_search_cooling
duet_graph_search_rounds_cool_allocation(const duet_graph_search_rounds *rounds, int64_t begun_ns);
// Whether the search of that number works on the mirrored graph in this round.
bool duet_graph_search_rounds_are_mirrored(const duet_graph_search_rounds *rounds, size_t search);
// Whether searches anneal an allocation first.
bool duet_graph_search_rounds_allocate(const duet_graph_search_rounds *rounds);
// Whether these begin with all tasks at home, whatever the best schedule is: in large graphs, if
// there is work for a sixth of an evaluation for each task.
bool duet_graph_search_rounds_begin_at_home(const duet_graph_search_rounds *rounds);
// Notes that annealing of an allocation ended with this makespan.
void duet_graph_search_rounds_note_allocation(duet_graph_search_rounds *rounds, int64_t makespan);
// Whether searches begin with new dispatches, whatever the best schedule is.
bool duet_graph_search_rounds_are_fresh(const duet_graph_search_rounds *rounds);
// Whether searches begin with the best schedule, each task pinned to its processor. If data take
// time, that reaches schedules which lists of types do not reach.
bool duet_graph_search_rounds_are_pinned(const duet_graph_search_rounds *rounds);
// Whether searches dispatch at all. Unless they begin fresh, they then begin with the better of the
// dispatches and the best schedule.
bool duet_graph_search_rounds_dispatch(const duet_graph_search_rounds *rounds);
// Returns the work of window re-optimisation at the end of the round; 0: it is left out.
int64_t duet_graph_search_rounds_window_work(const duet_graph_search_rounds *rounds);
// Returns the part of some work that each search has where a fixed number of them shares it.
int64_t duet_graph_search_rounds_part_of_each(int64_t work);
// Notes that a search has ended the round with this makespan.
void duet_graph_search_rounds_note(duet_graph_search_rounds *rounds, bool mirrored,
                                   int64_t makespan);
// Ends the round when all its searches have ended; `best` is the makespan of the best schedule.
void duet_graph_search_rounds_end(duet_graph_search_rounds *rounds, int64_t best);
// Whether a graph of fewer than 24 tasks has had its limit of moves: 8 for each set of its tasks
// and each task, four times as many if data take time. These must then have had their trials, too.
bool duet_graph_search_rounds_are_exhausted(const duet_graph_search_rounds *rounds, int64_t moves);

#endif
