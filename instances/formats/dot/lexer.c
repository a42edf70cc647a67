// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/dot/lexer.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"
#include "instances/formats/formats.h"

enum { MAX_TEXT = 1 << 20 };

// --- failures ------------------------------------------------------------------------------------

void duet_dot_note(duet_dot_lexer *lexer, duet_code code)
{
    if (lexer->code == DUET_OK && code != DUET_OK) {
        lexer->code = code;
        lexer->token = DUET_DOT_END;
    }
}

static void fail_at(duet_dot_lexer *lexer, int line, int column, const char *what)
{
    duet_dot_then(lexer, duet_error_set_at(lexer->error, DUET_E_INPUT, lexer->input->name, line,
                                           column, "%s", what));
}

void duet_dot_fail(duet_dot_lexer *lexer, const char *format, ...)
{
    char what[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fail_at(lexer, lexer->line, lexer->column, what);
}

void duet_dot_expected(duet_dot_lexer *lexer, const char *what)
{
    switch (lexer->token) {
    case DUET_DOT_END:
        duet_dot_fail(lexer, "expected %s, found the end of the file", what);
        break;
    case DUET_DOT_WORD:
        duet_dot_fail(lexer, "expected %s, found \"%.40s%s\"", what, lexer->text,
                      lexer->length > 40 ? "..." : "");
        break;
    case DUET_DOT_SIGN:
        duet_dot_fail(lexer, "expected %s, found '%c'", what, lexer->sign);
        break;
    default:
        duet_dot_fail(lexer, "expected %s, found '%s'", what,
                      lexer->token == DUET_DOT_ARROW ? "->" : "--");
        break;
    }
}

bool duet_dot_is_sign(const duet_dot_lexer *lexer, char sign)
{
    return lexer->token == DUET_DOT_SIGN && lexer->sign == sign;
}

bool duet_dot_is_keyword(const duet_dot_lexer *lexer, const char *keyword)
{
    return lexer->token == DUET_DOT_WORD && !lexer->quoted && strcasecmp(lexer->text, keyword) == 0;
}

void duet_dot_free(duet_dot_lexer *lexer)
{
    duet_free(lexer->text);
    lexer->text = NULL;
}

// --- bytes ---------------------------------------------------------------------------------------

static int peek(const duet_dot_lexer *lexer)
{
    return lexer->code == DUET_OK ? duet_input_peek(lexer->input) : -1;
}

// The byte behind the next one; -1: there is none.
static int peek_second(const duet_dot_lexer *lexer)
{
    duet_input *input = lexer->input;
    duet_input_fill(input, 2);
    return input->filled - input->at < 2 ? -1 : input->buffer[input->at + 1];
}

static void append(duet_dot_lexer *lexer, int byte)
{
    if (lexer->length == MAX_TEXT) {
        fail_at(lexer, lexer->line, lexer->column, "text too long; expected at most 1 MiB");
    } else if (byte == 0) {
        fail_at(lexer, lexer->input->line, duet_input_column(lexer->input),
                "expected text, found byte 0x00");
    }
    duet_dot_then(lexer, duet_vec_reserve(lexer->text, lexer->length + 2, lexer->error));
    if (lexer->code == DUET_OK) {
        lexer->text[lexer->length++] = (char)byte;
        lexer->text[lexer->length] = '\0';
    }
}

static void take_into(duet_dot_lexer *lexer)
{
    append(lexer, peek(lexer));
    if (lexer->code == DUET_OK) {
        duet_input_take(lexer->input);
    }
}

// --- blanks and comments -------------------------------------------------------------------------

static void skip_line(duet_dot_lexer *lexer)
{
    for (int byte = peek(lexer); byte >= 0 && byte != '\n'; byte = peek(lexer)) {
        duet_input_take(lexer->input);
    }
}

// A comment between "/*" and the same backwards.
static void skip_comment(duet_dot_lexer *lexer)
{
    int line = lexer->input->line;
    int column = duet_input_column(lexer->input);
    duet_input_take(lexer->input);
    int before = 0;
    for (;;) {
        duet_input_take(lexer->input); // at first the star
        int byte = peek(lexer);
        if (byte < 0) {
            fail_at(lexer, line, column, "a comment that does not end; expected */");
            return;
        }
        if (before == '*' && byte == '/') {
            duet_input_take(lexer->input);
            return;
        }
        before = byte;
    }
}

// White space, comments, and lines that begin with '#', which preprocessors leave.
static void skip_blanks(duet_dot_lexer *lexer)
{
    for (;;) {
        int byte = peek(lexer);
        if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == '\f') {
            duet_input_take(lexer->input);
        } else if ((byte == '#' && duet_input_column(lexer->input) == 1) ||
                   (byte == '/' && peek_second(lexer) == '/')) {
            skip_line(lexer);
        } else if (byte == '/' && peek_second(lexer) == '*') {
            skip_comment(lexer);
        } else {
            return;
        }
    }
}

// --- words ---------------------------------------------------------------------------------------

static bool is_word_byte(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '.' || byte >= 0x80;
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

// Whether the text so far is a number up to the letter of its exponent, "1.5e".
static bool begins_exponent(const duet_dot_lexer *lexer)
{
    size_t from = lexer->length > 0 && lexer->text[0] == '-' ? 1 : 0;
    size_t digits = lexer->length == 0 ? 0 : strspn(lexer->text + from, "0123456789.");
    return digits > 0 && from + digits + 1 == lexer->length &&
           (lexer->text[lexer->length - 1] == 'e' || lexer->text[lexer->length - 1] == 'E');
}

static void read_plain(duet_dot_lexer *lexer)
{
    if (peek(lexer) == '-') {
        take_into(lexer);
    }
    for (int byte = peek(lexer);
         is_word_byte(byte) ||
         ((byte == '-' || byte == '+') && begins_exponent(lexer) && is_digit(peek_second(lexer)));
         byte = peek(lexer)) {
        take_into(lexer);
    }
}

// A text in quotes. A backslash takes the meaning of a quote behind it, and joins lines; else it
// stands for itself, and two stay two, as Graphviz has it.
static void read_quoted(duet_dot_lexer *lexer)
{
    duet_input_take(lexer->input);
    for (;;) {
        int byte = peek(lexer);
        if (byte < 0) {
            fail_at(lexer, lexer->line, lexer->column, "a text that does not end; expected '\"'");
            return;
        }
        int second = byte == '\\' ? peek_second(lexer) : -1;
        if (byte == '"') {
            duet_input_take(lexer->input);
            return;
        }
        if (second == '"' || second == '\n') {
            duet_input_take(lexer->input);
        } else if (second == '\\') {
            take_into(lexer);
        }
        if (second == '\n') {
            duet_input_take(lexer->input);
        } else if (lexer->code == DUET_OK) {
            take_into(lexer);
        }
    }
}

// Texts with '+' between them are one.
static void read_joined(duet_dot_lexer *lexer)
{
    read_quoted(lexer);
    for (skip_blanks(lexer); peek(lexer) == '+'; skip_blanks(lexer)) {
        duet_input_take(lexer->input);
        skip_blanks(lexer);
        if (peek(lexer) != '"') {
            fail_at(lexer, lexer->input->line, duet_input_column(lexer->input),
                    "expected a text in quotes behind '+'");
            return;
        }
        read_quoted(lexer);
    }
}

// A text between angle brackets, which may hold others.
static void read_angled(duet_dot_lexer *lexer)
{
    int depth = 1;
    duet_input_take(lexer->input);
    for (;;) {
        int byte = peek(lexer);
        if (byte < 0) {
            fail_at(lexer, lexer->line, lexer->column, "a text that does not end; expected '>'");
            return;
        }
        depth += (byte == '<') - (byte == '>');
        if (depth == 0) {
            duet_input_take(lexer->input);
            return;
        }
        take_into(lexer);
    }
}

static void read_word(duet_dot_lexer *lexer, int byte)
{
    lexer->token = DUET_DOT_WORD;
    lexer->quoted = byte == '"' || byte == '<';
    append(lexer, ' '); // so that there is a text, be it empty
    lexer->length = 0;
    if (lexer->code == DUET_OK) {
        lexer->text[0] = '\0';
        (byte == '"' ? read_joined : byte == '<' ? read_angled : read_plain)(lexer);
    }
    if (lexer->code == DUET_OK && !duet_utf8_valid(lexer->text, lexer->length)) {
        fail_at(lexer, lexer->line, lexer->column,
                "invalid UTF-8; expected UTF-8 text" DUET_UTF8_ADVICE);
    }
}

void duet_dot_next(duet_dot_lexer *lexer)
{
    skip_blanks(lexer);
    int byte = peek(lexer);
    lexer->token = DUET_DOT_END;
    lexer->length = 0;
    if (lexer->code != DUET_OK) {
        return;
    }
    lexer->line = lexer->input->line;
    lexer->column = duet_input_column(lexer->input);
    int second = byte == '-' ? peek_second(lexer) : -1;
    if (byte < 0) {
        duet_dot_note(lexer, duet_input_check(lexer->input, lexer->error));
    } else if (second == '>' || second == '-') {
        duet_input_take(lexer->input);
        duet_input_take(lexer->input);
        lexer->token = second == '>' ? DUET_DOT_ARROW : DUET_DOT_LINE;
    } else if (strchr("{}[];,:=", byte) != NULL && byte != 0) {
        duet_input_take(lexer->input);
        lexer->token = DUET_DOT_SIGN;
        lexer->sign = (char)byte;
    } else if (is_word_byte(byte) || byte == '"' || byte == '<' ||
               (byte == '-' && (is_digit(second) || second == '.'))) {
        read_word(lexer, byte);
    } else {
        char found[32];
        duet_dot_fail(lexer, "expected a name, a number or one of { } [ ] ; , = ->, found %s",
                      duet_input_describe(byte, found));
    }
}

// --- recognition ---------------------------------------------------------------------------------

// Blanks and comments, as skip_blanks() takes them.
static size_t skip_head(const unsigned char *text, size_t length, size_t at)
{
    for (;;) {
        while (at < length && strchr(" \t\r\n\f", text[at]) != NULL && text[at] != '\0') {
            at++;
        }
        bool line = at < length && ((text[at] == '#' && (at == 0 || text[at - 1] == '\n')) ||
                                    (at + 1 < length && text[at] == '/' && text[at + 1] == '/'));
        bool comment = at + 1 < length && text[at] == '/' && text[at + 1] == '*';
        if (!line && !comment) {
            return at;
        }
        while (line && at < length && text[at] != '\n') {
            at++;
        }
        for (at += comment ? 3 : 0; comment && at < length; at++) {
            if (text[at] == '/' && text[at - 1] == '*') {
                comment = false;
            }
        }
    }
}

// Where a word of plain bytes or a text in quotes ends.
static size_t skip_name(const unsigned char *text, size_t length, size_t at)
{
    if (at < length && text[at] == '"') {
        for (at++; at < length && text[at] != '"'; at++) {
            at += text[at] == '\\';
        }
        return at < length ? at + 1 : length;
    }
    while (at < length && is_word_byte(text[at])) {
        at++;
    }
    return at;
}

bool duet_dot_begins(const unsigned char *text, size_t length)
{
    size_t at = skip_head(text, length, 0);
    size_t end = skip_name(text, length, at);
    bool strict =
        end - at == strlen("strict") && strncasecmp((const char *)text + at, "strict", 6) == 0;
    if (strict) {
        at = skip_head(text, length, end);
        end = skip_name(text, length, at);
    }
    bool graph = (end - at == 5 && strncasecmp((const char *)text + at, "graph", 5) == 0) ||
                 (end - at == 7 && strncasecmp((const char *)text + at, "digraph", 7) == 0);
    at = skip_head(text, length, end);
    at = skip_head(text, length, skip_name(text, length, at));
    return graph && at < length && text[at] == '{';
}
