// SPDX-License-Identifier: Apache-2.0
// The patterns of a processor: sets of tasks that fit and fetch enough, in canonical order.
#ifndef DUET_CHECK_PROOF_PATTERNS_H
#define DUET_CHECK_PROOF_PATTERNS_H

#include "check/proof/state.h"

// The prices of one vector on one type, ready for enumeration: divided by what they have in common,
// with a table of what the classes from a position of model->order on need at least to fetch so
// much.
typedef struct duet_proof_tariff {
    duet_int128 unit; // what a price of 1 here is in the vector
    int64_t limit;    // M_T
    int64_t *price;   // per position
    int64_t *time;    // per position
    int64_t *least;   // rows of `columns`: least time from a position on for p << shift or more
    int64_t columns;
    int shift;       // above 0 where the whole table would be too large
    size_t *densest; // per position: of those from there on, one with the highest price per time
    size_t bytes;
} duet_proof_tariff;

// Builds the tariff of a vector and a type, with a table of about so many bytes at most.
// DUET_E_MEMORY, or what `context` says.
duet_code duet_proof_tariff_create(duet_proof_tariff **out, const duet_proof_model *model,
                                   const duet_proof_vector *vector, int type, size_t most_bytes,
                                   const duet_context *context, duet_error *error);
void duet_proof_tariff_free(duet_proof_tariff *tariff);

// A budget in units, between -1 (nothing fits it) and the limit.
int64_t duet_proof_tariff_budget(const duet_proof_tariff *tariff, duet_int128 budget);

typedef struct duet_proof_pattern {
    int64_t deficiency;          // how much less than the limit it fetches, in units
    size_t first;                // where its items begin
    size_t length;               // how many there are, by increasing class
    const duet_proof_item *item; // the same as an address, once all are there
} duet_proof_pattern;

// A list that enumeration fills, and what it works with. Starts as {0}.
typedef struct duet_proof_patterns {
    duet_proof_pattern *pattern;
    size_t count;
    size_t capacity;
    duet_proof_item *item;
    size_t items;
    size_t item_capacity;
    bool cut;       // it was given up: more than `most` of something
    bool tired;     // namely of steps
    uint64_t steps; // taken
    struct duet_proof_level *level;
    struct duet_proof_choice *choice;
    int64_t *available; // per class, for the caller to fill
} duet_proof_patterns;

duet_code duet_proof_patterns_init(duet_proof_patterns *list, const duet_proof_model *model,
                                   duet_error *error);
void duet_proof_patterns_free(duet_proof_patterns *list);

// What enumeration looks for, and where it gives up.
typedef struct duet_proof_wanted {
    int type;
    size_t class;        // at least one task of it; SIZE_MAX: of any class
    int64_t budget;      // patterns of at most this deficiency, in units
    bool unordered;      // their order does not matter
    uint64_t most_steps; // it is cut beyond these
    size_t most_patterns;
    size_t most_items;
} duet_proof_wanted;

// Replaces the list by all patterns of at most list->available[c] tasks of each class, with times
// of at most the capacity in sum, in canonical order: by increasing deficiency, then by
// lexicographically decreasing numbers of tasks. DUET_E_MEMORY, or what `context` says.
duet_code duet_proof_enumerate(duet_proof_patterns *list, const duet_proof_model *model,
                               const duet_proof_tariff *tariff, const duet_proof_wanted *wanted,
                               const duet_context *context, duet_error *error);

#endif
