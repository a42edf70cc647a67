// SPDX-License-Identifier: Apache-2.0
// Prices of the classes, and the patterns they leave: the loads of one processor that a schedule
// within a length may contain. docs/formats.md has the definitions that solver and checker share.
#ifndef DUET_SOLVERS_EXACT_ENUMERATE_H
#define DUET_SOLVERS_EXACT_ENUMERATE_H

#include "core/context.h"
#include "core/prices.h"

// Some tasks of a class in a pattern.
typedef struct duet_pattern_part {
    uint32_t class;
    uint32_t tasks;
} duet_pattern_part;

// The patterns of one type, by decreasing price, then by larger numbers of tasks in the order of
// the classes; plain ones are in no order, and have no masks nor what they lack.
typedef struct duet_patterns {
    size_t type;
    size_t count;
    size_t words;   // of a mask
    uint64_t *mask; // count x words; class c has bits first_bit[c] .. first_bit[c+1]-1, of which
                    // a pattern with a tasks of it has the first a
    int64_t *reduced_cost; // limit minus price
    size_t *begin;         // count + 1 entries into `part`
    duet_pattern_part *part;
    size_t *first_bit; // classes + 1
    size_t bytes;      // of all of it, about
} duet_patterns;

// What stopped an enumeration.
typedef enum duet_patterns_status {
    DUET_PATTERNS_COMPLETE,
    DUET_PATTERNS_SHRUNK, // those within a smaller budget
    DUET_PATTERNS_TOO_MANY
} duet_patterns_status;

// How to list.
enum {
    DUET_PATTERNS_MAY_SHRINK = 1, // those within a smaller budget, where they are too many
    DUET_PATTERNS_PLAIN = 2       // in any order, without masks
};

// Lists every pattern of `type` from what is left whose price is at least limit - budget. Where
// they are more than `most`, or take more than `most_bytes`: where it may shrink, lists those
// within half the budget, or half of that, and so on; else gives up, as where the tables it needs
// are too large. Free with duet_patterns_free() whatever the status.
duet_code duet_patterns_enumerate(const duet_classes *classes, const duet_residual *state,
                                  const duet_prices *prices, size_t type, int64_t slack,
                                  size_t most, size_t most_bytes, unsigned how,
                                  const duet_context *context, duet_patterns *pool,
                                  duet_patterns_status *status, duet_error *error);
void duet_patterns_free(duet_patterns *pool);

#endif
