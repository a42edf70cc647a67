// SPDX-License-Identifier: Apache-2.0
// Algorithm: ratio.
// Method:    each task, in list order, on a GPU iff its acceleration factor p/q is at least m/k,
//            else on a CPU, on the least loaded processor of that type.
// Guarantee: none; 2 - 1/m on identical processors, where it is list scheduling.
// Cost:      O(n log(m + k)) time, O(m + k) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, section 7.1 (RATIO).
#include "core/acceleration.h"
#include "heuristics/engine/list.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/guarantee.h"
#include "heuristics/rules/rules.h"

size_t duet_allocate_ratio(const duet_instance *instance, size_t kind)
{
    if (!duet_allowed(instance, kind, DUET_CPU)) {
        return DUET_GPU;
    }
    if (!duet_allowed(instance, kind, DUET_GPU)) {
        return DUET_CPU;
    }
    duet_int128 cpu =
        (duet_int128)duet_time(instance, kind, DUET_CPU) * instance->processors[DUET_GPU];
    duet_int128 gpu =
        (duet_int128)duet_time(instance, kind, DUET_GPU) * instance->processors[DUET_CPU];
    return cpu >= gpu ? DUET_GPU : DUET_CPU;
}

const duet_rule duet_rule_ratio = {.name = "ratio", .allocate = duet_allocate_ratio};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_list_run(&duet_rule_ratio, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_ratio = {
    .entry = {.name = "ratio",
              .summary = "GPU for tasks accelerated by at least m/k",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.1"},
    .ratio = duet_ratio_list,
    .run = run,
};
