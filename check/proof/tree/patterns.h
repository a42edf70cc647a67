// SPDX-License-Identifier: Apache-2.0
// The patterns of a processor: sets of tasks that fit within its capacity and whose price is high
// enough, in canonical order. The *reduced cost* of a pattern is the limit less its price; a
// pattern can be part of a schedule only where its reduced cost is within the slack.
#ifndef DUET_CHECK_PROOF_TREE_PATTERNS_H
#define DUET_CHECK_PROOF_TREE_PATTERNS_H

#include "check/proof/tree/node_state.h"
#include "check/proof/tree/pricing.h"

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

#endif
