// SPDX-License-Identifier: Apache-2.0
// A strict pull parser for JSON (RFC 8259): structure. Its tokens are in token.c.
#include "instances/formats/json/pull.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <duet/instance.h>

#include "core/number/decimal.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/json/token.h"

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

void duet_json_expected(duet_json *json, const char *what)
{
    bool name = json->token == DUET_JSON_NAME;
    bool texts = name || json->token == DUET_JSON_STRING || json->token == DUET_JSON_NUMBER;
    if (texts && !json->discard && json->length <= 40) {
        const char *quote = json->token == DUET_JSON_NUMBER ? "" : "\"";
        duet_json_fail(json, "expected %s, found %s%s%s%s", what, name ? "member " : "", quote,
                       json->text, quote);
    } else {
        duet_json_fail(json, "expected %s, found %s", what, token_name(json->token));
    }
}

static void open_container(duet_json *json, char kind)
{
    if (json->depth == DUET_JSON_MAX_DEPTH) {
        duet_json_fail(json, "nested too deeply: expected at most %d levels", DUET_JSON_MAX_DEPTH);
        return;
    }
    duet_input_take(json->input);
    json->nesting[json->depth++] = kind;
    json->token = kind == '{' ? DUET_JSON_OBJECT : DUET_JSON_ARRAY;
    json->expect = kind == '{' ? EXPECT_MEMBER_OR_END : EXPECT_VALUE_OR_END;
}

static void close_container(duet_json *json)
{
    DUET_ASSERT(json->depth > 0);
    duet_input_take(json->input);
    json->depth--;
    json->token = json->nesting[json->depth] == '{' ? DUET_JSON_OBJECT_END : DUET_JSON_ARRAY_END;
    json->expect = json->depth == 0 ? EXPECT_NOTHING : EXPECT_COMMA_OR_END;
}

static void read_value(duet_json *json, int byte, const char *expected)
{
    json->expect = EXPECT_COMMA_OR_END;
    if (byte == '{' || byte == '[') {
        open_container(json, (char)byte);
    } else if (byte == '"') {
        json->token = DUET_JSON_STRING;
        duet_json_scan_string(json);
    } else if (byte == '-' || (byte >= '0' && byte <= '9')) {
        json->token = DUET_JSON_NUMBER;
        duet_json_scan_number(json);
    } else if (byte == 't' || byte == 'f' || byte == 'n' || byte == 'N' || byte == 'I') {
        duet_json_scan_word(json);
    } else {
        duet_json_unexpected(json, expected);
    }
}

static void read_name(duet_json *json, int byte, const char *expected)
{
    if (byte != '"') {
        duet_json_unexpected(json, expected);
        return;
    }
    duet_json_scan_string(json);
    int line = json->line;
    int column = json->column;
    if (json->code == DUET_OK && duet_json_blank(json) != ':') {
        duet_json_unexpected(json, "':' after a member's name");
    }
    if (json->code != DUET_OK) {
        return;
    }
    duet_input_take(json->input);
    json->line = line;
    json->column = column;
    json->token = DUET_JSON_NAME;
    json->expect = EXPECT_VALUE;
}

static void read_after_value(duet_json *json, int byte)
{
    DUET_ASSERT(json->depth > 0);
    bool object = json->nesting[json->depth - 1] == '{';
    if (byte == (object ? '}' : ']')) {
        close_container(json);
        return;
    }
    if (byte != ',') {
        duet_json_unexpected(json, object ? "',' or '}' after a member"
                                          : "',' or ']' after an array's element");
        return;
    }
    duet_input_take(json->input);
    byte = duet_json_blank(json);
    if (object) {
        read_name(json, byte, "a member's name in quotes after ','");
    } else {
        read_value(json, byte, "a value after ','");
    }
}

static void read_outermost(duet_json *json, int byte)
{
    if (byte == '{' || byte == '[') {
        open_container(json, (char)byte);
    } else {
        duet_json_unexpected(json, "'{'");
    }
}

static void read_first_element(duet_json *json, int byte)
{
    if (byte == ']') {
        close_container(json);
    } else {
        read_value(json, byte, "a value or ']'");
    }
}

static void read_first_member(duet_json *json, int byte)
{
    if (byte == '}') {
        close_container(json);
    } else {
        read_name(json, byte, "a member's name in quotes or '}'");
    }
}

static void read_end(duet_json *json, int byte)
{
    json->token = DUET_JSON_END;
    if (byte < 0) {
        duet_json_note(json, duet_input_check(json->input, json->error));
    } else {
        duet_json_unexpected(json, "nothing after the outermost value");
    }
}

int duet_json_deeper(duet_json_token token)
{
    return token == DUET_JSON_OBJECT || token == DUET_JSON_ARRAY           ? 1
           : token == DUET_JSON_OBJECT_END || token == DUET_JSON_ARRAY_END ? -1
                                                                           : 0;
}

// The next token from the tape.
static void play(duet_json *json)
{
    const duet_json_kept *kept = &json->tape->kept[json->played++];
    json->token = kept->token;
    json->line = kept->line;
    json->column = kept->column;
    int deeper = duet_json_deeper(kept->token);
    json->depth = deeper < 0 ? json->depth - 1 : json->depth + (size_t)deeper;
    json->length = kept->length;
    duet_json_note(json, duet_vec_reserve(json->text, kept->length + 1, json->error));
    if (json->code == DUET_OK) {
        memcpy(json->text, json->tape->text + kept->text, kept->length + 1);
    }
    if (json->code != DUET_OK || json->played == json->tape->count) {
        json->tape = NULL;
    }
}

duet_code duet_json_next(duet_json *json)
{
    if (json->code != DUET_OK) {
        return json->code;
    }
    if (json->tape != NULL) {
        play(json);
        return json->code;
    }
    int byte = duet_json_blank(json);
    switch (json->expect) {
    case EXPECT_OUTERMOST:
        read_outermost(json, byte);
        break;
    case EXPECT_VALUE:
        read_value(json, byte, "a value");
        break;
    case EXPECT_VALUE_OR_END:
        read_first_element(json, byte);
        break;
    case EXPECT_MEMBER_OR_END:
        read_first_member(json, byte);
        break;
    case EXPECT_COMMA_OR_END:
        read_after_value(json, byte);
        break;
    default:
        read_end(json, byte);
        break;
    }
    return json->code;
}

void duet_json_again(duet_json *json)
{
    if (json->code == DUET_OK && json->expect == EXPECT_NOTHING && duet_json_blank(json) >= 0) {
        json->expect = EXPECT_OUTERMOST;
    }
}

void duet_json_skip(duet_json *json)
{
    if (duet_json_next(json) == DUET_OK) {
        duet_json_skip_rest(json);
    }
}

void duet_json_skip_rest(duet_json *json)
{
    if (json->code != DUET_OK ||
        (json->token != DUET_JSON_OBJECT && json->token != DUET_JSON_ARRAY)) {
        return;
    }
    size_t outer = json->depth - 1;
    json->discard = true;
    while (json->depth > outer && duet_json_next(json) == DUET_OK) {
    }
    json->discard = false;
}

bool duet_json_want(duet_json *json, duet_json_token token, const char *what)
{
    if (duet_json_next(json) == DUET_OK && json->token != token) {
        duet_json_expected(json, what);
    }
    return json->code == DUET_OK;
}

bool duet_json_element(duet_json *json)
{
    return duet_json_next(json) == DUET_OK && json->token != DUET_JSON_ARRAY_END;
}

bool duet_json_element_of(duet_json *json, duet_json_token token, const char *what)
{
    if (!duet_json_element(json)) {
        return false;
    }
    if (json->token != token) {
        duet_json_expected(json, what);
    }
    return json->code == DUET_OK;
}

duet_json_object duet_json_open(const duet_json *json, const char *const *names)
{
    DUET_ASSERT(json->code != DUET_OK || json->token == DUET_JSON_OBJECT);
    return (duet_json_object){
        .names = names, .which = -1, .line = json->line, .column = json->column};
}

bool duet_json_member(duet_json *json, duet_json_object *object)
{
    if (duet_json_next(json) != DUET_OK || json->token == DUET_JSON_OBJECT_END) {
        return false;
    }
    object->which = -1;
    for (int i = 0; object->names[i] != NULL; i++) {
        if (strcmp(object->names[i], json->text) != 0) {
            continue;
        }
        if ((object->seen >> i & 1U) != 0) {
            duet_json_fail(json, "member \"%s\" is given twice; expected once", object->names[i]);
            return false;
        }
        object->seen |= 1U << i;
        object->which = i;
    }
    return true;
}

bool duet_json_skip_null(duet_json *json)
{
    bool null = false;
    if (json->code == DUET_OK && json->tape != NULL) {
        null = json->tape->kept[json->played].token == DUET_JSON_NULL;
    } else if (json->code == DUET_OK) {
        int line = json->line;
        int column = json->column;
        int byte = duet_json_blank(json);
        json->line = line;
        json->column = column;
        null = byte == 'n' || byte == 'N';
    }
    if (null) {
        duet_json_skip(json);
    }
    return null;
}

bool duet_json_said(duet_json *json, duet_json_object *object, unsigned nulls)
{
    while (duet_json_member(json, object)) {
        unsigned bit = object->which < 0 ? 0 : 1U << object->which;
        if (bit == 0 || (nulls & bit) != 0 || !duet_json_skip_null(json)) {
            return true;
        }
        object->seen &= ~bit;
    }
    return false;
}

void duet_json_require(duet_json *json, const duet_json_object *object, unsigned required,
                       const char *owner)
{
    for (int i = 0; object->names[i] != NULL && json->code == DUET_OK; i++) {
        if ((required & ~object->seen) >> i & 1U) {
            json->code = duet_error_set_at(
                json->error, DUET_E_INPUT, json->input->name, object->line, object->column,
                "%s has no \"%s\", which is expected", owner, object->names[i]);
        }
    }
}

void duet_json_boolean(duet_json *json, const char *what, bool *value)
{
    if (duet_json_next(json) == DUET_OK && json->token != DUET_JSON_TRUE &&
        json->token != DUET_JSON_FALSE) {
        duet_json_expected(json, what);
    }
    *value = json->token == DUET_JSON_TRUE;
}

bool duet_json_whole(duet_json *json, const char *what, int64_t minimum, int64_t maximum,
                     int64_t *value)
{
    *value = 0;
    return duet_json_next(json) == DUET_OK &&
           duet_json_this_whole(json, what, minimum, maximum, value);
}

bool duet_json_this_whole(duet_json *json, const char *what, int64_t minimum, int64_t maximum,
                          int64_t *value)
{
    duet_decimal number = {0, 0};
    bool negative = json->token == DUET_JSON_NUMBER && json->text[0] == '-';
    duet_decimal_fault fault = DUET_DECIMAL_SYNTAX;
    if (json->token == DUET_JSON_NUMBER) {
        fault = duet_decimal_parse(json->text + negative, json->length - negative, &number);
    }
    *value = negative ? -number.mantissa : number.mantissa;
    if (fault == DUET_DECIMAL_OK && number.places == 0 && *value >= minimum && *value <= maximum) {
        return true;
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
    duet_json_expected(json, expected);
    return false;
}
