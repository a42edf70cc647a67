// SPDX-License-Identifier: Apache-2.0
// Searches for a short schedule of a task graph, from any schedules that there are.
//
// Method:    rounds of growing effort (graph_search/rounds.h). Each begins with target-guided
//            dispatches in both directions (graph_search/dispatch.h) or with the best schedule so
//            far and then anneals (graph_search/anneal.h), in several searches that are independent
//            within the round. It ends with window re-optimisation of the best schedule
//            (graph_search/window_sweeps.h).
// Guarantee: the best schedule is never longer than one that was offered.
// Cost:      a round is a number of tasks that are placed, some fifty million a second.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_SEARCH_H
#define DUET_HEURISTICS_GRAPH_SEARCH_SEARCH_H

#include "core/solution/solution.h"
#include "core/system/context.h"
#include "heuristics/improve/improve.h"

typedef struct duet_graph_search duet_graph_search;

// The seed is that of the context. Errors: as of duet_graph_search_model_create().
duet_code duet_graph_search_create(const duet_instance *instance, const duet_context *context,
                                   duet_graph_search **out, duet_error *error);
void duet_graph_search_free(duet_graph_search *search); // NULL is allowed

// A complete schedule to begin with. One that is no shorter than the best is forgotten.
duet_code duet_graph_search_offer(duet_graph_search *search, const duet_solution *solution,
                                  duet_error *error);

// What a call of duet_graph_search_run() may do.
typedef struct duet_graph_search_plan {
    int64_t rounds;      // 0: as many as there is time for
    int64_t slice;       // tasks that a search places before the call ends; 0: whole rounds
    bool fixed;          // a fixed number of searches a round, not as many as threads
    int64_t shortest;    // a makespan that ends the search: a proven bound, or what is asked for
    int64_t lower_bound; // for progress
    const char *phase;   // for progress
} duet_graph_search_plan;

// At least one schedule was offered. Searches until the rounds are over, `shortest` is reached, a
// small graph has been searched enough or the context stops. Without rounds there are as many
// searches in a round as threads; else a fixed number, so that the result does not depend on the
// threads. A slice may end within a round, which the next call goes on with. Errors: DUET_E_MEMORY.
duet_code duet_graph_search_run(duet_graph_search *search, const duet_context *context,
                                const duet_graph_search_plan *plan, duet_error *error);

// About how many tasks a search of the round under way, or the next one, places.
int64_t duet_graph_search_next_work(const duet_graph_search *search);
// Whether a small graph has been searched about as often as it has lists.
bool duet_graph_search_is_exhausted(const duet_graph_search *search);
// The makespan of the best schedule.
int64_t duet_graph_search_best(const duet_graph_search *search);
// Moves that annealing proposed, and tasks that were placed.
int64_t duet_graph_search_moves(const duet_graph_search *search);
int64_t duet_graph_search_work(const duet_graph_search *search);
// Makes the best schedule that of the solution, which then has no aborted runs. DUET_E_MEMORY.
duet_code duet_graph_search_write(const duet_graph_search *search, duet_solution *solution,
                                  duet_error *error);

// Looks for a schedule shorter than that of the solution, as duet_improve() does where there are no
// edges: until the time is over, or some rounds where it is not limited. Errors: as of
// duet_graph_search_create() and duet_graph_search_run(); the schedule is then as it was.
duet_code duet_graph_search_improve(const duet_instance *instance, const duet_context *context,
                                    int64_t target, duet_solution *solution,
                                    duet_improved *improved, duet_error *error);

#endif
