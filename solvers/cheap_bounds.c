// SPDX-License-Identifier: Apache-2.0
#include "solvers/cheap_bounds.h"

#include "lp/area.h"
#include "lp/area_lp.h"

static const int64_t second_ns = 1000000000;

// The linear program is a gain, not a duty: whatever stops it, the longest task stands.
static void offer_area_lp(const duet_instance *instance, const duet_context *context,
                          duet_solution *solution)
{
    duet_context short_context = *context;
    int64_t limit = duet_clock_ns() + second_ns;
    short_context.deadline_ns = context->deadline_ns < limit ? context->deadline_ns : limit;
    short_context.progress = NULL;
    duet_bound bound;
    if (duet_area_lp_bound(instance, &short_context, &bound, NULL) == DUET_OK) {
        duet_solution_offer_bound(solution, &bound);
    }
}

duet_code duet_offer_cheap_bounds(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error)
{
    duet_bound bound;
    duet_code code = duet_longest_bound(instance, context, &bound, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_solution_offer_bound(solution, &bound);
    if (instance->types != 2) {
        offer_area_lp(instance, context, solution);
        return DUET_OK;
    }
    code = duet_area_bound(instance, context, &bound, error);
    if (code == DUET_OK) {
        duet_solution_offer_bound(solution, &bound);
    }
    return code;
}
