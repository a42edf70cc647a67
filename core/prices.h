// SPDX-License-Identifier: Apache-2.0
// Prices of the classes, what is left of them at a node of a search, and the budget that prices
// leave: the argument behind the configuration bound and the proofs of `exact`. docs/formats.md
// states it.
#ifndef DUET_CORE_PRICES_H
#define DUET_CORE_PRICES_H

#include <duet/bound.h>

#include "core/classes.h"
#include "core/fraction.h"

// A price for every class on each type, and what the load of one processor is worth at most.
typedef struct duet_prices {
    int64_t *price[2]; // up to 2^62; below 2^31 where they are not by area
    int64_t limit[2];
    bool area[2];   // the limit holds by density: price * capacity <= limit * time
    bool listed[2]; // it holds for the patterns of a list
    int64_t *count; // of the counts that were open: below 2^31
    size_t counts, count_room;
    int64_t weight[2]; // of an area vector; -1: prices of another origin
    int64_t id;        // in the proof that is being written; -1: not yet in it
} duet_prices;

duet_code duet_prices_create(const duet_classes *classes, duet_prices *prices, duet_error *error);
void duet_prices_free(duet_prices *prices);

// Both of the same classes, and `to` with room for the counts of `from`. The copy is not in a proof
// yet.
void duet_prices_copy(const duet_classes *classes, const duet_prices *from, duet_prices *to);

// Room for so many counts.
duet_code duet_prices_make_room(duet_prices *prices, size_t counts, duet_error *error);

// Work on each type at these weights.
void duet_prices_by_area(const duet_classes *classes, const int64_t weight[2], duet_prices *prices);

// Time alone as price, of each type by itself. Free both whatever comes back.
duet_code duet_prices_create_by_time(const duet_classes *classes, duet_prices prices[2],
                                     duet_error *error);

// The prices as a certificate that no schedule is shorter than lambda; its list is the caller's to
// release.
duet_code duet_prices_certificate(const duet_classes *classes, const duet_prices *prices,
                                  int64_t lambda, duet_certificate *certificate, duet_error *error);

// What is left to be scheduled at a node of the search.
typedef struct duet_residual {
    int64_t *left; // tasks of a class
    int64_t *low;  // of which the CPUs get at least
    int64_t *high; // and at most
    int64_t processors[2];
} duet_residual;

// How many tasks of a class a type may still get.
static inline int64_t duet_residual_most(const duet_residual *state, size_t class, size_t type)
{
    return type == 0 ? state->high[class] : state->left[class] - state->low[class];
}

// How many of them it must get.
static inline int64_t duet_residual_least(const duet_residual *state, size_t class, size_t type)
{
    return type == 0 ? state->low[class] : state->left[class] - state->high[class];
}

// The numbers of a class once a type has taken some of its tasks.
static inline void duet_residual_without(const duet_residual *state, size_t class, size_t type,
                                         int64_t tasks, int64_t *left, int64_t *low, int64_t *high)
{
    *left = state->left[class] - tasks;
    *low = state->low[class];
    *high = state->high[class];
    if (type == 0) {
        *low = *low > tasks ? *low - tasks : 0;
        *high -= tasks;
    } else {
        *high = *high < *left ? *high : *left;
    }
}

duet_code duet_residual_create(const duet_classes *classes, duet_residual *state,
                               duet_error *error);
void duet_residual_free(duet_residual *state);

// Both of the same classes.
void duet_residual_copy(const duet_classes *classes, const duet_residual *from, duet_residual *to);

// Whether the type of every task is decided.
bool duet_residual_decided(const duet_classes *classes, const duet_residual *state);

// What the tasks that a type may get take there, which may be none that cannot run there.
duet_int128 duet_residual_work(const duet_classes *classes, const duet_residual *state,
                               size_t type);

// The least that the tasks of a class are worth however they are dealt.
duet_int128 duet_residual_price(const duet_residual *state, const duet_prices *prices,
                                size_t class);

// What the tasks that are left are worth more than the processors that are left can afford: below
// 0, there is no schedule.
duet_int128 duet_residual_slack(const duet_classes *classes, const duet_residual *state,
                                const duet_prices *prices);

// The numbers of tasks of a class on the CPUs that prices with a budget of at least 0 leave: each
// task away from the type where it is worth less (`slope`: what it is worth more on a CPU than on a
// GPU) costs the difference.
static inline void duet_residual_fix(const duet_residual *state, size_t class, duet_int128 slope,
                                     duet_int128 slack, int64_t *low, int64_t *high)
{
    duet_int128 steep = slope < 0 ? -slope : slope;
    *low = state->low[class];
    *high = state->high[class];
    if (steep * (*high - *low) > slack) {
        int64_t kept = (int64_t)(slack / steep); // tasks beyond the cheap end
        *high = slope > 0 ? *low + kept : *high;
        *low = slope > 0 ? *low : *high - kept;
    }
}

// A bound of how many tasks of at least `time` a type gets.
typedef struct duet_branching_row {
    size_t type;
    int64_t time;
    bool at_least; // else at most
    int64_t bound;
} duet_branching_row;

// Whether a tally counts the tasks of a class.
static inline bool duet_branching_row_has(const duet_classes *classes,
                                          const duet_branching_row *branching_row, size_t class)
{
    return duet_class_fits(classes, class, branching_row->type) &&
           classes->time[branching_row->type][class] >= branching_row->time;
}

// What the prices of tallies (prices->count, one for each) add to what a task of a class is worth
// on a type: each task that an upper bound allows has to be paid for, and each that a lower bound
// asks for is paid for already.
int64_t duet_branching_rows_price(const duet_classes *classes, const duet_prices *prices,
                                  const duet_branching_row *branching_row, size_t class,
                                  size_t type);

// What they add to what the processors can afford.
duet_int128 duet_branching_rows_term(const duet_prices *prices,
                                     const duet_branching_row *branching_row);

// The budget of prices with those of tallies.
duet_int128 duet_branching_rows_slack(const duet_classes *classes, const duet_residual *state,
                                      const duet_prices *prices,
                                      const duet_branching_row *branching_row);

#endif
