// SPDX-License-Identifier: Apache-2.0
#include "bench/run/columns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/exact_names.h"
#include "core/number/decimal.h"
#include "core/system/assert.h"
#include "core/system/output.h"
#include "core/system/try.h"

size_t duet_columns_header(const duet_column *columns, char *line, size_t size)
{
    duet_fields names = {.text = line, .size = size};
    for (const duet_column *c = columns; c->name != NULL; c++) {
        duet_fields_add(&names, c->name);
    }
    DUET_ASSERT(!names.failed);
    return names.used;
}

size_t duet_columns_count(const duet_column *columns, duet_column_role role)
{
    size_t count = 0;
    for (const duet_column *c = columns; c->name != NULL; c++) {
        count += c->role == role;
    }
    return count;
}

static const void *member(const duet_column *c, const void *row)
{
    return (const char *)row + c->offset;
}

static double real(const duet_column *c, const void *row)
{
    return c->value != NULL ? c->value(row) : *(const double *)member(c, row);
}

static bool applies(const duet_column *c, const void *row)
{
    const int64_t *guard = (const void *)((const char *)row + c->guard);
    return (c->applies == NULL || c->applies(row)) && (!c->guarded || *guard >= c->guard_least);
}

static int decimals_of(const duet_column *c, const void *row)
{
    return *(const int *)(const void *)((const char *)row + c->decimals);
}

// The value as text: itself, or in `room`.
static const char *text_of(const duet_column *c, const void *row, char room[DUET_COLUMN_ROOM])
{
    room[0] = '\0';
    if (!applies(c, row)) {
        return room;
    }
    switch (c->type) {
    case DUET_COLUMN_TEXT:
        return *(const char *const *)member(c, row);
    case DUET_COLUMN_CHARS:
        return member(c, row);
    case DUET_COLUMN_INT:
        snprintf(room, DUET_COLUMN_ROOM, "%d", *(const int *)member(c, row));
        break;
    case DUET_COLUMN_NAME:
        return c->names[*(const int *)member(c, row) - c->least];
    case DUET_COLUMN_INTEGER:
        snprintf(room, DUET_COLUMN_ROOM, "%" PRId64, *(const int64_t *)member(c, row));
        break;
    case DUET_COLUMN_NUMBER:
        snprintf(room, DUET_COLUMN_ROOM, "%" PRIu64, *(const uint64_t *)member(c, row));
        break;
    case DUET_COLUMN_REAL:
        if (real(c, row) >= 0) {
            snprintf(room, DUET_COLUMN_ROOM, c->format, real(c, row));
        }
        break;
    case DUET_COLUMN_TICKS:
        duet_decimal_format(*(const int64_t *)member(c, row), decimals_of(c, row), room);
        break;
    case DUET_COLUMN_OWN:
        c->write(row, room);
    }
    return room;
}

duet_code duet_columns_write(const duet_column *columns, duet_column_role role, const void *row,
                             char *text, size_t size, duet_error *error)
{
    duet_fields fields = {.text = text, .size = size};
    char room[DUET_COLUMN_ROOM];
    text[0] = '\0';
    for (const duet_column *c = columns; c->name != NULL; c++) {
        if (c->role != role) {
            continue;
        }
        const char *value = text_of(c, row, room);
        duet_fields_add(&fields, value);
        if (fields.failed) {
            return duet_error_set(error, DUET_E_LIMIT,
                                  "%.100s: the %s does not fit a row, or has a line break", value,
                                  c->name);
        }
    }
    return DUET_OK;
}

// The field from `at` to `end` without its quotes. False where it does not fit.
static bool unquote(const char *at, const char *end, char room[DUET_COLUMN_ROOM])
{
    bool quoted = *at == '"';
    size_t used = 0;
    for (at += quoted; at < end && used + 1 < DUET_COLUMN_ROOM; at++) {
        if (quoted && *at == '"' && ++at == end) {
            break;
        }
        room[used++] = *at;
    }
    room[used] = '\0';
    return at == end;
}

static bool read_integer(const char *text, int64_t *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0';
}

static bool read_int(const duet_column *c, const char *text, int *value)
{
    int64_t read = 0;
    bool good = read_integer(text, &read) && read >= c->least && read <= c->most;
    *value = good ? (int)read : c->least;
    return good;
}

static bool read_name(const duet_column *c, const char *text, int *value)
{
    int i = 0;
    while (c->names[i] != NULL && strcmp(c->names[i], text) != 0) {
        i++;
    }
    *value = c->names[i] == NULL ? c->least : c->least + i;
    return c->names[i] != NULL;
}

static bool read_number(const char *text, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

static bool read_real(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

static bool read_ticks(const char *text, int decimals, int64_t *ticks)
{
    duet_decimal value;
    return duet_decimal_parse(text, strlen(text), &value) == DUET_DECIMAL_OK &&
           duet_decimal_scale(value, decimals, ticks);
}

static bool read_value(const duet_column *c, const char *text, void *row)
{
    void *at = (char *)row + c->offset;
    if (text[0] == '\0' && c->type != DUET_COLUMN_OWN && c->type != DUET_COLUMN_NAME) {
        return true;
    }
    switch (c->type) {
    case DUET_COLUMN_TEXT:
        return true;
    case DUET_COLUMN_INT:
        return c->most == 0 || read_int(c, text, at);
    case DUET_COLUMN_NAME:
        return read_name(c, text, at);
    case DUET_COLUMN_CHARS:
        return strlen(text) < c->size && memcpy(at, text, strlen(text) + 1) != NULL;
    case DUET_COLUMN_INTEGER:
        return read_integer(text, at);
    case DUET_COLUMN_NUMBER:
        return read_number(text, at);
    case DUET_COLUMN_REAL:
        return c->value != NULL || read_real(text, at);
    case DUET_COLUMN_TICKS:
        return read_ticks(text, decimals_of(c, row), at);
    case DUET_COLUMN_OWN:
        return c->read == NULL || c->read(row, text);
    }
    return false;
}

duet_code duet_columns_read(const duet_column *columns, duet_column_role role, const char *text,
                            void *row, duet_error *error)
{
    char room[DUET_COLUMN_ROOM];
    const char *at = text;
    for (const duet_column *c = columns; c->name != NULL; c++) {
        if (c->role != role) {
            continue;
        }
        const char *end = at == NULL ? NULL : duet_field_end(at);
        if (end == NULL || !unquote(at, end, room) || !read_value(c, room, row)) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "the fields '%.200s' are none of this sweep: expected a %s", text,
                                  c->name);
        }
        at = *end == ',' ? end + 1 : NULL;
    }
    return at == NULL || *text == '\0'
               ? DUET_OK
               : duet_error_set(error, DUET_E_INPUT,
                                "the fields '%.200s' are none of this sweep: expected fewer", text);
}

// A line of fields, which have their quotes already.
static void put_line(FILE *stream, const char *line)
{
    duet_output_quoted(stream, line, '\0');
    fputc('\n', stream);
    duet_cli_saw_name(stream, line);
}

duet_code duet_columns_save(const duet_column *columns, const void *rows, size_t count, size_t size,
                            const char *path, duet_error *error)
{
    char line[1024];
    duet_output output = {0};
    if (path == NULL) {
        return DUET_OK;
    }
    duet_code code = duet_output_open(&output, path, error);
    if (code == DUET_OK) {
        duet_columns_header(columns, line, sizeof line);
        put_line(output.stream, line);
    }
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        const void *row = (const char *)rows + i * size;
        code = duet_columns_write(columns, DUET_COLUMN_KEY, row, line, sizeof line, error);
        put_line(output.stream, line);
    }
    DUET_THEN(code, duet_output_commit(&output, error));
    duet_output_abandon(&output);
    return code;
}

void duet_columns_json(const duet_column *columns, const void *row, duet_cli_json *json)
{
    char room[DUET_COLUMN_ROOM];
    for (const duet_column *c = columns; c->name != NULL; c++) {
        if (c->csv_only || !applies(c, row)) {
            continue;
        }
        if (c->type == DUET_COLUMN_REAL) {
            duet_cli_json_decimal(json, c->name, real(c, row), c->places);
        } else if (c->type == DUET_COLUMN_INT || c->type == DUET_COLUMN_INTEGER ||
                   c->type == DUET_COLUMN_NUMBER || c->type == DUET_COLUMN_TICKS) {
            duet_cli_json_number(json, c->name, text_of(c, row, room));
        } else {
            const char *value = text_of(c, row, room);
            duet_cli_json_string(json, c->name, value[0] == '\0' ? NULL : value);
        }
    }
}

void duet_fields_add(duet_fields *fields, const char *field)
{
    bool quotes = strpbrk(field, ",\"") != NULL;
    // At worst a comma, two quotes, every character doubled, and a NUL.
    if (fields->failed || strpbrk(field, "\r\n") != NULL ||
        fields->used + 2 * strlen(field) + 4 > fields->size) {
        fields->failed = true;
        return;
    }
    char *at = fields->text + fields->used;
    if (fields->begun) {
        *at++ = ',';
    }
    if (quotes) {
        *at++ = '"';
    }
    for (; *field != '\0'; field++) {
        if (*field == '"') {
            *at++ = '"';
        }
        *at++ = *field;
    }
    if (quotes) {
        *at++ = '"';
    }
    *at = '\0';
    fields->used = (size_t)(at - fields->text);
    fields->begun = true;
}

const char *duet_field_end(const char *at)
{
    bool quoted = *at == '"';
    for (at += quoted; quoted && *at != '\0'; at++) {
        if (*at == '"' && at[1] != '"') {
            quoted = false; // what follows goes up to the comma
        } else if (*at == '"') {
            at++;
        }
    }
    return at + strcspn(at, ",\n");
}
