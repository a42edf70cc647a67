// SPDX-License-Identifier: Apache-2.0
// The tokens of the JSON pull parser: strings, numbers, words.
#include "instances/formats/json_token.h"

#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

int duet_json_blank(duet_json *json)
{
    int byte = duet_input_peek(json->input);
    while (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r') {
        duet_input_take(json->input);
        byte = duet_input_peek(json->input);
    }
    json->line = json->input->line;
    json->column = duet_input_column(json->input);
    return byte;
}

duet_code duet_json_unexpected(duet_json *json, const char *expected)
{
    char found[32];
    int byte = duet_input_peek(json->input);
    duet_code code = byte < 0 ? duet_input_check(json->input, json->error) : DUET_OK;
    if (code != DUET_OK) {
        return code;
    }
    json->line = json->input->line;
    json->column = duet_input_column(json->input);
    return duet_json_fail(json, "expected %s, found %s", expected,
                          duet_input_describe(byte, found));
}

// Adds bytes to the text; there is always room for the final NUL.
static duet_code append(duet_json *json, const char *bytes, size_t count)
{
    if (json->discard) {
        return DUET_OK;
    }
    if (json->length + count > DUET_JSON_MAX_TEXT) {
        return duet_json_fail(json, "expected at most %d bytes in a string or number",
                              DUET_JSON_MAX_TEXT);
    }
    while (json->length + count >= json->capacity) {
        duet_code code = duet_grow(&json->text, json->capacity, &json->capacity, sizeof *json->text,
                                   json->error);
        if (code != DUET_OK) {
            return code;
        }
    }
    memcpy(json->text + json->length, bytes, count);
    json->length += count;
    json->text[json->length] = '\0';
    return DUET_OK;
}

static duet_code append_byte(duet_json *json, int byte)
{
    char one = (char)byte;
    return append(json, &one, 1);
}

// Four hexadecimal digits after "\u".
static duet_code scan_hex(duet_json *json, unsigned long *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        int byte = duet_input_peek(json->input);
        int digit = byte >= '0' && byte <= '9'   ? byte - '0'
                    : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                    : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                                 : -1;
        if (digit < 0) {
            return duet_json_unexpected(json, "four hexadecimal digits after \\u");
        }
        *unit = *unit * 16 + (unsigned long)digit;
        duet_input_take(json->input);
    }
    return DUET_OK;
}

// The second half of a surrogate pair.
static duet_code scan_low_surrogate(duet_json *json, unsigned long *point)
{
    unsigned long low = 0;
    for (const char *c = "\\u"; *c != '\0'; c++) {
        if (duet_input_peek(json->input) != *c) {
            return duet_json_unexpected(json, "the second half of a surrogate pair (\\uDC00 to "
                                              "\\uDFFF)");
        }
        duet_input_take(json->input);
    }
    duet_code code = scan_hex(json, &low);
    if (code == DUET_OK && (low < 0xDC00 || low > 0xDFFF)) {
        code = duet_json_fail(json, "a surrogate stands alone in this string; expected a pair");
    }
    *point = 0x10000 + ((*point - 0xD800) << 10) + (low - 0xDC00);
    return code;
}

static duet_code scan_unicode(duet_json *json)
{
    unsigned long point = 0;
    duet_code code = scan_hex(json, &point);
    if (code == DUET_OK && point >= 0xD800 && point <= 0xDBFF) {
        code = scan_low_surrogate(json, &point);
    } else if (code == DUET_OK && point >= 0xDC00 && point <= 0xDFFF) {
        code = duet_json_fail(json, "a surrogate stands alone in this string; expected a pair");
    } else if (code == DUET_OK && point == 0) {
        code = duet_json_fail(json, "\\u0000 in a string; expected text without NUL");
    }
    if (code != DUET_OK) {
        return code;
    }
    char bytes[4];
    return append(json, bytes, duet_utf8_encode(point, bytes));
}

static duet_code scan_escape(duet_json *json)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    duet_input_take(json->input);
    int byte = duet_input_peek(json->input);
    if (byte == 'u') {
        duet_input_take(json->input);
        return scan_unicode(json);
    }
    const char *at = byte > 0 ? strchr(from, byte) : NULL;
    if (at == NULL) {
        return duet_json_unexpected(json, "one of \"\\/bfnrtu after a backslash");
    }
    duet_input_take(json->input);
    return append_byte(json, to[at - from]);
}

static duet_code scan_multibyte(duet_json *json)
{
    duet_input *input = json->input;
    size_t length = duet_utf8_length((unsigned char)duet_input_peek(input));
    duet_input_fill(input, 4);
    const unsigned char *bytes = input->buffer + input->at;
    if (length == 0 || input->filled - input->at < length || !duet_utf8_sequence(bytes, length)) {
        return duet_json_unexpected(json, "valid UTF-8");
    }
    duet_code code = append(json, (const char *)bytes, length);
    input->at += length;
    return code;
}

// Plain characters are copied a buffer's worth at a time: most of a file is made of them.
static duet_code scan_plain(duet_json *json)
{
    duet_input *input = json->input;
    size_t end = input->at;
    for (; end < input->filled; end++) {
        unsigned char c = input->buffer[end];
        if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') {
            break;
        }
    }
    duet_code code = append(json, (const char *)input->buffer + input->at, end - input->at);
    input->at = end;
    return code;
}

duet_code duet_json_scan_string(duet_json *json)
{
    json->length = 0;
    duet_input_take(json->input);
    duet_code code = append(json, "", 0);
    while (code == DUET_OK) {
        int byte = duet_input_peek(json->input);
        if (byte == '"') {
            duet_input_take(json->input);
            return DUET_OK;
        }
        if (byte < 0x20) {
            return duet_json_unexpected(json, "a closing '\"' or an escaped control character");
        }
        if (byte == '\\') {
            code = scan_escape(json);
        } else if (byte >= 0x80) {
            code = scan_multibyte(json);
        } else {
            code = scan_plain(json);
        }
    }
    return code;
}

static duet_code scan_digits(duet_json *json, const char *expected)
{
    int byte = duet_input_peek(json->input);
    if (byte < '0' || byte > '9') {
        return duet_json_unexpected(json, expected);
    }
    duet_code code = DUET_OK;
    while (code == DUET_OK && byte >= '0' && byte <= '9') {
        code = append_byte(json, byte);
        duet_input_take(json->input);
        byte = duet_input_peek(json->input);
    }
    return code;
}

// Copies the next byte if it is one of `wanted`.
static duet_code scan_any(duet_json *json, const char *wanted, bool *found)
{
    int byte = duet_input_peek(json->input);
    *found = byte > 0 && strchr(wanted, byte) != NULL;
    if (!*found) {
        return DUET_OK;
    }
    duet_input_take(json->input);
    return append_byte(json, byte);
}

static duet_code scan_whole(duet_json *json)
{
    bool zero = false;
    duet_code code = scan_any(json, "0", &zero);
    if (code != DUET_OK) {
        return code;
    }
    if (!zero) {
        return scan_digits(json, "a digit");
    }
    int byte = duet_input_peek(json->input);
    if (byte >= '0' && byte <= '9') {
        return duet_json_unexpected(json, "a number without leading zeros");
    }
    return DUET_OK;
}

duet_code duet_json_scan_number(duet_json *json)
{
    bool found = false;
    json->length = 0;
    duet_code code = scan_any(json, "-", &found);
    if (code == DUET_OK) {
        code = scan_whole(json);
    }
    if (code == DUET_OK) {
        code = scan_any(json, ".", &found);
    }
    if (code == DUET_OK && found) {
        code = scan_digits(json, "a digit after the decimal point");
    }
    if (code == DUET_OK) {
        code = scan_any(json, "eE", &found);
    }
    if (code == DUET_OK && found) {
        code = scan_any(json, "+-", &found);
        if (code == DUET_OK) {
            code = scan_digits(json, "a digit in the exponent");
        }
    }
    return code;
}

duet_code duet_json_scan_word(duet_json *json)
{
    static const char *const words[] = {"true", "false", "null"};
    static const duet_json_token tokens[] = {DUET_JSON_TRUE, DUET_JSON_FALSE, DUET_JSON_NULL};
    int first = duet_input_peek(json->input);
    int which = first == 't' ? 0 : first == 'f' ? 1 : 2;
    for (const char *c = words[which]; *c != '\0'; c++) {
        if (duet_input_peek(json->input) != *c) {
            char expected[32] = "";
            memcpy(expected, words[which], strlen(words[which]));
            return duet_json_unexpected(json, expected);
        }
        duet_input_take(json->input);
    }
    json->token = tokens[which];
    return DUET_OK;
}
