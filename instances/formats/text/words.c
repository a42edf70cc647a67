// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/text/words.h"

static bool ends_word(const duet_words *words, int byte)
{
    return byte < 0 || byte == '\n' || duet_is_blank(byte) || (words->comments && byte == '#');
}

duet_code duet_words_next(duet_words *words)
{
    duet_input *input = words->input;
    words->length = 0;
    while (duet_is_blank(duet_input_peek(input))) {
        duet_input_take(input);
    }
    words->column = duet_input_column(input);
    for (int byte = duet_input_peek(input); !ends_word(words, byte);
         byte = duet_input_peek(input)) {
        if (words->length == DUET_MAX_WORD || byte < 0x20 || byte > 0x7e) {
            char found[32];
            return duet_error_set_at(words->error, DUET_E_INPUT, input->name, input->line,
                                     duet_input_column(input), "expected a number, found %s",
                                     words->length == DUET_MAX_WORD
                                         ? "a word of more than 64 characters"
                                         : duet_input_describe(byte, found));
        }
        words->text[words->length++] = (char)byte;
        duet_input_take(input);
    }
    return duet_input_check(input, words->error);
}

void duet_words_skip_lines(duet_words *words)
{
    bool comment = false;
    for (;;) {
        int byte = duet_input_peek(words->input);
        comment = byte != '\n' && (comment || (words->comments && byte == '#'));
        if (byte < 0 || (byte != '\n' && !duet_is_blank(byte) && !comment)) {
            return;
        }
        duet_input_take(words->input);
    }
}

bool duet_words_whole(const duet_words *words, int64_t least, int64_t most, int64_t *value)
{
    duet_decimal read = {0, 0};
    bool whole = duet_decimal_parse(words->text, words->length, &read) == DUET_DECIMAL_OK &&
                 read.places == 0;
    *value = read.mantissa;
    return whole && read.mantissa >= least && read.mantissa <= most;
}
