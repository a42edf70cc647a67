// SPDX-License-Identifier: Apache-2.0
// The supply of a platform at given prices of the tasks: the limits of all its processors. The
// limit of a type is the price of the dearest set of tasks that fits one of its processors within a
// guess (core_knapsack.h). A task has the same price on every type.
//
// Times that a search cannot count in 2^30 steps are rounded down, and so is the capacity: what
// fits still fits, so that limits hold.
#ifndef DUET_LP_VOLUME_SUPPLY_H
#define DUET_LP_VOLUME_SUPPLY_H

#include "core/instance/classes.h"
#include "core/number/fraction.h"
#include "core/system/arena.h"
#include "core/system/context.h"
#include "lp/volume/core_knapsack.h"

typedef struct duet_supply_type {
    duet_arena arena; // It holds the arrays.
    int64_t processors;
    int64_t unit; // common divisor of the times
    int shift;    // bits by which times are rounded down

    // The classes that fit, by increasing time.
    size_t items;
    size_t *class;
    int64_t *exact; // time in units
    int64_t *time;  // rounded
    int64_t *tasks;

    // At the guess.
    size_t fit; // number of classes that fit: the first ones
    int64_t capacity;
    int64_t number; // the most tasks that fit together
    int64_t *most;  // per class: the most tasks of it that fit together

    // At the prices.
    int64_t *price;
    duet_dearest_start start;
    duet_dearest_result found;
    duet_dearest_part *part; // of the set that was found
} duet_supply_type;

enum { DUET_SUPPLY_CORES = 16 };

typedef struct duet_supply {
    const duet_classes *classes;
    size_t types;
    duet_supply_type *type;
    duet_dearest *core[DUET_SUPPLY_CORES]; // made once as many knapsacks are solved at once
    size_t states;                         // of a knapsack's lists
    int64_t guess;
} duet_supply;

// Of the classes of some guess; they must outlive it. Its own guess is theirs at first.
duet_code duet_supply_create(const duet_classes *classes, duet_supply *supply, duet_error *error);
void duet_supply_free(duet_supply *supply);

// Another guess, at most that of the classes. O(classes x types).
void duet_supply_set_guess(duet_supply *supply, int64_t guess);

// The supply at the prices of the classes, none negative: `found.value` of each type is its limit.
// Large knapsacks are solved beside each other, with the same limits for any number of threads.
// The limits must not exceed DUET_DEAREST_MAX_PRICE / 2. Where the context (NULL: none) stops it
// between two types, the total is -1. Errors: DUET_E_MEMORY.
duet_code duet_supply_solve(duet_supply *supply, const int64_t *price, const duet_context *context,
                            duet_int128 *total, duet_error *error);

// The demand: what all tasks are worth. Only where each fits somewhere within the guess.
duet_int128 duet_supply_demand(const duet_supply *supply, const int64_t *price);

#endif
