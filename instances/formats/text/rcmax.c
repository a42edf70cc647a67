// SPDX-License-Identifier: Apache-2.0
// Instances of R||Cmax, unrelated machines, as text: the number of tasks on the first line, that of
// machines on the second, then a row for each task with its time on every machine. Blank lines are
// skipped.
//
// Machines become processor types m1, m2, ...; those with the same times of all tasks are one type,
// called as the first of them, with that many processors.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/formats.h"
#include "instances/formats/text/words.h"

typedef struct rcmax_reader {
    duet_words words;
    duet_input *input;
    duet_builder *builder;
    duet_error *error;
    int64_t tasks;
    size_t machines;
    duet_read_time *times; // machines for each task, row by row
    size_t filled;
} rcmax_reader;

// A line with one whole number; `what` it counts.
static duet_code read_size(rcmax_reader *r, const char *what, int64_t most, int64_t *value)
{
    duet_words_skip_lines(&r->words);
    int line = r->input->line;
    duet_code code = duet_words_next(&r->words);
    bool whole = code == DUET_OK && duet_words_whole(&r->words, 1, most, value);
    DUET_THEN(code, duet_words_next(&r->words));
    if (code != DUET_OK) {
        return code;
    }
    if (!whole || r->words.length > 0) {
        return duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, line, 0,
                                 "expected the number of %s on a line of its own, 1 to %" PRId64,
                                 what, most);
    }
    return DUET_OK;
}

// The times of one task.
static duet_code read_row(rcmax_reader *r, int64_t task)
{
    duet_words_skip_lines(&r->words);
    int line = r->input->line;
    size_t found = 0;
    const duet_words *w = &r->words;
    DUET_TRY(duet_words_next(&r->words));
    if (w->length == 0) {
        return duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, line, 0,
                                 "the file ends after %" PRId64 " rows of times; expected %" PRId64
                                 ", one for each task",
                                 task, r->tasks);
    }
    for (; w->length > 0; found++) {
        if (found < r->machines) {
            DUET_TRY(duet_vec_grow(r->times, r->filled, r->error));
            duet_read_time *time = &r->times[r->filled++];
            DUET_TRY(duet_read_time_text(
                w->text, w->length, (duet_place){r->input->name, line, w->column}, time, r->error));
        }
        DUET_TRY(duet_words_next(&r->words));
    }
    if (found != r->machines) {
        return duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, line, 0,
                                 "%zu times; expected %zu, one for each machine", found,
                                 r->machines);
    }
    return DUET_OK;
}

static bool same_times(const rcmax_reader *r, size_t a, size_t b)
{
    for (size_t row = 0; row < r->filled; row += r->machines) {
        const duet_decimal *left = &r->times[row + a].value;
        const duet_decimal *right = &r->times[row + b].value;
        if (left->mantissa != right->mantissa || left->places != right->places) {
            return false;
        }
    }
    return true;
}

// Adds a type for the machines of equal times. `column` gets the first machine of each type; sets
// *types to their number.
static duet_code add_types(const rcmax_reader *r, size_t *column, size_t *types)
{
    int64_t count[DUET_MAX_TYPES] = {0};
    *types = 0;
    for (size_t machine = 0; machine < r->machines; machine++) {
        size_t t = 0;
        while (t < *types && !same_times(r, column[t], machine)) {
            t++;
        }
        if (t == *types) {
            column[(*types)++] = machine;
        }
        count[t]++;
    }
    for (size_t t = 0; t < *types; t++) {
        char name[32];
        snprintf(name, sizeof name, "m%zu", column[t] + 1);
        DUET_TRY(duet_builder_add_type(r->builder, name, count[t], 0, 0, r->error));
    }
    return DUET_OK;
}

static duet_code build(const rcmax_reader *r)
{
    size_t column[DUET_MAX_TYPES];
    size_t types;
    DUET_TRY(add_types(r, column, &types));
    for (int64_t j = 0; j < r->tasks; j++) {
        duet_read_time times[DUET_MAX_TYPES];
        for (size_t t = 0; t < types; t++) {
            times[t] = r->times[(size_t)j * r->machines + column[t]];
        }
        char id[24];
        int length = snprintf(id, sizeof id, "t%" PRId64, j + 1);
        const duet_read_kind kind = {id, (size_t)length, 1, times, types, 0, 0};
        DUET_TRY(duet_builder_add_kind(r->builder, &kind, r->error));
    }
    return DUET_OK;
}

static duet_code read_all(rcmax_reader *r)
{
    int64_t machines = 0;
    duet_code code = read_size(r, "tasks", INT64_C(1) << 40, &r->tasks);
    if (code == DUET_OK) {
        code = read_size(r, "machines", DUET_MAX_TYPES, &machines);
        r->machines = (size_t)machines;
    }
    // The array grows with the rows that are there: their number is only what the file says.
    for (int64_t j = 0; j < r->tasks && code == DUET_OK; j++) {
        code = read_row(r, j);
    }
    if (code != DUET_OK) {
        return code;
    }
    duet_words_skip_lines(&r->words);
    if (duet_input_peek(r->input) >= 0) {
        return duet_error_set_at(
            r->error, DUET_E_INPUT, r->input->name, r->input->line, 0,
            "more rows than tasks; expected %" PRId64 ", as the first line says", r->tasks);
    }
    DUET_TRY(duet_input_check(r->input, r->error));
    return build(r);
}

duet_code duet_read_instance_rcmax(duet_input *input, duet_builder *builder, duet_error *error)
{
    rcmax_reader r = {.words = {.input = input, .error = error},
                      .input = input,
                      .builder = builder,
                      .error = error};
    duet_code code = read_all(&r);
    duet_free(r.times);
    return code;
}

bool duet_rcmax_begins(const unsigned char *text, size_t length)
{
    size_t at = 0;
    for (int line = 0; line < 2; line++) {
        size_t digits = at;
        while (at < length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        bool number = at > digits;
        size_t end = at;
        bool ended = false;
        for (; at < length && (duet_is_blank(text[at]) || text[at] == '\n'); at++) {
            ended = ended || text[at] == '\n';
        }
        if (!number || (end < length && !ended)) {
            return false;
        }
    }
    return true;
}
