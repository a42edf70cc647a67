// SPDX-License-Identifier: Apache-2.0
// A dominance memo: vectors by a key, and whether one of them is nowhere above a new one.
#ifndef DUET_SOLVERS_GRAPH_STARTS_SEEN_STATES_H
#define DUET_SOLVERS_GRAPH_STARTS_SEEN_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

typedef struct duet_seen_states duet_seen_states;

// Creates a memo of vectors of up to `longest` entries. It grows to 64 MiB of numbers, and 24 bytes
// a vector; what is seen later is not stored. DUET_E_MEMORY.
duet_code duet_seen_states_create(size_t longest, duet_seen_states **out, duet_error *error);
void duet_seen_states_free(duet_seen_states *seen); // NULL is allowed

// Returns where the next vector is to be written.
int64_t *duet_seen_states_next(duet_seen_states *seen);
// Returns whether one of the last 256 vectors stored under the key dominates the one just written,
// of `count` entries: is no larger in any entry. Otherwise stores it, as long as there is room. All
// vectors of a key must have as many entries.
bool duet_seen_states_visit(duet_seen_states *seen, uint64_t key, size_t count);

#endif
