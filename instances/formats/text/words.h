// SPDX-License-Identifier: Apache-2.0
// Words of a line of numbers, with blanks between them.
#ifndef DUET_INSTANCES_FORMATS_TEXT_WORDS_H
#define DUET_INSTANCES_FORMATS_TEXT_WORDS_H

#include "core/number/decimal.h"
#include "instances/formats/input.h"

enum { DUET_MAX_WORD = 64 };

typedef struct duet_words {
    duet_input *input;
    duet_error *error;
    bool comments; // '#' begins one, up to the end of the line

    // The current word.
    char text[DUET_MAX_WORD];
    size_t length; // 0: the line, or the file, is over
    int column;
} duet_words;

static inline bool duet_is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

// Reads the next word of the line. DUET_E_INPUT where it is none that a number may be.
duet_code duet_words_next(duet_words *words);
// Goes on to the next line with a word on it, or to the end of the file.
void duet_words_skip_lines(duet_words *words);
// Whether the current word is a whole number in [least, most].
bool duet_words_whole(const duet_words *words, int64_t least, int64_t most, int64_t *value);

#endif
