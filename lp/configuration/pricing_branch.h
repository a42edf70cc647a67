// SPDX-License-Identifier: Apache-2.0
// The dearest load of one processor where it holds few tasks: a bounded knapsack by branch and
// bound, whatever the size of the times and the prices.
//
// Method:    classes by decreasing price per time; depth first, as many tasks of a class as fit,
//            then one fewer each time. A branch ends where even the density of the next class
//            cannot fill the room to more than the best so far. Where that does not end soon, also
//            where a knapsack over coarse cells of time, of the classes that follow, cannot.
// Cost:      exponential in the tasks of a load; counted in steps, and given up beyond a number.
// Reference: Martello, Toth, "Knapsack Problems", Wiley 1990, chapter 3.
#ifndef DUET_LP_CONFIGURATION_PRICING_BRANCH_H
#define DUET_LP_CONFIGURATION_PRICING_BRANCH_H

#include "lp/configuration/pricing.h"

typedef struct duet_branch duet_branch;

duet_code duet_branch_create(duet_branch **out, duet_error *error);
void duet_branch_free(duet_branch *branch); // NULL is allowed

// The best load within `capacity`, which is worth more than `floor`; *value is `floor` where there
// is none. Times and prices of at most 2^62; a load is worth at most 2^62. *exceeded: given up
// after so many steps, nothing is known. Errors: DUET_E_MEMORY.
duet_code duet_branch_solve(duet_branch *branch, const duet_pricing_item *items, size_t count,
                            int64_t capacity, int64_t floor, int64_t steps, int64_t *value,
                            bool *exceeded, duet_error *error);

// The load of the last solve; `parts` has room for one entry per item. Returns how many are used,
// 0 where none is worth more than the floor.
size_t duet_branch_set(const duet_branch *branch, duet_pricing_part *parts);

#endif
