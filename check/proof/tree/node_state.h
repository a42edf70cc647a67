// SPDX-License-Identifier: Apache-2.0
// The state of the node that the checker is at: the residual problem, that is the processors and
// tasks still to be placed. A journal of the changes leads back to the nodes above.
#ifndef DUET_CHECK_PROOF_TREE_NODE_STATE_H
#define DUET_CHECK_PROOF_TREE_NODE_STATE_H

#include "check/proof/tree/vector.h"

// A bitmap of the available tasks of one type. Every task of a class that one processor could run
// has a bit, the bits of a class are side by side, and of `a` available tasks the first a are set.
// Bit b is bit 63 - b % 64 of word b / 64. So word by word, as large numbers, bitmaps compare as
// the numbers of tasks do, class 0 first. There is no bitmap where it would take more words than
// that.
enum { DUET_PROOF_MAX_WORDS = 64 };

typedef struct duet_proof_bitmap {
    size_t words;   // 0: too many bits, none are kept
    size_t *first;  // per class: its first bit
    int64_t *count; // per class: how many
    uint64_t *bits; // the state's
} duet_proof_bitmap;

// Tasks of one class in a pattern.
typedef struct duet_proof_item {
    size_t class;
    int64_t count;
} duet_proof_item;

typedef struct duet_proof_state {
    const duet_proof_model *model; // borrowed
    int64_t processors[DUET_MAX_TYPES];
    duet_proof_residuals residual;
    duet_proof_bitmap bitmap[DUET_MAX_TYPES]; // per type
    // The journal: which classes have changed, and what they were before.
    size_t changes;
    size_t *changed;
    duet_proof_residuals before;
} duet_proof_state;

// The state at the root. Free it whatever comes back. DUET_E_MEMORY.
duet_code duet_proof_state_init(duet_proof_state *state, const duet_proof_model *model,
                                duet_error *error);
void duet_proof_state_free(duet_proof_state *state);

// Takes `count` tasks of a class away, which a processor of a type runs, and notes what was.
// DUET_E_MEMORY.
duet_code duet_proof_state_take(duet_proof_state *state, size_t class, int type, int64_t count,
                                duet_error *error);
// Lets a type have low to high tasks of a class, and notes what was. DUET_E_MEMORY.
duet_code duet_proof_state_limit(duet_proof_state *state, size_t class, int type,
                                 duet_proof_range range, duet_error *error);
// Takes back all changes but the first `changes`. Processors are the caller's.
void duet_proof_state_undo(duet_proof_state *state, size_t changes);

// Bytes that the journal takes.
size_t duet_proof_state_bytes(const duet_proof_state *state);

// The most tasks of a class that may still go to a type.
static inline int64_t duet_proof_available(const duet_proof_state *state, int type, size_t class)
{
    return duet_proof_left(&state->residual, class)->on[type].high;
}

// How many tasks of a class are marked.
int64_t duet_proof_marked(const duet_proof_bitmap *bitmap, const uint64_t *bits, size_t class);
// Sets the bits of `count` tasks of a class, clears its others.
void duet_proof_mark(const duet_proof_bitmap *bitmap, uint64_t *bits, size_t class, int64_t count);

#endif
