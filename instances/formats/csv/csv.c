// SPDX-License-Identifier: Apache-2.0
// Records of CSV files (RFC 4180): fields bare or in quotes, lines that end in LF or CRLF.
#include "instances/formats/csv/csv.h"

#include <string.h>

#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"

duet_csv duet_csv_over(duet_input *input, size_t most, const char *expected, duet_error *error)
{
    return (duet_csv){
        .input = input, .error = error, .most = most, .expected = expected, .separator = ','};
}

duet_code duet_csv_fail(const duet_csv *csv, int line, int column, const char *what)
{
    return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, line, column, "%s", what);
}

static duet_code fail_here(const duet_csv *csv, const char *expected)
{
    char found[32];
    int byte = duet_input_peek(csv->input);
    return duet_error_set_at(csv->error, DUET_E_INPUT, csv->input->name, csv->input->line,
                             duet_input_column(csv->input), "expected %s, found %s", expected,
                             duet_input_describe(byte, found));
}

static duet_code append(duet_csv *csv, int byte)
{
    if (csv->used == DUET_CSV_MAX_RECORD) {
        return duet_csv_fail(csv, csv->line, 0, "record too long; expected at most 1048576 bytes");
    }
    return duet_vec_push(csv->text, csv->used, csv->error, (char)byte);
}

// Blanks around a field do not count; a tab that separates fields is none.
static bool is_blank(const duet_csv *csv, int byte)
{
    return byte == ' ' || (byte == '\t' && csv->separator != '\t');
}

// A field in quotes: two quotes stand for one, and everything else but NUL for itself.
static duet_code read_quoted(duet_csv *csv)
{
    duet_code code = DUET_OK;
    duet_input_take(csv->input);
    while (code == DUET_OK) {
        int byte = duet_input_peek(csv->input);
        if (byte <= 0) {
            return fail_here(csv, "a closing '\"'");
        }
        duet_input_take(csv->input);
        if (byte == '"') {
            if (duet_input_peek(csv->input) != '"') {
                break;
            }
            duet_input_take(csv->input);
        }
        code = append(csv, byte);
    }
    while (code == DUET_OK && is_blank(csv, duet_input_peek(csv->input))) {
        duet_input_take(csv->input);
    }
    int byte = duet_input_peek(csv->input);
    if (code == DUET_OK && byte != csv->separator && byte != '\n' && byte != '\r' && byte >= 0) {
        return fail_here(
            csv, csv->separator == ','   ? "',' or the end of the line after a quoted field"
                 : csv->separator == '|' ? "'|' or the end of the line after a quoted field"
                 : csv->separator == ';' ? "';' or the end of the line after a quoted field"
                                         : "a tab or the end of the line after a quoted field");
    }
    return code;
}

static duet_code read_bare(duet_csv *csv, size_t start)
{
    duet_code code = DUET_OK;
    for (;;) {
        int byte = duet_input_peek(csv->input);
        if (byte < 0 || byte == csv->separator || byte == '\n' || byte == '\r') {
            break;
        }
        if (byte == '"' || (byte < 0x20 && byte != '\t') || byte == 0x7f) {
            return fail_here(csv, "text without quotes or control characters");
        }
        duet_input_take(csv->input);
        if (csv->used == start && is_blank(csv, byte)) {
            continue;
        }
        code = append(csv, byte);
        if (code != DUET_OK) {
            return code;
        }
    }
    while (csv->used > start && is_blank(csv, csv->text[csv->used - 1])) {
        csv->used--;
    }
    return code;
}

// Blanks before a quote do not count either: whether there are such, which it passes over.
static bool skip_to_quote(const duet_csv *csv)
{
    duet_input *input = csv->input;
    size_t blanks = 0;
    duet_input_fill(input, DUET_INPUT_LOOKAHEAD);
    while (input->at + blanks < input->filled && is_blank(csv, input->buffer[input->at + blanks])) {
        blanks++;
    }
    bool quoted = input->at + blanks < input->filled && input->buffer[input->at + blanks] == '"';
    for (; quoted && blanks > 0; blanks--) {
        duet_input_take(input);
    }
    return quoted;
}

static duet_code read_field(duet_csv *csv)
{
    if (csv->count == csv->most) {
        return fail_here(csv, csv->expected);
    }
    DUET_TRY(duet_vec_grow(csv->fields, csv->count, csv->error));
    duet_csv_field *field = &csv->fields[csv->count++];
    field->at = csv->used;
    field->length = 0;
    field->quoted = is_blank(csv, duet_input_peek(csv->input)) ? skip_to_quote(csv)
                                                               : duet_input_peek(csv->input) == '"';
    field->line = csv->input->line;
    field->column = duet_input_column(csv->input);
    DUET_TRY(field->quoted ? read_quoted(csv) : read_bare(csv, csv->used));
    field->length = csv->used - field->at;
    if (!duet_utf8_valid(csv->text == NULL ? "" : csv->text + field->at, field->length)) {
        return duet_csv_fail(csv, field->line, field->column,
                             "invalid UTF-8; expected UTF-8 text" DUET_UTF8_ADVICE);
    }
    return append(csv, '\0');
}

static duet_code end_line(duet_csv *csv)
{
    if (duet_input_peek(csv->input) == '\r') {
        duet_input_take(csv->input);
        if (duet_input_peek(csv->input) != '\n' && duet_input_peek(csv->input) >= 0) {
            return fail_here(csv, "a line feed after a carriage return");
        }
    }
    csv->ended = duet_input_next(csv->input) == '\n';
    return DUET_OK;
}

static void skip_line(duet_input *input)
{
    int byte;
    do {
        byte = duet_input_next(input);
    } while (byte >= 0 && byte != '\n');
}

static duet_code read_record(duet_csv *csv)
{
    duet_code code = DUET_OK;
    csv->count = 0;
    while (code == DUET_OK && duet_input_peek(csv->input) >= 0) {
        if (csv->comments && duet_input_peek(csv->input) == '#') {
            skip_line(csv->input);
            continue;
        }
        csv->used = 0;
        csv->count = 0;
        csv->line = csv->input->line;
        csv->ended = false;
        do {
            if (csv->count > 0) {
                duet_input_take(csv->input); // the separator
            }
            code = read_field(csv);
        } while (code == DUET_OK && duet_input_peek(csv->input) == csv->separator);
        DUET_THEN(code, end_line(csv));
        if (csv->count > 1 || (csv->count == 1 && csv->fields[0].length > 0)) {
            break;
        }
        csv->count = 0;
    }
    return code;
}

// Whether the file ends within the record. An open quote that swallowed whole lines is a mistake,
// not a cut.
static bool is_cut(const duet_csv *csv, duet_code code)
{
    if (csv->ended || duet_input_peek(csv->input) >= 0) {
        return false;
    }
    return code == DUET_OK ? csv->count > 0 : code == DUET_E_INPUT && csv->line == csv->input->line;
}

duet_code duet_csv_next(duet_csv *csv)
{
    duet_code code = read_record(csv);
    if (csv->cut != DUET_CSV_CUT_READ && is_cut(csv, code)) {
        duet_error_clear(csv->error);
        csv->cut = DUET_CSV_CUT_LEFT;
        csv->count = 0;
        code = DUET_OK;
    }
    return code == DUET_OK ? duet_input_check(csv->input, csv->error) : code;
}

void duet_csv_free(duet_csv *csv)
{
    duet_free(csv->text);
    duet_free(csv->fields);
    csv->text = NULL;
    csv->fields = NULL;
}

void duet_csv_put_field(FILE *stream, const char *text)
{
    size_t length = strlen(text);
    bool plain = length > 0 && strpbrk(text, ",;\"\r\n\t") == NULL && text[0] != ' ' &&
                 text[0] != '#' && text[length - 1] != ' ';
    for (const char *c = text; plain && *c != '\0'; c++) {
        plain = (unsigned char)*c >= 0x20 && *c != 0x7f;
    }
    const char *quote = plain ? "" : "\"";
    fputs(quote, stream);
    duet_output_quoted(stream, text, '"');
    fputs(quote, stream);
}
