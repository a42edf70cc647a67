// SPDX-License-Identifier: Apache-2.0
// Instances as CSV (RFC 4180): a header "id,TYPE,..." or "id,count,TYPE,...", then one kind a
// record. An empty time means that the kind cannot run there. The platform's counts are unknown.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "instances/formats.h"
#include "instances/utf8.h"

// An id, a count, one time per type; one more is read so that a surplus shows.
enum { MAX_FIELDS = DUET_MAX_TYPES + 3, MAX_RECORD = 1 << 20 };

typedef struct csv_field {
    size_t at; // in `text`; ends in NUL
    size_t length;
    int line;
    int column;
} csv_field;

typedef struct csv_reader {
    duet_input *input;
    duet_builder *builder;
    duet_error *error;
    char *text;
    size_t used;
    size_t capacity;
    csv_field fields[MAX_FIELDS];
    size_t field_count;
    int line; // of the record
} csv_reader;

static duet_code fail(const csv_reader *reader, int line, int column, const char *what)
{
    return duet_error_set_at(reader->error, DUET_E_INPUT, reader->input->name, line, column, "%s",
                             what);
}

static duet_code fail_here(const csv_reader *reader, const char *expected)
{
    char found[32];
    int byte = duet_input_peek(reader->input);
    return duet_error_set_at(reader->error, DUET_E_INPUT, reader->input->name, reader->input->line,
                             duet_input_column(reader->input), "expected %s, found %s", expected,
                             duet_input_describe(byte, found));
}

static duet_code append(csv_reader *reader, int byte)
{
    if (reader->used == MAX_RECORD) {
        return fail(reader, reader->line, 0, "record too long; expected at most 1048576 bytes");
    }
    duet_code code = duet_grow(&reader->text, reader->used, &reader->capacity, 1, reader->error);
    if (code == DUET_OK) {
        reader->text[reader->used++] = (char)byte;
    }
    return code;
}

// A field in quotes: two quotes stand for one, and everything else but NUL for itself.
static duet_code read_quoted(csv_reader *reader)
{
    duet_code code = DUET_OK;
    duet_input_take(reader->input);
    while (code == DUET_OK) {
        int byte = duet_input_peek(reader->input);
        if (byte <= 0) {
            return fail_here(reader, "a closing '\"'");
        }
        duet_input_take(reader->input);
        if (byte == '"') {
            if (duet_input_peek(reader->input) != '"') {
                break;
            }
            duet_input_take(reader->input);
        }
        code = append(reader, byte);
    }
    int byte = duet_input_peek(reader->input);
    if (code == DUET_OK && byte != ',' && byte != '\n' && byte != '\r' && byte >= 0) {
        return fail_here(reader, "',' or the end of the line after a quoted field");
    }
    return code;
}

static duet_code read_bare(csv_reader *reader, size_t start)
{
    duet_code code = DUET_OK;
    for (;;) {
        int byte = duet_input_peek(reader->input);
        if (byte < 0 || byte == ',' || byte == '\n' || byte == '\r') {
            break;
        }
        if (byte == '"' || (byte < 0x20 && byte != '\t') || byte == 0x7f) {
            return fail_here(reader, "text without quotes or control characters");
        }
        duet_input_take(reader->input);
        if (reader->used == start && (byte == ' ' || byte == '\t')) {
            continue; // blanks around a bare field do not count
        }
        code = append(reader, byte);
        if (code != DUET_OK) {
            return code;
        }
    }
    while (reader->used > start &&
           (reader->text[reader->used - 1] == ' ' || reader->text[reader->used - 1] == '\t')) {
        reader->used--;
    }
    return code;
}

static duet_code read_field(csv_reader *reader)
{
    if (reader->field_count == MAX_FIELDS) {
        return fail_here(reader, "at most 64 processor types");
    }
    csv_field *field = &reader->fields[reader->field_count++];
    field->at = reader->used;
    field->line = reader->input->line;
    field->column = duet_input_column(reader->input);
    duet_code code = duet_input_peek(reader->input) == '"' ? read_quoted(reader)
                                                           : read_bare(reader, reader->used);
    if (code != DUET_OK) {
        return code;
    }
    field->length = reader->used - field->at;
    if (!duet_utf8_valid(reader->text == NULL ? "" : reader->text + field->at, field->length)) {
        return fail(reader, field->line, field->column, "invalid UTF-8; expected UTF-8 text");
    }
    return append(reader, '\0');
}

static duet_code end_line(csv_reader *reader)
{
    if (duet_input_peek(reader->input) == '\r') {
        duet_input_take(reader->input);
        if (duet_input_peek(reader->input) != '\n' && duet_input_peek(reader->input) >= 0) {
            return fail_here(reader, "a line feed after a carriage return");
        }
    }
    (void)duet_input_next(reader->input);
    return DUET_OK;
}

// Reads the next record that is not an empty line; without fields at the end of the file.
static duet_code read_record(csv_reader *reader)
{
    duet_code code = DUET_OK;
    reader->field_count = 0;
    while (code == DUET_OK && duet_input_peek(reader->input) >= 0) {
        reader->used = 0;
        reader->field_count = 0;
        reader->line = reader->input->line;
        do {
            if (reader->field_count > 0) {
                duet_input_take(reader->input); // the comma
            }
            code = read_field(reader);
        } while (code == DUET_OK && duet_input_peek(reader->input) == ',');
        code = code == DUET_OK ? end_line(reader) : code;
        if (reader->field_count > 1 || reader->fields[0].length > 0) {
            break;
        }
        reader->field_count = 0;
    }
    return code == DUET_OK ? duet_input_check(reader->input, reader->error) : code;
}

static const char *field_text(const csv_reader *reader, size_t index)
{
    return reader->text + reader->fields[index].at;
}

// Checks the header and adds the types; `*first` is the column of the first type.
static duet_code read_header(csv_reader *reader, size_t *first)
{
    static const char what[] = "expected the header id,cpu,gpu or id,count,cpu,gpu";
    duet_code code = read_record(reader);
    if (code != DUET_OK) {
        return code;
    }
    if (reader->field_count == 0 || strcmp(field_text(reader, 0), "id") != 0) {
        return fail(reader, 1, 1, what);
    }
    *first = reader->field_count > 1 && strcmp(field_text(reader, 1), "count") == 0 ? 2 : 1;
    if (reader->field_count == *first) {
        return fail(reader, reader->line, 0,
                    "the header names no processor type; expected id,cpu,gpu or "
                    "id,count,cpu,gpu");
    }
    for (size_t i = *first; i < reader->field_count && code == DUET_OK; i++) {
        code =
            duet_builder_add_type(reader->builder, field_text(reader, i), -1,
                                  reader->fields[i].line, reader->fields[i].column, reader->error);
    }
    return code;
}

static duet_code read_count(const csv_reader *reader, int64_t *count)
{
    const csv_field *field = &reader->fields[1];
    duet_decimal number;
    if (duet_decimal_parse(field_text(reader, 1), field->length, &number) != DUET_DECIMAL_OK ||
        number.places != 0 || number.mantissa < 1) {
        return duet_error_set_at(
            reader->error, DUET_E_INPUT, reader->input->name, field->line, field->column,
            "count \"%.40s\": expected a whole number of at least 1", field_text(reader, 1));
    }
    *count = number.mantissa;
    return DUET_OK;
}

static duet_code read_kind(const csv_reader *reader, size_t columns, size_t first)
{
    duet_read_time times[DUET_MAX_TYPES];
    int64_t count = 1;
    if (reader->field_count != columns) {
        return duet_error_set_at(reader->error, DUET_E_INPUT, reader->input->name, reader->line, 0,
                                 "%zu fields; expected %zu, as in the header", reader->field_count,
                                 columns);
    }
    duet_code code = first == 2 ? read_count(reader, &count) : DUET_OK;
    for (size_t i = first; i < columns && code == DUET_OK; i++) {
        const csv_field *field = &reader->fields[i];
        times[i - first] = (duet_read_time){field->length == 0, {0, 0}};
        if (field->length > 0) {
            code =
                duet_read_time_text(field_text(reader, i), field->length, reader->input->name,
                                    field->line, field->column, &times[i - first], reader->error);
        }
    }
    if (code != DUET_OK) {
        return code;
    }
    return duet_builder_add_kind(reader->builder, field_text(reader, 0), reader->fields[0].length,
                                 count, times, columns - first, reader->line, 1, reader->error);
}

duet_code duet_read_instance_csv(duet_input *input, duet_builder *builder, duet_error *error)
{
    csv_reader *state = duet_alloc(1, sizeof *state, error);
    if (state == NULL) {
        return DUET_E_MEMORY;
    }
    state->input = input;
    state->builder = builder;
    state->error = error;
    size_t first = 1;
    duet_code code = read_header(state, &first);
    size_t columns = state->field_count;
    while (code == DUET_OK) {
        code = read_record(state);
        if (code != DUET_OK || state->field_count == 0) {
            break;
        }
        code = read_kind(state, columns, first);
    }
    free(state->text);
    free(state);
    return code;
}

static void write_field(FILE *stream, const char *text)
{
    size_t length = strlen(text);
    bool plain = length > 0 && strpbrk(text, ",\"\r\n\t") == NULL && text[0] != ' ' &&
                 text[length - 1] != ' ';
    for (const char *c = text; plain && *c != '\0'; c++) {
        plain = (unsigned char)*c >= 0x20 && *c != 0x7f;
    }
    if (plain) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '"' ? "\"" : "", stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

// A first type called "count" would pass for the column of counts, so that is then written too.
static bool needs_counts(const duet_instance *instance)
{
    return strcmp(instance->type_names[0], "count") == 0 ||
           duet_tasks(instance) != (int64_t)instance->kinds;
}

void duet_write_instance_csv(FILE *stream, const duet_instance *instance)
{
    bool counts = needs_counts(instance);
    char buffer[32];
    fputs(counts ? "id,count" : "id", stream);
    for (size_t t = 0; t < instance->types; t++) {
        fputc(',', stream);
        write_field(stream, instance->type_names[t]);
    }
    fputc('\n', stream);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        write_field(stream, duet_instance_kind_id(instance, kind));
        if (counts) {
            fprintf(stream, ",%" PRId64, duet_count(instance, kind));
        }
        for (size_t t = 0; t < instance->types; t++) {
            int64_t time = duet_time(instance, kind, t);
            fputc(',', stream);
            fputs(time == DUET_FORBIDDEN ? "" : duet_instance_format_time(instance, time, buffer),
                  stream);
        }
        fputc('\n', stream);
    }
}
