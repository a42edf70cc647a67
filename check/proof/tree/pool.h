// SPDX-License-Identifier: Apache-2.0
// Pattern pools of covers: all patterns of a state, from which the states below it pick theirs.
#ifndef DUET_CHECK_PROOF_TREE_POOL_H
#define DUET_CHECK_PROOF_TREE_POOL_H

#include "check/proof/tree/patterns.h"

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
