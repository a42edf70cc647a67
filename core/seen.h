// SPDX-License-Identifier: Apache-2.0
// A set of states that a search has seen, each a sequence of numbers. It is exact: two states are
// the same where all their numbers are.
//
// Method: a hash table, of which at most half is used, of places in one array of all states.
// Cost:   O(length) per state, expected.
#ifndef DUET_CORE_SEEN_H
#define DUET_CORE_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

// Starts zeroed but for `most`; free with duet_seen_free().
typedef struct duet_seen {
    size_t most;       // numbers of all states that are kept, with one more for each state
    int64_t *number;   // of each state: its length, then its numbers
    size_t numbers;    // in `number`
    size_t *begin;     // of each state there
    size_t *table;     // per slot: 1 + which state it has; 0: none
    size_t table_size; // a power of two
    size_t states;
} duet_seen;

void duet_seen_free(duet_seen *seen);

// Adds a state. *which: its number, in the order in which they came, the first is 0; SIZE_MAX:
// it is not kept, since there is no room for it within `most`. DUET_E_MEMORY.
duet_code duet_seen_number(duet_seen *seen, const int64_t *number, size_t length, size_t *which,
                           duet_error *error);
// The same. *before: whether the state was added before.
duet_code duet_seen_add(duet_seen *seen, const int64_t *number, size_t length, bool *before,
                        duet_error *error);

#endif
