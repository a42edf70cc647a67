// SPDX-License-Identifier: Apache-2.0
// The dearest load of one processor: a bounded knapsack in integers.
//
// Method:    dense dynamic programming, over time where that is short (the best price for every
//            capacity), else over the price (the least time for every price). Counts are split into
//            powers of two. Where one load is asked for that is worth more than a known one, the
//            linear relaxation says which tasks it has in any case, and which in none: reduced
//            prices against the best of some loads that are filled in the order of price for time.
// Guarantee: exact.
// Cost:      O(items log(count) x min(time, price)).
// Memory:    the same, in bytes over time and in bits over the price: one backtrack reads them.
// Reference: Kellerer, Pferschy, Pisinger, "Knapsack Problems", Springer 2004, chapters 3.2 and 7.
#ifndef DUET_LP_CONFIGURATION_PRICING_H
#define DUET_LP_CONFIGURATION_PRICING_H

#include "core/instance/classes.h"
#include "core/system/context.h"

// A class as the knapsack sees it.
typedef struct duet_pricing_item {
    size_t class;
    int64_t time; // >= 1
    int64_t price;
    int64_t most; // the most tasks that may be taken
} duet_pricing_item;

typedef duet_class_part duet_pricing_part;

// A load of one processor and its total price.
typedef struct duet_pricing_load {
    int64_t value;
    duet_pricing_part *part;
    size_t parts;
} duet_pricing_load;

typedef struct duet_pricing duet_pricing;

duet_code duet_pricing_create(duet_pricing **out, duet_error *error);
void duet_pricing_free(duet_pricing *pricing);

// The largest total price that the tables can take for these items, whatever their prices, and
// times up to `reach`.
int64_t duet_pricing_scale(const duet_pricing_item *items, size_t count, int64_t reach);

// Cells of the table over time for these items; INT64_MAX: it is too large.
int64_t duet_pricing_cells(const duet_pricing_item *items, size_t count, int64_t reach);

// Solves for every capacity up to `reach`. No set that fits into `reach` may have a price above
// duet_pricing_scale(). Errors: DUET_E_MEMORY.
duet_code duet_pricing_solve(duet_pricing *pricing, const duet_pricing_item *items, size_t count,
                             int64_t reach, duet_error *error);

// The dearest load that fits into `capacity`, where it is worth more than out->value: it becomes
// `out` then, whose parts have room for one entry per item. What no load of such a price has, and
// what each has, is decided before a table is filled. Prices as for duet_pricing_solve().
duet_code duet_pricing_dearest(duet_pricing *pricing, const duet_pricing_item *items, size_t count,
                               int64_t capacity, duet_pricing_load *out, duet_error *error);

// The best price of a set that fits into a capacity up to the last solve's reach.
int64_t duet_pricing_value(const duet_pricing *pricing, int64_t capacity);

// A set of that price. `parts` has room for one entry per item; returns how many are used.
size_t duet_pricing_set(const duet_pricing *pricing, int64_t capacity, duet_pricing_part *parts);

#endif
