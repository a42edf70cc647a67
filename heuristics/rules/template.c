// SPDX-License-Identifier: Apache-2.0
// Algorithm: rule-template (opportunistic load balancing). docs/adding-an-algorithm.md says how to
//            copy it. It is not in the registry; the tests run it as if it were.
// Method:    each task, in list order, on the processor that is free first, whatever it takes there
//            (the earlier type where several are). Any number of types.
// Guarantee: none; 2 - 1/m on identical processors, where it is list scheduling.
// Cost:      O(n (Q + log m)) time, O(m) memory.
// Reference: Braun et al., "A comparison of eleven static heuristics for mapping a class of
//            independent tasks onto heterogeneous distributed computing systems", Journal of
//            Parallel and Distributed Computing 61(6), 2001 (OLB).
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {DUET_OPTIONS_ONLINE, {.name = NULL}};

// The rule: the type of the next task, which goes to the processor where it starts first there.
static size_t choose(duet_list *list, size_t kind)
{
    size_t best = list->instance->types;
    for (size_t t = 0; t < list->instance->types; t++) {
        if (duet_allowed(list->instance, kind, t) &&
            (best == list->instance->types ||
             duet_list_start(list, t) < duet_list_start(list, best))) {
            best = t;
        }
    }
    return best;
}

static const duet_rule rule = {.name = "rule-template", .choose = choose, .anew = true};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_rule_run(&rule, instance, context, solution, error);
}

extern const duet_algorithm duet_algorithm_rule_template;
const duet_algorithm duet_algorithm_rule_template = {
    .entry = {.name = "rule-template",
              .summary = "each task on the processor that is free first",
              .reference = "Braun et al., JPDC 61(6), 2001",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = duet_ratio_list,
    .graph_ratio = duet_ratio_list,
    .run = run,
    .online = true,
    .delays_zero_times = true,
};
