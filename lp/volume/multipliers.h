// SPDX-License-Identifier: Apache-2.0
// Multipliers of a knapsack: a price r on time and a price mu on the number of items, at which
//
//     r capacity + mu number + sum over the items of most max(0, price - r time - mu)
//
// is about least. It is at least the price of every set that fits, for any r >= 0 with mu = 0; with
// mu > 0 of every set of at most `number` items, with mu < 0 of every set of at least `number`. The
// price on the number is what near-equal times need: 33 items of about 1,000 ticks fit in 34,500
// ticks, which the capacity alone takes for 34.5.
//
// Method:    the function is convex and piecewise linear. Two tangents meet below the least value;
//            the function is evaluated there, and one of the two tangents replaced.
// Guarantee: none is needed: floating point proposes multipliers, and the bound that they give is
//            computed in integers (core_knapsack.c).
// Cost:      where the multipliers to start from are near, a pass over the items, and some six over
//            those that multipliers nearby leave open; some 40 where the number of items matters.
#ifndef DUET_LP_VOLUME_MULTIPLIERS_H
#define DUET_LP_VOLUME_MULTIPLIERS_H

#include <stddef.h>

// Items in floating point, for passes over all of them.
typedef struct duet_multiplier_items {
    size_t count;
    const double *time;
    const double *price;
    const double *most; // the most of each item that may be taken
    double *open;       // room for three times as many numbers: those of some items
} duet_multiplier_items;

typedef struct duet_knapsack_multipliers {
    double time;   // r
    double number; // mu
} duet_knapsack_multipliers;

// Of these, `near` is, as it comes in, multipliers to start from, 0 where nothing is known.

// r alone. Returns how many items are taken at it, about, where the capacity is used up.
double duet_multipliers_of_time(const duet_multiplier_items *items, double capacity,
                                duet_knapsack_multipliers *near);
// r >= 0 and mu >= 0, for sets of at most `number` items.
void duet_multipliers_at_most(const duet_multiplier_items *items, double capacity, double number,
                              duet_knapsack_multipliers *near);
// r >= 0 and mu <= 0, for sets of at least `number` items.
void duet_multipliers_at_least(const duet_multiplier_items *items, double capacity, double number,
                               duet_knapsack_multipliers *near);

#endif
