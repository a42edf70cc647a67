// SPDX-License-Identifier: Apache-2.0
// Dual prices as integers, with a limit for the load of a processor of each type that holds: they
// prove what they leave as slack, whatever the linear program did.
#include <math.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "lp/generation/generation_state.h"

enum {
    BRANCH_STEPS = 3000000, // where branch and bound may take its time
    QUICK_CELLS = 1 << 23,  // a table over time that is filled in some milliseconds
    NEVER = 1 << 30         // the price of a task on a processor that cannot run it in time
};

void duet_generation_list(duet_generation *generation, size_t type, int64_t capacity)
{
    generation->items = 0;
    for (size_t i = 0; i < generation->count; i++) {
        int64_t most = most_on_one(generation, type, i, capacity);
        if (most > 0) {
            generation->item[generation->items++] = (duet_pricing_item){
                i, generation->classes->time[type][i], 0, generation->classes->tasks[i]};
            generation->item[generation->items - 1].most = most;
        }
    }
}

// What a load may be worth, at most.
static duet_int128 most_valuable(const duet_generation *generation, int64_t capacity)
{
    duet_int128 most = 0;
    for (size_t i = 0; i < generation->items; i++) {
        duet_int128 all =
            (duet_int128)generation->item[i].price * capacity / generation->item[i].time + 1;
        most = duet_max(all, most);
    }
    return most;
}

// By a table, where it can take these prices.
static duet_code price_by_table(duet_generation *generation, int64_t capacity,
                                duet_pricing_load *out, int64_t *limit, duet_error *error)
{
    if (most_valuable(generation, capacity) >
        duet_pricing_scale(generation->item, generation->items, capacity)) {
        return DUET_OK;
    }
    duet_code code = duet_pricing_solve(generation->pricing, generation->item, generation->items,
                                        capacity, error);
    int64_t best = code == DUET_OK ? duet_pricing_value(generation->pricing, capacity) : 0;
    if (code == DUET_OK && best > out->value) {
        out->value = best;
        out->parts = duet_pricing_set(generation->pricing, capacity, out->part);
    }
    *limit = out->value;
    return code;
}

// By the core of the knapsack, whose limit holds where it does not find a load that is worth it,
// and where it can take these prices.
static duet_code price_by_core(duet_generation *generation, size_t type, int64_t capacity,
                               duet_pricing_load *out, int64_t *limit, duet_error *error)
{
    if (most_valuable(generation, capacity) > DUET_DEAREST_MAX_PRICE / 2) {
        return DUET_OK;
    }
    const duet_pricing_core_problem problem = {.items = generation->item,
                                               .count = generation->items,
                                               .capacity = capacity,
                                               .unit = generation->classes->unit[type]};
    duet_pricing_core_answer answer;
    duet_code code =
        duet_pricing_core_solve(generation->core, &problem, &generation->core_start[type], &answer,
                                generation->core_part, error);
    if (code == DUET_OK && answer.achieved > out->value) {
        out->value = answer.achieved;
        out->parts = answer.parts;
        memcpy(out->part, generation->core_part, out->parts * sizeof *out->part);
    }
    *limit = duet_max(answer.limit, out->value);
    return code;
}

static duet_code price_by_branching(duet_generation *generation, int64_t capacity, int64_t floor,
                                    duet_pricing_load *out, bool *exceeded, duet_error *error)
{
    const duet_branch_problem problem = {.items = generation->item,
                                         .count = generation->items,
                                         .capacity = capacity,
                                         .floor = floor,
                                         .steps = generation->effort.thorough ? BRANCH_STEPS : 0};
    duet_code code = duet_branch_solve(generation->branch, &problem, &out->value, exceeded, error);
    if (code == DUET_OK) {
        out->parts = duet_branch_set(generation->branch, out->part);
    }
    return code;
}

// Once branch and bound was given up: a table that is small, or the core, which ends where tables
// take long, or a table after all.
static duet_code price_after_branching(duet_generation *generation, size_t type, int64_t capacity,
                                       duet_pricing_load *out, int64_t *limit, duet_error *error)
{
    duet_code code = DUET_OK;
    *limit = INT64_MAX;
    if (duet_pricing_cells(generation->item, generation->items, capacity) > QUICK_CELLS) {
        code = price_by_core(generation, type, capacity, out, limit, error);
    }
    if (code == DUET_OK && *limit > out->value) {
        code = price_by_table(generation, capacity, out, limit, error);
    }
    return code == DUET_OK && *limit == INT64_MAX
               ? price_by_core(generation, type, capacity, out, limit, error)
               : code;
}

// Where branch and bound was given up and another way answered, that comes first from then on.
duet_code duet_generation_price(duet_generation *generation, size_t type, int64_t capacity,
                                int64_t floor, duet_pricing_load *out, int64_t *limit,
                                duet_error *error)
{
    bool exceeded = generation->effort.given_up[type];
    duet_code code = DUET_OK;
    if (has_releases(generation)) {
        return duet_generation_price_released(generation, type, capacity, floor, out, limit, error);
    }
    out->value = floor;
    out->parts = 0;
    if (!exceeded) {
        code = price_by_branching(generation, capacity, floor, out, &exceeded, error);
        *limit = out->value;
    }
    if (code == DUET_OK && exceeded) {
        code = price_after_branching(generation, type, capacity, out, limit, error);
        generation->effort.given_up[type] = *limit == out->value;
    }
    return code;
}

double duet_generation_scale(duet_generation *generation, int64_t guess)
{
    const double divisible_room = (double)(INT64_C(1) << 30);
    // The checker takes limits of up to 2^26, and 2^36 by the number of classes.
    const double fine_room =
        fmin((double)(INT64_C(1) << 26), (double)(INT64_C(1) << 36) / (double)generation->count);
    const double set_room =
        generation->effort.fine ? fine_room : fmin((double)(INT64_C(1) << 25), fine_room);
    double scale = divisible_room;
    for (size_t t = 0; t < generation->types; t++) {
        double densest = 0;
        for (size_t i = 0; i < generation->count; i++) {
            if (most_on_one(generation, t, i, capacity_within(generation, t, guess)) > 0) {
                double density = generation->smoothing.dual.task[pair_of(generation, t, i)] /
                                 (double)generation->classes->time[t][i];
                densest = duet_max(density, densest);
            }
        }
        if (densest > 0) {
            double room = generation->divisible[t] ? divisible_room : set_room;
            scale = fmin(scale, 0.98 * room / (densest * (double)guess));
        }
    }
    return scale;
}

// The limit of a type. On a divisible type it is the processor's own dual price, and every task has
// the highest price that this allows.
static duet_code limit_type(duet_generation *generation, size_t type, int64_t guess, double scale,
                            duet_error *error)
{
    duet_prices *prices = &generation->trial;
    int64_t capacity = capacity_within(generation, type, guess);
    duet_generation_list(generation, type, capacity);
    prices->divisible[type] = generation->divisible[type];
    prices->limit[type] = 0;
    generation->dearest[type].parts = 0;
    if (generation->classes->processors[type] == 0) {
        return DUET_OK;
    }
    if (generation->divisible[type]) {
        prices->limit[type] = (int64_t)ceil(generation->smoothing.dual.processor[type] * scale);
        for (size_t i = 0; i < generation->items; i++) {
            duet_int128 price =
                (duet_int128)prices->limit[type] * generation->item[i].time / capacity;
            prices->price[type][generation->item[i].class] = (int64_t)price;
        }
        return DUET_OK;
    }
    for (size_t i = 0; i < generation->items; i++) {
        generation->item[i].price = prices->price[type][generation->item[i].class];
    }
    // The program has loads at the price of a processor: a limit below is of no use.
    generation->dearest[type].value =
        (int64_t)(generation->smoothing.dual.processor[type] * scale * (1 - 1e-7));
    duet_code code =
        duet_generation_price(generation, type, capacity, generation->dearest[type].value,
                              &generation->dearest[type], &prices->limit[type], error);
    generation->unknown =
        generation->unknown || prices->limit[type] > generation->dearest[type].value;
    return code;
}

duet_code duet_generation_round(duet_generation *generation, double scale, int64_t guess,
                                duet_int128 *slack, duet_error *error)
{
    duet_code code = DUET_OK;
    generation->unknown = false;
    generation->dearest_scale = guess == generation->guess ? scale : 0;
    bool stopped = false;
    duet_generation_round_counts(generation, scale);
    for (size_t t = 0; t < generation->types && code == DUET_OK && !stopped; t++) {
        stopped = generation->context != NULL && duet_context_stop(generation->context);
        for (size_t i = 0; i < generation->count; i++) {
            // A task that no processor of the type can run within the guess is priced out of it.
            bool fits = duet_class_fits(generation->classes, i, t) &&
                        generation->classes->time[t][i] <= guess;
            double price = generation->smoothing.dual.task[pair_of(generation, t, i)] * scale + 0.5;
            generation->trial.price[t][i] = fits ? (int64_t)fmin(price, (double)NEVER) : NEVER;
        }
        code = stopped ? code : limit_type(generation, t, guess, scale, error);
    }
    generation->unknown = generation->unknown || stopped;
    *slack = stopped ? INT64_MAX
                     : duet_branching_rows_slack(generation->classes, generation->state,
                                                 &generation->trial, generation->row) -
                           duet_generation_taken_cost(generation, &generation->trial);
    return code;
}
