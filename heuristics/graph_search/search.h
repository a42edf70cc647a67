// SPDX-License-Identifier: Apache-2.0
// Searches for a short schedule of a task graph, from any schedules that there are.
//
// Method:    rounds of growing effort (graph_search/rounds.h). Each begins with target-guided
//            dispatches in both directions (graph_search/dispatch.h) or with the best schedule so
//            far and then anneals (graph_search/anneal.h), in several searches that are independent
//            within the round. Some anneal the allocation first, whose schedule a list makes anew
//            each time (graph_search/allocation_anneal.h). A round ends with window re-optimisation
//            of the best schedule (graph_search/window_sweeps.h).
// Guarantee: the best schedule is never longer than one that was offered.
// Cost:      a round is a number of tasks that are placed, about thirty million a second.
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

// Offers a complete schedule, which becomes the best one if it is shorter. It may be called at any
// time: a round under way goes on as it was, and the next one may begin with the schedule.
duet_code duet_graph_search_offer(duet_graph_search *search, const duet_solution *solution,
                                  duet_error *error);

// What a call of duet_graph_search_run() may do.
typedef struct duet_graph_search_plan {
    int64_t rounds;      // A call runs at most this many rounds; 0: there is no limit.
    int64_t slice;       // A call ends when each search has placed this many; 0: whole rounds.
    bool fixed;          // A round has a fixed number of searches, not as many as threads.
    int64_t searches;    // That number, at most 64; 0: the usual one.
    int64_t shortest;    // The search ends with a schedule that is no longer than this.
    int64_t lower_bound; // The bound that is told to the progress callback.
    const char *phase;   // The name of the phase that is told to it.
} duet_graph_search_plan;

// Searches until the rounds are over, `shortest` is reached, a small graph is exhausted or the
// context stops. At least one schedule must have been offered. If `plan->fixed` is set, every round
// runs a fixed number of searches, so that the result does not depend on the number of threads;
// otherwise it runs one search a thread. A slice may end within a round, which the next call
// continues. DUET_E_MEMORY.
duet_code duet_graph_search_run(duet_graph_search *search, const duet_context *context,
                                const duet_graph_search_plan *plan, duet_error *error);

// Returns about how many tasks a search of the round under way, or of the next one, places.
int64_t duet_graph_search_next_work(const duet_graph_search *search);
// Whether a small graph has had its limit of moves; see duet_graph_search_rounds_are_exhausted().
bool duet_graph_search_is_exhausted(const duet_graph_search *search);
// Returns the makespan of the best schedule.
int64_t duet_graph_search_best(const duet_graph_search *search);
// Returns the moves that annealing has proposed.
int64_t duet_graph_search_moves(const duet_graph_search *search);
// Returns the tasks placed by annealing, and what dispatches and window re-optimisation took.
int64_t duet_graph_search_work(const duet_graph_search *search);
// Returns the work of the longest chain of searches that wait for each other: up to each exchange
// that of the longest search, and window re-optimisation. Work by span is what any number of
// threads gains.
int64_t duet_graph_search_span(const duet_graph_search *search);
// Sets the schedule of the solution to the best one, without aborted runs. DUET_E_MEMORY.
duet_code duet_graph_search_write(const duet_graph_search *search, duet_solution *solution,
                                  duet_error *error);

// Looks for a schedule shorter than that of the solution, as duet_improve() does where there are no
// edges: until the time is over, or some rounds where it is not limited. Errors: as of
// duet_graph_search_create() and duet_graph_search_run(); the schedule is then as it was.
duet_code duet_graph_search_improve(const duet_instance *instance, const duet_context *context,
                                    int64_t target, duet_solution *solution,
                                    duet_improved *improved, duet_error *error);

#endif
