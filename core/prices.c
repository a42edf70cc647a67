// SPDX-License-Identifier: Apache-2.0
#include "core/prices.h"

#include <string.h>

#include "core/assert.h"
#include "core/memory.h"

duet_code duet_prices_create(const duet_classes *classes, duet_prices *prices, duet_error *error)
{
    *prices = (duet_prices){.id = -1, .weight = {-1, -1}};
    for (size_t t = 0; t < 2; t++) {
        prices->price[t] = duet_alloc(classes->count, sizeof *prices->price[t], error);
    }
    if (prices->price[0] == NULL || prices->price[1] == NULL) {
        duet_prices_free(prices);
        return DUET_E_MEMORY;
    }
    return DUET_OK;
}

void duet_prices_free(duet_prices *prices)
{
    duet_free(prices->price[0]);
    duet_free(prices->price[1]);
    duet_free(prices->row);
    prices->price[0] = NULL;
    prices->price[1] = NULL;
    prices->row = NULL;
    prices->rows = prices->row_room = 0;
}

void duet_prices_copy(const duet_classes *classes, const duet_prices *from, duet_prices *to)
{
    for (size_t t = 0; t < 2; t++) {
        memcpy(to->price[t], from->price[t], classes->count * sizeof *to->price[t]);
        to->limit[t] = from->limit[t];
        to->divisible[t] = from->divisible[t];
        to->listed[t] = from->listed[t];
        to->weight[t] = from->weight[t];
    }
    to->rows = from->rows;
    for (size_t i = 0; i < from->rows; i++) {
        to->row[i] = from->row[i];
    }
    to->id = -1;
}

duet_code duet_prices_make_room(duet_prices *prices, size_t rows, duet_error *error)
{
    return duet_reserve(&prices->row, rows, &prices->row_room, sizeof *prices->row, error);
}

void duet_prices_by_area(const duet_classes *classes, const int64_t weight[2], duet_prices *prices)
{
    for (size_t t = 0; t < 2; t++) {
        for (size_t c = 0; c < classes->count; c++) {
            prices->price[t][c] =
                duet_class_fits(classes, c, t) ? weight[t] * classes->time[t][c] : 0;
        }
        prices->limit[t] = weight[t] * classes->capacity[t];
        prices->divisible[t] = true;
        prices->listed[t] = false;
        prices->weight[t] = weight[t];
    }
    prices->rows = 0;
    prices->id = -1;
}

duet_code duet_prices_create_by_time(const duet_classes *classes, duet_prices prices[2],
                                     duet_error *error)
{
    static const int64_t alone[2][2] = {{1, 0}, {0, 1}};
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        code = duet_prices_create(classes, &prices[t], error);
        if (code == DUET_OK) {
            duet_prices_by_area(classes, alone[t], &prices[t]);
        }
    }
    return code;
}

duet_code duet_prices_certificate(const duet_classes *classes, const duet_prices *prices,
                                  int64_t lambda, duet_certificate *certificate, duet_error *error)
{
    int64_t *pairs = duet_alloc(2 * classes->count, sizeof *pairs, error);
    if (pairs == NULL) {
        return DUET_E_MEMORY;
    }
    duet_price_mode modes[2];
    for (size_t t = 0; t < 2; t++) {
        modes[t] = prices->divisible[t] ? DUET_PRICE_AREA : DUET_PRICE_SET;
        for (size_t c = 0; c < classes->count; c++) {
            pairs[2 * c + t] = prices->price[t][c];
        }
    }
    *certificate = (duet_certificate){.proof = DUET_PROOF_PRICES, .lambda = lambda};
    duet_code code = duet_price_list_create(classes->count, modes, prices->limit, pairs,
                                            &certificate->prices, error);
    duet_free(pairs);
    return code;
}

duet_code duet_residual_create(const duet_classes *classes, duet_residual *state, duet_error *error)
{
    *state = (duet_residual){.processors = {classes->processors[0], classes->processors[1]}};
    state->left = duet_alloc(classes->count, sizeof *state->left, error);
    state->low = duet_alloc(classes->count, sizeof *state->low, error);
    state->high = duet_alloc(classes->count, sizeof *state->high, error);
    if (state->left == NULL || state->low == NULL || state->high == NULL) {
        duet_residual_free(state);
        return DUET_E_MEMORY;
    }
    for (size_t c = 0; c < classes->count; c++) {
        state->left[c] = classes->tasks[c];
        state->low[c] = duet_class_fits(classes, c, 1) ? 0 : classes->tasks[c];
        state->high[c] = duet_class_fits(classes, c, 0) ? classes->tasks[c] : 0;
    }
    return DUET_OK;
}

void duet_residual_free(duet_residual *state)
{
    duet_free(state->left);
    duet_free(state->low);
    duet_free(state->high);
    *state = (duet_residual){.left = NULL};
}

void duet_residual_copy(const duet_classes *classes, const duet_residual *from, duet_residual *to)
{
    for (size_t c = 0; c < classes->count; c++) {
        to->left[c] = from->left[c];
        to->low[c] = from->low[c];
        to->high[c] = from->high[c];
    }
    to->processors[0] = from->processors[0];
    to->processors[1] = from->processors[1];
}

bool duet_residual_decided(const duet_classes *classes, const duet_residual *state)
{
    for (size_t c = 0; c < classes->count; c++) {
        if (state->low[c] < state->high[c]) {
            return false;
        }
    }
    return true;
}

// The limits of all remaining processors.
static duet_int128 limit_of(const duet_residual *state, const duet_prices *prices)
{
    return (duet_int128)state->processors[0] * prices->limit[0] +
           (duet_int128)state->processors[1] * prices->limit[1];
}

// The least price of the remaining tasks of a class, at these prices of one on each type.
static duet_int128 least_price(const duet_residual *state, size_t class, duet_int128 cpu,
                               duet_int128 gpu)
{
    DUET_ASSERT(0 <= state->low[class] && state->low[class] <= state->high[class] &&
                state->high[class] <= state->left[class]);
    int64_t on_cpu = cpu <= gpu ? state->high[class] : state->low[class];
    return cpu * on_cpu + gpu * (state->left[class] - on_cpu);
}

duet_int128 duet_residual_work(const duet_classes *classes, const duet_residual *state, size_t type)
{
    duet_int128 work = 0;
    for (size_t c = 0; c < classes->count; c++) {
        int64_t tasks = duet_residual_most(state, c, type);
        work += tasks > 0 ? (duet_int128)classes->time[type][c] * tasks : 0;
    }
    return work;
}

duet_int128 duet_residual_price(const duet_residual *state, const duet_prices *prices, size_t class)
{
    return least_price(state, class, prices->price[0][class], prices->price[1][class]);
}

duet_int128 duet_residual_slack(const duet_classes *classes, const duet_residual *state,
                                const duet_prices *prices)
{
    duet_int128 slack = limit_of(state, prices);
    for (size_t c = 0; c < classes->count; c++) {
        slack -= duet_residual_price(state, prices, c);
    }
    return slack;
}

int64_t duet_branching_rows_price(const duet_classes *classes, const duet_prices *prices,
                                  const duet_branching_row *branching_row, size_t class,
                                  size_t type)
{
    int64_t price = 0;
    for (size_t i = 0; i < prices->rows; i++) {
        if (branching_row[i].type == type &&
            duet_branching_row_has(classes, &branching_row[i], class)) {
            price += branching_row[i].at_least ? -prices->row[i] : prices->row[i];
        }
    }
    return price;
}

duet_int128 duet_branching_rows_term(const duet_prices *prices,
                                     const duet_branching_row *branching_row)
{
    duet_int128 row_term = 0;
    for (size_t i = 0; i < prices->rows; i++) {
        duet_int128 part = (duet_int128)prices->row[i] * branching_row[i].bound;
        row_term += branching_row[i].at_least ? -part : part;
    }
    return row_term;
}

duet_int128 duet_branching_rows_slack(const duet_classes *classes, const duet_residual *state,
                                      const duet_prices *prices,
                                      const duet_branching_row *branching_row)
{
    duet_int128 slack = limit_of(state, prices) + duet_branching_rows_term(prices, branching_row);
    for (size_t c = 0; c < classes->count; c++) {
        duet_int128 price[2];
        for (size_t t = 0; t < 2; t++) {
            price[t] = (duet_int128)prices->price[t][c] +
                       duet_branching_rows_price(classes, prices, branching_row, c, t);
        }
        slack -= least_price(state, c, price[0], price[1]);
    }
    return slack;
}
