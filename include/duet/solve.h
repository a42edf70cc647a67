// SPDX-License-Identifier: Apache-2.0
/// @file
/// Running an algorithm or a bound.
#ifndef DUET_SOLVE_H
#define DUET_SOLVE_H

#include <duet/bound.h>
#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/params.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Schedules `instance` with the algorithm of that name (NULL: "auto"), one of the library's or of
/// `params->registry`. On success `*out` is a
/// complete valid schedule owned by the caller (duet_solution_free()). When the time limit or a
/// cancellation comes, the best schedule so far is returned with duet_solution_interrupted();
/// without one the call fails.
///
/// The limit may be as short as some milliseconds. "auto" then returns the best schedule of as many
/// of its algorithms as there was time for, with a bound. It does not interrupt the cheap bounds
/// and the first schedule, nor a single pass over all tasks (sorting them, one exchange between two
/// types, measuring the schedule). Up to 10,000 tasks a limit of 5 ms is kept to within 2 ms on an
/// idle processor, mostly 0.2 ms; what is not interrupted takes 2 to 3 ms there, and of 100,000
/// tasks 20 to 70 ms, more with more processor types. `duet bench speed` measures it. Where many
/// tasks are equal, kinds count instead of tasks. Making or reading the instance, checking and
/// writing the schedule come on top. Other algorithms: the rules of list schedulers run to their
/// end; those that search, and those of quadratic cost, stop as soon; without a schedule by then
/// they fail with DUET_E_LIMIT.
///
/// Option `gap` ("gap=1%", "gap=0.001"), which every algorithm takes, ends "auto", "exact", "ilp"
/// and "local-search" as soon as makespan <= (1 + gap) lower bound, decided exactly:
/// duet_solution_ending() is then "gap reached".
///
/// `params` may be NULL. Re-entrant; same result for the same
/// seed whatever the number of threads. Errors: DUET_E_USAGE (`params`: its size, a time
/// limit that is no number; unknown algorithm or option,
/// no platform), DUET_E_INFEASIBLE, DUET_E_UNSUPPORTED (the instance has what the algorithm does
/// not handle: the message names those that do; a part left out of the build), DUET_E_LIMIT,
/// DUET_E_MEMORY, DUET_E_CANCELLED,
/// DUET_E_OUTPUT (a file that an option names cannot be opened; one that fails later does not take
/// the schedule with it: duet_solution_output_failed()). Cost: see the algorithm.
DUET_API duet_code duet_solve(const duet_instance *instance, const char *algorithm,
                              const duet_params *params, duet_solution **out, duet_error *error);

/// Computes the lower bound of that name. Tasks are never expanded: the cost depends on the number
/// of kinds. On success `*out` is the caller's (duet_bound_free()). `params` may be NULL. Errors as
/// duet_solve().
DUET_API duet_code duet_compute_bound(const duet_instance *instance, const char *bound,
                                      const duet_params *params, duet_bound **out,
                                      duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
