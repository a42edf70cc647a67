// SPDX-License-Identifier: Apache-2.0
// The pricing problem of one vector on one type: a knapsack whose items are the classes. It is
// solved by enumeration in patterns.h; here it is made ready for that.
#ifndef DUET_CHECK_PROOF_TREE_PRICING_H
#define DUET_CHECK_PROOF_TREE_PRICING_H

#include "check/proof/tree/vector.h"

// Prices and limit are divided by what they have in common: they are in *units*. Positions are
// those of model->order. The completion bound of a position says whether the classes from there on
// can still reach a price within the time that is left.
typedef struct duet_proof_pricing {
    duet_int128 unit; // the price in the vector of a price of 1 here
    int64_t limit;    // of a processor
    int64_t *price;   // per position
    int64_t *time;    // per position
    int64_t *least;   // rows of `columns`: least time from a position on for p << shift or more
    int64_t columns;
    int shift;       // above 0 where the whole table would be too large
    size_t *densest; // per position: of those from there on, one with the highest price per time
    size_t bytes;
} duet_proof_pricing;

// Builds the pricing problem of a vector and a type, with a table of about `most_bytes` at most.
// DUET_E_MEMORY, or what `watch` says. Free it whatever comes back.
duet_code duet_proof_pricing_create(duet_proof_pricing **out, const duet_proof_model *model,
                                    const duet_proof_vector *vector, int type, size_t most_bytes,
                                    duet_watch *watch, duet_error *error);
void duet_proof_pricing_free(duet_proof_pricing *pricing);

// A slack in units, between -1 (no pattern is within it) and the limit.
int64_t duet_proof_pricing_slack(const duet_proof_pricing *pricing, duet_int128 slack);

#endif
