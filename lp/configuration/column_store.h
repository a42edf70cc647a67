// SPDX-License-Identifier: Apache-2.0
// The patterns that configuration relaxations of one instance have found. The next relaxation, for
// another guess or another residual problem, starts from those that fit it.
//
// Method:    an array; when it is full it starts afresh, since the oldest are the least useful.
// Memory:    O(tasks in the patterns), of some thousand patterns.
#ifndef DUET_LP_CONFIGURATION_COLUMN_STORE_H
#define DUET_LP_CONFIGURATION_COLUMN_STORE_H

#include "core/solution/prices.h"
#include "lp/configuration/pricing.h"

// Some tasks of a class in a pattern.
typedef struct duet_stored_part {
    uint32_t class;
    uint32_t tasks;
} duet_stored_part;

// A pattern of a type.
typedef struct duet_stored_column {
    size_t type;
    size_t begin; // of its parts
    size_t parts;
} duet_stored_column;

// Starts empty; free with duet_column_store_free().
typedef struct duet_column_store {
    duet_stored_part *part;
    size_t parts;
    duet_stored_column *column;
    size_t columns;
    size_t classes;  // number of classes that the patterns are of
    int64_t valid;   // the classes are the same up to this guess
    size_t renewals; // how often it started afresh
} duet_column_store;

void duet_column_store_free(duet_column_store *store);

// Copies a store to an empty one.
duet_code duet_column_store_copy(const duet_column_store *from, duet_column_store *to,
                                 duet_error *error);

// To be called before its patterns are used for these classes: forgets those of other classes, and
// all where there are too many.
void duet_column_store_begin(duet_column_store *store, const duet_classes *classes);
// Forgets all patterns.
void duet_column_store_clear(duet_column_store *store);
// Adds a pattern, where there is room for one more.
duet_code duet_column_store_add(duet_column_store *store, size_t type,
                                const duet_pricing_part *part, size_t parts, duet_error *error);
// Copies the parts of a pattern to `out`, which has room for as many as there are classes.
void duet_column_store_read(const duet_column_store *store, const duet_stored_column *column,
                            duet_pricing_part *out);
// Whether a pattern is within the guess and the residual problem. `out` receives its parts.
bool duet_column_store_fits(const duet_column_store *store, const duet_stored_column *column,
                            const duet_classes *classes, const duet_residual *state,
                            duet_pricing_part *out);

#endif
