// SPDX-License-Identifier: Apache-2.0
// The nearest of the words that are known to one that is not, for a message.
#ifndef DUET_CORE_NEAREST_H
#define DUET_CORE_NEAREST_H

#include <stddef.h>

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
