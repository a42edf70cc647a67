// SPDX-License-Identifier: Apache-2.0
// Prices in integers from the duals of a program over a list.
#include <math.h>

#include "core/memory.h"
#include "solvers/exact/pool/state.h"

// What a processor of the other type is in integers, such that all prices are below 2^31.
static double scale_of(const duet_pool *pool, const duet_pool_duals *read)
{
    const double room = 0x1p30;
    double most = fmax(1, read->processor + read->most);
    for (size_t c = 0; c < pool->classes->count; c++) {
        most = fmax(most, pool->price[c]);
    }
    for (size_t p = 0; p < pool->properties; p++) {
        most = fmax(most, fabs(pool->property[p].dual));
    }
    // Whole multiples of the times lose nothing.
    double capacity = (double)pool->classes->capacity[1 - pool->type];
    double ticks = floor(room / most / capacity);
    return ticks >= 1 ? ticks * capacity : room / most;
}

// The duals of the counts in integers: each is that of the tightest bound on its side.
static duet_code round_counts(duet_pool *pool, double scale, duet_prices *prices, duet_error *error)
{
    prices->counts = 0;
    for (size_t i = 0; i < pool->opened; i++) {
        duet_code code =
            duet_grow(&prices->count, i, &prices->count_room, sizeof *prices->count, error);
        if (code != DUET_OK) {
            return code;
        }
        const duet_pool_bound *open = &pool->open[i];
        double dual = pool->property[open->property].dual;
        bool tightest = open->at_least ? dual > 0 : dual < 0;
        for (size_t j = 0; j < pool->opened && tightest; j++) {
            const duet_pool_bound *other = &pool->open[j];
            bool same = other->property == open->property && other->at_least == open->at_least;
            int64_t tighter =
                open->at_least ? other->bound - open->bound : open->bound - other->bound;
            tightest = !same || tighter < 0 || (tighter == 0 && j >= i);
        }
        prices->count[prices->counts++] = tightest ? (int64_t)(fabs(dual) * scale + 0.5) : 0;
    }
    return DUET_OK;
}

duet_int128 duet_pool_row_term(const duet_pool *pool, const duet_prices *prices)
{
    duet_int128 row_term = 0;
    for (size_t i = 0; i < prices->counts; i++) {
        duet_int128 part = (duet_int128)prices->count[i] * pool->open[i].bound;
        row_term += pool->open[i].at_least ? -part : part;
    }
    return row_term;
}

// The duals in integers. Classes that no pattern has are dear on the list's type: they cost
// nothing there. *fits: so does the limit.
static duet_code round_prices(duet_pool *pool, double scale, duet_prices *prices, bool *fits,
                              duet_error *error)
{
    const int64_t most = (INT64_C(1) << 31) - 1;
    const duet_classes *classes = pool->classes;
    size_t type = pool->type;
    size_t other = 1 - type;
    prices->id = -1;
    prices->weight[0] = prices->weight[1] = -1;
    prices->area[type] = prices->listed[other] = false;
    prices->area[other] = prices->listed[type] = true;
    prices->limit[other] = pool->fitting ? 0 : (int64_t)scale;
    for (size_t c = 0; c < classes->count; c++) {
        prices->price[0][c] = prices->price[1][c] = 0;
        if (duet_class_fits(classes, c, other)) {
            prices->price[other][c] = (int64_t)((duet_int128)prices->limit[other] *
                                                classes->time[other][c] / classes->capacity[other]);
        }
        if (duet_class_fits(classes, c, type)) {
            prices->price[type][c] =
                pool->listed[c] ? (int64_t)(pool->price[c] * scale + 0.5) : most;
        }
    }
    int64_t limit = 0;
    duet_code code = duet_pool_read_prices(pool, prices, error);
    for (size_t i = 0; i < pool->lives && code == DUET_OK; i++) {
        int64_t price = duet_pool_price(pool, pool->live[i]);
        limit = price > limit ? price : limit;
    }
    prices->limit[type] = limit;
    *fits = limit <= most;
    return code;
}

// Prices in integers, and whether they refute the state.
duet_code duet_pool_conclude(duet_pool *pool, const duet_residual *state,
                             const duet_pool_duals *read, duet_prices *prices, bool *refuted,
                             duet_error *error)
{
    duet_code code = DUET_OK;
    bool fits = false;
    double scale = scale_of(pool, read);
    while (code == DUET_OK && !fits) {
        code = round_counts(pool, scale, prices, error);
        if (code == DUET_OK) {
            code = round_prices(pool, scale, prices, &fits, error);
        }
        scale = floor(scale / 2);
    }
    *refuted =
        code == DUET_OK &&
        duet_residual_slack(pool->classes, state, prices) + duet_pool_row_term(pool, prices) < 0;
    return code;
}
