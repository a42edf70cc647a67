// SPDX-License-Identifier: Apache-2.0
// The tokens of the JSON pull parser: strings, numbers, words.
#include "instances/formats/json/token.h"

#include <stdarg.h>
#include <string.h>

#include "core/system/assert.h"
#include "core/system/error.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"

void duet_json_note(duet_json *json, duet_code code)
{
    DUET_ASSERT(json->code == DUET_OK || code == DUET_OK);
    if (json->code == DUET_OK) {
        json->code = code;
    }
}

void duet_json_fail(duet_json *json, const char *format, ...)
{
    if (json->code != DUET_OK) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    json->code = duet_error_vset_at(json->error, DUET_E_INPUT, json->input->name, json->line,
                                    json->column, format, arguments);
    va_end(arguments);
}

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

void duet_json_unexpected(duet_json *json, const char *expected)
{
    char found[32];
    if (json->code != DUET_OK) {
        return;
    }
    int byte = duet_input_peek(json->input);
    if (byte < 0) {
        duet_json_note(json, duet_input_check(json->input, json->error));
    }
    json->line = json->input->line;
    json->column = duet_input_column(json->input);
    duet_json_fail(json, "expected %s, found %s", expected, duet_input_describe(byte, found));
}

// Adds bytes to the text; there is always room for the final NUL.
static void append(duet_json *json, const char *bytes, size_t count)
{
    if (json->discard) {
        return;
    }
    if (json->length + count > DUET_JSON_MAX_TEXT) {
        duet_json_fail(json, "expected at most %d bytes in a string or number", DUET_JSON_MAX_TEXT);
    }
    DUET_THEN(json->code, duet_vec_reserve(json->text, json->length + count + 1, json->error));
    if (json->code != DUET_OK) {
        return;
    }
    memcpy(json->text + json->length, bytes, count);
    json->length += count;
    json->text[json->length] = '\0';
}

static void append_byte(duet_json *json, int byte)
{
    char one = (char)byte;
    append(json, &one, 1);
}

// Four hexadecimal digits after "\u"; 0 where they are not there.
static unsigned long scan_hex(duet_json *json)
{
    unsigned long unit = 0;
    for (int i = 0; i < 4; i++) {
        int byte = duet_input_peek(json->input);
        int digit = byte >= '0' && byte <= '9'   ? byte - '0'
                    : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                    : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                                 : -1;
        if (digit < 0) {
            duet_json_unexpected(json, "four hexadecimal digits after \\u");
            return 0;
        }
        unit = unit * 16 + (unsigned long)digit;
        duet_input_take(json->input);
    }
    return unit;
}

// The code point of a surrogate pair, whose first half was read.
static unsigned long scan_low_surrogate(duet_json *json, unsigned long high)
{
    for (const char *c = "\\u"; *c != '\0'; c++) {
        if (duet_input_peek(json->input) != *c) {
            duet_json_unexpected(json, "the second half of a surrogate pair (\\uDC00 to \\uDFFF)");
            return 0;
        }
        duet_input_take(json->input);
    }
    unsigned long low = scan_hex(json);
    if (low < 0xDC00 || low > 0xDFFF) {
        duet_json_fail(json, "a surrogate stands alone in this string; expected a pair");
    }
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

static void scan_unicode(duet_json *json)
{
    unsigned long point = scan_hex(json);
    if (point >= 0xD800 && point <= 0xDBFF) {
        point = scan_low_surrogate(json, point);
    } else if (point >= 0xDC00 && point <= 0xDFFF) {
        duet_json_fail(json, "a surrogate stands alone in this string; expected a pair");
    } else if (point == 0) {
        duet_json_fail(json, "\\u0000 in a string; expected text without NUL");
    }
    if (json->code == DUET_OK) {
        char bytes[4];
        append(json, bytes, duet_utf8_encode(point, bytes));
    }
}

static void scan_escape(duet_json *json)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    duet_input_take(json->input);
    int byte = duet_input_peek(json->input);
    if (byte == 'u') {
        duet_input_take(json->input);
        scan_unicode(json);
        return;
    }
    const char *at = byte > 0 ? strchr(from, byte) : NULL;
    if (at == NULL) {
        duet_json_unexpected(json, "one of \"\\/bfnrtu after a backslash");
        return;
    }
    duet_input_take(json->input);
    append_byte(json, to[at - from]);
}

static void scan_multibyte(duet_json *json)
{
    duet_input *input = json->input;
    size_t length = duet_utf8_length((unsigned char)duet_input_peek(input));
    duet_input_fill(input, 4);
    const unsigned char *bytes = input->buffer + input->at;
    if (length == 0 || input->filled - input->at < length || !duet_utf8_sequence(bytes, length)) {
        duet_json_unexpected(json, "valid UTF-8 (iconv -f LATIN1 -t UTF-8 makes it)");
        return;
    }
    append(json, (const char *)bytes, length);
    input->at += length;
}

// Most of a file is plain characters, so they are copied as many at a time as the buffer holds.
static void scan_plain(duet_json *json)
{
    duet_input *input = json->input;
    size_t end = input->at;
    for (; end < input->filled; end++) {
        unsigned char c = input->buffer[end];
        if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') {
            break;
        }
    }
    append(json, (const char *)input->buffer + input->at, end - input->at);
    input->at = end;
}

void duet_json_scan_string(duet_json *json)
{
    json->length = 0;
    duet_input_take(json->input);
    append(json, "", 0);
    while (json->code == DUET_OK) {
        int byte = duet_input_peek(json->input);
        if (byte == '"') {
            duet_input_take(json->input);
            return;
        }
        if (byte < 0x20) {
            duet_json_unexpected(json, "a closing '\"' or an escaped control character");
        } else if (byte == '\\') {
            scan_escape(json);
        } else if (byte >= 0x80) {
            scan_multibyte(json);
        } else {
            scan_plain(json);
        }
    }
}

static void scan_digits(duet_json *json, const char *expected)
{
    int byte = duet_input_peek(json->input);
    if (byte < '0' || byte > '9') {
        duet_json_unexpected(json, expected);
    }
    while (json->code == DUET_OK && byte >= '0' && byte <= '9') {
        append_byte(json, byte);
        duet_input_take(json->input);
        byte = duet_input_peek(json->input);
    }
}

// Copies the next byte if it is one of `wanted`. Whether it was.
static bool scan_any(duet_json *json, const char *wanted)
{
    int byte = json->code == DUET_OK ? duet_input_peek(json->input) : -1;
    if (byte <= 0 || strchr(wanted, byte) == NULL) {
        return false;
    }
    duet_input_take(json->input);
    append_byte(json, byte);
    return true;
}

// The digits before a decimal point: 0, or what begins with another digit.
static void scan_whole(duet_json *json)
{
    if (!scan_any(json, "0")) {
        scan_digits(json, "a digit");
        return;
    }
    int byte = duet_input_peek(json->input);
    if (byte >= '0' && byte <= '9') {
        duet_json_unexpected(json, "a number without leading zeros");
    }
}

void duet_json_scan_number(duet_json *json)
{
    json->length = 0;
    (void)scan_any(json, "-");
    scan_whole(json);
    if (scan_any(json, ".")) {
        scan_digits(json, "a digit after the decimal point");
    }
    if (scan_any(json, "eE")) {
        (void)scan_any(json, "+-");
        scan_digits(json, "a digit in the exponent");
    }
}

void duet_json_scan_word(duet_json *json)
{
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity"};
    static const duet_json_token tokens[] = {DUET_JSON_TRUE, DUET_JSON_FALSE, DUET_JSON_NULL,
                                             DUET_JSON_NULL, DUET_JSON_NULL};
    static const char letters[] = "tfnNI";
    int which = (int)(strchr(letters, duet_input_peek(json->input)) - letters);
    for (const char *c = words[which]; *c != '\0'; c++) {
        if (duet_input_peek(json->input) != *c) {
            char expected[32] = "";
            memcpy(expected, words[which], strlen(words[which]));
            duet_json_unexpected(json, expected);
            return;
        }
        duet_input_take(json->input);
    }
    json->token = tokens[which];
}
