// SPDX-License-Identifier: Apache-2.0
// The dearest load of one processor by its core (lp/volume/core_knapsack.h), where it has too many
// tasks for branch and bound: times in units and, where they are long, rounded down.
#ifndef DUET_LP_CONFIGURATION_PRICING_CORE_H
#define DUET_LP_CONFIGURATION_PRICING_CORE_H

#include "lp/configuration/pricing.h"
#include "lp/volume/core_knapsack.h"

typedef struct duet_pricing_core duet_pricing_core;

duet_code duet_pricing_core_create(duet_pricing_core **out, duet_error *error);
void duet_pricing_core_free(duet_pricing_core *core);

typedef struct duet_pricing_core_problem {
    const duet_pricing_item *items;
    size_t count;
    int64_t capacity; // a multiple of the unit
    int64_t unit;     // common divisor of the times
} duet_pricing_core_problem;

typedef struct duet_pricing_core_answer {
    int64_t limit;    // no load has a higher price
    int64_t achieved; // the price of the load that was found; at most the limit
    size_t parts;     // of that load; 0: none
} duet_pricing_core_answer;

// `start` is where a search of similar items ended, and is renewed. `parts` has room for one entry
// per item. No load may have a price above DUET_DEAREST_MAX_PRICE / 2.
duet_code duet_pricing_core_solve(duet_pricing_core *core, const duet_pricing_core_problem *problem,
                                  duet_dearest_start *start, duet_pricing_core_answer *answer,
                                  duet_pricing_part *parts, duet_error *error);

#endif
