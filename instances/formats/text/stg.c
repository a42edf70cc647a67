// SPDX-License-Identifier: Apache-2.0
// Instances of the Standard Task Graph Set (Tobita, Kasahara, "A standard task graph set for fair
// evaluation of multiprocessor scheduling algorithms", J. Scheduling 5, 2002): the number n of
// tasks, then n + 2 rows "id time predecessors id id ...". The first and the last are dummies of
// time 0, which every task comes after or before; they and their edges are left out. Blank lines
// and what follows '#' are skipped. A task has one time, which is a GPU's where -O gpu= asks for
// two.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/system/error.h"
#include "core/system/try.h"
#include "instances/formats/formats.h"
#include "instances/formats/text/words.h"

typedef struct stg_reader {
    duet_words words;
    duet_builder *builder;
    int64_t tasks; // without the dummies
    int line;      // of the row
} stg_reader;

static duet_code fail(const stg_reader *r, const char *format, ...) DUET_PRINTF(2, 3);

static duet_code fail(const stg_reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    duet_code code = duet_error_vset_at(r->words.error, DUET_E_INPUT, r->words.input->name, r->line,
                                        0, format, arguments);
    va_end(arguments);
    return code;
}

// The number of tasks, on a line of its own.
static duet_code read_size(stg_reader *r)
{
    duet_words_skip_lines(&r->words);
    r->line = r->words.input->line;
    duet_code code = duet_words_next(&r->words);
    bool whole = code == DUET_OK && duet_words_whole(&r->words, 1, DUET_MAX_GRAPH, &r->tasks);
    DUET_THEN(code, duet_words_next(&r->words));
    if (code == DUET_OK && (!whole || r->words.length > 0)) {
        code = fail(r, "expected the number of tasks on a line of its own, 1 to %" PRId64,
                    DUET_MAX_GRAPH);
    }
    return code;
}

// The next word of the row as a whole number of at most `most`.
static duet_code read_number(stg_reader *r, const char *what, int64_t most, int64_t *value)
{
    DUET_TRY(duet_words_next(&r->words));
    if (!duet_words_whole(&r->words, 0, most, value)) {
        return r->words.length == 0
                   ? fail(r, "the line ends before %s; expected \"id time predecessors id ...\"",
                          what)
                   : fail(r, "%s \"%.*s\": expected a whole number from 0 to %" PRId64, what,
                          (int)r->words.length, r->words.text, most);
    }
    return DUET_OK;
}

// Id and time: a kind, unless it is a dummy.
static duet_code read_task(stg_reader *r, int64_t task)
{
    int64_t id = 0;
    duet_read_time time = {.forbidden = false};
    DUET_TRY(read_number(r, "the task's id", r->tasks + 1, &id));
    if (id != task) {
        return fail(r,
                    "task %" PRId64 ": expected task %" PRId64
                    ", since tasks come in the order of their ids",
                    id, task);
    }
    DUET_TRY(duet_words_next(&r->words));
    const duet_place place = {r->words.input->name, r->line, r->words.column};
    DUET_TRY(duet_read_time_text(r->words.text, r->words.length, place, &time, r->words.error));
    if (task == 0 || task == r->tasks + 1) {
        return time.value.mantissa == 0
                   ? DUET_OK
                   : fail(r,
                          "task %" PRId64 " takes time; expected a dummy of time 0, before the "
                          "%" PRId64 " tasks and after them",
                          task, r->tasks);
    }
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRId64, task);
    const duet_read_kind kind = {text, (size_t)length, 1, &time, 1, r->line, 0};
    return duet_builder_add_kind(r->builder, &kind, r->words.error);
}

// The predecessors of a task, as many as the row says.
static duet_code read_predecessors(stg_reader *r, int64_t task)
{
    int64_t count = 0;
    int64_t found = 0;
    DUET_TRY(read_number(r, "the number of predecessors", r->tasks + 1, &count));
    DUET_TRY(duet_words_next(&r->words));
    for (; r->words.length > 0; found++) {
        int64_t from = 0;
        if (!duet_words_whole(&r->words, 0, r->tasks, &from)) {
            return fail(r,
                        "predecessor \"%.*s\" of task %" PRId64
                        ": expected the id of a task, 0 to %" PRId64,
                        (int)r->words.length, r->words.text, task, r->tasks);
        }
        if (from > 0 && task <= r->tasks) {
            const duet_read_edge edge = {
                .from = {.task = from - 1}, .to = {.task = task - 1}, .line = r->line};
            DUET_TRY(duet_builder_add_edge(r->builder, &edge, r->words.error));
        }
        DUET_TRY(duet_words_next(&r->words));
    }
    if (found != count) {
        return fail(r,
                    "task %" PRId64 " has %" PRId64 " predecessor%s; expected %" PRId64
                    ", as the line says",
                    task, found, found == 1 ? "" : "s", count);
    }
    return DUET_OK;
}

static duet_code read_rows(stg_reader *r)
{
    duet_code code = DUET_OK;
    for (int64_t task = 0; task <= r->tasks + 1 && code == DUET_OK; task++) {
        duet_words_skip_lines(&r->words);
        r->line = r->words.input->line;
        if (duet_input_peek(r->words.input) < 0) {
            code = duet_input_check(r->words.input, r->words.error);
            return code != DUET_OK ? code
                                   : fail(r,
                                          "the file ends after %" PRId64 " rows; expected %" PRId64
                                          ", one for each task and two dummies",
                                          task, r->tasks + 2);
        }
        code = read_task(r, task);
        DUET_THEN(code, read_predecessors(r, task));
    }
    return code;
}

duet_code duet_read_instance_stg(duet_input *input, duet_builder *builder, duet_error *error)
{
    stg_reader r = {.words = {.input = input, .error = error, .comments = true},
                    .builder = builder};
    duet_builder_set_gpu_time(builder);
    DUET_TRY(read_size(&r));
    DUET_TRY(read_rows(&r));
    duet_words_skip_lines(&r.words);
    r.line = input->line;
    if (duet_input_peek(input) >= 0) {
        return fail(&r,
                    "more rows than tasks; expected %" PRId64 ", two more than the first line "
                    "says",
                    r.tasks + 2);
    }
    return duet_input_check(input, error);
}

bool duet_stg_begins(const unsigned char *text, size_t length)
{
    int words = 0; // of the line
    int line = 0;  // with words
    bool inside = false;
    bool comment = false;
    for (size_t at = 0; at < length && line < 2; at++) {
        unsigned char byte = text[at];
        comment = byte != '\n' && (comment || byte == '#');
        bool digit = byte >= '0' && byte <= '9';
        if (comment || byte == '\n' || duet_is_blank(byte)) {
            if (byte == '\n' && words > 0) {
                if (line == 0 && words != 1) {
                    return false;
                }
                line++;
                words = 0;
            }
            inside = false;
            continue;
        }
        if (!digit && (line == 0 || byte != '.')) {
            return false;
        }
        words += !inside;
        inside = true;
        if (line == 1 && words == 3) {
            return true;
        }
    }
    return false;
}
