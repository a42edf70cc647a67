// SPDX-License-Identifier: Apache-2.0
// Algorithm: heft-nc (no cross).
// Method:    a task weighs the difference of its two times over their ratio, an edge nothing; the
//            heaviest way to the end comes first. A task goes where it ends first. If that is its
//            slower type, it crosses only where its weight is at most `threshold` times the same
//            weight of its ends on both types; else it goes to the faster type. Two types.
//            Weights are rounded down to 2^-20 ticks.
// Guarantee: none.
// Cost:      as heuristics/engine/graph_list.h.
// Reference: Shetti, Fahmy, Bretschneider, "Optimization of the HEFT algorithm for a CPU-GPU
//            environment", PDCAT 2013, as two programs of the authors of HOFT have it. They differ
//            in the weight of the ends, which is option `ends`.
#include "core/number/minmax.h"
#include "core/options.h"
#include "heuristics/engine/graph_list.h"
#include "heuristics/heuristics.h"

enum { THOUSAND = 1000 };

static const duet_option_spec options[] = {
    DUET_OPTION_GRAPH_TIES,
    DUET_OPTION_TOPO,
    {.name = "threshold",
     .type = DUET_OPTION_DECIMAL,
     .fallback = "0.3",
     .minimum = 0,
     .maximum = 1000000,
     .unit = "",
     .text = "a task goes to its slower type where its weight is at most so many times that of its "
             "ends"},
    {.name = "ends",
     .type = DUET_OPTION_CHOICE,
     .fallback = "larger",
     .choices = "larger|first",
     .unit = "",
     .text = "their difference is divided by the larger end over the smaller one, or by the one "
             "that comes first over the other"},
    {.name = NULL}};
enum { ENDS_LARGER };

// The difference over larger / smaller.
static duet_rank weigh(int64_t a, int64_t b)
{
    int64_t most = duet_max(a, b);
    int64_t least = duet_min(a, b);
    return most == least ? 0
                         : duet_rank_of((duet_uint128)(most - least) * (duet_uint128)least,
                                        (duet_uint128)most);
}

// The difference over smaller / larger, at most 2^80 ticks: more than any weight of a task takes.
static duet_rank weigh_first(int64_t first, int64_t later)
{
    static const duet_uint128 most = (duet_uint128)1 << 80;
    if (first == 0) {
        return later == 0 ? 0 : most << DUET_RANK_BITS;
    }
    duet_uint128 product = (duet_uint128)(uint64_t)(later - first) * (duet_uint128)later;
    duet_uint128 whole = product / (duet_uint128)(uint64_t)first;
    return whole < most ? duet_rank_of(product, (duet_uint128)first) : most << DUET_RANK_BITS;
}

static duet_code rank(duet_graph_list *list, duet_error *error)
{
    const duet_instance *instance = list->instance;
    (void)error;
    for (int64_t j = 0; j < list->graph->tasks; j++) {
        size_t kind = (size_t)list->kind[j];
        bool both = duet_allowed(instance, kind, 0) && duet_allowed(instance, kind, 1);
        list->rank[j] =
            both ? weigh(duet_time(instance, kind, 0), duet_time(instance, kind, 1)) : 0;
    }
    duet_ranks_upward(list->graph, NULL, list->order, list->rank);
    return DUET_OK;
}

static bool crosses(const duet_graph_list *list, duet_rank own, int64_t first, int64_t later)
{
    const duet_options *given = list->context->options;
    bool larger = duet_option_choice(given, options, "ends") == ENDS_LARGER;
    duet_rank saved = larger ? weigh(first, later) : weigh_first(first, later);
    int64_t threshold = duet_option_thousandths(given, options, "threshold");
    return own * (duet_rank)THOUSAND <= saved * (duet_rank)(uint64_t)threshold;
}

static duet_code choose(duet_graph_list *list, int32_t task, duet_choice *choice, duet_error *error)
{
    (void)error;
    const duet_instance *instance = list->instance;
    size_t kind = (size_t)list->kind[task];
    *choice = duet_graph_list_earliest(list, task);
    size_t first = (size_t)choice->type;
    size_t other = 1 - first;
    if (!duet_allowed(instance, kind, other) ||
        duet_time(instance, kind, first) <= duet_time(instance, kind, other)) {
        return DUET_OK;
    }
    duet_choice there = duet_graph_list_earliest_on(list, task, other);
    duet_rank own = weigh(duet_time(instance, kind, first), duet_time(instance, kind, other));
    if (!crosses(list, own, choice->end, there.end)) {
        *choice = there;
        list->counted++;
    }
    return DUET_OK;
}

static const duet_graph_rule rule = {.rank = rank, .choose = choose, .counter = "to_faster_type"};

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    return duet_graph_list_run(&rule, instance, context, solution, error);
}

const duet_algorithm duet_algorithm_heft_nc = {
    .entry = {.name = "heft-nc",
              .summary = "heft that goes to a slower type only where that saves much",
              .reference = "Shetti, Fahmy, Bretschneider, PDCAT 2013",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS,
              .options = options},
    .run = run,
};
