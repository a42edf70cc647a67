// SPDX-License-Identifier: Apache-2.0
// Records of the GNU recutils format.
#include "instances/formats/starpu/recutils.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"

// Bytes of one record: a task that waits for all of a million others fits.
enum { MAX_RECORD = 1 << 26 };

static bool is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool is_letter(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_name_part(int byte)
{
    return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_';
}

static duet_code fail(const duet_rec_reader *reader, duet_error *error, const char *expected)
{
    char found[32];
    duet_input *input = reader->input;
    return duet_error_set_at(error, DUET_E_INPUT, input->name, input->line,
                             duet_input_column(input), "expected %s, found %s", expected,
                             duet_input_describe(duet_input_peek(input), found));
}

static duet_code append(duet_rec_reader *reader, int byte, duet_error *error)
{
    if (reader->used == MAX_RECORD) {
        return duet_error_set_at(error, DUET_E_INPUT, reader->input->name, reader->input->line, 0,
                                 "record too long; expected at most 64 MiB");
    }
    return duet_vec_push(reader->text, reader->used, error, (char)byte);
}

static void skip_line(duet_input *input)
{
    while (duet_input_peek(input) >= 0 && duet_input_next(input) != '\n') {
    }
}

// Blanks at the end of what is in `text` since `start`.
static void trim(duet_rec_reader *reader, size_t start)
{
    while (reader->used > start && (is_blank((unsigned char)reader->text[reader->used - 1]))) {
        reader->used--;
    }
}

// Takes the rest of a line into the text, with the lines that a backslash at the end joins to it.
static duet_code read_line(duet_rec_reader *reader, size_t start, duet_error *error)
{
    duet_input *input = reader->input;
    for (;;) {
        int byte = duet_input_peek(input);
        if (byte < 0) {
            break;
        }
        if (byte == '\n') {
            duet_input_take(input);
            trim(reader, start);
            if (reader->used == start || reader->text[reader->used - 1] != '\\') {
                break;
            }
            reader->used--;
            continue;
        }
        if ((byte < 0x20 && !is_blank(byte)) || byte == 0x7f) {
            return fail(reader, error, "text");
        }
        DUET_TRY(append(reader, byte, error));
        duet_input_take(input);
    }
    trim(reader, start);
    return DUET_OK;
}

static duet_code read_value(duet_rec_reader *reader, duet_rec_field *field, duet_error *error)
{
    duet_input *input = reader->input;
    while (is_blank(duet_input_peek(input))) {
        duet_input_take(input);
    }
    field->value = reader->used;
    DUET_TRY(read_line(reader, field->value, error));
    while (duet_input_peek(input) == '+') {
        duet_input_take(input);
        if (duet_input_peek(input) == ' ') {
            duet_input_take(input);
        }
        DUET_TRY(append(reader, '\n', error));
        DUET_TRY(read_line(reader, reader->used, error));
    }
    size_t length = reader->used - field->value;
    if (!duet_utf8_valid(reader->text + field->value, length)) {
        return duet_error_set_at(error, DUET_E_INPUT, input->name, field->line, 0,
                                 "invalid UTF-8; expected UTF-8 text" DUET_UTF8_ADVICE);
    }
    return append(reader, '\0', error);
}

static duet_code read_field(duet_rec_reader *reader, duet_error *error)
{
    duet_input *input = reader->input;
    duet_rec_field field = {.name = reader->used, .line = input->line};
    if (!is_letter(duet_input_peek(input)) && duet_input_peek(input) != '%') {
        return fail(reader, error, "\"Field: value\", '#' or an empty line");
    }
    duet_code code = DUET_OK;
    do {
        code = append(reader, duet_input_next(input), error);
    } while (code == DUET_OK && is_name_part(duet_input_peek(input)));
    if (code == DUET_OK && duet_input_peek(input) != ':') {
        return fail(reader, error, "':' after a field's name");
    }
    if (code == DUET_OK) {
        duet_input_take(input);
        code = append(reader, '\0', error);
    }
    DUET_THEN(code, read_value(reader, &field, error));
    DUET_THEN(code, duet_vec_push(reader->fields, reader->count, error, field));
    return code;
}

// Takes a line without any but blanks; false, with the blanks taken, where there is more on it.
static bool take_empty_line(duet_input *input)
{
    while (is_blank(duet_input_peek(input))) {
        duet_input_take(input);
    }
    if (duet_input_peek(input) != '\n') {
        return false;
    }
    duet_input_take(input);
    return true;
}

duet_code duet_rec_next(duet_rec_reader *reader, duet_error *error)
{
    duet_input *input = reader->input;
    duet_code code = DUET_OK;
    reader->used = 0;
    reader->count = 0;
    while (code == DUET_OK && duet_input_peek(input) >= 0) {
        if (take_empty_line(input)) {
            if (reader->count > 0) {
                break;
            }
        } else if (duet_input_peek(input) == '#') {
            skip_line(input);
        } else if (duet_input_peek(input) >= 0) {
            code = read_field(reader, error);
        }
    }
    return code == DUET_OK ? duet_input_check(input, error) : code;
}

const duet_rec_field *duet_rec_find(const duet_rec_reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->count; i++) {
        if (strcmp(reader->text + reader->fields[i].name, name) == 0) {
            return &reader->fields[i];
        }
    }
    return NULL;
}

const char *duet_rec_value(const duet_rec_reader *reader, const duet_rec_field *field)
{
    return reader->text + field->value;
}

void duet_rec_free(duet_rec_reader *reader)
{
    duet_free(reader->text);
    duet_free(reader->fields);
}

bool duet_rec_begins(const unsigned char *bytes, size_t length)
{
    static const char *const known[] = {"%rec",          "Name",        "Model", "JobId",
                                        "SubmitOrder",   "Control",     "File",  "Priority",
                                        "EstimatedTime", "Footprint",   "Tag",   "WorkerId",
                                        "MPIRank",       "Architecture"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t size = strlen(known[i]);
        if (length > size && memcmp(bytes, known[i], size) == 0 && bytes[size] == ':') {
            return true;
        }
    }
    return false;
}

bool duet_rec_at(duet_input *input, bool (*begins)(const unsigned char *bytes, size_t length))
{
    while (duet_input_peek(input) == '#' || duet_input_peek(input) == '\n') {
        skip_line(input);
    }
    duet_input_fill(input, DUET_INPUT_LOOKAHEAD);
    size_t left = input->filled - input->at;
    return begins(input->buffer + input->at, duet_min(left, (size_t)DUET_INPUT_LOOKAHEAD));
}
