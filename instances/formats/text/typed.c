// SPDX-License-Identifier: Apache-2.0
// Instances as typed-task text: lines "id cpu gpu [gpu2 ...] [pred,pred,...]" in milliseconds, -1
// where the task cannot run. Empty lines and what follows '#' are skipped.
//
// How many types there are is decided by the shortest line: a task graph has a task without
// predecessors. So the lines are kept until the end of the file.
#include <limits.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"
#include "instances/formats/formats.h"

enum { MAX_LINE = 1 << 20 };

typedef struct text_row {
    size_t at; // in `text`: its columns, each with its final NUL
    int line;
    int columns;
} text_row;

typedef struct text_reader {
    duet_input *input;
    duet_builder *builder;
    duet_error *error;
    char *text;
    size_t used;
    text_row *rows;
    size_t row_count;
    size_t types;
} text_reader;

static duet_code fail(const text_reader *reader, int line, const char *what)
{
    return duet_error_set_at(reader->error, DUET_E_INPUT, reader->input->name, line, 0, "%s", what);
}

// What is read as lines of text where it is nothing else: the formats that it may have been meant
// to be, the nearest ones first.
#define KNOWN                                                                                      \
    "lines \"id cpu gpu\", CSV with a header id,..., JSON, DOT, DAX, DAGMan, TGFF, STG, StarPU's " \
    "records, "                                                                                    \
    "a job shop or a list of times (duet list formats)"

static duet_code append(text_reader *reader, int byte)
{
    return duet_vec_push(reader->text, reader->used, reader->error, (char)byte);
}

// One column, up to a blank; the text ends in NUL.
static duet_code read_column(text_reader *reader)
{
    size_t start = reader->used;
    duet_code code = DUET_OK;
    for (;;) {
        int byte = duet_input_peek(reader->input);
        if (byte < 0 || byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n') {
            break;
        }
        if (byte < 0x20 || byte == 0x7f) {
            char found[32];
            return duet_error_set_at(reader->error, DUET_E_INPUT, reader->input->name,
                                     reader->input->line, duet_input_column(reader->input),
                                     "expected text, " KNOWN ", found %s",
                                     duet_input_describe(byte, found));
        }
        code = append(reader, byte);
        if (code != DUET_OK) {
            return code;
        }
        if (reader->used - start > MAX_LINE) {
            return fail(reader, reader->input->line, "column too long; expected at most 1 MiB");
        }
        duet_input_take(reader->input);
    }
    if (!duet_utf8_valid(reader->text + start, reader->used - start)) {
        return fail(reader, reader->input->line,
                    "invalid UTF-8; expected UTF-8 text" DUET_UTF8_ADVICE);
    }
    return append(reader, '\0');
}

// Whether the column read last goes on behind a blank: "a, b" is one list. Then it is taken up.
static bool reopen(text_reader *reader, const text_row *row)
{
    bool open = row->columns > 1 && reader->text[reader->used - 2] == ',';
    reader->used -= open;
    return open;
}

// Reads the columns of one line into `row`; none where it is empty or a comment.
static duet_code read_row(text_reader *reader, text_row *row)
{
    duet_code code = DUET_OK;
    *row = (text_row){reader->used, reader->input->line, 0};
    for (;;) {
        int byte = duet_input_peek(reader->input);
        if (byte < 0) {
            return duet_input_check(reader->input, reader->error);
        }
        if (byte == '#') {
            while (byte >= 0 && byte != '\n') {
                duet_input_take(reader->input);
                byte = duet_input_peek(reader->input);
            }
            continue;
        }
        if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n') {
            duet_input_take(reader->input);
            if (byte == '\n') {
                return DUET_OK;
            }
            continue;
        }
        row->columns -= reopen(reader, row);
        code = read_column(reader);
        if (code != DUET_OK) {
            return code;
        }
        if (++row->columns > DUET_MAX_TYPES + 2) {
            return fail(reader, row->line, "too many columns; expected at most 64 times");
        }
    }
}

static const char *next_column(const char *column)
{
    return column + strlen(column) + 1;
}

static const char *last_column(const text_reader *reader, const text_row *row)
{
    const char *column = reader->text + row->at;
    for (int c = 1; c < row->columns; c++) {
        column = next_column(column);
    }
    return column;
}

// Whether every line ends with predecessors, for the last column is a number nowhere. Some wait for
// each other then, or for a task that is not there.
static bool all_wait(const text_reader *reader)
{
    bool all = true;
    for (size_t i = 0; i < reader->row_count && all; i++) {
        const char *column = last_column(reader, &reader->rows[i]);
        duet_decimal value;
        duet_decimal_tail tail;
        all = reader->rows[i].columns == reader->rows[0].columns && reader->rows[i].columns > 3 &&
              duet_decimal_read(column, strlen(column), &value, &tail) == DUET_DECIMAL_SYNTAX;
    }
    return all;
}

static duet_code read_rows(text_reader *reader)
{
    duet_code code = DUET_OK;
    int shortest = INT_MAX;
    while (code == DUET_OK && duet_input_peek(reader->input) >= 0) {
        code = duet_vec_grow(reader->rows, reader->row_count, reader->error);
        text_row row;
        DUET_THEN(code, read_row(reader, &row));
        if (code != DUET_OK || row.columns == 0) {
            continue;
        }
        if (row.columns == 1) {
            bool separated = strpbrk(reader->text + row.at, ",;") != NULL;
            return fail(reader, row.line,
                        separated
                            ? "neither columns with blanks between them nor a CSV header before; "
                              "expected CSV to begin with id,cpu,gpu or id,count,cpu,gpu, as they "
                              "are written here, with commas"
                            : "one column; expected " KNOWN);
        }
        shortest = duet_min(row.columns, shortest);
        reader->rows[reader->row_count++] = row;
    }
    DUET_THEN(code, duet_input_check(reader->input, reader->error));
    if (code == DUET_OK && reader->row_count == 0) {
        return duet_error_set_at(reader->error, DUET_E_INPUT, reader->input->name, 0, 0,
                                 "the file is empty; expected " KNOWN);
    }
    if (code == DUET_OK && shortest > DUET_MAX_TYPES + 1) { // predecessors on every line, or none
        return fail(reader, reader->rows[0].line, "too many columns; expected at most 64 times");
    }
    reader->types = (size_t)shortest - (code == DUET_OK && all_wait(reader) ? 2 : 1);
    return code;
}

// -1, in any number of decimals, says that the task cannot run there.
static bool is_minus_one(const char *text)
{
    duet_decimal value;
    return text[0] == '-' && text[1] != '-' && text[1] != '+' &&
           duet_decimal_parse(text + 1, strlen(text + 1), &value) == DUET_DECIMAL_OK &&
           value.mantissa == 1 && value.places == 0;
}

// Whether the first line may count the lines behind it, as that of a job shop counts jobs.
static bool counts_lines(const text_reader *reader)
{
    const text_row *first = &reader->rows[0];
    duet_decimal jobs = {-1, 0};
    duet_decimal machines = {-1, 0};
    const char *text = reader->text + first->at;
    const char *second = next_column(text);
    return (first->columns == 2 || first->columns == 3) &&
           duet_decimal_parse(text, strlen(text), &jobs) == DUET_DECIMAL_OK && jobs.places == 0 &&
           jobs.mantissa == (int64_t)reader->row_count - 1 &&
           duet_decimal_parse(second, strlen(second), &machines) == DUET_DECIMAL_OK;
}

static duet_code build_kind(const text_reader *reader, const text_row *row)
{
    duet_read_time times[DUET_MAX_TYPES];
    const char *id = reader->text + row->at;
    const char *column = id;
    if ((size_t)row->columns > reader->types + 2) {
        return duet_error_set_at(
            reader->error, DUET_E_INPUT, reader->input->name, row->line, 0,
            "%d columns; expected an id, as many times as on the shortest line "
            "(%zu), and at most a list of predecessors%s",
            row->columns, reader->types,
            counts_lines(reader) ? "; or, in a job shop, a machine from 0 and a time for each "
                                   "operation, as many on each line"
                                 : "");
    }
    for (size_t t = 0; t < reader->types; t++) {
        column = next_column(column);
        times[t] = (duet_read_time){.forbidden = is_minus_one(column)};
        if (times[t].forbidden) {
            continue;
        }
        duet_decimal_tail tail;
        if (duet_decimal_read(column, strlen(column), &times[t].value, &tail) ==
            DUET_DECIMAL_SYNTAX) {
            return duet_error_set_at(
                reader->error, DUET_E_INPUT, reader->input->name, row->line, 0,
                "time \"%.40s\": expected a decimal number, or -1 where the task cannot run%s",
                column,
                row->line == 1
                    ? "; lines with blanks between the columns have no header, a header "
                      "has commas, semicolons or tabs: sed -E \"/^[- ]*$/d; s/^ +| +$//g; "
                      "s/ +/,/g\" writes commas"
                    : "");
        }
        DUET_TRY(duet_read_time_text(column, strlen(column),
                                     (duet_place){reader->input->name, row->line, 0}, &times[t],
                                     reader->error));
    }
    const duet_read_kind kind = {.id = id,
                                 .id_length = strlen(id),
                                 .count = 1,
                                 .times = times,
                                 .time_count = reader->types,
                                 .line = row->line,
                                 .column = 1};
    return duet_builder_add_kind(reader->builder, &kind, reader->error);
}

// The task of a row waits for those of its last column, "a,b".
static duet_code add_edges(const text_reader *reader, size_t task)
{
    const text_row *row = &reader->rows[task];
    const char *list = last_column(reader, row);
    duet_code code = DUET_OK;
    for (list += strspn(list, ","); *list != '\0' && code == DUET_OK; list += strspn(list, ",")) {
        size_t length = strcspn(list, ",");
        const duet_read_edge edge = {
            .from = {list, length, 0, true}, .to = {.task = (int64_t)task}, .line = row->line};
        code = duet_builder_add_edge(reader->builder, &edge, reader->error);
        list += length;
    }
    return code;
}

static duet_code build(const text_reader *reader)
{
    duet_code code = duet_builder_set_time_unit(reader->builder, "ms", reader->error);
    duet_builder_expect_ends(reader->builder, "a comma list of task ids, or as many times as on "
                                              "the shortest line");
    for (size_t i = 0; i < reader->row_count && code == DUET_OK; i++) {
        code = build_kind(reader, &reader->rows[i]);
    }
    for (size_t i = 0; i < reader->row_count && code == DUET_OK; i++) {
        bool waits = (size_t)reader->rows[i].columns == reader->types + 2;
        code = waits ? add_edges(reader, i) : DUET_OK;
    }
    return code;
}

duet_code duet_read_instance_text(duet_input *input, duet_builder *builder, duet_error *error)
{
    text_reader reader = {.input = input, .builder = builder, .error = error};
    duet_code code = read_rows(&reader);
    DUET_THEN(code, build(&reader));
    duet_free(reader.text);
    duet_free(reader.rows);
    return code;
}
