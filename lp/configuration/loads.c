// SPDX-License-Identifier: Apache-2.0
// The dearest load of a processor, by branch and bound, by the core of the knapsack or by a table:
// the pricing problem of column generation, and the limit of a type in the price inequality.
#include <string.h>

#include "core/number/fraction.h"
#include "lp/configuration/configuration_state.h"

enum {
    BRANCH_STEPS = 3000000, // where branch and bound may take its time
    QUICK_CELLS = 1 << 23   // a table over time that is filled in some milliseconds
};

void duet_loads_list(const duet_configuration *c, pricing_desk *desk, size_t type, int64_t capacity)
{
    desk->items = 0;
    for (size_t i = 0; i < c->count; i++) {
        int64_t all = duet_class_fits(c->classes, i, type) ? c->classes->tasks[i] : 0;
        int64_t most = c->lasts ? most_on_one(c, type, i, capacity) : all;
        if (most > 0) {
            desk->item[desk->items++] = (duet_pricing_item){i, c->classes->time[type][i], 0, most};
        }
    }
}

// What a load may be worth, at most.
static duet_int128 most_valuable(const pricing_desk *desk, int64_t capacity)
{
    duet_int128 most = 0;
    for (size_t i = 0; i < desk->items; i++) {
        duet_int128 all = (duet_int128)desk->item[i].price * capacity / desk->item[i].time + 1;
        most = duet_max(all, most);
    }
    return most;
}

static duet_code price_by_branching(const duet_configuration *c, pricing_desk *desk,
                                    int64_t capacity, int64_t floor, duet_pricing_load *out,
                                    bool *exceeded, duet_error *error)
{
    const duet_branch_problem problem = {.items = desk->item,
                                         .count = desk->items,
                                         .capacity = capacity,
                                         .floor = floor,
                                         .steps = c->effort.thorough ? BRANCH_STEPS : 0};
    duet_code code = duet_branch_solve(desk->branch, &problem, &out->value, exceeded, error);
    if (code == DUET_OK) {
        out->parts = duet_branch_set(desk->branch, out->part);
    }
    return code;
}

static duet_code price_by_table(pricing_desk *desk, int64_t capacity, duet_pricing_load *out,
                                int64_t *limit, duet_error *error)
{
    duet_code code =
        duet_pricing_dearest(desk->pricing, desk->item, desk->items, capacity, out, error);
    *limit = out->value;
    return code;
}

// By the core of the knapsack, whose limit holds where it does not find a load that is worth it,
// and where it can take these prices.
static duet_code price_by_core(const duet_configuration *c, pricing_desk *desk, size_t type,
                               int64_t capacity, duet_pricing_load *out, int64_t *limit,
                               duet_error *error)
{
    if (most_valuable(desk, capacity) > DUET_DEAREST_MAX_PRICE / 2) {
        return DUET_OK;
    }
    const duet_pricing_core_problem problem = {.items = desk->item,
                                               .count = desk->items,
                                               .capacity = capacity,
                                               .unit = c->classes->unit[type]};
    duet_pricing_core_answer answer;
    duet_code code = duet_pricing_core_solve(desk->core, &problem, &c->core_start[type], &answer,
                                             desk->core_part, error);
    if (code == DUET_OK && answer.achieved > out->value) {
        out->value = answer.achieved;
        out->parts = answer.parts;
        memcpy(out->part, desk->core_part, out->parts * sizeof *out->part);
    }
    *limit = duet_max(answer.limit, out->value);
    return code;
}

// Once branch and bound was given up: a table that is small, or the core, which ends where tables
// take long, or a table after all, where it can take these prices.
static duet_code price_after_branching(const duet_configuration *c, pricing_desk *desk, size_t type,
                                       int64_t capacity, duet_pricing_load *out, int64_t *limit,
                                       duet_error *error)
{
    duet_code code = DUET_OK;
    *limit = INT64_MAX;
    if (duet_pricing_cells(desk->item, desk->items, capacity) > QUICK_CELLS) {
        code = price_by_core(c, desk, type, capacity, out, limit, error);
    }
    if (code == DUET_OK && *limit > out->value &&
        most_valuable(desk, capacity) <= duet_pricing_scale(desk->item, desk->items, capacity)) {
        code = price_by_table(desk, capacity, out, limit, error);
    }
    return code == DUET_OK && *limit == INT64_MAX
               ? price_by_core(c, desk, type, capacity, out, limit, error)
               : code;
}

// Where branch and bound was given up and another way answered, that comes first from then on.
duet_code duet_loads_price(duet_configuration *c, pricing_desk *desk, size_t type, int64_t capacity,
                           int64_t floor, duet_pricing_load *out, int64_t *limit, duet_error *error)
{
    bool exceeded = c->effort.given_up[type];
    duet_code code = DUET_OK;
    if (has_releases(c)) {
        return duet_generation_price_released(c, desk, type, capacity, floor, out, limit, error);
    }
    out->value = floor;
    out->parts = 0;
    if (c->effort.by_table) {
        return price_by_table(desk, capacity, out, limit, error);
    }
    if (!exceeded) {
        code = price_by_branching(c, desk, capacity, floor, out, &exceeded, error);
        *limit = out->value;
    }
    if (code == DUET_OK && exceeded) {
        code = price_after_branching(c, desk, type, capacity, out, limit, error);
        c->effort.given_up[type] = *limit == out->value;
    }
    return code;
}
