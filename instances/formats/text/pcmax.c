// SPDX-License-Identifier: Apache-2.0
// Instances of P||Cmax, equal machines, as text with a number on each line: that of machines and
// that of jobs, in either order, then the time of each job. Which of the two is which is seen from
// how many times follow.
#include <inttypes.h>
#include <stdio.h>

#include "core/system/try.h"
#include "instances/formats/formats.h"
#include "instances/formats/text/words.h"

typedef struct pcmax_reader {
    duet_words words;
    duet_input *input;
    duet_builder *builder;
    duet_error *error;
    int64_t jobs; // so far
} pcmax_reader;

// The number on the next line; false at the end of the file.
static duet_code next_line(pcmax_reader *r, bool *found)
{
    duet_words_skip_lines(&r->words);
    int line = r->input->line;
    duet_code code = duet_words_next(&r->words);
    *found = code == DUET_OK && r->words.length > 0;
    if (code == DUET_OK && *found) {
        duet_words rest = r->words;
        code = duet_words_next(&rest);
        if (code == DUET_OK && rest.length > 0) {
            code = duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, line, rest.column,
                                     "two numbers; expected one time on each line");
        }
    }
    return code;
}

static duet_code read_time(pcmax_reader *r)
{
    duet_read_time time;
    char id[24];
    duet_code code = duet_read_time_text(
        r->words.text, r->words.length,
        (duet_place){r->input->name, r->input->line, r->words.column}, &time, r->error);
    int length = snprintf(id, sizeof id, "t%" PRId64, ++r->jobs);
    const duet_read_kind kind = {.id = id,
                                 .id_length = (size_t)length,
                                 .count = 1,
                                 .times = &time,
                                 .time_count = 1,
                                 .line = r->input->line};
    return code == DUET_OK ? duet_builder_add_kind(r->builder, &kind, r->error) : code;
}

duet_code duet_read_instance_pcmax(duet_input *input, duet_builder *builder, duet_error *error)
{
    pcmax_reader r = {.words = {.input = input, .error = error},
                      .input = input,
                      .builder = builder,
                      .error = error};
    int64_t size[2] = {0, 0};
    bool found = false;
    duet_code code = DUET_OK;
    for (int i = 0; i < 2 && code == DUET_OK; i++) {
        code = next_line(&r, &found);
        if (code == DUET_OK && !duet_words_whole(&r.words, 1, DUET_MAX_PROCESSORS, &size[i])) {
            code = duet_error_set_at(error, DUET_E_INPUT, input->name, input->line, 0,
                                     "expected the number of machines or of jobs, 1 to 2147483647");
        }
    }
    for (found = code == DUET_OK; code == DUET_OK && found;) {
        code = next_line(&r, &found);
        code = code == DUET_OK && found ? read_time(&r) : code;
    }
    if (code == DUET_OK && r.jobs != size[0] && r.jobs != size[1]) {
        return duet_error_set_at(error, DUET_E_INPUT, input->name, 0, 0,
                                 "%" PRId64 " times of jobs; expected %" PRId64 " or %" PRId64
                                 ", as one of the first two lines says",
                                 r.jobs, size[0], size[1]);
    }
    DUET_THEN(code, duet_input_check(input, error));
    return code == DUET_OK
               ? duet_builder_add_type(builder, "m1", size[r.jobs == size[1] ? 0 : 1], 0, 0, error)
               : code;
}

bool duet_pcmax_begins(const unsigned char *text, size_t length)
{
    int lines = 0;
    bool one = false; // the second number is 1: R||Cmax reads that as well
    size_t at = 0;
    while (at < length) {
        while (at < length && (duet_is_blank(text[at]) || text[at] == '\n')) {
            at++;
        }
        size_t start = at;
        while (at < length && text[at] > ' ') {
            bool digit = (text[at] >= '0' && text[at] <= '9') || (lines >= 2 && text[at] == '.');
            if (!digit) {
                return false;
            }
            at++;
        }
        one = one || (lines == 1 && at == start + 1 && text[start] == '1');
        lines += at > start;
        while (at < length && duet_is_blank(text[at])) {
            at++;
        }
        if (at < length && text[at] != '\n') {
            return false;
        }
    }
    return lines > 2 && !one;
}
