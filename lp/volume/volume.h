// SPDX-License-Identifier: Apache-2.0
// The configuration bound without a linear program, for any number of types: prices of the tasks
// that refute one guess after another.
//
// Method:    the prices refute a guess where the tasks cost more together (the demand) than all
//            processors can take within it (the supply, supply.h). The volume method looks for
//            prices with a higher ratio of the two: it moves them from the best ones so far towards
//            tasks that the dearest sets take too seldom, on a weighted average over the sets of
//            past iterations. That average is about a solution of the configuration program. Prices
//            that refute a guess are tried on longer ones, by doubling and bisection.
// Guarantee: integer prices and exact knapsacks: what is refuted has a certificate. How far it gets
//            is up to the method.
// Cost:      a knapsack per type in each iteration.
// Memory:    O(classes x types).
// Reference: Barahona, Anbil, "The volume algorithm: producing primal solutions with a subgradient
//            method", Mathematical Programming 87(3), 2000.
#ifndef DUET_LP_VOLUME_VOLUME_H
#define DUET_LP_VOLUME_VOLUME_H

#include "core/solution/prices.h"
#include "core/system/context.h"
#include "lp/configuration/column_store.h"

typedef struct duet_volume duet_volume;

// Guesses from `lower` (no schedule is shorter, and every task fits somewhere within it) up to
// below `upper`. The instance must outlive it.
duet_code duet_volume_create(const duet_instance *instance, int64_t lower, int64_t upper,
                             duet_volume **out, duet_error *error);
void duet_volume_free(duet_volume *volume);

// The sets that it finds from now on go into `store`, which must outlive it: a configuration
// program for a guess of the same classes starts from them.
void duet_volume_share(duet_volume *volume, duet_column_store *store);

// Runs at most `iterations` iterations more. It ends earlier when all guesses are refuted, when it
// sees no way to go on, or when the context stops. Errors: DUET_E_MEMORY.
duet_code duet_volume_run(duet_volume *volume, int64_t iterations, const duet_context *context,
                          duet_error *error);

// No schedule is shorter than this; `lower` where nothing was refuted.
int64_t duet_volume_bound(const duet_volume *volume);
// Whether it saw no way to go on.
bool duet_volume_stalled(const duet_volume *volume);
// A better schedule is known: guesses end below `upper`. Iterations go on as they were.
void duet_volume_set_upper(duet_volume *volume, int64_t upper);

// The classes that are priced: those of the guess upper - 1 at creation.
const duet_classes *duet_volume_classes(const duet_volume *volume);

// The best prices so far, one per class, such that the limits of all processors add up to 1, and
// the limit of each type. NULL: there are none.
const double *duet_volume_prices(const duet_volume *volume, const double **limit);

// The bound with its certificate, DUET_PROOF_PRICES, in small integers where these do. Only where
// something was refuted. The bound is less than duet_volume_bound() in the rare case that classes
// of longer guesses become one below and their common price refutes less.
// Where the context stops, it takes no time to make them small.
duet_code duet_volume_certify(duet_volume *volume, const duet_context *context, duet_bound *bound,
                              duet_error *error);

#endif
