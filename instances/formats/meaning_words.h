// SPDX-License-Identifier: Apache-2.0
#ifndef DUET_INSTANCES_FORMATS_MEANING_WORDS_H
#define DUET_INSTANCES_FORMATS_MEANING_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "instances/formats/fields.h"

enum { DUET_MEANING_WORD = 32 }; // letters of the longest word

// What a word means that has no blanks, no signs and no capitals.
duet_meaning duet_meaning_of_word(const char *word, size_t length);
// Whether such a word says how long a task takes, whatever it runs on.
bool duet_is_word_of_lengths(const char *word, size_t length);
// Whether such a word is what processors are called, or may be a number of them.
bool duet_is_word_of_processors(const char *word, size_t length);

// Whether such a word is in the names of processors, as are those of makers and models.
bool duet_is_word_of_types(const char *word, size_t length);

#endif
