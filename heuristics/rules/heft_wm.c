// SPDX-License-Identifier: Apache-2.0
// Algorithm: heft-wm (weighted mean).
// Method:    heft with other weights: the mean over all processors where one of a type counts the
//            more, the faster the task is there, for times as for costs. Two types.
// Guarantee: none.
// Cost:      as heuristics/engine/graph_list.h.
// Reference: McSweeney, Walton, Zounon, "An efficient new static scheduling heuristic for
//            accelerated architectures", ICCS 2020, section 4.2.
#include "heuristics/engine/graph_list.h"
#include "heuristics/heuristics.h"

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    return duet_graph_list_rank_mean(list, DUET_MEAN_ACCELERATION, error);
}

static const duet_graph_rule rule = {.rank = rank};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_heft_wm = {
    .entry = {.name = "heft-wm",
              .summary = "heft by means in which the faster type counts more",
              .reference = "McSweeney, Walton, Zounon, ICCS 2020",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS,
              .options = duet_graph_list_options},
    .run = run,
};
