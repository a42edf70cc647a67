// SPDX-License-Identifier: Apache-2.0
// Running a row of the registry, or one of the caller's own, that is at hand.
#ifndef DUET_SOLVERS_RUN_H
#define DUET_SOLVERS_RUN_H

#include "core/algorithm.h"

// Whether a row is fast on an instance; whether it handles it is another question.
bool duet_is_fast(const duet_algorithm *algorithm, const duet_instance *instance);
// The proven ratio of an algorithm on an instance's platform and on its edges. False without
// one: no algorithm has one where data take time.
bool duet_ratio_on(const duet_algorithm *algorithm, const duet_instance *instance,
                   const duet_options *options, duet_ratio *ratio);

// Runs one algorithm with everything checked around it: platform, requirements, options, memory;
// then measures, names and times the solution. The options of `context` are those of the algorithm.
duet_code duet_run_algorithm(const duet_instance *instance, const duet_algorithm *algorithm,
                             const duet_context *context, duet_solution **out, duet_error *error);

// Everything that can be said against a run before it begins.
duet_code duet_check_run(const duet_instance *instance, const duet_algorithm *algorithm,
                         const duet_context *context, duet_error *error);
// Runs an algorithm that is `online` on context->reality, of `instance`, with the same checks. The
// solution's makespan, status and bound are not set.
duet_code duet_run_online(const duet_instance *instance, const duet_algorithm *algorithm,
                          const duet_context *context, duet_solution **out, duet_error *error);

// Bytes that the fast algorithms need beside the instance, at most; see duet_algorithm.makes_runs.
uint64_t duet_run_memory(const duet_instance *instance, bool makes_runs);

#endif
