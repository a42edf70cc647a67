// SPDX-License-Identifier: Apache-2.0
// Bound: divisible tasks with dependencies.
// Method:    every task is divided between the types and takes the mean of its times; the work of a
//            type fits into its processors, and no path is longer than the makespan: a linear
//            program. Two types: by flow (ratio.c, crash.c), which finds its value on graphs of few
//            kinds within few shortest paths; small graphs of many kinds, communication costs and
//            other numbers of types: by the dual simplex method (program.c). Moldable tasks: by
//            rounds of a game (allotment.c). What none of these reaches
//            within its limits, and independent tasks, have the better of path and area.
// Cost:      see these; a work limit ends the flow, whose bound holds whenever it stops.
// Proof:     prices of the types and a flow along the edges (DUET_PROOF_FLOW).
// Reference: Kedad-Sidhoum, Monna, Trystram, "Scheduling tasks with precedence constraints on
//            hybrid multi-core machines", HCW 2015, for the program; Beaumont, Eyraud-Dubois,
//            Kumar, IPDPS 2017, section 6.2.
#include "lp/graph/graph.h"

#include "core/instance/available.h"
#include "core/instance/part.h"
#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/area/released.h"
#include "lp/graph/allotment.h"
#include "lp/graph/program.h"
#include "lp/graph/ratio.h"

static duet_code area_of(const duet_instance *instance, const duet_context *context,
                         duet_bound *area, duet_error *error)
{
    if (instance->moldable == NULL && !duet_is_available(instance)) {
        return duet_released_area_bound(instance, context, area, error);
    }
    if (instance->types == 2 || instance->moldable != NULL) {
        return duet_area_bound(instance, context, area, error);
    }
    *area = duet_area_estimate(instance);
    return DUET_OK;
}

// The better of path and area.
static duet_code start(const duet_instance *instance, const duet_network *network,
                       const duet_context *context, duet_bound *bound, duet_error *error)
{
    duet_bound area;
    DUET_TRY(network == NULL ? duet_path_bound(instance, context, bound, error)
                             : duet_network_path_bound(network, bound, error));
    DUET_TRY(area_of(instance, context, &area, error));
    if (area.value > bound->value) { // which is rounded up, a path is not
        duet_bound_release(bound);
        *bound = area;
    }
    return DUET_OK;
}

static bool has_both(const duet_instance *instance)
{
    return instance->types == 2 && instance->processors[0] > 0 && instance->processors[1] > 0;
}

// First the flow; where that takes long on a graph that the simplex method can do, or leaves
// communication costs out, that method.
static duet_code solve_program(const duet_network *network, const duet_context *context,
                               int64_t work, duet_bound *bound, double *share, duet_error *error)
{
    if (network->instance->moldable != NULL) {
        return duet_lp_graph_allotment_bound(network, context, work, bound, error);
    }
    bool charges = network->instance->types == 2 && network->graph->transfer != NULL;
    bool fits = duet_lp_graph_program_fits(network, work <= DUET_LP_GRAPH_QUICK);
    bool optimal = false;
    duet_code code = DUET_OK;
    if (has_both(network->instance)) {
        int64_t first = fits && work > DUET_LP_GRAPH_QUICK ? DUET_LP_GRAPH_QUICK : work;
        code = duet_lp_graph_flow_bound(network, context, first, bound, &optimal, share, error);
    }
    if (code == DUET_OK && fits && (!optimal || charges) && !duet_context_stop(context)) {
        code = duet_lp_graph_program_bound(network, context, bound, &optimal, share, error);
    }
    return code;
}

duet_code duet_lp_graph_bound(const duet_instance *instance, const duet_context *context,
                              int64_t work, duet_bound *bound, duet_error *error)
{
    if (instance->graph == NULL) {
        return start(instance, NULL, context, bound, error);
    }
    duet_network network;
    duet_error lacking = DUET_ERROR_INIT;
    duet_code code = duet_network_create(instance, &network, error);
    if (code == DUET_OK) {
        code = start(instance, &network, context, bound, error);
        // Without the time or the memory that the program would take, path and area still hold.
        if (code == DUET_OK && !duet_context_stop(context)) {
            code = solve_program(&network, context, work, bound, NULL, &lacking);
        }
        if (lacking.code != DUET_OK) {
            code = lacking.code == DUET_E_LIMIT
                       ? DUET_OK
                       : duet_error_set(error, lacking.code, "%s", lacking.message);
        }
        duet_network_free(&network);
    }
    return code;
}

// Where a task is without a program: on the CPU of two types where it may, else where it is
// fastest.
static size_t first_choice(const duet_instance *instance, size_t kind)
{
    size_t best = 0;
    while (!duet_allowed(instance, kind, best)) {
        best++;
    }
    for (size_t t = best + 1; t < instance->types && instance->types > 2; t++) {
        if (duet_allowed(instance, kind, t) &&
            duet_time(instance, kind, t) < duet_time(instance, kind, best)) {
            best = t;
        }
    }
    return best;
}

duet_code duet_lp_graph_shares(const duet_network *network, const duet_context *context,
                               duet_bound *bound, double *share, duet_error *error)
{
    const duet_instance *instance = network->instance;
    duet_code code = start(instance, network, context, bound, error);
    size_t width = instance->types - 1;
    for (size_t j = 0; j < (size_t)network->tasks; j++) {
        size_t best = first_choice(instance, (size_t)network->kind[j]);
        for (size_t t = 0; t < width; t++) {
            share[j * width + t] = t == best ? 1.0 : 0.0;
        }
    }
    if (code == DUET_OK && (has_both(instance) || instance->types > 2)) {
        code = solve_program(network, context, DUET_LP_GRAPH_THOROUGH, bound, share, error);
    }
    return code;
}

// Costs take a program of their own, for which there may be no room or time: the bound of the graph
// without them holds, too.
static duet_code take_without_costs(const duet_instance *instance, const duet_context *context,
                                    duet_bound *bound, duet_error *error)
{
    duet_instance without;
    duet_graph graph;
    duet_bound other;
    duet_instance_without_costs(instance, &without, &graph);
    DUET_TRY(duet_lp_graph_bound(&without, context, DUET_LP_GRAPH_THOROUGH, &other, error));
    if (other.value > bound->value) {
        duet_bound_release(bound);
        *bound = other;
    } else {
        duet_bound_release(&other);
    }
    return DUET_OK;
}

static duet_code run(const duet_instance *instance, const duet_context *context, duet_bound *bound,
                     duet_error *error)
{
    bool costs = instance->graph != NULL && instance->graph->transfer != NULL;
    const duet_context part = costs ? duet_context_part(context, 2) : *context;
    duet_code code = duet_lp_graph_bound(instance, &part, DUET_LP_GRAPH_THOROUGH, bound, error);
    if (code == DUET_OK && costs) {
        code = take_without_costs(instance, context, bound, error);
    }
    bound->name = "graph";
    return code;
}

const duet_bound_method duet_bound_graph = {
    .entry = {.name = "graph",
              .summary = "divisible tasks with dependencies, as a linear program",
              .reference = "Kedad-Sidhoum, Monna, Trystram, HCW 2015",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES |
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_RIGID},
    .run = run,
};
