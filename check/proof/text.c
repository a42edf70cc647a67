// SPDX-License-Identifier: Apache-2.0
// Reads the text of a proof byte by byte: a proof may have 10^8 lines. Includes no solver header:
// this is what an outsider trusts.
#include "check/proof/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

enum { BUFFER = 1 << 20 };

duet_code duet_proof_text_stop(duet_proof_text *text, duet_code code)
{
    DUET_ASSERT(code != DUET_OK);
    text->code = text->code == DUET_OK ? code : text->code;
    return text->code;
}

duet_code duet_proof_text_open(duet_proof_text *text, const char *path, duet_watch *watch,
                               duet_error *error)
{
    *text =
        (duet_proof_text){.name = path, .watch = watch, .error = error, .line = 1, .item_line = 1};
    text->buffer = duet_alloc(BUFFER, 1, error);
    if (text->buffer == NULL) {
        return duet_proof_text_stop(text, DUET_E_MEMORY);
    }
    text->at = text->end = text->buffer;
    if (strcmp(path, "-") == 0) {
        text->name = "standard input";
        text->stream = stdin;
        return DUET_OK;
    }
    text->stream = fopen(path, "rb");
    if (text->stream == NULL) {
        duet_error_set_at(error, DUET_E_INPUT, path, 0, 0,
                          "cannot read: %s; expected a readable file", strerror(errno));
        return duet_proof_text_stop(text, DUET_E_INPUT);
    }
    text->owned = true;
    return DUET_OK;
}

void duet_proof_text_open_memory(duet_proof_text *text, const char *bytes, size_t length,
                                 duet_watch *watch, duet_error *error)
{
    const unsigned char *first = (const unsigned char *)bytes;
    *text = (duet_proof_text){.name = "certificate",
                              .watch = watch,
                              .error = error,
                              .line = 1,
                              .item_line = 1,
                              .at = first,
                              .end = first,
                              .more = length};
}

void duet_proof_text_close(duet_proof_text *text)
{
    if (text->owned) {
        fclose(text->stream);
    }
    duet_free(text->buffer);
    *text = (duet_proof_text){.stream = NULL};
}

size_t duet_proof_text_size(const duet_proof_text *text)
{
    if (!text->owned || fseek(text->stream, 0, SEEK_END) != 0) {
        return 0;
    }
    long size = ftell(text->stream);
    rewind(text->stream);
    return size > 0 ? (size_t)size : 0;
}

static bool refill(duet_proof_text *text)
{
    if ((text->stream == NULL && text->more == 0) || text->unreadable ||
        !duet_proof_text_ok(text)) {
        return false;
    }
    if (duet_watch_spend(text->watch, BUFFER)) {
        duet_proof_text_stop(text, duet_check_stopped(text->watch, text->error));
        return false;
    }
    if (text->stream == NULL) { // a text in memory comes in pieces, too
        size_t piece = duet_min(text->more, BUFFER);
        text->end += piece;
        text->more -= piece;
        return true;
    }
    errno = 0;
    size_t got = fread(text->buffer, 1, BUFFER, text->stream);
    text->at = text->buffer;
    text->end = text->buffer + got;
    if (got == 0 && ferror(text->stream)) {
        text->unreadable = true;
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

duet_code duet_proof_text_fail(duet_proof_text *text, const char *format, ...)
{
    if (!duet_proof_text_ok(text)) {
        return text->code;
    }
    if (text->unreadable) { // whatever is missing is missing for that
        duet_error_set_at(text->error, DUET_E_INPUT, text->name, 0, 0,
                          "cannot read: %s; expected a readable file", strerror(text->fault));
        return duet_proof_text_stop(text, DUET_E_INPUT);
    }
    char message[sizeof text->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    duet_error_set_at(text->error, DUET_E_INPUT, text->name, text->item_line, 0, "%s", message);
    return duet_proof_text_stop(text, DUET_E_INPUT);
}

void duet_proof_text_place(duet_proof_text *text, duet_code code, const duet_error *why)
{
    if (code == DUET_OK) {
        return;
    }
    DUET_ASSERT(duet_proof_text_ok(text) && why->code == code);
    if (code == DUET_E_INPUT) {
        duet_proof_text_fail(text, "%s", why->message);
        return;
    }
    duet_error_set_at(text->error, code, text->name, 0, 0, "%s", why->message);
    duet_proof_text_stop(text, code);
}

static void expected(duet_proof_text *text, const char *what, int byte)
{
    if (byte < 0) {
        duet_proof_text_fail(text, "expected %s, found the end of the file", what);
    } else if (byte == '\n') {
        duet_proof_text_fail(text, "expected %s, found the end of the line", what);
    } else if (byte > 0x20 && byte < 0x7f) {
        duet_proof_text_fail(text, "expected %s, found '%c'", what, byte);
    } else {
        duet_proof_text_fail(text, "expected %s, found byte 0x%02x", what, (unsigned)byte);
    }
}

static inline bool is_word_end(int byte)
{
    return byte < 0 || byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

void duet_proof_text_word(duet_proof_text *text, char *word, const char *what)
{
    word[0] = '\0';
    if (!duet_proof_text_ok(text)) {
        return;
    }
    int byte = peek_past_blanks(text);
    size_t length = 0;
    while ((byte >= 'a' && byte <= 'z') || byte == '-') {
        if (length == DUET_PROOF_MAX_WORD - 1) {
            expected(text, what, word[0]);
            break;
        }
        word[length++] = (char)byte;
        text->at++;
        byte = peek(text);
    }
    word[length] = '\0';
    if (length == 0 || !is_word_end(byte)) {
        expected(text, what, byte);
    }
    if (!duet_proof_text_ok(text)) {
        word[0] = '\0';
    }
}

int64_t duet_proof_text_number(duet_proof_text *text, const char *what)
{
    if (!duet_proof_text_ok(text)) {
        return 0;
    }
    int byte = peek_past_blanks(text);
    int64_t value = 0;
    if (byte < '0' || byte > '9') {
        expected(text, what, byte);
        return 0;
    }
    for (; byte >= '0' && byte <= '9'; byte = peek(text)) {
        int64_t digit = byte - '0';
        if (value > INT64_MAX / 10 - 1) {
            duet_proof_text_fail(text, "expected %s, found a number above 2^62", what);
            return 0;
        }
        value = value * 10 + digit;
        text->at++;
    }
    if (!is_word_end(byte)) {
        expected(text, what, byte);
    }
    return value;
}

bool duet_proof_text_more(duet_proof_text *text)
{
    if (!duet_proof_text_ok(text)) {
        return false;
    }
    int byte = peek_past_blanks(text);
    return byte >= 'a' && byte <= 'z';
}

// The end of the file is an end of the line, and no failure unless a read failed there.
static void take_end(duet_proof_text *text)
{
    if (text->unreadable) {
        duet_proof_text_fail(text, "%s", "");
    }
}

void duet_proof_text_finish(duet_proof_text *text)
{
    if (!duet_proof_text_ok(text)) {
        return;
    }
    int byte = peek_past_blanks(text);
    if (byte < 0) {
        take_end(text);
    } else if (byte == '\n') {
        break_line(text);
    } else {
        expected(text, "the end of the line", byte);
    }
}

void duet_proof_text_item(duet_proof_text *text, char *word, const char *what)
{
    word[0] = '\0';
    if (!duet_proof_text_ok(text)) {
        return;
    }
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
    if (byte < 0) {
        take_end(text);
    } else {
        duet_proof_text_word(text, word, what);
    }
}

int64_t duet_proof_text_below(duet_proof_text *text, const char *what, int64_t end)
{
    int64_t number = duet_proof_text_number(text, what);
    if (duet_proof_text_ok(text) && number >= end) {
        duet_proof_text_fail(text, "%" PRId64 ": expected %s below %" PRId64, number, what, end);
    }
    return duet_proof_text_ok(text) ? number : 0;
}

void duet_proof_text_judge(duet_proof_text *text, const duet_watch *watch, duet_code code,
                           duet_error *why)
{
    if (duet_proof_text_ok(text)) {
        code = watch->stopped ? duet_check_stopped(watch, why) : code;
        duet_proof_text_place(text, code, why);
    }
}
