// SPDX-License-Identifier: Apache-2.0
// The incumbent: the best schedule so far. A search hands over loads, which take its place where
// they end sooner.
#ifndef DUET_SOLVERS_EXACT_INCUMBENT_H
#define DUET_SOLVERS_EXACT_INCUMBENT_H

#include "heuristics/improve/task_lists.h"
#include "solvers/exact/exact_state.h"
#include "solvers/exact/loads.h"

// Takes the schedule of the loads where it is better. Loads that are no schedule are a fault of a
// search: DUET_E_INTERNAL, and the incumbent stays.
duet_code duet_incumbent_offer(duet_exact *s, const duet_classes *classes, const duet_loads *loads,
                               duet_error *error);

// The same after an improvement search; a unit of effort is some milliseconds.
duet_code duet_incumbent_polish(duet_exact *s, const duet_classes *classes, const duet_loads *loads,
                                int64_t effort, duet_error *error);

// Improves the incumbent itself, unless it is the optimum.
duet_code duet_incumbent_shorten(duet_exact *s, int64_t effort, duet_error *error);

// The same by 32 tasks of a pair at a time (duet_improve_fine()).
duet_code duet_incumbent_shorten_fine(duet_exact *s, int64_t effort, duet_error *error);

// Takes the schedule of the lists where it is better.
duet_code duet_incumbent_offer_lists(duet_exact *s, duet_task_lists *lists, duet_error *error);

// Whether the search began with a schedule that was annealed, of so few tasks that this mostly came
// to its end.
bool duet_incumbent_was_annealed(const duet_exact *s);
// Anneals the best schedule, with at most `moves` moves.
duet_code duet_incumbent_anneal(duet_exact *s, int64_t moves, duet_error *error);

// Anneals the schedule that was offered last towards a target, and takes it where it is better.
duet_code duet_incumbent_anneal_trial(duet_exact *s, int64_t target, int64_t moves,
                                      duet_error *error);

// Whether a few ticks are left of millions: single tasks are too coarse for them.
bool duet_incumbent_is_near(const duet_exact *s);
// Annealing keeps pace with the linear programs, which may take all of the time there is: faster
// where it shortens the schedule, slower where it does not. Calls `search(of)` on this thread and
// anneals the best schedule that there was before beside it, as far as it is behind; the shorter of
// what both find is the best one then. The search may do all but anneal. It returns whether nothing
// is left to find: annealing then stops, and what it found is not taken.
duet_code duet_incumbent_anneal_beside(duet_exact *s, bool (*search)(void *of), void *of,
                                       duet_error *error);

#endif
