// SPDX-License-Identifier: Apache-2.0
// Errors: filling them, where in a file they are, and as one line of text.
#include "core/system/error.h"

#include <stdio.h>

#include "core/system/utf8.h"

// Drops what a cut has left of a character at the end of a text that fills its room.
static void trim_cut(char *text, size_t length)
{
    size_t begin = length - 1;
    while (begin > 0 && ((unsigned char)text[begin] & 0xC0) == 0x80) {
        begin--;
    }
    if (length - begin < duet_utf8_length((unsigned char)text[begin])) {
        text[begin] = '\0';
    }
}

void duet_error_clear(duet_error *error)
{
    if (error != NULL) {
        *error = (duet_error)DUET_ERROR_INIT;
    }
}

duet_code duet_error_vset_at(duet_error *error, duet_code code, const char *file, int line,
                             int column, const char *format, va_list arguments)
{
    if (error == NULL || error->code != DUET_OK) {
        return code;
    }
    error->code = code;
    error->line = line;
    error->column = column;
    snprintf(error->file, sizeof error->file, "%s", file == NULL ? "" : file);
    char text[sizeof error->message];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length >= (int)sizeof text) {
        trim_cut(text, sizeof text - 1);
    }
    // One line is promised, whatever a name taken from a file holds.
    duet_utf8_show_text(text, error->message, sizeof error->message);
    return code;
}

duet_code duet_error_set(duet_error *error, duet_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    duet_error_vset_at(error, code, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return code;
}

duet_code duet_error_set_at(duet_error *error, duet_code code, const char *file, int line,
                            int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    duet_error_vset_at(error, code, file, line, column, format, arguments);
    va_end(arguments);
    return code;
}

char *duet_error_format(const duet_error *error, char *buffer, unsigned long size)
{
    char place[64] = "";
    char file[DUET_SHOWN * sizeof error->file];
    if (error->line > 0 && error->column > 0) {
        snprintf(place, sizeof place, ":%d:%d", error->line, error->column);
    } else if (error->line > 0) {
        snprintf(place, sizeof place, ":%d", error->line);
    }
    if (error->file[0] == '\0') {
        duet_utf8_show_text(error->message, buffer, size);
    } else {
        snprintf(buffer, size, "%s%s: %s", duet_utf8_show_text(error->file, file, sizeof file),
                 place, error->message);
    }
    return buffer;
}

const char *duet_code_name(duet_code code)
{
    switch (code) {
    case DUET_OK:
        return "no error";
    case DUET_E_USAGE:
        return "wrong usage";
    case DUET_E_INPUT:
        return "invalid input";
    case DUET_E_INFEASIBLE:
        return "no schedule exists";
    case DUET_E_LIMIT:
        return "limit reached";
    case DUET_E_MEMORY:
        return "out of memory";
    case DUET_E_OUTPUT:
        return "cannot write";
    case DUET_E_UNSUPPORTED:
        return "not supported";
    case DUET_E_CANCELLED:
        return "cancelled";
    case DUET_E_INTERNAL:
        return "a bug in Duet";
    }
    return "unknown";
}
