// SPDX-License-Identifier: Apache-2.0
// Texts numbered in the order in which they first appear, so that a million records hold numbers.
#ifndef DUET_CORE_NAMES_H
#define DUET_CORE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

// One text; the same text with another salt is another name.
typedef struct duet_name {
    size_t at; // in `text`; ends in NUL
    uint32_t salt;
    uint32_t hash;
} duet_name;

typedef struct duet_names {
    char *text;
    size_t used;
    size_t text_capacity;
    duet_name *name;
    size_t count;
    size_t capacity;
    uint32_t *slot; // number + 1 of the name there, 0: free; a power of two of them
    size_t slots;
} duet_names;

// The number of a name, which is new where it was not there yet. O(length) expected.
duet_code duet_names_add(duet_names *names, uint32_t salt, const char *text, uint32_t *number,
                         duet_error *error);
void duet_names_free(duet_names *names);

static inline const char *duet_names_text(const duet_names *names, size_t number)
{
    return names->text + names->name[number].at;
}

#endif
