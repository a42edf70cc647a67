// SPDX-License-Identifier: Apache-2.0
// The bounds that duet_solve() adds to a schedule whose algorithm proves none, and that searches
// start from.
#include "solvers/cheap_bounds.h"

#include <string.h>

#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack.h"
#include "lp/area/area.h"
#include "lp/area/released.h"
#include "lp/graph/graph.h"
#include "lp/graph/head_tail.h"
#include "lp/moldable/prices.h"
#include "lp/shelf/shelf.h"

// Two types: the area bound, and the shelf bound where it is better and there is time.
static duet_code offer_shelf(const duet_instance *instance, const duet_context *context,
                             duet_solution *solution, duet_error *error)
{
    duet_acceleration_order order;
    duet_code code = duet_acceleration_order_create(instance, &order, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_bound bound = duet_area_bound_of(instance, &order);
    duet_solution_offer_bound(solution, &bound);
    duet_bound best = {.name = solution->bound_name,
                       .value = solution->lower_bound,
                       .certificate = solution->certificate};
    best = best.value > bound.value ? best : bound;
    if (!duet_context_stop(context)) {
        code = duet_shelf_raise(instance, &order, context, &best, error);
    }
    if (code == DUET_OK && best.value > solution->lower_bound) {
        duet_solution_offer_bound(solution, &best);
    }
    duet_acceleration_order_free(&order);
    return code;
}

// The bounds that hold for mixed sets, too.
static duet_code offer_of_mixed_sets(const duet_instance *instance, const duet_context *context,
                                     duet_solution *solution, duet_error *error)
{
    DUET_TRY(duet_offer_bound(instance, context, DUET_WANTED_PATH, solution, error));
    return duet_offer_bound(instance, context, DUET_WANTED_AREA, solution, error);
}

static duet_code offer_graph(const duet_instance *instance, const duet_context *context,
                             int64_t work, duet_solution *solution, duet_error *error)
{
    duet_bound bound = {.name = NULL};
    if (instance->mixed_sets) {
        return offer_of_mixed_sets(instance, context, solution, error);
    }
    duet_code code = duet_lp_graph_bound(instance, context, work, &bound, error);
    if (code == DUET_OK) {
        duet_solution_offer_bound(solution, &bound);
    }
    duet_bound_release(&bound); // also of what a failure leaves
    return code;
}

// Tasks cannot be divided: bounds of independent tasks, on two types. Where paths decide, the first
// guess of each is enough.
static duet_code offer_whole_tasks(const duet_instance *instance, const duet_context *context,
                                   duet_solution *solution, duet_error *error)
{
    enum { MOST_KINDS = 10000 };
    if (instance->types != 2) {
        return DUET_OK;
    }
    duet_code code = offer_shelf(instance, context, solution, error);
    int64_t known = solution->lower_bound;
    if (code != DUET_OK || instance->kinds > MOST_KINDS || duet_context_stop(context)) {
        return code;
    }
    duet_bound bound = {.name = solution->bound_name, .value = known};
    int64_t below = solution->makespan > known ? solution->makespan : DUET_MAX_WORK;
    DUET_TRY(duet_knapsack_raise(instance, context, below, &bound, error));
    if (bound.value > known) {
        duet_solution_offer_bound(solution, &bound);
    }
    return DUET_OK;
}

// Of a task graph: the linear program as far as it goes quickly, what scales to any size, and whole
// tasks.
static duet_code offer_of_graph(const duet_instance *instance, const duet_context *context,
                                duet_solution *solution, duet_error *error)
{
    duet_bound bound;
    duet_context half = duet_context_part(context, 2); // what follows is faster
    if (strcmp(solution->bound_name, "graph") != 0) {  // else rule hlp has solved it
        DUET_TRY(duet_offer_bound(instance, &half, DUET_WANTED_GRAPH, solution, error));
    }
    DUET_TRY(duet_head_tail_bound(instance, context, &bound, error));
    duet_solution_offer_bound(solution, &bound);
    return offer_whole_tasks(instance, context, solution, error);
}

duet_code duet_offer_graph_bound(const duet_instance *instance, const duet_context *context,
                                 duet_solution *solution, duet_error *error)
{
    return offer_graph(instance, context, DUET_LP_GRAPH_THOROUGH, solution, error);
}

// Moldable tasks: the longest path or, of graphs, their program, and prices.
static duet_code offer_moldable(const duet_instance *instance, const duet_context *context,
                                duet_solution *solution, duet_error *error)
{
    if (instance->mixed_sets) {
        return offer_of_mixed_sets(instance, context, solution, error);
    }
    duet_bound bound;
    DUET_TRY(instance->graph == NULL
                 ? duet_offer_bound(instance, context, DUET_WANTED_PATH, solution, error)
                 : offer_graph(instance, context, DUET_LP_GRAPH_QUICK, solution, error));
    DUET_TRY(duet_moldable_bound(instance, DUET_PRICED_ALL, context, &bound, error));
    duet_solution_offer_bound(solution, &bound);
    return DUET_OK;
}

// With releases and busy processors, which the others drop.
static duet_code offer_released(const duet_instance *instance, const duet_context *context,
                                duet_solution *solution, duet_error *error)
{
    duet_bound bound;
    if (duet_is_available(instance) || instance->mixed_sets) {
        return DUET_OK;
    }
    DUET_TRY(duet_longest_bound(instance, context, &bound, error));
    duet_solution_offer_bound(solution, &bound);
    if (instance->moldable == NULL) {
        DUET_TRY(duet_released_area_bound(instance, context, &bound, error));
        duet_solution_offer_bound(solution, &bound);
    }
    return instance->moldable == NULL && instance->graph != NULL
               ? duet_offer_bound(instance, context, DUET_WANTED_PATH, solution, error)
               : DUET_OK;
}

duet_code duet_offer_cheap_bounds(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error)
{
    duet_bound bound;
    DUET_TRY(offer_released(instance, context, solution, error));
    if (instance->moldable != NULL) {
        return offer_moldable(instance, context, solution, error);
    }
    if (instance->graph != NULL) {
        return offer_of_graph(instance, context, solution, error);
    }
    DUET_TRY(duet_longest_bound(instance, context, &bound, error));
    duet_solution_offer_bound(solution, &bound);
    if (instance->types != 2) {
        bound = duet_area_estimate(instance);
        duet_solution_offer_bound(solution, &bound);
        return DUET_OK;
    }
    return offer_shelf(instance, context, solution, error);
}

duet_code duet_offer_bound(const duet_instance *instance, const duet_context *context,
                           duet_wanted_bound wanted, duet_solution *solution, duet_error *error)
{
    duet_bound bound = {.name = NULL};
    duet_code code = DUET_OK;
    switch (wanted) {
    case DUET_WANTED_NONE:
        return DUET_OK;
    case DUET_WANTED_BEST:
        return duet_offer_cheap_bounds(instance, context, solution, error);
    case DUET_WANTED_PATH:
        code = duet_path_bound(instance, context, &bound, error);
        break;
    case DUET_WANTED_AREA:
        code = duet_area_bound(instance, context, &bound, error);
        break;
    case DUET_WANTED_GRAPH:
        return offer_graph(instance, context, DUET_LP_GRAPH_QUICK, solution, error);
    }
    if (code == DUET_OK) {
        duet_solution_offer_bound(solution, &bound);
    }
    duet_bound_release(&bound);
    return code;
}

duet_code duet_cheap_bound(const duet_instance *instance, int64_t *value, duet_error *error)
{
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    duet_bound longest;
    duet_bound area;
    DUET_TRY(duet_longest_bound(instance, &context, &longest, error));
    DUET_TRY(duet_area_bound(instance, &context, &area, error));
    *value = duet_max(longest.value, area.value);
    return DUET_OK;
}
