// SPDX-License-Identifier: Apache-2.0
// The dearest set of items that fits one processor: a bounded knapsack in integers, by its core.
//
// Method:    multipliers (multipliers.h) bound the price of every set by the reduced prices of its
//            items. The set that takes the items of positive reduced price is about the best one;
//            another set deviates from it, and each deviation costs the absolute reduced price of
//            its item. Deviations are tried in increasing cost: after k items a list has, for every
//            time, the best price that deviations of these items reach. A state is dropped once
//            its cost and the next item's reach the gap between the bound and the best set so far.
//            Few items are ever looked at: the core. Where the bound takes a fraction of an item,
//            between k and k + 1 of them, and one search does not end, the sets of at most k items
//            and those of at least k + 1 are searched one after the other, each with multipliers of
//            its own: on near-equal times a fraction of an item is most of the gap.
// Guarantee: `value` is at least the price of every set that fits. Where `exact`, it is the price
//            of the set that was found. Where a list grows too long, its costliest states are
//            dropped, which may leave it above.
// Cost:      passes over the items to find the multipliers and the core; then the states, some
//            hundreds in a list of some ten items.
// Memory:    O(items), and the states.
// Reference: Pisinger, "A minimal algorithm for the 0-1 knapsack problem", Operations Research
//            45(5), 1997; Martello, Pisinger, Toth, "Dynamic programming and strong bounds for the
//            0-1 knapsack problem", Management Science 45(3), 1999 (the bound on the number).
#ifndef DUET_LP_VOLUME_CORE_KNAPSACK_H
#define DUET_LP_VOLUME_CORE_KNAPSACK_H

#include <stdbool.h>
#include <stdint.h>

#include <duet/error.h>

#include "lp/volume/multipliers.h"

#define DUET_DEAREST_MAX_TIME (INT64_C(1) << 30) // of a capacity
#define DUET_DEAREST_STATES (1 << 13)
#define DUET_DEAREST_MAX_PRICE (INT64_C(1) << 26) // of a set, and of an item

// Items by increasing time.
typedef struct duet_dearest_items {
    size_t count;
    const int64_t *time;  // 0 to the capacity
    const int64_t *price; // 0 to DUET_DEAREST_MAX_PRICE
    const int64_t *most;  // 1 to 2^31 of each
} duet_dearest_items;

typedef struct duet_dearest_part {
    size_t item;
    int64_t tasks; // >= 1
} duet_dearest_part;

typedef struct duet_dearest_result {
    int64_t value;    // no set that fits has a higher price
    int64_t achieved; // the price of the set that was found
    bool exact;       // they are equal
    size_t parts;     // of that set, by increasing item
} duet_dearest_result;

// Where a search over sets, or over those of few or many items, starts.
typedef struct duet_dearest_near {
    duet_knapsack_multipliers multipliers;
    int64_t gap;
} duet_dearest_near;

// Where the next search of similar items starts. Starts zeroed.
typedef struct duet_dearest_start {
    duet_dearest_near all, few, many;
    bool by_number; // one search over all sets was not enough
} duet_dearest_start;

typedef struct duet_dearest duet_dearest;

duet_code duet_dearest_create(duet_dearest **out, duet_error *error);
// How long a list of states may be, 2 or more: DUET_DEAREST_STATES unless set here.
void duet_dearest_set_states(duet_dearest *core, size_t states);
void duet_dearest_free(duet_dearest *core);

// Solves for one capacity. The price of any set that fits must be at most DUET_DEAREST_MAX_PRICE
// / 2. `number`: no more items than that fit together. `start` is used and renewed. Errors:
// DUET_E_MEMORY.
duet_code duet_dearest_solve(duet_dearest *core, const duet_dearest_items *items, int64_t capacity,
                             int64_t number, duet_dearest_start *start, duet_dearest_result *result,
                             duet_error *error);

// The set of the last solve; valid until the next.
const duet_dearest_part *duet_dearest_set(const duet_dearest *core);

#endif
