// SPDX-License-Identifier: Apache-2.0
#include <duet/error.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void duet_error_clear(duet_error *error)
{
    if (error != NULL) {
        *error = (duet_error)DUET_ERROR_INIT;
    }
}

static duet_code record(duet_error *error, duet_code code, const char *file, int line, int column,
                        const char *format, va_list arguments)
{
    if (error == NULL || error->code != DUET_OK) {
        return code;
    }
    error->code = code;
    error->line = line;
    error->column = column;
    snprintf(error->file, sizeof error->file, "%s", file == NULL ? "" : file);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    // One line is promised, whatever a name taken from a file holds.
    for (char *c = error->message; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
    return code;
}

duet_code duet_error_set(duet_error *error, duet_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(error, code, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return code;
}

duet_code duet_error_set_at(duet_error *error, duet_code code, const char *file, int line,
                            int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(error, code, file, line, column, format, arguments);
    va_end(arguments);
    return code;
}

char *duet_error_format(const duet_error *error, char *buffer, unsigned long size)
{
    char place[320] = "";
    if (error->file[0] != '\0') {
        if (error->line > 0 && error->column > 0) {
            snprintf(place, sizeof place, "%s:%d:%d: ", error->file, error->line, error->column);
        } else if (error->line > 0) {
            snprintf(place, sizeof place, "%s:%d: ", error->file, error->line);
        } else {
            snprintf(place, sizeof place, "%s: ", error->file);
        }
    }
    snprintf(buffer, size, "%s%s", place, error->message);
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
