// SPDX-License-Identifier: Apache-2.0
// Dual prices as integers, with a limit for the load of a processor of each type that holds: they
// are a proof of what they leave as slack, whatever the linear program did.
#include <math.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "lp/configuration/configuration_state.h"

enum { NEVER = 1 << 30 }; // the price of a task on a processor that cannot run it in time

static const double DIVISIBLE_ROOM = 0x1p30; // of prices

// The highest price that a load of the listed items may have.
static double room_of(const duet_configuration *c, size_t type, int64_t guess)
{
    const double usual = 0x1p25;
    const double table_room = 0x1p22;
    // The checker takes limits of up to 2^26, and 2^36 by the number of classes.
    double checked = fmin(0x1p26, 0x1p36 / (double)c->count);
    if (c->divisible[type]) {
        return DIVISIBLE_ROOM;
    }
    if (c->effort.by_table) {
        double table = (double)duet_pricing_scale(c->desk.item, c->desk.items, guess);
        double fine = fmax(table, fmin(ldexp(table, c->effort.fine), table_room));
        return fmin(fine, fmin(usual, checked));
    }
    return c->effort.fine > 0 ? checked : fmin(usual, checked);
}

double duet_rounding_scale(duet_configuration *c, int64_t guess)
{
    double scale = DIVISIBLE_ROOM;
    for (size_t t = 0; t < c->types; t++) {
        int64_t first = c->classes->first == NULL ? 0 : c->classes->first[t];
        double room = (double)duet_max(guess - first, 0);
        duet_loads_list(c, &c->desk, t, capacity_within(c, t, guess));
        double densest = 0;
        for (size_t i = 0; i < c->desk.items; i++) {
            double dual = c->smoothing.dual.task[pair_of(c, t, c->desk.item[i].class)];
            double density = dual / (double)c->desk.item[i].time;
            densest = duet_max(density, densest);
        }
        if (densest > 0 && c->state->processors[t] > 0) {
            scale = fmin(scale, 0.98 * room_of(c, t, guess) / (densest * room));
        }
    }
    return scale;
}

// On a divisible type the limit is the processor's own dual price, and every task has the highest
// price that this allows: if the densest task set the limit, the rounding of a tiny one would raise
// it for all.
static void limit_divisible(duet_configuration *c, size_t type, int64_t capacity, double scale)
{
    duet_prices *prices = &c->trial;
    duet_loads_list(c, &c->desk, type, capacity);
    prices->limit[type] = (int64_t)ceil(c->smoothing.dual.processor[type] * scale);
    for (size_t i = 0; i < c->desk.items; i++) {
        duet_int128 price = (duet_int128)prices->limit[type] * c->desk.item[i].time / capacity;
        prices->price[type][c->desk.item[i].class] = (int64_t)price;
    }
}

// The limit of a type for the capacity that the trial prices are for.
static duet_code limit_type(duet_configuration *c, pricing_desk *desk, size_t type, double scale,
                            duet_error *error)
{
    duet_prices *prices = &c->trial;
    duet_pricing_load *dearest = &c->dearest[type];
    int64_t capacity = capacity_within(c, type, c->priced_guess);
    duet_loads_list(c, desk, type, capacity);
    for (size_t i = 0; i < desk->items; i++) {
        desk->item[i].price = prices->price[type][desk->item[i].class];
    }
    // The program has loads at the price of a processor: a limit below is of no use.
    double processor = c->smoothing.dual.processor[type] * scale;
    int64_t floor = (int64_t)(processor * (1 - 1e-7));
    duet_code code =
        duet_loads_price(c, desk, type, capacity, floor, dearest, &prices->limit[type], error);
    desk->unknown = desk->unknown || prices->limit[type] > dearest->value;
    return code;
}

// Where a program lasts, a task that no processor of the type can run within the guess is priced
// out of it.
static void round_type(duet_configuration *c, size_t type, int64_t guess, double scale)
{
    for (size_t i = 0; i < c->count; i++) {
        bool fits = duet_class_fits(c->classes, i, type) && c->classes->time[type][i] <= guess &&
                    (c->lasts || c->state->processors[type] > 0);
        double price = c->smoothing.dual.task[pair_of(c, type, i)] * scale + 0.5;
        c->trial.price[type][i] = fits ? (int64_t)fmin(price, (double)NEVER) : c->lasts ? NEVER : 0;
    }
}

duet_code duet_rounding_prices(duet_configuration *c, double scale, int64_t guess,
                               duet_int128 *slack, duet_error *error)
{
    const double most = INT32_MAX; // of prices of rows, in proofs
    c->effort.unknown = false;
    c->dearest_scale = guess == c->guess ? scale : 0;
    c->priced_guess = guess;
    for (size_t k = 0; k < c->branching_rows; k++) {
        c->trial.row[k] = (int64_t)fmin(c->smoothing.dual.row[k] * scale + 0.5, most);
    }
    for (size_t t = 0; t < c->types; t++) {
        round_type(c, t, guess, scale);
        c->trial.divisible[t] = c->divisible[t];
        c->trial.limit[t] = 0;
        c->dearest[t].parts = 0;
        if (c->divisible[t] && c->state->processors[t] > 0) {
            limit_divisible(c, t, capacity_within(c, t, guess), scale);
        }
    }
    bool stopped = c->context != NULL && duet_context_stop(c->context);
    duet_code code = stopped ? DUET_OK : duet_desks_price(c, limit_type, scale, error);
    stopped = stopped || (c->context != NULL && duet_context_stop(c->context));
    c->effort.unknown = c->effort.unknown || stopped;
    *slack = stopped
                 ? INT64_MAX
                 : duet_branching_rows_slack(c->classes, c->state, &c->trial, c->branching_row) -
                       duet_generation_taken_cost(c, &c->trial);
    return code;
}

bool duet_rounding_has_dearest(const duet_configuration *c, size_t type, double scale)
{
    const duet_pricing_load *dearest = &c->dearest[type];
    bool fits = c->dearest_scale == scale && (dearest->parts > 0 || !c->effort.unknown);
    for (size_t p = 0; p < dearest->parts && fits; p++) {
        const duet_pricing_part *part = &dearest->part[p];
        fits = part->tasks <= duet_residual_most(c->state, part->class, type);
    }
    return fits;
}
