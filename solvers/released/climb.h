// SPDX-License-Identifier: Apache-2.0
// Bound and schedule of independent tasks with releases, from both ends.
//
// Method:    the bound by the configuration relaxation with releases, by bisection; then trees
//            (decide.h) at the bound, each with more nodes than the one before, and in turns the
//            local search.
// Guarantee: optimal where it ends.
// Cost:      exponential in the worst case.
#ifndef DUET_SOLVERS_RELEASED_CLIMB_H
#define DUET_SOLVERS_RELEASED_CLIMB_H

#include "core/algorithm.h"
#include "core/system/output.h"

// `rounds`: of trees; 0: as many as there is time for. `proof`: an open file for the proof of the
// bound; NULL: none is asked for. *possible: false where the relaxation cannot be solved here.
duet_code duet_released_climb(const duet_instance *instance, const duet_context *context,
                              int64_t rounds, duet_output *proof, bool *possible,
                              duet_solution *solution, duet_error *error);

// The bound of whole tasks allocated to the types, with what is left after each release, or that of
// divided ones. `below`: the makespan of a known schedule.
duet_code duet_released_divide(const duet_instance *instance, const duet_context *context,
                               int64_t below, duet_bound *bound, duet_error *error);

// Offers the bound above to a solution with a schedule; on more than two types it has a part of the
// time.
duet_code duet_released_offer_divided(const duet_instance *instance, const duet_context *context,
                                      duet_solution *solution, duet_error *error);

// The bound by the relaxation alone, from that of longest tasks and areas upward. *possible as
// above; the bound then is the best of these.
duet_code duet_released_raise(const duet_instance *instance, const duet_context *context,
                              duet_bound *bound, bool *possible, duet_error *error);

#endif
