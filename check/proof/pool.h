// SPDX-License-Identifier: Apache-2.0
// All patterns of a state, from which its descendants pick those that are left to them.
#ifndef DUET_CHECK_PROOF_POOL_H
#define DUET_CHECK_PROOF_POOL_H

#include "check/proof/patterns.h"

// Where a pool's patterns are complete: for at most these tasks, and within this budget.
typedef struct duet_proof_scope {
    const uint64_t *bits; // words of the type's places
    int64_t budget;       // in the tariff's units
} duet_proof_scope;

// Patterns in canonical order. A pool made from another borrows its items and goes first.
typedef struct duet_proof_pool {
    struct duet_proof_pool *parent; // NULL: made by enumeration
    size_t words;
    uint64_t *bits; // of its scope
    int64_t budget;
    size_t count;
    int64_t *deficiency;          // per pattern, as all the following
    uint64_t *set;                // its bits, `words` each
    const duet_proof_item **item; // its items
    uint32_t *length;             // how many
    duet_proof_item *owned;       // where the items are its own
    size_t *first;                // per class: where its list begins; one more at the end
    uint32_t *list;               // the patterns with each class
    size_t bytes;
} duet_proof_pool;

// From all patterns of a scope, which `list` holds. DUET_E_MEMORY.
duet_code duet_proof_pool_create(duet_proof_pool **out, const duet_proof_patterns *list,
                                 const duet_proof_places *places, size_t classes,
                                 const duet_proof_scope *scope, duet_error *error);
// What is left of a pool in a narrower scope, or NULL where that is most of it. DUET_E_MEMORY.
duet_code duet_proof_pool_narrow(duet_proof_pool **out, duet_proof_pool *parent, size_t classes,
                                 const duet_proof_scope *scope, duet_error *error);
void duet_proof_pool_free(duet_proof_pool *pool);

// Whether the pool holds all patterns of a scope.
bool duet_proof_pool_covers(const duet_proof_pool *pool, const duet_proof_scope *scope);

// The patterns with a class within a scope, which the pool covers: into `found`, with room for as
// many as the list of the class has. Returns how many; *steps counts those looked at.
size_t duet_proof_pool_pick(const duet_proof_pool *pool, size_t class,
                            const duet_proof_scope *scope, uint32_t *found, uint64_t *steps);

#endif
