// SPDX-License-Identifier: Apache-2.0
// Algorithm: quickest.
// Method:    each task, in list order, on the type where it takes least (the later type at equal
//            times; option ties), on that type's least loaded processor. Any number of types.
// Guarantee: none; 2 - 1/m on identical processors, where it is list scheduling.
// Cost:      O(kinds Q + n log m) time, O(m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, section 7.1 (QUICKEST).
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {
    DUET_OPTION_ALLOCATION_TIES("gpu"), DUET_OPTIONS_ONLINE, {.name = NULL}};

size_t duet_least_time(const duet_instance *instance, size_t kind, duet_tie tie)
{
    size_t best = 0;
    int64_t shortest = DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        int64_t time = duet_time(instance, kind, t);
        if (time < shortest || (time == shortest && tie == DUET_TIE_LATER)) {
            shortest = time;
            best = t;
        }
    }
    return best;
}

size_t duet_allocate_quickest(const duet_instance *instance, size_t kind)
{
    return duet_least_time(instance, kind, DUET_TIE_LATER);
}

static size_t allocate_earlier(const duet_instance *instance, size_t kind)
{
    return duet_least_time(instance, kind, DUET_TIE_EARLIER);
}

const duet_rule duet_rule_quickest = {.name = "quickest", .allocate = duet_allocate_quickest};
static const duet_rule rule_earlier = {.name = "quickest", .allocate = allocate_earlier};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU
               ? duet_rule_run(&duet_rule_quickest, instance, context, solution, error)
               : duet_rule_run(&rule_earlier, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_quickest = {
    .entry = {.name = "quickest",
              .summary = "each task on the type where it is shortest",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, section 7.1",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = duet_ratio_list,
    .graph_ratio = duet_ratio_list,
    .run = run,
    .online = true,
};
