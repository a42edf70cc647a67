// SPDX-License-Identifier: Apache-2.0
// Dual prices of the classes, the residual problem at a node of a search, and the slack that prices
// leave there: the price inequality behind the configuration bound and the proofs of `exact`, which
// docs/formats.md states.
//
// The inequality: no processor of a type can run tasks whose prices add up to more than the limit
// of that type. If the tasks of a problem cost more together than all its processors have as
// limits, there is no schedule.
#ifndef DUET_CORE_SOLUTION_PRICES_H
#define DUET_CORE_SOLUTION_PRICES_H

#include "core/instance/classes.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/solution/certificate.h"
#include "core/system/assert.h"

// A price for every class on each type, and for each type a limit on the price of what one
// processor runs.
typedef struct duet_prices {
    size_t types;
    int64_t **price; // per type and class: up to 2^62; below 2^31 where the type is not divisible
    int64_t *limit;  // per type

    // Why the limit of a type holds; where neither is set, by a knapsack.
    bool *divisible; // the type is divisible, and by density: price * capacity <= limit * time
    bool *listed;    // for each pattern of the pool

    // Prices of the branching rows: below 2^31.
    int64_t *row;
    size_t rows;

    // Where they come from.
    int64_t *weight; // of the types, in prices of the area bound; -1: prices of another origin
    int64_t id;      // in the proof that is being written; -1: not yet in it
} duet_prices;

duet_code duet_prices_create(const duet_classes *classes, duet_prices *prices, duet_error *error);
void duet_prices_free(duet_prices *prices);

// Both of the same classes, and `to` with room for the branching rows of `from`. The copy is not in
// a proof yet.
void duet_prices_copy(const duet_classes *classes, const duet_prices *from, duet_prices *to);

// Makes room for the prices of `rows` branching rows.
duet_code duet_prices_make_room(duet_prices *prices, size_t rows, duet_error *error);

// The prices of the area bound: a task's time on a type, at the weight of the type. All types are
// divisible.
void duet_prices_by_area(const duet_classes *classes, const int64_t *weight, duet_prices *prices);

// For each type the area prices with weight 1 for it and 0 for the others: time alone is the price.
// `prices` has room for one of each type. Free all of them whatever comes back.
duet_code duet_prices_create_by_time(const duet_classes *classes, duet_prices *prices,
                                     duet_error *error);

// The prices as a certificate that no schedule is shorter than lambda. The caller releases its
// price list.
duet_code duet_prices_certificate(const duet_classes *classes, const duet_prices *prices,
                                  int64_t lambda, duet_certificate *certificate, duet_error *error);

// The residual problem at a node of a search: what it still has to schedule.
//
// Of every class 0 <= low[t] <= high[t] <= left for each type t, and both are reached: some choice
// of numbers within the limits of all types, left in sum, has low[t] tasks on type t, and some has
// high[t]. So of two types the limits of one follow from those of the other.
typedef struct duet_residual {
    size_t types;
    int64_t *left;       // tasks of a class
    int64_t **low;       // per type and class: of which the type gets at least
    int64_t **high;      // per type and class: of which the type gets at most
    int64_t *processors; // of each type
} duet_residual;

// How many tasks of a class a type may still get.
static inline int64_t duet_residual_most(const duet_residual *state, size_t class, size_t type)
{
    return state->high[type][class];
}

// How many of them it must get.
static inline int64_t duet_residual_least(const duet_residual *state, size_t class, size_t type)
{
    return state->low[type][class];
}

// Whether it is decided how many tasks of a class each type gets.
static inline bool duet_residual_settled(const duet_residual *state, size_t class)
{
    size_t t = 0;
    while (t < state->types && state->low[t][class] == state->high[t][class]) {
        t++;
    }
    return t == state->types;
}

// Lets a type have `low` to `high` tasks of a class, within the limits that it has, and narrows
// those of the other types to what is still reached. O(types).
void duet_residual_limit(duet_residual *state, size_t class, size_t type, int64_t low,
                         int64_t high);

// Takes `tasks` tasks of a class away, which a processor of a type runs. O(types).
void duet_residual_take(duet_residual *state, size_t class, size_t type, int64_t tasks);

// On two types: the numbers of a class, of which the CPUs get `low` to `high` tasks.
static inline void duet_residual_set_pair(duet_residual *state, size_t class, int64_t left,
                                          int64_t low, int64_t high)
{
    DUET_ASSERT(state->types == 2);
    state->left[class] = left;
    state->low[0][class] = low;
    state->high[0][class] = high;
    state->low[1][class] = left - high;
    state->high[1][class] = left - low;
}

// On two types: the numbers of a class after a type has taken some of its tasks, `low` and `high`
// those of the CPUs.
static inline void duet_residual_without(const duet_residual *state, size_t class, size_t type,
                                         int64_t tasks, int64_t *left, int64_t *low, int64_t *high)
{
    DUET_ASSERT(state->types == 2);
    DUET_ASSERT(0 <= tasks && tasks <= duet_residual_most(state, class, type));
    *left = state->left[class] - tasks;
    *low = state->low[0][class];
    *high = state->high[0][class];
    if (type == 0) {
        *low = *low > tasks ? *low - tasks : 0;
        *high -= tasks;
    } else {
        *high = duet_min(*high, *left);
    }
}

duet_code duet_residual_create(const duet_classes *classes, duet_residual *state,
                               duet_error *error);
void duet_residual_free(duet_residual *state);

// Both of the same classes.
void duet_residual_copy(const duet_classes *classes, const duet_residual *from, duet_residual *to);

// Whether the type of every task is decided.
bool duet_residual_decided(const duet_classes *classes, const duet_residual *state);

// The work that all tasks a type may get would be there.
duet_int128 duet_residual_work(const duet_classes *classes, const duet_residual *state,
                               size_t type);

// The least price that the remaining tasks of a class have in any allocation.
duet_int128 duet_residual_price(const duet_residual *state, const duet_prices *prices,
                                size_t class);

// The slack of the price inequality: the limits of the remaining processors, less the least prices
// of the remaining tasks. Below 0, there is no schedule.
duet_int128 duet_residual_slack(const duet_classes *classes, const duet_residual *state,
                                const duet_prices *prices);

// Reduced-cost fixing on two types: the numbers of tasks of a class on the CPUs that prices leave
// open. `slope` is the price of a task on a CPU less that on a GPU. Each task away from its cheaper
// type takes the difference, its reduced cost, off the slack (>= 0), which must not fall below 0.
static inline void duet_residual_fix(const duet_residual *state, size_t class, duet_int128 slope,
                                     duet_int128 slack, int64_t *low, int64_t *high)
{
    duet_int128 reduced_cost = slope < 0 ? -slope : slope;
    DUET_ASSERT(state->types == 2);
    *low = state->low[0][class];
    *high = state->high[0][class];
    DUET_ASSERT(slack >= 0 && *low <= *high);
    if (reduced_cost * (*high - *low) > slack) {
        int64_t kept = (int64_t)(slack / reduced_cost); // tasks away from the cheaper type
        *high = slope > 0 ? *low + kept : *high;
        *low = slope > 0 ? *low : *high - kept;
    }
}

// Reduced-cost fixing on any number of types: the numbers of tasks of a class on a type that prices
// leave open; `price` has that of a task on each type. The slack (>= 0) is that of the price
// inequality. The cheapest allocation with more or fewer tasks on the type than the cheapest of all
// takes the difference off it, and it must not fall below 0. O(types) for each type that gets
// tasks.
void duet_residual_fix_type(const duet_residual *state, size_t class, size_t type,
                            const duet_int128 *price, duet_int128 slack, int64_t *low,
                            int64_t *high);

// A branching row: a bound on how many tasks of at least `time`, released at `release` or later, a
// type gets.
typedef struct duet_branching_row {
    size_t type;
    int64_t time;
    bool at_least; // else at most
    int64_t bound;
    int64_t release; // 0 without releases
} duet_branching_row;

// Whether a branching row counts the tasks of a class.
static inline bool duet_branching_row_has(const duet_classes *classes,
                                          const duet_branching_row *branching_row, size_t class)
{
    return duet_class_fits(classes, class, branching_row->type) &&
           classes->time[branching_row->type][class] >= branching_row->time &&
           (branching_row->release == 0 || classes->release[class] >= branching_row->release);
}

// What the prices of branching rows (prices->row, one for each) add to the price of a task of a
// class on a type: the price of each row that counts it, negative for a lower bound.
int64_t duet_branching_rows_price(const duet_classes *classes, const duet_prices *prices,
                                  const duet_branching_row *branching_row, size_t class,
                                  size_t type);

// What they add to the limits of all processors: the price of each row times its bound, negative
// for a lower bound. A schedule that obeys the rows pays no more than this for them.
duet_int128 duet_branching_rows_term(const duet_prices *prices,
                                     const duet_branching_row *branching_row);

// The slack of the price inequality with the prices of the branching rows.
duet_int128 duet_branching_rows_slack(const duet_classes *classes, const duet_residual *state,
                                      const duet_prices *prices,
                                      const duet_branching_row *branching_row);

#endif
