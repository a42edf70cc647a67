// SPDX-License-Identifier: Apache-2.0
// Price vectors, and whether their limits hold. Includes no solver header: this is what an outsider
// trusts.
#include "check/proof/tree/vector.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_proof_residuals_init(duet_proof_residuals *all, const duet_proof_model *model,
                                    duet_error *error)
{
    size_t bytes = sizeof(duet_proof_residual) + (size_t)model->types * sizeof(duet_proof_range);
    *all = (duet_proof_residuals){.types = model->types, .bytes = bytes};
    all->row = duet_alloc(model->classes, bytes, error);
    DUET_NEED(all->row);
    for (size_t c = 0; c < model->classes; c++) {
        duet_proof_residual *left = duet_proof_left(all, c);
        int usable = 0;
        left->count = model->count[c];
        for (int t = 0; t < model->types; t++) {
            usable += model->time[t][c] > 0 ? 1 : 0;
        }
        for (int t = 0; t < model->types; t++) {
            bool here = model->time[t][c] > 0;
            left->on[t].low = usable > (here ? 1 : 0) ? 0 : left->count; // no other type can run it
            left->on[t].high = here ? left->count : 0;
        }
    }
    return DUET_OK;
}

void duet_proof_residuals_free(duet_proof_residuals *all)
{
    duet_free(all->row);
    *all = (duet_proof_residuals){.row = NULL};
}

void duet_proof_narrow(duet_proof_residual *left, int types, int type)
{
    if (types == 2) {
        left->on[1 - type].low = left->count - left->on[type].high;
        left->on[1 - type].high = left->count - left->on[type].low;
        return;
    }
    duet_int128 low = 0; // of all types together
    duet_int128 high = 0;
    for (int t = 0; t < types; t++) {
        low += left->on[t].low;
        high += left->on[t].high;
    }
    for (int t = 0; t < types; t++) {
        duet_proof_range own = left->on[t];
        duet_int128 forced = left->count - (high - own.high); // with the others at their most
        duet_int128 room = left->count - (low - own.low);     // with the others at their least
        left->on[t].low = forced > own.low ? (int64_t)forced : own.low;
        left->on[t].high = room < own.high ? (int64_t)room : own.high;
    }
}

// Of the types that can get more than their least number of tasks: the cheapest of those that come
// after `last` by price and number; -1 if no such type follows. After -1 they all come.
static int next_cheapest(const duet_proof_residual *left, int types, const duet_int128 *price,
                         int last)
{
    int next = -1;
    for (int t = 0; t < types; t++) {
        bool comes = last < 0 || price[t] > price[last] || (price[t] == price[last] && t > last);
        if (comes && left->on[t].low < left->on[t].high && (next < 0 || price[t] < price[next])) {
            next = t;
        }
    }
    return next;
}

duet_int128 duet_proof_least_price(const duet_proof_residual *left, int types,
                                   const duet_int128 *price)
{
    duet_int128 least = 0;
    duet_int128 more = left->count;
    for (int t = 0; t < types; t++) {
        least += price[t] * left->on[t].low;
        more -= left->on[t].low;
    }
    for (int t = next_cheapest(left, types, price, -1); more > 0 && t >= 0;
         t = next_cheapest(left, types, price, t)) {
        duet_int128 room = (duet_int128)left->on[t].high - left->on[t].low;
        room = duet_min(room, more);
        least += price[t] * room;
        more -= room;
    }
    return least;
}

duet_int128 duet_proof_demand_of_types(const duet_proof_vector *vector, size_t class,
                                       const duet_proof_residual *left)
{
    duet_int128 price[DUET_MAX_TYPES] = {0};
    for (int t = 0; t < vector->types; t++) {
        price[t] = duet_proof_price_of(vector, t, class);
    }
    return duet_proof_least_price(left, vector->types, price);
}

duet_int128 duet_proof_demand(const duet_proof_vector *vector, const duet_proof_model *model,
                              const duet_proof_residuals *left)
{
    duet_int128 demand = 0;
    for (size_t c = 0; c < model->classes; c++) {
        demand += duet_proof_class_demand(vector, c, duet_proof_left(left, c));
    }
    return demand;
}

// An empty vector, with room for prices of its own where it has them.
static duet_code init(duet_proof_vector *vector, const duet_proof_model *model, bool own,
                      duet_error *error)
{
    size_t types = (size_t)model->types;
    *vector = (duet_proof_vector){.types = model->types};
    vector->factor = duet_alloc(
        types, 2 * sizeof *vector->factor + sizeof *vector->price + sizeof *vector->listed, error);
    vector->owned = own ? duet_alloc(types * model->classes, sizeof *vector->owned, error) : NULL;
    if (vector->factor == NULL || (own && vector->owned == NULL)) {
        return DUET_E_MEMORY;
    }
    vector->limit = vector->factor + types;
    vector->price = (const int64_t **)(void *)(vector->limit + types);
    vector->listed = (bool *)(vector->price + types);
    for (size_t t = 0; t < types; t++) {
        vector->factor[t] = 1;
        vector->price[t] = own ? vector->owned + t * model->classes : model->time[t];
    }
    return DUET_OK;
}

duet_code duet_proof_vector_area(duet_proof_vector *vector, const duet_proof_model *model,
                                 const int64_t *weights, duet_error *error)
{
    DUET_TRY(init(vector, model, false, error));
    bool positive = false;
    for (int t = 0; t < model->types; t++) {
        if (weights[t] < 0 || weights[t] > DUET_PROOF_MAX_PRICE) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "%s weight %" PRId64 ": expected 0 to 2^31 - 1", model->name[t],
                                  weights[t]);
        }
        vector->factor[t] = weights[t];
        vector->limit[t] = model->capacity[t];
        positive = positive || weights[t] > 0;
    }
    if (!positive) {
        return duet_error_set(error, DUET_E_INPUT, "%s: expected one above 0",
                              model->types == 2 ? "weights 0 and 0" : "all weights are 0");
    }
    return DUET_OK;
}

// Adds one lump of tasks, taken as a whole or not at all. From the highest price down, so that it
// is not taken twice: the columns from `first` to before `end`, and those above `end` before.
static void add_lump(int64_t *least, int64_t first, int64_t end, int64_t price, int64_t time,
                     int64_t capacity)
{
    DUET_ASSERT(least[0] == 0 && price > 0 && time <= capacity);
    int64_t p = end - 1;
    int64_t least_other = first > price ? first : price + 1; // below it the lump alone is enough
    for (; p >= least_other; p--) {
        int64_t with = least[p - price] + time;
        if (with <= capacity) {
            least[p] = duet_min(with, least[p]);
        }
    }
    for (; p >= first; p--) {
        least[p] = duet_min(time, least[p]);
    }
}

duet_code duet_proof_add_tasks(int64_t *least, int64_t columns, int64_t price, int64_t time,
                               int64_t count, int64_t capacity, duet_watch *watch,
                               duet_error *error)
{
    if (price == 0 || columns < 2 || time > capacity) {
        return DUET_OK;
    }
    // More tasks than fit, or than the highest price takes, change nothing.
    int64_t fit = capacity / time;
    int64_t enough = (columns - 2) / price + 1;
    count = duet_min(count, fit);
    count = duet_min(count, enough);
    for (int64_t lump = 1; count > 0; lump *= 2) {
        lump = duet_min(lump, count);
        // lump <= enough, so that price * lump is below 2 * columns + price
        for (int64_t end = columns; end > 1; end -= DUET_WATCH_STRETCH) {
            int64_t first = end > DUET_WATCH_STRETCH ? end - DUET_WATCH_STRETCH : 1;
            add_lump(least, first, end, price * lump, time * lump, capacity);
            if (duet_watch_spend(watch, end - first)) {
                return duet_check_stopped(watch, error);
            }
        }
        count -= lump;
    }
    return DUET_OK;
}

duet_code duet_proof_dense_knapsack(const duet_proof_model *model, int type, const int64_t *price,
                                    int64_t limit, duet_watch *watch, int64_t *time,
                                    duet_error *error)
{
    int64_t columns = limit + 2;
    duet_code code = duet_memory_check((uint64_t)columns, sizeof(int64_t),
                                       watch->context->memory_limit, "a knapsack of prices", error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t *least = duet_alloc((size_t)columns, sizeof *least, error);
    DUET_NEED(least);
    for (int64_t p = 1; p < columns; p++) {
        least[p] = DUET_PROOF_NEVER;
    }
    for (size_t c = 0; c < model->classes && code == DUET_OK; c++) {
        if (model->time[type][c] > 0) {
            code = duet_proof_add_tasks(least, columns, price[c], model->time[type][c],
                                        model->count[c], model->capacity[type], watch, error);
        }
    }
    *time = least[limit + 1];
    duet_free(least);
    return code;
}

// A limit of mode `set` holds by a knapsack: any set of tasks with a higher price takes longer than
// the capacity. The core is enough for most; where its states take more memory than a table's
// cells, the table is faster.
static duet_code check_set(const duet_proof_vector *vector, const duet_proof_model *model, int type,
                           duet_watch *watch, duet_error *error)
{
    int64_t limit = vector->limit[type];
    if (limit > DUET_PROOF_MAX_SET ||
        (duet_int128)limit * (int64_t)model->classes > DUET_PROOF_MAX_SET_WORK) {
        return duet_error_set(error, DUET_E_INPUT,
                              "%s limit %" PRId64 " of a set of %zu classes: expected at most "
                              "2^26, and at most 2^36 by the number of classes",
                              model->name[type], limit, model->classes);
    }
    const int64_t *price = vector->price[type];
    if (model->release != NULL) {
        return duet_proof_nested_knapsack(model, type, price, limit, watch, error);
    }
    duet_proof_core_answer answer;
    enum { STATE = 72 }; // bytes, in two lists that grow
    size_t most = (size_t)limit / 16 + 1;
    size_t room = watch->context->memory_limit / STATE;
    const duet_proof_core_question question = {type, price, limit, duet_min(most, room)};
    duet_code code = duet_proof_core_knapsack(model, &question, watch, &answer, error);
    if (code == DUET_OK && answer.verdict == DUET_PROOF_CORE_OPEN) {
        code = duet_proof_dense_knapsack(model, type, price, limit, watch, &answer.time, error);
        answer.verdict =
            answer.time <= model->capacity[type] ? DUET_PROOF_CORE_BROKEN : DUET_PROOF_CORE_HOLDS;
    }
    if (code == DUET_OK && answer.verdict == DUET_PROOF_CORE_BROKEN) {
        code = duet_error_set(error, DUET_E_INPUT,
                              "%s limit %" PRId64 ": tasks of %" PRId64
                              " ticks are priced above it, expected "
                              "none of them within the capacity of %" PRId64,
                              model->name[type], limit, answer.time, model->capacity[type]);
    }
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
                                  model->name[type], vector->price[type][c], c, vector->limit[type],
                                  model->time[type][c], model->capacity[type]);
        }
    }
    return DUET_OK;
}

static duet_code check_range(const duet_proof_model *model, const char *what, int type,
                             int64_t value, duet_error *error)
{
    if (value < 0 || value > DUET_PROOF_MAX_PRICE) {
        return duet_error_set(error, DUET_E_INPUT, "%s %s %" PRId64 ": expected 0 to 2^31 - 1",
                              model->name[type], what, value);
    }
    return DUET_OK;
}

// Copies the prices of one type out of the rows.
static duet_code take_prices(int64_t *taken, const duet_proof_model *model, int type,
                             const int64_t *prices, duet_error *error)
{
    for (size_t c = 0; c < model->classes; c++) {
        taken[c] = prices[(size_t)model->types * c + (size_t)type];
        duet_code code = check_range(model, "price", type, taken[c], error);
        if (code == DUET_OK && model->time[type][c] == 0 && taken[c] != 0) {
            code = duet_error_set(error, DUET_E_INPUT,
                                  "%s price %" PRId64 " of class %zu: expected 0, since it cannot "
                                  "run there",
                                  model->name[type], taken[c], c);
        }
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

duet_code duet_proof_vector_prices(duet_proof_vector *vector, const duet_proof_model *model,
                                   const duet_proof_prices *given, duet_watch *watch,
                                   duet_error *error)
{
    duet_code code = init(vector, model, true, error);
    for (int t = 0; t < model->types && code == DUET_OK; t++) {
        int64_t *taken = vector->owned + (size_t)t * model->classes;
        vector->limit[t] = given->limits[t];
        code = check_range(model, "limit", t, given->limits[t], error);
        DUET_THEN(code, take_prices(taken, model, t, given->prices, error));
        vector->listed[t] = given->listed != NULL && given->listed[t];
        duet_proof_model own = *model; // with the tasks that sets may have
        if (given->most != NULL && given->most[t] != NULL) {
            own.count = (int64_t *)(void *)given->most[t];
            vector->here = true;
        }
        if (code == DUET_OK && !vector->listed[t]) {
            code = given->modes[t] == DUET_PRICE_SET ? check_set(vector, &own, t, watch, error)
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
    DUET_NEED(vector->row_price);
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
    duet_free(vector->factor); // and the arrays behind
    *vector = (duet_proof_vector){.owned = NULL};
}
