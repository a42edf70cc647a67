// SPDX-License-Identifier: Apache-2.0
// Vectors that were seen, by a key: whether one of them is nowhere above a new one.
#ifndef DUET_SOLVERS_GRAPH_STARTS_SEEN_STATES_H
#define DUET_SOLVERS_GRAPH_STARTS_SEEN_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

typedef struct duet_seen_states duet_seen_states;

// For vectors of up to `longest` entries. Grows to 64 MiB; what is seen later is not remembered.
// DUET_E_MEMORY.
duet_code duet_seen_states_create(size_t longest, duet_seen_states **out, duet_error *error);
void duet_seen_states_free(duet_seen_states *seen); // NULL is allowed

// Where the next vector is to be written.
int64_t *duet_seen_states_next(duet_seen_states *seen);
// Whether a vector of this key was seen of which no entry exceeds that of the one that was written,
// `count` entries long; those of a key all have as many. If not, it is remembered.
bool duet_seen_states_visit(duet_seen_states *seen, uint64_t key, size_t count);

#endif
