// SPDX-License-Identifier: Apache-2.0
// Algorithm: heft-min.
// Method:    heft with other weights: a task weighs its least time, an edge nothing. So the rank of
//            a task is the shortest time in which what hangs on it can end. Any number of types.
// Guarantee: none.
// Cost:      as heuristics/engine/graph_list.h.
// Reference: Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list
//            scheduling algorithm for task-based runtime systems on multicores and GPUs", IPDPS
//            2017, section 6.2, for the weights.
#include "heuristics/engine/graph_list.h"
#include "heuristics/heuristics.h"

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    (void)error;
    const duet_instance *instance = list->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t least = INT64_MAX;
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, i, t) && duet_time(instance, i, t) < least) {
                least = duet_time(instance, i, t);
            }
        }
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            list->rank[j] = (duet_rank)least << DUET_RANK_BITS;
        }
    }
    duet_ranks_upward(list->graph, NULL, list->order, list->rank);
    return DUET_OK;
}

static const duet_graph_rule rule = {.rank = rank};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_heft_min = {
    .entry = {.name = "heft-min",
              .summary = "heft by least times: longest shortest way to the end first",
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = duet_graph_list_options},
    .run = run,
};
