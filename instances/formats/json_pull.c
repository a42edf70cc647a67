// SPDX-License-Identifier: Apache-2.0
// A strict pull parser for JSON (RFC 8259): structure. Its tokens are in json_token.c.
#include "instances/formats/json_pull.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <duet/instance.h>

#include "core/decimal.h"
#include "core/memory.h"
#include "instances/formats/json_token.h"

// What may come next.
enum {
    EXPECT_OUTERMOST,
    EXPECT_VALUE,         // after a member's ':' or an array's ','
    EXPECT_VALUE_OR_END,  // after '['
    EXPECT_MEMBER_OR_END, // after '{'
    EXPECT_COMMA_OR_END,  // after a value
    EXPECT_NOTHING
};

void duet_json_init(duet_json *json, duet_input *input, duet_error *error)
{
    memset(json, 0, sizeof *json);
    json->input = input;
    json->error = error;
    json->expect = EXPECT_OUTERMOST;
    json->line = 1;
    json->column = 1;
}

void duet_json_free(duet_json *json)
{
    duet_free(json->text);
    json->text = NULL;
}

duet_code duet_json_fail(duet_json *json, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return duet_error_set_at(json->error, DUET_E_INPUT, json->input->name, json->line, json->column,
                             "%s", message);
}

static const char *token_name(duet_json_token token)
{
    static const char *const names[] = {"the end of the file",
                                        "an object",
                                        "the end of an object",
                                        "an array",
                                        "the end of an array",
                                        "a member",
                                        "a string",
                                        "a number",
                                        "true",
                                        "false",
                                        "null"};
    return names[token];
}

duet_code duet_json_expected(duet_json *json, const char *what)
{
    bool texts = json->token == DUET_JSON_STRING || json->token == DUET_JSON_NUMBER;
    if (texts && !json->discard && json->length <= 40) {
        const char *quote = json->token == DUET_JSON_STRING ? "\"" : "";
        return duet_json_fail(json, "expected %s, found %s%s%s", what, quote, json->text, quote);
    }
    return duet_json_fail(json, "expected %s, found %s", what, token_name(json->token));
}

static duet_code open_container(duet_json *json, char kind)
{
    if (json->depth == DUET_JSON_MAX_DEPTH) {
        return duet_json_fail(json, "nested too deeply: expected at most %d levels",
                              DUET_JSON_MAX_DEPTH);
    }
    duet_input_take(json->input);
    json->nesting[json->depth++] = kind;
    json->token = kind == '{' ? DUET_JSON_OBJECT : DUET_JSON_ARRAY;
    json->expect = kind == '{' ? EXPECT_MEMBER_OR_END : EXPECT_VALUE_OR_END;
    return DUET_OK;
}

static duet_code close_container(duet_json *json)
{
    duet_input_take(json->input);
    json->depth--;
    json->token = json->nesting[json->depth] == '{' ? DUET_JSON_OBJECT_END : DUET_JSON_ARRAY_END;
    json->expect = json->depth == 0 ? EXPECT_NOTHING : EXPECT_COMMA_OR_END;
    return DUET_OK;
}

static duet_code read_value(duet_json *json, int byte, const char *expected)
{
    json->expect = EXPECT_COMMA_OR_END;
    if (byte == '{' || byte == '[') {
        return open_container(json, (char)byte);
    }
    if (byte == '"') {
        json->token = DUET_JSON_STRING;
        return duet_json_scan_string(json);
    }
    if (byte == '-' || (byte >= '0' && byte <= '9')) {
        json->token = DUET_JSON_NUMBER;
        return duet_json_scan_number(json);
    }
    if (byte == 't' || byte == 'f' || byte == 'n') {
        return duet_json_scan_word(json);
    }
    return duet_json_unexpected(json, expected);
}

static duet_code read_name(duet_json *json, int byte, const char *expected)
{
    if (byte != '"') {
        return duet_json_unexpected(json, expected);
    }
    duet_code code = duet_json_scan_string(json);
    if (code != DUET_OK) {
        return code;
    }
    int line = json->line;
    int column = json->column;
    byte = duet_json_blank(json);
    if (byte != ':') {
        return duet_json_unexpected(json, "':' after a member's name");
    }
    duet_input_take(json->input);
    json->line = line;
    json->column = column;
    json->token = DUET_JSON_NAME;
    json->expect = EXPECT_VALUE;
    return DUET_OK;
}

static duet_code read_after_value(duet_json *json, int byte)
{
    bool object = json->nesting[json->depth - 1] == '{';
    if (byte == (object ? '}' : ']')) {
        return close_container(json);
    }
    if (byte != ',') {
        return duet_json_unexpected(json, object ? "',' or '}' after a member"
                                                 : "',' or ']' after an array's element");
    }
    duet_input_take(json->input);
    byte = duet_json_blank(json);
    return object ? read_name(json, byte, "a member's name in quotes after ','")
                  : read_value(json, byte, "a value after ','");
}

duet_code duet_json_next(duet_json *json)
{
    int byte = duet_json_blank(json);
    switch (json->expect) {
    case EXPECT_OUTERMOST:
        if (byte != '{' && byte != '[') {
            return duet_json_unexpected(json, "'{'");
        }
        return open_container(json, (char)byte);
    case EXPECT_VALUE:
        return read_value(json, byte, "a value");
    case EXPECT_VALUE_OR_END:
        return byte == ']' ? close_container(json) : read_value(json, byte, "a value or ']'");
    case EXPECT_MEMBER_OR_END:
        return byte == '}' ? close_container(json)
                           : read_name(json, byte, "a member's name in quotes or '}'");
    case EXPECT_COMMA_OR_END:
        return read_after_value(json, byte);
    default:
        json->token = DUET_JSON_END;
        return byte < 0 ? duet_input_check(json->input, json->error)
                        : duet_json_unexpected(json, "nothing after the outermost value");
    }
}

// The rest of the value whose first token is the current one.
static duet_code skip_rest(duet_json *json)
{
    if (json->token != DUET_JSON_OBJECT && json->token != DUET_JSON_ARRAY) {
        return DUET_OK;
    }
    size_t outer = json->depth - 1;
    duet_code code = DUET_OK;
    json->discard = true;
    while (code == DUET_OK && json->depth > outer) {
        code = duet_json_next(json);
    }
    json->discard = false;
    return code;
}

duet_code duet_json_skip(duet_json *json)
{
    duet_code code = duet_json_next(json);
    return code == DUET_OK ? skip_rest(json) : code;
}

duet_code duet_json_want(duet_json *json, duet_json_token token, const char *what)
{
    duet_code code = duet_json_next(json);
    if (code == DUET_OK && json->token != token) {
        code = duet_json_expected(json, what);
    }
    return code;
}

duet_code duet_json_member(duet_json *json, const char *const *names, unsigned *seen, int *which)
{
    duet_code code = duet_json_next(json);
    if (code != DUET_OK) {
        return code;
    }
    *which = -2;
    if (json->token == DUET_JSON_OBJECT_END) {
        return DUET_OK;
    }
    *which = -1;
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], json->text) != 0) {
            continue;
        }
        if ((*seen >> i & 1U) != 0) {
            return duet_json_fail(json, "member \"%s\" is given twice; expected once", names[i]);
        }
        *seen |= 1U << i;
        *which = i;
    }
    return DUET_OK;
}

duet_code duet_json_require(duet_json *json, const char *const *names, unsigned seen,
                            unsigned required, const char *owner, int line, int column)
{
    for (int i = 0; names[i] != NULL; i++) {
        if ((required & ~seen) >> i & 1U) {
            return duet_error_set_at(json->error, DUET_E_INPUT, json->input->name, line, column,
                                     "%s has no \"%s\", which is expected", owner, names[i]);
        }
    }
    return DUET_OK;
}

duet_code duet_json_whole(duet_json *json, const char *what, int64_t minimum, int64_t maximum,
                          int64_t *value)
{
    duet_code code = duet_json_next(json);
    if (code != DUET_OK) {
        return code;
    }
    duet_decimal number = {0, 0};
    bool negative = json->token == DUET_JSON_NUMBER && json->text[0] == '-';
    duet_decimal_fault fault = DUET_DECIMAL_SYNTAX;
    if (json->token == DUET_JSON_NUMBER) {
        fault = duet_decimal_parse(json->text + negative, json->length - negative, &number);
    }
    *value = negative ? -number.mantissa : number.mantissa;
    if (fault == DUET_DECIMAL_OK && number.places == 0 && *value >= minimum && *value <= maximum) {
        return DUET_OK;
    }
    char expected[160];
    if (minimum == maximum) {
        snprintf(expected, sizeof expected, "%s", what);
    } else if (minimum < 0) {
        snprintf(expected, sizeof expected, "%s, a whole number", what);
    } else if (maximum >= DUET_MAX_WORK) {
        snprintf(expected, sizeof expected, "%s, a whole number from %" PRId64 " to 2^62", what,
                 minimum);
    } else {
        snprintf(expected, sizeof expected, "%s, a whole number from %" PRId64 " to %" PRId64, what,
                 minimum, maximum);
    }
    return duet_json_expected(json, expected);
}
