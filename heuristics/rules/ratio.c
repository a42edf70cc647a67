// SPDX-License-Identifier: Apache-2.0
// Algorithm: ratio.
// Method:    each task, in list order, on a GPU iff its acceleration factor p/q is at least m/k,
//            else on a CPU, on the least loaded processor of that type.
// Guarantee: none; 2 - 1/m on identical processors, where it is list scheduling.
// Cost:      O(n log(m + k)) time, O(m + k) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, section 7.1 (RATIO).
#include "heuristics/engine/allocation.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    (void)context;
    return duet_schedule_by_rule(instance, duet_allocate_ratio, solution, error);
}

const duet_algorithm duet_algorithm_ratio = {
    .entry = {.name = "ratio",
              .summary = "GPU for tasks accelerated by at least m/k",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.1"},
    .ratio = duet_ratio_list,
    .run = run,
};
