// SPDX-License-Identifier: Apache-2.0
// The dearest load of one processor where it holds few tasks: a bounded knapsack by branch and
// bound, whatever the size of the times and the prices.
//
// Method:    classes by decreasing price per time; depth first, as many tasks of a class as fit,
//            then one fewer each time. A branch ends where the price per time of the next class,
//            over all the time that is left, does not beat the best load. If the search does not
//            end soon, a knapsack over coarse cells of time bounds the classes that follow as well.
// Guarantee: exact unless it is given up.
// Cost:      exponential in the tasks of a load; counted in steps, and given up beyond a number.
// Memory:    O(items), and at most some million cells.
// Reference: Martello, Toth, "Knapsack Problems", Wiley 1990, chapter 3.
#ifndef DUET_LP_CONFIGURATION_PRICING_BRANCH_H
#define DUET_LP_CONFIGURATION_PRICING_BRANCH_H

#include "lp/configuration/pricing.h"

typedef struct duet_branch duet_branch;

// What to look for. Times, prices and the price of a load are at most 2^62.
typedef struct duet_branch_problem {
    const duet_pricing_item *items;
    size_t count;
    int64_t capacity; // the time of a load is at most this
    int64_t floor;    // only loads of a higher price are of interest
    int64_t steps;    // of the last and longest search; 0: there is none
} duet_branch_problem;

duet_code duet_branch_create(duet_branch **out, duet_error *error);
void duet_branch_free(duet_branch *branch); // NULL is allowed

// The price of the best load in *value, which is the floor where none has a higher one. *exceeded:
// the steps were used up, and better loads may exist. Errors: DUET_E_MEMORY.
duet_code duet_branch_solve(duet_branch *branch, const duet_branch_problem *problem, int64_t *value,
                            bool *exceeded, duet_error *error);

// The load of the last solve; `parts` has room for one entry per item. Returns how many are used,
// 0 where none has a price above the floor.
size_t duet_branch_set(const duet_branch *branch, duet_pricing_part *parts);

#endif
