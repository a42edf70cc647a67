// SPDX-License-Identifier: Apache-2.0
// A small streaming JSON writer.
#include "console/json.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/assert.h"
#include "core/system/output.h"

static void begin(duet_cli_json *json, const char *key)
{
    if (json->depth > 0) {
        fprintf(json->stream, "%s\n%*s", json->empty ? "" : ",", 2 * json->depth, "");
    }
    json->empty = false;
    if (key != NULL) {
        duet_output_json_string(json->stream, key);
        fputs(": ", json->stream);
    }
}

void duet_cli_json_open(duet_cli_json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->stream);
    json->depth++;
    json->empty = true;
}

void duet_cli_json_close(duet_cli_json *json, char bracket)
{
    json->depth--;
    if (!json->empty) {
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    }
    json->empty = false;
    fputc(bracket, json->stream);
    if (json->depth == 0) {
        fputc('\n', json->stream);
    }
}

void duet_cli_json_string(duet_cli_json *json, const char *key, const char *value)
{
    begin(json, key);
    if (value == NULL) {
        fputs("null", json->stream);
    } else {
        duet_output_json_string(json->stream, value);
    }
}

void duet_cli_json_number(duet_cli_json *json, const char *key, const char *digits)
{
    begin(json, key);
    fputs(digits, json->stream);
}

void duet_cli_json_integer(duet_cli_json *json, const char *key, int64_t value)
{
    begin(json, key);
    fprintf(json->stream, "%lld", (long long)value);
}

void duet_cli_json_decimal(duet_cli_json *json, const char *key, double value, int places)
{
    begin(json, key);
    if (isfinite(value) && value >= 0) {
        fprintf(json->stream, "%.*f", places, value);
    } else {
        fputs("null", json->stream);
    }
}

void duet_cli_json_boolean(duet_cli_json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->stream);
}

// Writes the value of a conversion, which stands at `at` behind its '%'.
static void add_member(duet_cli_json *json, const char *key, const char *at, va_list *arguments)
{
    if (*at == 's') {
        duet_cli_json_string(json, key, va_arg(*arguments, const char *));
    } else if (*at == 'd') {
        duet_cli_json_boolean(json, key, va_arg(*arguments, int) != 0);
    } else if (*at == 'z') {
        duet_cli_json_integer(json, key, (int64_t)va_arg(*arguments, size_t));
    } else if (*at == '.') {
        duet_cli_json_decimal(json, key, va_arg(*arguments, double), (int)strtol(at + 1, NULL, 10));
    } else {
        DUET_ASSERT(*at == 'l');
        duet_cli_json_integer(json, key, va_arg(*arguments, int64_t));
    }
}

static void add_members(duet_cli_json *json, const char *format, va_list *arguments)
{
    for (const char *at = format; *at != '\0';) {
        char key[64];
        size_t length = strcspn(at, ":");
        DUET_ASSERT(length < sizeof key && at[length] == ':' && at[length + 1] == '%');
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        at += length + 2;
        add_member(json, key, at, arguments);
        at += strcspn(at, " ");
        at += *at == ' ';
    }
}

void duet_cli_json_members(duet_cli_json *json, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_members(json, format, &arguments);
    va_end(arguments);
}

void duet_cli_json_object(duet_cli_json *json, const char *key, const char *format, ...)
{
    va_list arguments;
    duet_cli_json_open(json, key, '{');
    va_start(arguments, format);
    add_members(json, format, &arguments);
    va_end(arguments);
    duet_cli_json_close(json, '}');
}
