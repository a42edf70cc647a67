// SPDX-License-Identifier: Apache-2.0
// Multipliers of a knapsack: a price r on time and a price mu on the number of items, at which
//
//     r capacity + mu items + sum over the items of most max(0, price - r time - mu)
//
// is about least. For any r, mu >= 0 this is at least the price of every set that fits, where no
// more than `items` of them fit together. The price on the number is what near-equal times need: 33
// items of about 1,000 ticks fit in 34,000 ticks, and the capacity alone says 34.
//
// Method:    the function is convex and piecewise linear. Two tangents meet below the least value;
//            the function is evaluated there, and one of the two tangents replaced.
// Guarantee: none is needed: floating point proposes multipliers, and the bound that they give is
//            computed in integers (core_knapsack.c).
// Cost:      some six passes over the items, some 40 where the number of items matters.
#ifndef DUET_LP_VOLUME_MULTIPLIERS_H
#define DUET_LP_VOLUME_MULTIPLIERS_H

#include <stddef.h>

// Items in floating point, for passes over all of them.
typedef struct duet_multiplier_items {
    size_t count;
    const double *time;
    const double *price;
    const double *most; // so many of each may be taken
} duet_multiplier_items;

typedef struct duet_multipliers {
    double time;   // r
    double number; // mu
} duet_multipliers;

// `near` (as it comes in): multipliers to start from, 0 where nothing is known. `number`: no more
// items than that fit together.
void duet_multipliers_find(const duet_multiplier_items *items, double capacity, double number,
                           duet_multipliers *near);

#endif
