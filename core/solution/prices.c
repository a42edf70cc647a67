// SPDX-License-Identifier: Apache-2.0
#include "core/solution/prices.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

duet_code duet_prices_create(const duet_classes *classes, duet_prices *prices, duet_error *error)
{
    size_t types = classes->types;
    *prices = (duet_prices){.id = -1, .types = types};
    prices->price = duet_alloc(types, sizeof *prices->price, error);
    prices->limit = duet_alloc(types * (classes->count + 2), sizeof *prices->limit, error);
    prices->divisible = duet_alloc(2 * types, sizeof *prices->divisible, error);
    if (prices->price == NULL || prices->limit == NULL || prices->divisible == NULL) {
        duet_prices_free(prices);
        return DUET_E_MEMORY;
    }
    prices->listed = prices->divisible + types;
    prices->weight = prices->limit + types;
    for (size_t t = 0; t < types; t++) {
        prices->weight[t] = -1;
        prices->price[t] = prices->weight + types + t * classes->count;
    }
    return DUET_OK;
}

void duet_prices_free(duet_prices *prices)
{
    duet_free(prices->price);
    duet_free(prices->limit); // and the weights and prices behind
    duet_free(prices->divisible);
    duet_free(prices->row);
    *prices = (duet_prices){.id = -1};
}

void duet_prices_copy(const duet_classes *classes, const duet_prices *from, duet_prices *to)
{
    DUET_ASSERT(from->types == classes->types && to->types == classes->types);
    for (size_t t = 0; t < classes->types; t++) {
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

void duet_prices_by_area(const duet_classes *classes, const int64_t *weight, duet_prices *prices)
{
    for (size_t t = 0; t < classes->types; t++) {
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

duet_code duet_prices_create_by_time(const duet_classes *classes, duet_prices *prices,
                                     duet_error *error)
{
    int64_t alone[DUET_MAX_TYPES] = {0};
    duet_code code = DUET_OK;
    for (size_t t = 0; t < classes->types && code == DUET_OK; t++) {
        code = duet_prices_create(classes, &prices[t], error);
        if (code == DUET_OK) {
            alone[t] = 1;
            duet_prices_by_area(classes, alone, &prices[t]);
            alone[t] = 0;
        }
    }
    return code;
}

duet_code duet_prices_certificate(const duet_classes *classes, const duet_prices *prices,
                                  int64_t lambda, duet_certificate *certificate, duet_error *error)
{
    size_t types = classes->types;
    int64_t *row = duet_alloc(types * classes->count, sizeof *row, error); // of each class
    if (row == NULL) {
        return DUET_E_MEMORY;
    }
    duet_price_mode modes[DUET_MAX_TYPES];
    for (size_t t = 0; t < types; t++) {
        modes[t] = prices->divisible[t] ? DUET_PRICE_AREA : DUET_PRICE_SET;
        for (size_t c = 0; c < classes->count; c++) {
            row[types * c + t] = prices->price[t][c];
        }
    }
    *certificate = (duet_certificate){.proof = DUET_PROOF_PRICES, .lambda = lambda};
    duet_code code = duet_price_list_create(types, classes->count, modes, prices->limit, row,
                                            &certificate->prices, error);
    duet_free(row);
    return code;
}

// Narrows the limits of a class on every type to what some choice within those of all types
// reaches.
static void tighten(duet_residual *state, size_t class)
{
    duet_int128 low = 0; // of all types together
    duet_int128 high = 0;
    for (size_t t = 0; t < state->types; t++) {
        low += state->low[t][class];
        high += state->high[t][class];
    }
    for (size_t t = 0; t < state->types; t++) {
        int64_t own_low = state->low[t][class];
        int64_t own_high = state->high[t][class];
        duet_int128 forced = state->left[class] - (high - own_high); // where all others are full
        duet_int128 room = state->left[class] - (low - own_low);     // where they have their least
        state->low[t][class] = forced > own_low ? (int64_t)forced : own_low;
        state->high[t][class] = room < own_high ? (int64_t)room : own_high;
    }
}

duet_code duet_residual_create(const duet_classes *classes, duet_residual *state, duet_error *error)
{
    size_t types = classes->types;
    size_t count = classes->count;
    *state = (duet_residual){.types = types};
    state->low = duet_alloc(2 * types, sizeof *state->low, error);
    state->left = duet_alloc((2 * types + 1) * count + types, sizeof *state->left, error);
    if (state->low == NULL || state->left == NULL) {
        duet_residual_free(state);
        return DUET_E_MEMORY;
    }
    state->high = state->low + types;
    state->processors = state->left + (2 * types + 1) * count;
    for (size_t t = 0; t < types; t++) {
        state->low[t] = state->left + (2 * t + 1) * count;
        state->high[t] = state->low[t] + count;
        state->processors[t] = classes->processors[t];
    }
    for (size_t c = 0; c < count; c++) {
        state->left[c] = classes->tasks[c];
        for (size_t t = 0; t < types; t++) {
            state->high[t][c] = duet_class_fits(classes, c, t) ? classes->tasks[c] : 0;
        }
        tighten(state, c);
    }
    return DUET_OK;
}

void duet_residual_free(duet_residual *state)
{
    duet_free(state->low);
    duet_free(state->left); // and all numbers behind
    *state = (duet_residual){.left = NULL};
}

void duet_residual_copy(const duet_classes *classes, const duet_residual *from, duet_residual *to)
{
    DUET_ASSERT(from->types == classes->types && to->types == classes->types);
    size_t numbers = (2 * classes->types + 1) * classes->count + classes->types;
    memcpy(to->left, from->left, numbers * sizeof *to->left);
}

void duet_residual_limit(duet_residual *state, size_t class, size_t type, int64_t low, int64_t high)
{
    DUET_ASSERT(state->low[type][class] <= low && low <= high && high <= state->high[type][class]);
    state->low[type][class] = low;
    state->high[type][class] = high;
    tighten(state, class);
}

void duet_residual_take(duet_residual *state, size_t class, size_t type, int64_t tasks)
{
    DUET_ASSERT(0 <= tasks && tasks <= state->high[type][class]);
    int64_t low = state->low[type][class];
    state->left[class] -= tasks;
    state->low[type][class] = low > tasks ? low - tasks : 0;
    state->high[type][class] -= tasks;
    tighten(state, class);
}

bool duet_residual_decided(const duet_classes *classes, const duet_residual *state)
{
    for (size_t c = 0; c < classes->count; c++) {
        if (!duet_residual_settled(state, c)) {
            return false;
        }
    }
    return true;
}

// The limits of all remaining processors.
static duet_int128 limit_of(const duet_residual *state, const duet_prices *prices)
{
    duet_int128 limit = 0;
    for (size_t t = 0; t < state->types; t++) {
        limit += (duet_int128)state->processors[t] * prices->limit[t];
    }
    return limit;
}

// Of the types on which a class may get more than its least number of tasks: the cheapest one that
// is dearer than `last`, or as dear and numbered above it; SIZE_MAX: none. `last` SIZE_MAX: the
// cheapest of all.
static size_t next_cheapest(const duet_residual *state, size_t class, const duet_int128 *price,
                            size_t last)
{
    size_t next = SIZE_MAX;
    for (size_t t = 0; t < state->types; t++) {
        bool after =
            last == SIZE_MAX || price[t] > price[last] || (price[t] == price[last] && t > last);
        if (after && state->low[t][class] < state->high[t][class] &&
            (next == SIZE_MAX || price[t] < price[next])) {
            next = t;
        }
    }
    return next;
}

// The numbers of tasks on each type of the cheapest allocation of a class: the lower limits, and
// the others on the cheapest types.
static void allocate(const duet_residual *state, size_t class, const duet_int128 *price,
                     int64_t *tasks)
{
    int64_t more = state->left[class];
    for (size_t t = 0; t < state->types; t++) {
        tasks[t] = state->low[t][class];
        more -= tasks[t];
    }
    size_t t = SIZE_MAX;
    while (more > 0) {
        t = next_cheapest(state, class, price, t);
        DUET_ASSERT(t != SIZE_MAX);
        if (t == SIZE_MAX) {
            break; // never: high leaves room for all that are left
        }
        int64_t room = state->high[t][class] - tasks[t];
        room = duet_min(room, more);
        tasks[t] += room;
        more -= room;
    }
}

// The least price of the remaining tasks of a class, at these prices of one on each type.
static duet_int128 least_price(const duet_residual *state, size_t class, const duet_int128 *price)
{
    if (state->types == 2) {
        DUET_ASSERT(0 <= state->low[0][class] && state->low[0][class] <= state->high[0][class] &&
                    state->high[0][class] <= state->left[class]);
        int64_t on_cpu = price[0] <= price[1] ? state->high[0][class] : state->low[0][class];
        return price[0] * on_cpu + price[1] * (state->left[class] - on_cpu);
    }
    int64_t tasks[DUET_MAX_TYPES];
    duet_int128 least = 0;
    allocate(state, class, price, tasks);
    for (size_t t = 0; t < state->types; t++) {
        least += price[t] * tasks[t];
    }
    return least;
}

// How many of `most` tasks can move at this cost each within the slack, which pays for them.
static int64_t move(duet_int128 cost, int64_t most, duet_int128 *slack)
{
    DUET_ASSERT(cost >= 0 && most >= 0);
    int64_t moved = cost > 0 && *slack / cost < most ? (int64_t)(*slack / cost) : most;
    *slack -= cost * moved;
    return moved;
}

// Of the other types whose number of tasks can change: where `more`, the dearest one that can give
// tasks, else the cheapest that can take some.
static size_t partner(const duet_residual *state, size_t class, size_t type,
                      const duet_int128 *price, const int64_t *tasks, bool more)
{
    size_t best = SIZE_MAX;
    for (size_t t = 0; t < state->types; t++) {
        bool usable = t != type &&
                      (more ? tasks[t] > state->low[t][class] : tasks[t] < state->high[t][class]);
        if (usable &&
            (best == SIZE_MAX || (more ? price[t] > price[best] : price[t] < price[best]))) {
            best = t;
        }
    }
    return best;
}

// From the cheapest allocation on, moves as many tasks to the type (`more`), or away from it, as
// the slack pays for. Returns how many it has then.
static int64_t move_all(const duet_residual *state, size_t class, size_t type,
                        const duet_int128 *price, duet_int128 slack, bool more)
{
    int64_t tasks[DUET_MAX_TYPES];
    allocate(state, class, price, tasks);
    for (;;) {
        size_t other = partner(state, class, type, price, tasks, more);
        int64_t room =
            more ? state->high[type][class] - tasks[type] : tasks[type] - state->low[type][class];
        if (other == SIZE_MAX || room == 0) {
            return tasks[type];
        }
        int64_t there = more ? tasks[other] - state->low[other][class]
                             : state->high[other][class] - tasks[other];
        int64_t most = duet_min(room, there);
        int64_t moved =
            move(more ? price[type] - price[other] : price[other] - price[type], most, &slack);
        tasks[type] += more ? moved : -moved;
        tasks[other] += more ? -moved : moved;
        if (moved < most) {
            return tasks[type];
        }
    }
}

void duet_residual_fix_type(const duet_residual *state, size_t class, size_t type,
                            const duet_int128 *price, duet_int128 slack, int64_t *low,
                            int64_t *high)
{
    DUET_ASSERT(slack >= 0);
    *low = move_all(state, class, type, price, slack, false);
    *high = move_all(state, class, type, price, slack, true);
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
    duet_int128 price[DUET_MAX_TYPES];
    size_t t = 0;
    do { // a platform has a type
        price[t] = prices->price[t][class];
    } while (++t < state->types);
    return least_price(state, class, price);
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
        duet_int128 price[DUET_MAX_TYPES];
        size_t t = 0;
        do {
            price[t] = (duet_int128)prices->price[t][c] +
                       duet_branching_rows_price(classes, prices, branching_row, c, t);
        } while (++t < classes->types);
        slack -= least_price(state, c, price);
    }
    return slack;
}
