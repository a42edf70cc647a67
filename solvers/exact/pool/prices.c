// SPDX-License-Identifier: Apache-2.0
// Integer prices from the duals of a master program. They need no linear program to be checked: the
// limit of the pool's type is the highest price of a live pattern.
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/counted.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/pool/pool_state.h"

// The integer price of a processor of the divisible type, such that all prices are below 2^31.
static double scale_of(const duet_pool *pool, const duet_pool_duals *duals)
{
    const double room = 0x1p30;
    double most = fmax(1, duals->processor + duals->gain);
    for (size_t c = 0; c < pool->classes->count; c++) {
        most = fmax(most, pool->dual[c]);
    }
    for (size_t r = 0; r < pool->rows; r++) {
        most = fmax(most, fabs(pool->row[r].dual));
    }
    // Whole multiples of the capacity: times of the divisible type are priced without rounding.
    double capacity = (double)pool->classes->capacity[1 - pool->type];
    double ticks = floor(room / most / capacity);
    return ticks >= 1 ? ticks * capacity : room / most;
}

// The prices of the open bounds. A branching row's dual is that of its tightest bound on the side
// that its sign tells; the price of any other bound is 0.
static duet_code round_rows(duet_pool *pool, double scale, duet_prices *prices, duet_error *error)
{
    prices->rows = 0;
    for (size_t i = 0; i < pool->opened; i++) {
        DUET_TRY(duet_vec_grow(prices->row, i, error));
        const duet_pool_bound *open = &pool->open[i];
        double dual = pool->row[open->row].dual;
        bool tightest = open->at_least ? dual > 0 : dual < 0;
        for (size_t j = 0; j < pool->opened && tightest; j++) {
            const duet_pool_bound *other = &pool->open[j];
            bool same = other->row == open->row && other->at_least == open->at_least;
            int64_t tighter =
                open->at_least ? other->bound - open->bound : open->bound - other->bound;
            tightest = !same || tighter < 0 || (tighter == 0 && j >= i);
        }
        prices->row[prices->rows++] = tightest ? (int64_t)(fabs(dual) * scale + 0.5) : 0;
    }
    return DUET_OK;
}

// The prices of the classes, and the limits. A class that no live pattern has gets the highest
// price on the pool's type: no limit rises by it. *fits: the limit of the pool's type is below
// 2^31.
static duet_code round_prices(duet_pool *pool, double scale, duet_prices *prices, bool *fits,
                              duet_error *error)
{
    const int64_t most = (INT64_C(1) << 31) - 1;
    const duet_classes *classes = pool->classes;
    size_t type = pool->type;
    size_t other = 1 - type;
    prices->id = -1;
    prices->weight[0] = prices->weight[1] = -1;
    prices->divisible[type] = prices->listed[other] = false;
    prices->divisible[other] = prices->listed[type] = true;
    prices->limit[other] = pool->fitting ? 0 : (int64_t)scale;
    DUET_ASSERT(prices->limit[other] <= most);
    for (size_t c = 0; c < classes->count; c++) {
        prices->price[0][c] = prices->price[1][c] = 0;
        if (duet_class_fits(classes, c, other)) {
            prices->price[other][c] = (int64_t)((duet_int128)prices->limit[other] *
                                                classes->time[other][c] / classes->capacity[other]);
        }
        if (duet_class_fits(classes, c, type)) {
            prices->price[type][c] =
                pool->class_present[c] ? (int64_t)(pool->dual[c] * scale + 0.5) : most;
        }
    }
    int64_t limit = 0;
    duet_code code = duet_pool_set_item_prices(pool, prices, error);
    duet_count_work(DUET_POOL_NANOSECONDS * (int64_t)pool->lives);
    for (size_t i = 0; i < pool->lives && code == DUET_OK; i++) {
        int64_t price = duet_pool_pattern_price(pool, pool->live[i]);
        limit = duet_max(price, limit);
    }
    prices->limit[type] = limit;
    *fits = limit <= most;
    return code;
}

duet_code duet_pool_round_duals(duet_pool *pool, const duet_residual *state,
                                const duet_pool_duals *duals, duet_prices *prices, bool *refuted,
                                duet_error *error)
{
    duet_code code = DUET_OK;
    bool fits = false;
    double scale = scale_of(pool, duals);
    while (code == DUET_OK && !fits) {
        code = round_rows(pool, scale, prices, error);
        DUET_THEN(code, round_prices(pool, scale, prices, &fits, error));
        scale = floor(scale / 2);
    }
    *refuted =
        code == DUET_OK &&
        duet_residual_slack(pool->classes, state, prices) + duet_pool_row_term(pool, prices) < 0;
    return code;
}
