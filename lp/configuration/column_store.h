// SPDX-License-Identifier: Apache-2.0
// The patterns that relaxations of one instance have found: the next one
// (lp/configuration/configuration.h), for another length or for what is left, starts from those
// that fit it.
//
// Method:    a list; beyond a number it starts afresh, since the oldest are the least useful.
// Memory:    O(tasks in the patterns), of some thousand patterns.
#ifndef DUET_LP_CONFIGURATION_COLUMN_STORE_H
#define DUET_LP_CONFIGURATION_COLUMN_STORE_H

#include "core/prices.h"
#include "lp/configuration/pricing.h"

// Some tasks of a class in a pattern.
typedef struct duet_stored_part {
    uint32_t class;
    uint32_t tasks;
} duet_stored_part;

// A pattern.
typedef struct duet_stored_column {
    size_t type;
    size_t begin; // of its parts
    size_t parts;
} duet_stored_column;

// Patterns of earlier relaxations, to start from: those that fit are columns of the next one.
// Starts empty; free with duet_column_store_free().
typedef struct duet_column_store {
    duet_stored_part *part;
    size_t parts, part_room;
    duet_stored_column *column;
    size_t columns, column_room;
    size_t classes;  // of the instance at `valid`
    int64_t valid;   // duet_classes.valid
    size_t renewals; // how often it started afresh
} duet_column_store;

void duet_column_store_free(duet_column_store *store);

// Before its patterns are used for these classes: those of other classes are forgotten, and all of
// them where there are too many.
void duet_column_store_begin(duet_column_store *store, const duet_classes *classes);
// Remembers a pattern, where there is room for one more.
duet_code duet_column_store_add(duet_column_store *store, size_t type,
                                const duet_pricing_part *part, size_t parts, duet_error *error);
// What is in a pattern, in `out`, which has room for as many parts as there are classes.
void duet_column_store_read(const duet_column_store *store, const duet_stored_column *column,
                            duet_pricing_part *out);
// Whether a pattern is within the length and what is left. `out` receives what is in it.
bool duet_column_store_fits(const duet_column_store *store, const duet_stored_column *column,
                            const duet_classes *classes, const duet_residual *state,
                            duet_pricing_part *out);

#endif
