// SPDX-License-Identifier: Apache-2.0
// Algorithm: hoft-wm.
// Method:    tasks in the order of heft-wm, processors as hoft chooses them. Two types.
// Guarantee: none.
// Cost:      as heuristics/engine/graph_list.h.
// Reference: McSweeney, Walton, Zounon, "An efficient new static scheduling heuristic for
//            accelerated architectures", ICCS 2020, section 6.
#include "heuristics/rules/hoft.h"

#include "core/system/try.h"
#include "heuristics/heuristics.h"

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    DUET_TRY(duet_hoft_prepare(list, error));
    return duet_graph_list_rank_mean(list, DUET_MEAN_ACCELERATION, error);
}

static const duet_graph_rule rule = {
    .rank = rank, .choose = duet_hoft_choose, .end = duet_hoft_end, .counter = DUET_HOFT_COUNTER};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_hoft_wm = {
    .entry = {.name = "hoft-wm",
              .summary = "in the order of heft-wm, with processors as hoft chooses them",
              .reference = "McSweeney, Walton, Zounon, ICCS 2020",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS,
              .options = duet_hoft_options},
    .run = run,
};
