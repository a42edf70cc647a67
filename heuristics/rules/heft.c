// SPDX-License-Identifier: Apache-2.0
// Algorithm: heft (Heterogeneous Earliest Finish Time).
// Method:    tasks by falling upward rank, the heaviest way to the end, each where it finishes
//            first, also in gaps. A task weighs its mean time over the processors that may run it,
//            (m p + k q)/(m + k), an edge its mean cost. Independent tasks, whose rank is that
//            time, leave no gaps. Any number of types.
// Guarantee: none (at least (m+1)/2 with one GPU); on identical processors it is LPT for
//            independent tasks, 4/3 - 1/(3m).
// Cost:      O(kinds log kinds + n (Q + log m)) time, O(kinds + m) memory; on task graphs as
//            heuristics/engine/graph_list.h.
// Reference: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for
//            heterogeneous computing", IEEE TPDS 13(3), 2002.
#include "core/instance/available.h"
#include "core/options.h"
#include "heuristics/engine/finish.h"
#include "heuristics/engine/graph_list.h"
#include "heuristics/engine/list.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"

static duet_fraction mean_time(const duet_instance *instance, size_t kind)
{
    duet_fraction mean = {0, 0};
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            uint64_t processors = (uint64_t)instance->processors[t];
            mean.num += (duet_uint128)duet_time(instance, kind, t) * processors;
            mean.den += processors;
        }
    }
    return mean;
}

static duet_code begin(duet_list *list, const duet_context *context, duet_error *error)
{
    (void)error;
    list->later_first =
        duet_option_choice(context->options, duet_graph_list_options, "ties") == DUET_TIES_GPU;
    return DUET_OK;
}

static size_t choose(duet_list *list, size_t kind)
{
    return duet_earliest_finish(list, kind, list->later_first);
}

const duet_rule duet_rule_heft = {
    .name = "heft", .priority = mean_time, .choose = choose, .begin = begin};

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    return duet_graph_list_rank_mean(list, DUET_MEAN_PROCESSORS, error);
}

static const duet_graph_rule graph_rule = {.rank = rank};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    if (instance->graph != NULL || !duet_is_available(instance)) {
        return duet_graph_list_run(&graph_rule, instance, context, solution, error);
    }
    return duet_list_run(&duet_rule_heft, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_heft = {
    .entry = {.name = "heft",
              .summary =
                  "highest upward rank first (longest mean time), each where it finishes first",
              .reference = "Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = duet_graph_list_options},
    .ratio = duet_ratio_lpt,
    .run = run,
};
