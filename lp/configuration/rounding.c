// SPDX-License-Identifier: Apache-2.0
// Dual prices as integers, with a limit for the load of a processor of each type that holds: they
// are a proof of what they leave as slack, whatever the linear program did.
#include <math.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "lp/configuration/configuration_state.h"

double duet_rounding_scale(duet_configuration *c, int64_t guess)
{
    const double set_room = (double)(INT64_C(1) << 25);
    const double divisible_room = (double)(INT64_C(1) << 30);
    const double table_room = (double)(INT64_C(1) << 22);
    double scale = divisible_room;
    for (size_t t = 0; t < 2; t++) {
        duet_loads_list(c, t);
        double densest = 0;
        for (size_t i = 0; i < c->items; i++) {
            double density = c->smoothing.dual.task[t][c->item[i].class] / (double)c->item[i].time;
            densest = duet_max(density, densest);
        }
        if (densest > 0 && c->state->processors[t] > 0) {
            double most = divisible_room;
            if (!c->divisible[t]) {
                double table = (double)duet_pricing_scale(c->item, c->items, guess);
                double fine = fmax(table, fmin(ldexp(table, c->fine), table_room));
                most = c->effort.by_branching[t] ? set_room : fmin(fine, set_room);
            }
            scale = fmin(scale, 0.98 * most / (densest * (double)guess));
        }
    }
    return scale;
}

// The limit of a type for a capacity. On a divisible type it is the processor's own dual price, and
// every task has the highest price that this allows: if the densest task set the limit, the
// rounding of a tiny one would raise it for all.
static duet_code limit_type(duet_configuration *c, size_t type, int64_t capacity, double scale,
                            duet_error *error)
{
    duet_prices *prices = &c->trial;
    duet_loads_list(c, type);
    prices->divisible[type] = c->divisible[type];
    prices->limit[type] = 0;
    for (size_t i = 0; i < c->items; i++) {
        c->item[i].price = prices->price[type][c->item[i].class];
    }
    if (!c->divisible[type]) {
        // The program has loads at the price of a processor: a limit below is of no use.
        int64_t floor = (int64_t)(c->smoothing.dual.processor[type] * scale * (1 - 1e-7));
        duet_code code = duet_loads_limit(c, type, capacity, floor, &c->dearest[type], error);
        prices->limit[type] = c->dearest[type].value;
        return code;
    }
    prices->limit[type] = (int64_t)ceil(c->smoothing.dual.processor[type] * scale);
    for (size_t i = 0; i < c->items; i++) {
        duet_int128 price = (duet_int128)prices->limit[type] * c->item[i].time / capacity;
        prices->price[type][c->item[i].class] = (int64_t)price;
    }
    return DUET_OK;
}

duet_code duet_rounding_prices(duet_configuration *c, double scale, int64_t guess,
                               duet_int128 *slack, duet_error *error)
{
    duet_code code = DUET_OK;
    c->unknown = false;
    c->dearest_scale = guess == c->classes->guess ? scale : 0;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        for (size_t i = 0; i < c->classes->count; i++) {
            bool fits = duet_class_fits(c->classes, i, t) && c->state->processors[t] > 0;
            c->trial.price[t][i] = fits ? (int64_t)(c->smoothing.dual.task[t][i] * scale + 0.5) : 0;
            DUET_ASSERT(c->divisible[t] || c->trial.price[t][i] < INT64_C(1) << 31);
        }
        code = limit_type(c, t, guess / c->classes->unit[t] * c->classes->unit[t], scale, error);
    }
    const double most = 0x1p30;
    for (size_t k = 0; k < c->branching_rows; k++) {
        c->trial.row[k] = (int64_t)(fmin(fabs(c->smoothing.dual.row[k]) * scale, most) + 0.5);
    }
    *slack = c->unknown
                 ? 0
                 : duet_branching_rows_slack(c->classes, c->state, &c->trial, c->branching_row);
    return code;
}

bool duet_rounding_has_dearest(const duet_configuration *c, size_t type, double scale)
{
    const duet_pricing_load *dearest = &c->dearest[type];
    bool fits = c->dearest_scale == scale && (dearest->parts > 0 || !c->unknown);
    for (size_t p = 0; p < dearest->parts && fits; p++) {
        const duet_pricing_part *part = &dearest->part[p];
        fits = part->tasks <= duet_residual_most(c->state, part->class, type);
    }
    return fits;
}
