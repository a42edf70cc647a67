// SPDX-License-Identifier: Apache-2.0
// Pattern pools of covers: all patterns of a state, from which the states below it pick theirs.
#ifndef DUET_CHECK_PROOF_TREE_POOL_H
#define DUET_CHECK_PROOF_TREE_POOL_H

#include "check/proof/tree/node_state.h"
#include "check/proof/tree/vector.h"

// pricing.c
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

// patterns.c
typedef struct duet_proof_pattern {
    int64_t reduced_cost;        // in units of the pricing problem
    size_t first;                // where its items begin
    size_t length;               // how many there are, by increasing class
    const duet_proof_item *item; // the same as an address, once all are there
} duet_proof_pattern;

// The patterns that enumeration found, and what it works with. Starts as {0}.
typedef struct duet_proof_patterns {
    duet_proof_pattern *pattern;
    size_t count;
    duet_proof_item *item;
    size_t items;
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
    int64_t slack;       // patterns of at most this reduced cost, in units
    bool unordered;      // their order does not matter
    uint64_t most_steps; // it is cut beyond these
    size_t most_patterns;
    size_t most_items;
} duet_proof_wanted;

// Replaces the patterns by all with at most list->available[c] tasks of each class and times of at
// most the capacity in sum. They come in canonical order: by increasing reduced cost, then by
// lexicographically decreasing numbers of tasks. DUET_E_MEMORY, or what `watch` says.
duet_code duet_proof_enumerate(duet_proof_patterns *list, const duet_proof_model *model,
                               const duet_proof_pricing *pricing, const duet_proof_wanted *wanted,
                               duet_watch *watch, duet_error *error);

// pool.c
// What a pool is complete for: at most these tasks, and at most this slack.
typedef struct duet_proof_scope {
    const uint64_t *bits; // a bitmap of available tasks
    int64_t slack;        // in units of the pricing problem
} duet_proof_scope;

// Patterns in canonical order. A pool made from another one borrows its items, and is freed first.
typedef struct duet_proof_pool {
    struct duet_proof_pool *parent; // NULL: made by enumeration
    size_t words;
    uint64_t *bits; // of its scope
    int64_t slack;
    size_t count;
    int64_t *reduced_cost;        // per pattern, as the next three
    uint64_t *set;                // its bits, `words` each
    const duet_proof_item **item; // its items
    uint32_t *length;             // how many
    duet_proof_item *owned;       // where the items are its own
    size_t *first;                // per class: where its list begins; one more at the end
    uint32_t *list;               // the patterns with each class
    size_t bytes;
} duet_proof_pool;

// Makes a pool of all patterns of a scope, which `list` holds. DUET_E_MEMORY, or what `watch` says.
duet_code duet_proof_pool_create(duet_proof_pool **out, const duet_proof_patterns *list,
                                 const duet_proof_bitmap *bitmap, size_t classes,
                                 const duet_proof_scope *scope, duet_watch *watch,
                                 duet_error *error);
// Makes a pool of the patterns of another one within a narrower scope; NULL where these are more
// than three quarters. DUET_E_MEMORY, or what `watch` says.
duet_code duet_proof_pool_narrow(duet_proof_pool **out, duet_proof_pool *parent, size_t classes,
                                 const duet_proof_scope *scope, duet_watch *watch,
                                 duet_error *error);
void duet_proof_pool_free(duet_proof_pool *pool);

// Whether the pool holds all patterns of a scope.
bool duet_proof_pool_covers(const duet_proof_pool *pool, const duet_proof_scope *scope);

// Writes the patterns with a class within a scope, which the pool covers, into `found`. That has
// room for all patterns with the class. Returns how many there are; *steps counts those looked at.
size_t duet_proof_pool_pick(const duet_proof_pool *pool, size_t class,
                            const duet_proof_scope *scope, uint32_t *found, uint64_t *steps);

#endif
