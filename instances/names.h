// SPDX-License-Identifier: Apache-2.0
// Strings numbered in the order in which they first appear.
#ifndef DUET_INSTANCES_NAMES_H
#define DUET_INSTANCES_NAMES_H

#include <stddef.h>

#include <duet/error.h>

// Zeroed it is empty and ready.
typedef struct duet_names {
    size_t count;
    char *text; // the strings, each with its final NUL
    size_t used;
    size_t text_capacity;
    size_t *at; // where string i begins in `text`
    size_t at_capacity;
    size_t *slot; // a hash table of index + 1, or 0 where empty
    size_t slots; // a power of two, or 0
} duet_names;

// The number of a string, a new one where it was not there, into *index. O(length) expected.
duet_code duet_names_add(duet_names *names, const char *name, size_t *index, duet_error *error);
// Valid until the next string is added.
const char *duet_names_text(const duet_names *names, size_t index);
void duet_names_free(duet_names *names);

#endif
