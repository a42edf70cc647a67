// SPDX-License-Identifier: Apache-2.0
// Algorithm: hlp (heterogeneous linear program).
// Method:    the linear program of the bound `graph` divides every task between the types; a task
//            goes where its share is largest, of equal shares the first type: on two types to the
//            CPU where at least half of it is there. The tasks with these types are list scheduled,
//            highest bottom level first.
// Guarantee: Q (Q + 1) on Q types that have processors, 6 on two. A share is at least 1/Q, so that
//            rounding makes the work of each type and every path at most Q times as much, and a
//            list schedule is no longer than the mean loads of all types and the longest path
//            together. A program that was not solved to its end is no proof, but the bound that it
//            leaves may be: the schedule is held against that.
// Cost:      that of the bound, and of list scheduling.
// Reference: Kedad-Sidhoum, Monna, Trystram, "Scheduling tasks with precedence constraints on
//            hybrid multi-core machines", HCW 2015; on Q types Amaris, Lucarelli, Mommessin,
//            Trystram, "Generic algorithms for scheduling applications on heterogeneous multi-core
//            platforms", CoRR 2017.
#include "solvers/graph/hlp.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/typed_list.h"
#include "heuristics/rules/rules.h"
#include "lp/graph/graph.h"
#include "solvers/solvers.h"

// The type of the largest of a task's shares, whose last one is what the others leave.
static int32_t largest_share(const double *share, size_t types)
{
    size_t best = 0;
    double most = -1.0;
    double rest = 1.0;
    for (size_t t = 0; t < types; t++) {
        double here = t + 1 < types ? share[t] : rest;
        rest -= here;
        if (here > most) {
            best = t;
            most = here;
        }
    }
    return (int32_t)best;
}

duet_code duet_hlp_types(const duet_instance *instance, const duet_context *context, int32_t *type,
                         duet_bound *bound, duet_error *error)
{
    duet_network network;
    *bound = (duet_bound){.name = "graph"};
    DUET_TRY(duet_network_create(instance, &network, error));
    size_t width = instance->types - 1;
    double *share = duet_alloc_raw((size_t)network.tasks * width, sizeof *share, error);
    duet_code code = share == NULL ? DUET_E_MEMORY
                                   : duet_lp_graph_shares(&network, context, bound, share, error);
    for (size_t j = 0; j < (size_t)network.tasks && code == DUET_OK; j++) {
        type[j] = largest_share(share + j * width, instance->types);
    }
    duet_free(share);
    duet_network_free(&network);
    return code;
}

// Q (Q + 1).
static int64_t ratio_on(size_t types, const int64_t *counts)
{
    int64_t used = 0;
    for (size_t t = 0; t < types; t++) {
        used += counts[t] > 0;
    }
    return used * (used + 1);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    duet_bound bound = {.name = NULL};
    int32_t *type = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *type, error);
    duet_code code =
        type == NULL ? DUET_E_MEMORY : duet_hlp_types(instance, context, type, &bound, error);
    DUET_THEN(code, duet_schedule_types(instance, context, type, solution, error));
    if (code == DUET_OK) {
        duet_solution_offer_bound(solution, &bound);
        duet_int128 makespan = duet_solution_measure(solution, instance);
        duet_int128 most = ratio_on(instance->types, instance->processors);
        solution->ratio_void = makespan > most * bound.value;
    }
    duet_bound_release(&bound);
    duet_free(type);
    return code;
}

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    if (duet_ratio_list(types, counts, options, out)) {
        return true;
    }
    *out = (duet_ratio){ratio_on(types, counts), 0, 0, 1};
    return true;
}

const duet_algorithm duet_algorithm_hlp = {
    .entry = {.name = "hlp",
              .summary = "types by rounding the linear program of a task graph, then a list",
              .guarantee = "6; Q(Q+1) on Q types",
              .reference = "Kedad-Sidhoum, Monna, Trystram, HCW 2015; Amaris et al., 2017",
              .handles = DUET_FEATURE_ANY_TYPES | DUET_FEATURE_WAITS | DUET_FEATURE_PRECEDENCE},
    .ratio = ratio,
    .graph_ratio = ratio,
    .run = run,
    .pace = {.most_entries = 1000},
};
