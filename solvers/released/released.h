// SPDX-License-Identifier: Apache-2.0
// Searches on instances with releases or busy processors.
//
// climb.c: bound and schedule of independent tasks, from both ends; decide.c and what tree.h lists,
// patterns.c: one guess, by branch and price. seed.c: a schedule without releases. exchange.c:
// independent tasks move between processors. order.c: a task graph's tasks change their order and
// their types. moved.c: a task graph as one without releases. branch.c: all schedules, in the order
// of starts. model.c: tasks, modes and processors as the searches see them. search.c: what exact,
// local-search, graph-search and auto run of these.
#ifndef DUET_SOLVERS_RELEASED_RELEASED_H
#define DUET_SOLVERS_RELEASED_RELEASED_H

#include "core/algorithm.h"
#include "core/system/output.h"

// Fills the solution by rules, searches for a shorter schedule, and for a proof where there are few
// tasks, until the time is over. `rounds`: how often a search that has no time limit begins anew.
// Errors: DUET_E_MEMORY, DUET_E_LIMIT, and those of the rules.
// `proof`: an open file for the proof of the bound; NULL: none is asked for, as always of moldable
// tasks.
duet_code duet_released_exact(const duet_instance *instance, const duet_context *context,
                              int64_t rounds, duet_output *proof, duet_solution *solution,
                              duet_error *error);
// The same for schedules of independent tasks alone.
duet_code duet_released_search(const duet_instance *instance, const duet_context *context,
                               int64_t rounds, duet_solution *solution, duet_error *error);
// The same of task graphs. `searches`: of a round; 0: as many as are usual.
duet_code duet_released_graph_search(const duet_instance *instance, const duet_context *context,
                                     int64_t rounds, int64_t searches, duet_solution *solution,
                                     duet_error *error);
// Shortens the schedule of a solution. `pass`: how often that was tried before.
duet_code duet_released_improve(const duet_instance *instance, const duet_context *context,
                                int64_t rounds, int64_t pass, duet_solution *solution,
                                duet_error *error);
// Tries all schedules from the one and the bound of `solution`, at `nodes` nodes at most. Leaves it
// as it is where there are more tasks than it takes, or what it does not handle.
duet_code duet_released_branch(const duet_instance *instance, const duet_context *context,
                               int64_t nodes, duet_solution *solution, duet_error *error);
// Whether the next function searches an instance. O(tasks log tasks + processors that are listed as
// busy x types).
bool duet_released_moves(const duet_instance *instance);
// What is asked of a search of a moved instance.
typedef struct duet_released_wanted {
    int64_t rounds;     // as above
    int64_t searches;   // of a round
    bool schedule;      // alone: it is duet_graph_search_solve(), and not duet_graph_exact()
    duet_output *proof; // as above; it stays open where the search leaves all as it is
} duet_released_wanted;

// Searches a task graph from the schedule and the bound of `solution` as one without releases.
// Leaves it as it is where the moved instance would be too large.
duet_code duet_released_moved(const duet_instance *instance, const duet_context *context,
                              const duet_released_wanted *wanted, duet_solution *solution,
                              duet_error *error);

#endif
