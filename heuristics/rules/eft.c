// SPDX-License-Identifier: Apache-2.0
// Algorithm: eft (Earliest Finish Time).
// Method:    each task, in list order, where it would finish first; GPU before CPU when equal
//            (option ties). Any number of types.
// Guarantee: none (at least m/k + 2 - 1/k); 2 - 1/m on identical processors.
// Cost:      O(n (Q + log m)) time, O(m) memory.
// Reference: Canon, Marchal, Simon, Vivien, "Online scheduling of sequential task graphs on hybrid
//            platforms", INRIA research report RR-9150, 2018, lemma 2.
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/online.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static const duet_option_spec options[] = {DUET_OPTION_TIES, DUET_OPTIONS_ONLINE, {.name = NULL}};

static duet_code begin(duet_list *list, const duet_context *context, duet_error *error)
{
    (void)error;
    list->later_first = duet_option_choice(context->options, options, "ties") == DUET_TIES_GPU;
    return DUET_OK;
}

static size_t choose(duet_list *list, size_t kind)
{
    return duet_earliest_finish(list, kind, list->later_first);
}

const duet_rule duet_rule_eft = {.name = "eft", .choose = choose, .anew = true, .begin = begin};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_rule_run(&duet_rule_eft, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_eft = {
    .entry = {.name = "eft",
              .summary = "each task where it finishes first",
              .reference = "Canon, Marchal, Simon, Vivien, INRIA RR-9150, 2018, lemma 2",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .ratio = duet_ratio_list,
    .graph_ratio = duet_ratio_list,
    .run = run,
    .online = true,
};
