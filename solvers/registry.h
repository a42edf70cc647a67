// SPDX-License-Identifier: Apache-2.0
// All algorithms and bounds, in one table each. An algorithm comes in by its own file and one line,
// in solvers/solvers.h or heuristics/heuristics.h.
#ifndef DUET_SOLVERS_REGISTRY_H
#define DUET_SOLVERS_REGISTRY_H

#include "core/algorithm.h"

// The row of that name, or NULL.
const duet_algorithm *duet_find_algorithm(const char *name);
const duet_bound_method *duet_find_bound(const char *name);
const duet_algorithm *duet_algorithm_at(size_t index);

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

// The row of that name, NULL being "auto": one of the library's, or of context->registry, which
// sets context->custom. DUET_E_USAGE.
duet_code duet_pick_algorithm(const char *name, duet_context *context, duet_algorithm *row,
                              duet_error *error);
// Runs an algorithm that is `online` on context->reality, of `instance`, with the same checks. The
// solution's makespan, status and bound are not set.
duet_code duet_run_online(const duet_instance *instance, const duet_algorithm *algorithm,
                          const duet_context *context, duet_solution **out, duet_error *error);

// Bytes that the fast algorithms need beside the instance, at most; see duet_algorithm.makes_runs.
uint64_t duet_run_memory(const duet_instance *instance, bool makes_runs);

// Runs one bound with its requirements checked.
duet_code duet_run_bound(const duet_instance *instance, const duet_bound_method *method,
                         const duet_context *context, duet_bound *out, duet_error *error);

#endif
