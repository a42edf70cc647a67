// SPDX-License-Identifier: Apache-2.0
// Algorithm: ratio.
// Method:    each task, in list order, on the type with the smallest p_t / m_t (the later type when
//            equal; option ties), on that type's least loaded processor. With two types: on a GPU
//            iff its acceleration factor p/q is at least m/k. Any number of types.
// Guarantee: none; 2 - 1/m on identical processors, where it is list scheduling.
// Cost:      O(kinds Q + n log m) time, O(m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, section 7.1 (RATIO).
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    DUET_OPTION_ALLOCATION_TIES("gpu"), DUET_OPTIONS_ONLINE, {.name = NULL}};

size_t duet_least_share(const duet_instance *instance, size_t kind, duet_tie tie)
{
    const int64_t *processors = instance->processors;
    size_t best = instance->types;
    for (size_t t = 0; t < instance->types; t++) {
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        if (best == instance->types) {
            best = t;
            continue;
        }
        duet_int128 here = (duet_int128)duet_time(instance, kind, t) * processors[best];
        duet_int128 there = (duet_int128)duet_time(instance, kind, best) * processors[t];
        bool wins =
            tie == DUET_TIE_LATER || (tie == DUET_TIE_LARGER && processors[t] > processors[best]);
        best = here < there || (here == there && wins) ? t : best;
    }
    return best;
}

size_t duet_allocate_ratio(const duet_instance *instance, size_t kind)
{
    return duet_least_share(instance, kind, DUET_TIE_LATER);
}

static size_t allocate_earlier(const duet_instance *instance, size_t kind)
{
    return duet_least_share(instance, kind, DUET_TIE_EARLIER);
}

const duet_rule duet_rule_ratio = {.name = "ratio", .allocate = duet_allocate_ratio};
static const duet_rule rule_earlier = {.name = "ratio", .allocate = allocate_earlier};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU
               ? duet_rule_run(&duet_rule_ratio, instance, context, solution, error)
               : duet_rule_run(&rule_earlier, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_ratio = {
    .entry = {.name = "ratio",
              .summary = "GPU for tasks accelerated by at least m/k",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.1",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = duet_ratio_list,
    .graph_ratio = duet_ratio_list,
    .run = run,
    .online = true,
};
