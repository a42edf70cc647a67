// SPDX-License-Identifier: Apache-2.0
// The text of a proof, by hand: a proof may have 10^8 lines. Includes no solver header: this is
// what an outsider trusts.
#include "check/proof/text.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "core/memory.h"

enum { BUFFER = 1 << 20 };

duet_code duet_proof_text_open(duet_proof_text *text, const char *path, duet_error *error)
{
    *text = (duet_proof_text){.name = path, .line = 1, .item_line = 1};
    text->buffer = duet_alloc(BUFFER, 1, error);
    if (text->buffer == NULL) {
        return DUET_E_MEMORY;
    }
    text->at = text->end = text->buffer;
    if (strcmp(path, "-") == 0) {
        text->name = "standard input";
        text->stream = stdin;
        return DUET_OK;
    }
    text->stream = fopen(path, "rb");
    if (text->stream == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, path, 0, 0,
                                 "cannot read: %s; expected a readable file", strerror(errno));
    }
    text->owned = true;
    return DUET_OK;
}

void duet_proof_text_close(duet_proof_text *text)
{
    if (text->owned) {
        fclose(text->stream);
    }
    duet_free(text->buffer);
    *text = (duet_proof_text){.stream = NULL};
}

static bool refill(duet_proof_text *text)
{
    if (text->failed) {
        return false;
    }
    errno = 0;
    size_t got = fread(text->buffer, 1, BUFFER, text->stream);
    text->at = text->buffer;
    text->end = text->buffer + got;
    if (got == 0 && ferror(text->stream)) {
        text->failed = true;
        text->fault = errno != 0 ? errno : EIO;
    }
    return got > 0;
}

// The next byte, or -1.
static inline int peek(duet_proof_text *text)
{
    if (text->at == text->end && !refill(text)) {
        return -1;
    }
    return *text->at;
}

static inline int peek_past_blanks(duet_proof_text *text)
{
    int byte = peek(text);
    while (byte == ' ' || byte == '\t' || byte == '\r') {
        text->at++;
        byte = peek(text);
    }
    return byte;
}

static void break_line(duet_proof_text *text)
{
    text->at++;
    text->line += text->line < INT_MAX ? 1 : 0;
}

duet_code duet_proof_text_fail(const duet_proof_text *text, duet_error *error, const char *format,
                               ...)
{
    if (text->failed) {
        return duet_error_set_at(error, DUET_E_INPUT, text->name, 0, 0,
                                 "cannot read: %s; expected a readable file",
                                 strerror(text->fault));
    }
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return duet_error_set_at(error, DUET_E_INPUT, text->name, text->item_line, 0, "%s", message);
}

duet_code duet_proof_text_place(const duet_proof_text *text, const duet_error *why,
                                duet_error *error)
{
    if (why->code != DUET_E_INPUT) {
        return duet_error_set_at(error, why->code, text->name, 0, 0, "%s", why->message);
    }
    return duet_proof_text_fail(text, error, "%s", why->message);
}

static duet_code expected(const duet_proof_text *text, const char *what, int byte,
                          duet_error *error)
{
    if (byte < 0) {
        return duet_proof_text_fail(text, error, "expected %s, found the end of the file", what);
    }
    if (byte == '\n') {
        return duet_proof_text_fail(text, error, "expected %s, found the end of the line", what);
    }
    if (byte > 0x20 && byte < 0x7f) {
        return duet_proof_text_fail(text, error, "expected %s, found '%c'", what, byte);
    }
    return duet_proof_text_fail(text, error, "expected %s, found byte 0x%02x", what,
                                (unsigned)byte);
}

static inline bool is_word_end(int byte)
{
    return byte < 0 || byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

duet_code duet_proof_text_word(duet_proof_text *text, char *word, const char *what,
                               duet_error *error)
{
    int byte = peek_past_blanks(text);
    size_t length = 0;
    while ((byte >= 'a' && byte <= 'z') || byte == '-') {
        if (length == DUET_PROOF_MAX_WORD - 1) {
            return expected(text, what, word[0], error);
        }
        word[length++] = (char)byte;
        text->at++;
        byte = peek(text);
    }
    word[length] = '\0';
    return length > 0 && is_word_end(byte) ? DUET_OK : expected(text, what, byte, error);
}

duet_code duet_proof_text_number(duet_proof_text *text, int64_t *number, const char *what,
                                 duet_error *error)
{
    int byte = peek_past_blanks(text);
    int64_t value = 0;
    if (byte < '0' || byte > '9') {
        return expected(text, what, byte, error);
    }
    for (; byte >= '0' && byte <= '9'; byte = peek(text)) {
        int64_t digit = byte - '0';
        if (value > INT64_MAX / 10 - 1) {
            return duet_proof_text_fail(text, error, "expected %s, found a number above 2^62",
                                        what);
        }
        value = value * 10 + digit;
        text->at++;
    }
    *number = value;
    return is_word_end(byte) ? DUET_OK : expected(text, what, byte, error);
}

bool duet_proof_text_more(duet_proof_text *text)
{
    int byte = peek_past_blanks(text);
    return byte >= 'a' && byte <= 'z';
}

duet_code duet_proof_text_finish(duet_proof_text *text, duet_error *error)
{
    int byte = peek_past_blanks(text);
    if (byte < 0) {
        return text->failed ? duet_proof_text_fail(text, error, "%s", "") : DUET_OK;
    }
    if (byte != '\n') {
        return expected(text, "the end of the line", byte, error);
    }
    break_line(text);
    return DUET_OK;
}

duet_code duet_proof_text_item(duet_proof_text *text, char *word, const char *what,
                               duet_error *error)
{
    int byte = peek_past_blanks(text);
    while (byte == '\n' || byte == '#') {
        while (byte >= 0 && byte != '\n') {
            text->at++;
            byte = peek(text);
        }
        if (byte == '\n') {
            break_line(text);
        }
        byte = peek_past_blanks(text);
    }
    text->item_line = text->line;
    word[0] = '\0';
    if (byte < 0) {
        return text->failed ? duet_proof_text_fail(text, error, "%s", "") : DUET_OK;
    }
    return duet_proof_text_word(text, word, what, error);
}
