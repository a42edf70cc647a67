// SPDX-License-Identifier: Apache-2.0
// The nearest of the words that are known to one that is not, for a message.
#include "core/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/number/minmax.h"

// Words of more letters are like no other; a word with more slips is no word that was meant.
// Of two words of which one is how the other begins, the shorter has some letters.
enum { MOST_LETTERS = 32, MOST_SLIPS = 2, LEAST_LETTERS = 4 };

static char lower(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

// How many slips make one word of the other, by the table of all their beginnings.
static size_t count_slips(const char *from, const char *to)
{
    size_t row[3][MOST_LETTERS + 1]; // of the beginnings of `from` with i - 2, i - 1 and i letters
    size_t height = strlen(from);
    size_t width = strlen(to);
    if (height > MOST_LETTERS || width > MOST_LETTERS) {
        return MOST_LETTERS;
    }
    for (size_t j = 0; j <= width; j++) {
        row[0][j] = j;
    }
    for (size_t i = 1; i <= height; i++) {
        const size_t *before = row[(i + 2) % 3];
        size_t *here = row[i % 3];
        here[0] = i;
        for (size_t j = 1; j <= width; j++) {
            bool other = lower(from[i - 1]) != lower(to[j - 1]);
            here[j] = duet_min(before[j - 1] + other, duet_min(before[j], here[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(from[i - 1]) == lower(to[j - 2]) &&
                lower(from[i - 2]) == lower(to[j - 1])) {
                here[j] = duet_min(here[j], row[(i + 1) % 3][j - 2] + 1);
            }
        }
    }
    return row[height % 3][width];
}

// How many slips a word that was meant may have.
static size_t most_slips(const char *word)
{
    return duet_min((size_t)MOST_SLIPS, duet_max(strlen(word) / 3, (size_t)1));
}

// Whether one is how the other begins: "cholesky" and "chol".
static bool begins(const char *one, const char *other)
{
    size_t shorter = duet_min(strlen(one), strlen(other));
    return shorter >= LEAST_LETTERS && strncasecmp(one, other, shorter) == 0;
}

duet_nearest duet_nearest_to(const char *word)
{
    return (duet_nearest){word, NULL, most_slips(word) + 1};
}

void duet_nearest_offer(duet_nearest *nearest, const char *known)
{
    size_t slips = count_slips(nearest->word, known);
    slips = begins(nearest->word, known) ? duet_min(slips, most_slips(nearest->word)) : slips;
    if (slips < nearest->slips) {
        nearest->slips = slips;
        nearest->best = known;
    }
}

const char *duet_nearest_hint(const duet_nearest *nearest, char hint[DUET_NEAREST_HINT])
{
    hint[0] = '\0';
    if (nearest->best != NULL) {
        snprintf(hint, DUET_NEAREST_HINT, " (did you mean %.50s?)", nearest->best);
    }
    return hint;
}
