// SPDX-License-Identifier: Apache-2.0
// Dual prices as integers, with a limit for the load of a processor of each type that holds: they
// prove what they leave as slack, whatever the linear program did.
#include <math.h>

#include "core/assert.h"
#include "core/fraction.h"
#include "lp/generation/state.h"

enum {
    BRANCH_STEPS = 3000000, // where branch and bound may take its time
    NEVER = 1 << 30         // the price of a task on a processor that cannot run it in time
};

void duet_generation_list(duet_generation *c, size_t type, int64_t capacity)
{
    c->items = 0;
    for (size_t i = 0; i < c->count; i++) {
        int64_t most = most_on_one(c, type, i, capacity);
        if (most > 0) {
            c->item[c->items++] =
                (duet_pricing_item){i, c->classes->time[type][i], 0, c->classes->tasks[i]};
            c->item[c->items - 1].most = most;
        }
    }
}

// By a table, where branch and bound was given up and the table can take these prices.
static duet_code price_by_table(duet_generation *c, int64_t capacity, load *out, duet_error *error)
{
    duet_int128 densest = 0; // what a set may be worth, at most
    for (size_t i = 0; i < c->items; i++) {
        duet_int128 all = (duet_int128)c->item[i].price * capacity / c->item[i].time + 1;
        densest = all > densest ? all : densest;
    }
    c->unknown = densest > duet_pricing_scale(c->item, c->items, capacity);
    if (c->unknown) {
        return DUET_OK;
    }
    duet_code code = duet_pricing_solve(c->pricing, c->item, c->items, capacity, error);
    int64_t best = code == DUET_OK ? duet_pricing_value(c->pricing, capacity) : 0;
    if (code == DUET_OK && best > out->value) {
        out->value = best;
        out->parts = duet_pricing_set(c->pricing, capacity, out->part);
    }
    return code;
}

duet_code duet_generation_price(duet_generation *c, int64_t capacity, int64_t floor, load *out,
                                duet_error *error)
{
    const duet_branch_problem problem = {.items = c->item,
                                         .count = c->items,
                                         .capacity = capacity,
                                         .floor = floor,
                                         .steps = c->thorough ? BRANCH_STEPS : 0};
    bool exceeded;
    duet_code code = duet_branch_solve(c->branch, &problem, &out->value, &exceeded, error);
    if (code == DUET_OK) {
        out->parts = duet_branch_set(c->branch, out->part);
    }
    return code == DUET_OK && exceeded ? price_by_table(c, capacity, out, error) : code;
}

double duet_generation_scale(duet_generation *c, int64_t guess)
{
    const double set_room = (double)(INT64_C(1) << 25);
    const double divisible_room = (double)(INT64_C(1) << 30);
    double scale = divisible_room;
    for (size_t t = 0; t < c->types; t++) {
        double densest = 0;
        for (size_t i = 0; i < c->count; i++) {
            if (most_on_one(c, t, i, capacity_within(c, t, guess)) > 0) {
                double density = c->dual.task[pair_of(c, t, i)] / (double)c->classes->time[t][i];
                densest = density > densest ? density : densest;
            }
        }
        if (densest > 0) {
            double room = c->divisible[t] ? divisible_room : set_room;
            scale = fmin(scale, 0.98 * room / (densest * (double)guess));
        }
    }
    return scale;
}

// The limit of a type. On a divisible type it is the processor's own dual price, and every task has
// the highest price that this allows.
static duet_code limit_type(duet_generation *c, size_t type, int64_t guess, double scale,
                            duet_error *error)
{
    duet_prices *prices = &c->trial;
    int64_t capacity = capacity_within(c, type, guess);
    duet_generation_list(c, type, capacity);
    prices->divisible[type] = c->divisible[type];
    prices->limit[type] = 0;
    c->dearest[type].parts = 0;
    if (c->classes->processors[type] == 0) {
        return DUET_OK;
    }
    if (c->divisible[type]) {
        prices->limit[type] = (int64_t)ceil(c->dual.processor[type] * scale);
        for (size_t i = 0; i < c->items; i++) {
            duet_int128 price = (duet_int128)prices->limit[type] * c->item[i].time / capacity;
            prices->price[type][c->item[i].class] = (int64_t)price;
        }
        return DUET_OK;
    }
    for (size_t i = 0; i < c->items; i++) {
        c->item[i].price = prices->price[type][c->item[i].class];
    }
    // The program has loads at the price of a processor: a limit below is of no use.
    c->dearest[type].value = (int64_t)(c->dual.processor[type] * scale * (1 - 1e-7));
    duet_code code =
        duet_generation_price(c, capacity, c->dearest[type].value, &c->dearest[type], error);
    prices->limit[type] = c->dearest[type].value;
    return code;
}

duet_code duet_generation_round(duet_generation *c, double scale, int64_t guess, duet_int128 *slack,
                                duet_error *error)
{
    duet_code code = DUET_OK;
    c->unknown = false;
    c->dearest_scale = guess == c->guess ? scale : 0;
    bool unknown = false;
    for (size_t t = 0; t < c->types && code == DUET_OK; t++) {
        for (size_t i = 0; i < c->count; i++) {
            // A task that no processor of the type can run within the guess is priced out of it.
            bool fits = duet_class_fits(c->classes, i, t) && c->classes->time[t][i] <= guess;
            double price = c->dual.task[pair_of(c, t, i)] * scale + 0.5;
            c->trial.price[t][i] = fits ? (int64_t)fmin(price, (double)NEVER) : NEVER;
        }
        code = limit_type(c, t, guess, scale, error);
        unknown = unknown || c->unknown;
        c->unknown = false;
    }
    c->unknown = unknown;
    *slack = unknown ? 0 : duet_residual_slack(c->classes, c->state, &c->trial);
    return code;
}
