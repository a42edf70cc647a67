// SPDX-License-Identifier: Apache-2.0
// Price vectors, and whether their limits hold. Includes no solver header: this is what an outsider
// trusts.
#include "check/proof/vector.h"

#include <inttypes.h>

#include "core/assert.h"
#include "core/memory.h"

static const char *const type_names[DUET_PROOF_TYPES] = {"CPU", "GPU"};

duet_int128 duet_proof_demand(const duet_proof_vector *vector, const duet_proof_model *model,
                              const duet_proof_residual *left)
{
    duet_int128 demand = 0;
    for (size_t c = 0; c < model->classes; c++) {
        demand += duet_proof_class_demand(vector, c, &left[c]);
    }
    return demand;
}

duet_code duet_proof_vector_area(duet_proof_vector *vector, const duet_proof_model *model,
                                 const int64_t *weights, duet_error *error)
{
    *vector = (duet_proof_vector){.owned = NULL};
    for (int t = 0; t < DUET_PROOF_TYPES; t++) {
        if (weights[t] < 0 || weights[t] > DUET_PROOF_MAX_PRICE) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "%s weight %" PRId64 ": expected 0 to 2^31 - 1", type_names[t],
                                  weights[t]);
        }
        vector->factor[t] = weights[t];
        vector->limit[t] = model->capacity[t];
        vector->price[t] = model->time[t];
    }
    if (weights[0] == 0 && weights[1] == 0) {
        return duet_error_set(error, DUET_E_INPUT, "weights 0 and 0: expected one above 0");
    }
    return DUET_OK;
}

// Adds one lump of tasks, taken as a whole or not at all. From the highest price down, so that it
// is not taken twice.
static void add_lump(int64_t *least, int64_t columns, int64_t price, int64_t time, int64_t capacity)
{
    DUET_ASSERT(least[0] == 0 && price > 0 && time <= capacity);
    int64_t p = columns - 1;
    for (; p > price; p--) {
        int64_t with = least[p - price] + time;
        if (with <= capacity) {
            least[p] = with < least[p] ? with : least[p];
        }
    }
    for (; p > 0; p--) { // the lump alone is enough
        least[p] = time < least[p] ? time : least[p];
    }
}

void duet_proof_add_tasks(int64_t *least, int64_t columns, int64_t price, int64_t time,
                          int64_t count, int64_t capacity)
{
    if (price == 0 || columns < 2 || time > capacity) {
        return;
    }
    // More tasks than fit, or than the highest price takes, change nothing.
    int64_t fit = capacity / time;
    int64_t enough = (columns - 2) / price + 1;
    count = count < fit ? count : fit;
    count = count < enough ? count : enough;
    for (int64_t lump = 1; count > 0; lump *= 2) {
        lump = lump < count ? lump : count;
        // lump <= enough, so that price * lump is below 2 * columns + price
        add_lump(least, columns, price * lump, time * lump, capacity);
        count -= lump;
    }
}

// A limit of mode `set` holds by a knapsack: any set of tasks with a higher price takes longer than
// the capacity.
static duet_code check_set(const duet_proof_vector *vector, const duet_proof_model *model, int type,
                           const duet_context *context, duet_error *error)
{
    int64_t limit = vector->limit[type];
    if (limit > DUET_PROOF_MAX_SET ||
        (duet_int128)limit * (int64_t)model->classes > DUET_PROOF_MAX_SET_WORK) {
        return duet_error_set(error, DUET_E_INPUT,
                              "%s limit %" PRId64 " of a set of %zu classes: expected at most "
                              "2^26, and at most 2^36 by the number of classes",
                              type_names[type], limit, model->classes);
    }
    int64_t columns = limit + 2;
    int64_t *least = duet_alloc((size_t)columns, sizeof *least, error);
    if (least == NULL) {
        return DUET_E_MEMORY;
    }
    for (int64_t p = 1; p < columns; p++) {
        least[p] = DUET_PROOF_NEVER;
    }
    duet_code code = DUET_OK;
    for (size_t c = 0; c < model->classes && code == DUET_OK; c++) {
        if (model->time[type][c] > 0) {
            duet_proof_add_tasks(least, columns, vector->price[type][c], model->time[type][c],
                                 model->count[c], model->capacity[type]);
        }
        code = duet_proof_stop(context, error);
    }
    if (code == DUET_OK && least[limit + 1] <= model->capacity[type]) {
        code = duet_error_set(error, DUET_E_INPUT,
                              "%s limit %" PRId64 ": tasks of %" PRId64
                              " ticks are priced above it, expected "
                              "none of them within the capacity of %" PRId64,
                              type_names[type], limit, least[limit + 1], model->capacity[type]);
    }
    duet_free(least);
    return code;
}

// A limit of mode `area` holds by density: no class has a higher price per tick than the limit has
// per tick of the capacity.
static duet_code check_density(const duet_proof_vector *vector, const duet_proof_model *model,
                               int type, duet_error *error)
{
    for (size_t c = 0; c < model->classes; c++) {
        if ((duet_int128)vector->price[type][c] * model->capacity[type] >
            (duet_int128)vector->limit[type] * model->time[type][c]) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "%s price %" PRId64 " of class %zu: expected at most the limit "
                                  "%" PRId64 " times its time %" PRId64 " by the capacity %" PRId64,
                                  type_names[type], vector->price[type][c], c, vector->limit[type],
                                  model->time[type][c], model->capacity[type]);
        }
    }
    return DUET_OK;
}

static duet_code check_range(const char *what, int type, int64_t value, duet_error *error)
{
    if (value < 0 || value > DUET_PROOF_MAX_PRICE) {
        return duet_error_set(error, DUET_E_INPUT, "%s %s %" PRId64 ": expected 0 to 2^31 - 1",
                              type_names[type], what, value);
    }
    return DUET_OK;
}

// Copies the prices of one type out of the pairs.
static duet_code take_prices(int64_t *taken, const duet_proof_model *model, int type,
                             const int64_t *prices, duet_error *error)
{
    for (size_t c = 0; c < model->classes; c++) {
        taken[c] = prices[2 * c + (size_t)type];
        duet_code code = check_range("price", type, taken[c], error);
        if (code == DUET_OK && model->time[type][c] == 0 && taken[c] != 0) {
            code = duet_error_set(error, DUET_E_INPUT,
                                  "%s price %" PRId64 " of class %zu: expected 0, since it cannot "
                                  "run there",
                                  type_names[type], taken[c], c);
        }
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

duet_code duet_proof_vector_prices(duet_proof_vector *vector, const duet_proof_model *model,
                                   const duet_proof_prices *given, const duet_context *context,
                                   duet_error *error)
{
    *vector = (duet_proof_vector){.factor = {1, 1}};
    vector->owned = duet_alloc(2 * model->classes, sizeof *vector->owned, error);
    duet_code code = vector->owned == NULL ? DUET_E_MEMORY : DUET_OK;
    for (int t = 0; t < DUET_PROOF_TYPES && code == DUET_OK; t++) {
        int64_t *taken = vector->owned + (size_t)t * model->classes;
        vector->limit[t] = given->limits[t];
        vector->price[t] = taken;
        code = check_range("limit", t, given->limits[t], error);
        if (code == DUET_OK) {
            code = take_prices(taken, model, t, given->prices, error);
        }
        vector->listed[t] = given->listed != NULL && given->listed[t];
        if (code == DUET_OK && !vector->listed[t]) {
            code = given->modes[t] == DUET_PRICE_SET ? check_set(vector, model, t, context, error)
                                                     : check_density(vector, model, t, error);
        }
    }
    return code;
}

duet_code duet_proof_vector_rows(duet_proof_vector *vector, const int64_t *prices, size_t rows,
                                 duet_error *error)
{
    DUET_ASSERT(vector->owned != NULL && vector->row_price == NULL);
    vector->row_price = duet_alloc(rows, sizeof *vector->row_price, error);
    if (vector->row_price == NULL) {
        return DUET_E_MEMORY;
    }
    vector->rows = rows;
    for (size_t i = 0; i < rows; i++) {
        if (prices[i] < 0 || prices[i] > DUET_PROOF_MAX_PRICE) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "price %" PRId64 " of count %zu: expected 0 to 2^31 - 1",
                                  prices[i], i);
        }
        vector->row_price[i] = prices[i];
    }
    return DUET_OK;
}

void duet_proof_vector_free(duet_proof_vector *vector)
{
    duet_free(vector->row_price);
    duet_free(vector->owned);
    *vector = (duet_proof_vector){.owned = NULL};
}
