// SPDX-License-Identifier: Apache-2.0
// Algorithm: hlp (heterogeneous linear program).
// Method:    the linear program of the bound `graph` divides every task between CPU and GPU; a task
//            of which at least half is on the CPU goes there, another one to the GPU. The tasks
//            with these types are list scheduled, highest bottom level first.
// Guarantee: 6. Rounding at most doubles the work of each type and every path, and a list schedule
//            is no longer than the mean loads of both types and the longest path together. A
//            program that was not solved to its end is no proof, but the bound that it leaves may
//            be: the schedule is held against that.
// Cost:      that of the bound, and of list scheduling.
// Reference: Kedad-Sidhoum, Monna, Trystram, "Scheduling tasks with precedence constraints on
//            hybrid multi-core machines", HCW 2015.
#include "solvers/graph/hlp.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/typed_list.h"
#include "lp/graph/graph.h"
#include "solvers/solvers.h"

enum { RATIO = 6 };

static void round_shares(const duet_network *network, const double *share, int32_t *type)
{
    for (int64_t j = 0; j < network->tasks; j++) {
        type[j] = share[j] >= 0.5 ? 0 : 1;
    }
}

duet_code duet_hlp_types(const duet_instance *instance, const duet_context *context, int32_t *type,
                         duet_bound *bound, duet_error *error)
{
    duet_network network;
    *bound = (duet_bound){.name = "graph"};
    DUET_TRY(duet_network_create(instance, &network, error));
    double *share = duet_alloc_raw((size_t)network.tasks, sizeof *share, error);
    duet_code code = share == NULL ? DUET_E_MEMORY
                                   : duet_lp_graph_shares(&network, context, bound, share, error);
    if (code == DUET_OK) {
        round_shares(&network, share, type);
    }
    duet_free(share);
    duet_network_free(&network);
    return code;
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
        solution->ratio_void = makespan > (duet_int128)RATIO * bound.value;
    }
    duet_bound_release(&bound);
    duet_free(type);
    return code;
}

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    (void)counts;
    (void)options;
    *out = (duet_ratio){RATIO, 0, 0, 1};
    return types == 2;
}

const duet_algorithm duet_algorithm_hlp = {
    .entry = {.name = "hlp",
              .summary = "types by rounding the linear program of a task graph, then a list",
              .guarantee = "6",
              .reference = "Kedad-Sidhoum, Monna, Trystram, HCW 2015",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_PRECEDENCE},
    .ratio = ratio,
    .graph_ratio = ratio,
    .run = run,
};
