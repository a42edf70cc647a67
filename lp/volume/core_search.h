// SPDX-License-Identifier: Apache-2.0
// The search of core_knapsack.c: lists of sets that deviate from the one of positive reduced
// prices. Only the two files of this search include this header.
#ifndef DUET_LP_VOLUME_CORE_SEARCH_H
#define DUET_LP_VOLUME_CORE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "lp/volume/core_knapsack.h"

// Nodes of sets that no deviation led to.
enum {
    DUET_DEAREST_NO_DEVIATION = -1, // the set that deviations start from
    DUET_DEAREST_EMPTY = -2         // the set without items
};

// An item of the core.
typedef struct duet_dearest_core_item {
    int64_t cost; // of a deviation by one: the absolute reduced price
    uint32_t item;
    bool taken; // by the set that deviations start from
} duet_dearest_core_item;

// A set of items: what it has more, or less, than the one without deviations.
typedef struct duet_dearest_state {
    int64_t time; // may be above the capacity, until items are taken away
    int64_t price;
    int64_t cost;
    int32_t node;
} duet_dearest_state;

// How a state came about: a deviation more than that of another node.
typedef struct duet_dearest_node {
    int32_t parent;
    uint32_t item;
    int64_t tasks; // more; negative: less
} duet_dearest_node;

struct duet_dearest {
    // The items in floating point: one block, of which `time` is the first part, and room for those
    // that multipliers leave open is the last.
    double *time, *price, *most;
    size_t room;

    // The search.
    const duet_dearest_items *items;
    int64_t capacity;
    size_t most_states; // in a list
    int shift;          // reduced prices are counted in 2^-shift of a price
    int64_t r, mu;      // the multipliers, times 2^shift
    int64_t bound;      // of every set, times 2^shift
    int64_t best;       // the price of the best set so far
    int64_t longest;    // time of an item
    int64_t dearest;    // price of an item
    int64_t dropped;    // the least cost of a state that was dropped for want of room
    int32_t best_node;
    duet_dearest_core_item *core;
    size_t core_items;
    duet_dearest_state *list, *next;
    size_t states;
    duet_dearest_node *node;
    size_t nodes;

    // The answer.
    duet_dearest_part *part;
    size_t parts;
    int64_t open;    // sets that were dropped may be worth so much
    int64_t *change; // per item, by how much the best set deviates
};

static inline int64_t duet_dearest_reduced_price(const duet_dearest *c, size_t item)
{
    return (c->items->price[item] << c->shift) - c->r * c->items->time[item] - c->mu;
}

// Takes a set as the best one if it fits and has a higher price.
void duet_dearest_keep_best(duet_dearest *c, const duet_dearest_state *s);

// Goes through the core, in bands of cost that grow until the gap is below them; `band` is the
// first. Starts from the one state in the list. Errors: DUET_E_MEMORY.
duet_code duet_dearest_search(duet_dearest *c, int64_t band, duet_error *error);

#endif
