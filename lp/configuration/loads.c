// SPDX-License-Identifier: Apache-2.0
// The dearest load of a processor, by branch and bound or by a table: the pricing problem of column
// generation, and the limit of a type in the price inequality.
#include <string.h>

#include "core/number/minmax.h"
#include "lp/configuration/configuration_state.h"

enum {
    BRANCH_STEPS = 5000000, // where branch and bound may take its time
    QUICK_CELLS = 1 << 23,  // a table over time that is filled in some milliseconds
    SMALL_CELLS = 1 << 25,  // a table over time that is filled in ten milliseconds
};

void duet_loads_list(duet_configuration *c, size_t type)
{
    c->items = 0;
    for (size_t i = 0; i < c->classes->count; i++) {
        if (duet_class_fits(c->classes, i, type)) {
            c->item[c->items++] =
                (duet_pricing_item){i, c->classes->time[type][i], 0, c->classes->tasks[i]};
        }
    }
}

static duet_code price_by_branching(duet_configuration *c, int64_t capacity, int64_t floor,
                                    duet_pricing_load *out, duet_error *error)
{
    const duet_branch_problem problem = {.items = c->item,
                                         .count = c->items,
                                         .capacity = capacity,
                                         .floor = floor,
                                         .steps = c->effort.thorough ? BRANCH_STEPS : 0};
    bool exceeded;
    duet_code code = duet_branch_solve(c->branch, &problem, &out->value, &exceeded, error);
    if (code == DUET_OK) {
        out->parts = duet_branch_set(c->branch, out->part);
    }
    c->unknown = c->unknown || exceeded;
    return code;
}

static duet_code price_by_table(duet_configuration *c, int64_t capacity, int64_t floor,
                                duet_pricing_load *out, duet_error *error)
{
    out->value = floor;
    out->parts = 0;
    duet_code code = duet_pricing_solve(c->pricing, c->item, c->items, capacity, error);
    int64_t best = code == DUET_OK ? duet_pricing_value(c->pricing, capacity) : 0;
    if (code == DUET_OK && best > floor) {
        out->value = best;
        out->parts = duet_pricing_set(c->pricing, capacity, out->part);
    }
    return code;
}

// By the core. *exact: the limit is the price of a load.
static duet_code price_by_core(duet_configuration *c, size_t type, int64_t capacity, int64_t floor,
                               duet_pricing_load *out, bool *exact, duet_error *error)
{
    const duet_pricing_core_problem problem = {
        .items = c->item, .count = c->items, .capacity = capacity, .unit = c->classes->unit[type]};
    duet_pricing_core_answer answer;
    duet_code code =
        duet_pricing_core_solve(c->core, &problem, &c->core_start[type], &answer, c->part, error);
    *exact = code == DUET_OK && (answer.achieved == answer.limit || answer.limit <= floor);
    if (*exact) {
        out->value = duet_max(answer.limit, floor);
        out->parts = answer.limit > floor ? answer.parts : 0;
        memcpy(out->part, c->part, out->parts * sizeof *out->part);
    }
    return code;
}

duet_code duet_loads_price(duet_configuration *c, size_t type, int64_t capacity, int64_t floor,
                           duet_pricing_load *out, duet_error *error)
{
    out->value = floor;
    out->parts = 0;
    return c->effort.by_branching[type] ? price_by_branching(c, capacity, floor, out, error)
                                        : price_by_table(c, capacity, floor, out, error);
}

// Once branch and bound was given up, by what is likely to answer: the core, which ends where
// tables take long, or a table that is small.
static duet_code limit_after_branching(duet_configuration *c, size_t type, int64_t capacity,
                                       int64_t floor, duet_pricing_load *out, duet_error *error)
{
    int64_t cells = duet_pricing_cells(c->item, c->items, capacity);
    bool exact = false;
    duet_code code = DUET_OK;
    if (cells > QUICK_CELLS) {
        code = price_by_core(c, type, capacity, floor, out, &exact, error);
    }
    bool table = !exact && cells <= SMALL_CELLS;
    c->unknown = !exact && !table;
    return code == DUET_OK && table ? price_by_table(c, capacity, floor, out, error) : code;
}

duet_code duet_loads_limit(duet_configuration *c, size_t type, int64_t capacity, int64_t floor,
                           duet_pricing_load *out, duet_error *error)
{
    bool before = c->unknown;
    c->unknown = false;
    duet_code code = DUET_OK;
    bool branch = !c->effort.given_up[type];
    if (branch) {
        code = duet_loads_price(c, type, capacity, floor, out, error);
    }
    if (code == DUET_OK && (c->unknown || !branch)) {
        code = limit_after_branching(c, type, capacity, floor, out, error);
        c->effort.given_up[type] = c->effort.by_branching[type] && !c->unknown;
    }
    c->unknown = c->unknown || before;
    return code;
}
