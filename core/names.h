// SPDX-License-Identifier: Apache-2.0
// Texts and their numbers. duet_name_index finds the number of a text among texts that its owner
// keeps, such as the ids of an instance. duet_names keeps the texts itself and numbers them in the
// order in which they first appear, so that each of a million records holds a number, not a text.
#ifndef DUET_CORE_NAMES_H
#define DUET_CORE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

// Texts, one after another in one block, each with its final NUL.
typedef struct duet_texts {
    const char *block;
    const size_t *at; // where text i begins in the block
} duet_texts;

// A hash table with open addressing, at most half full.
typedef struct duet_name_index {
    size_t *slot; // number + 1 of the text, or 0 where the slot is free
    size_t slots; // a power of two
} duet_name_index;

// An empty index with room for `count` texts.
duet_code duet_name_index_create(duet_name_index *index, size_t count, duet_error *error);
void duet_name_index_free(duet_name_index *index);
// The slot of a text: it holds the text's number + 1, or 0 where the text would go.
// `length` does not count a final NUL, which the text need not have. O(length) expected.
size_t *duet_name_index_slot(const duet_name_index *index, duet_texts texts, const char *text,
                             size_t length);

// Its own texts. The same text with another salt is another name.
typedef struct duet_names {
    // Texts.
    char *text;
    size_t used;

    // Names, an entry each.
    size_t count;
    size_t *at; // in `text`
    uint32_t *salt;

    duet_name_index index;
} duet_names;

// The number of a name, which is added unless it is there. O(length) expected.
duet_code duet_names_add(duet_names *names, uint32_t salt, const char *text, uint32_t *number,
                         duet_error *error);
void duet_names_free(duet_names *names);

static inline const char *duet_names_text(const duet_names *names, size_t number)
{
    return names->text + names->at[number];
}

// nearest.c
typedef struct duet_nearest {
    const char *word; // what was said
    const char *best; // the first of the nearest words so far; NULL: none is near
    size_t slips;     // by which it differs, or one more than is allowed
} duet_nearest;

// A slip is a letter that is left out, put in, another one, or exchanged with its neighbour. Two
// are allowed, of fewer than six letters one. Lower and upper case are one. A word that begins with
// a known one of four letters or more is near, and so is one with which a known one begins.
duet_nearest duet_nearest_to(const char *word);
void duet_nearest_offer(duet_nearest *nearest, const char *known);

enum { DUET_NEAREST_HINT = 80 };
// " (did you mean WORD?)", or "" where no word is near; returns `hint`.
const char *duet_nearest_hint(const duet_nearest *nearest, char hint[DUET_NEAREST_HINT]);

#endif
