// SPDX-License-Identifier: Apache-2.0
// Recording an error with the arguments of a function that has a format of its own.
#ifndef DUET_CORE_SYSTEM_ERROR_H
#define DUET_CORE_SYSTEM_ERROR_H

#include <stdarg.h>

#include <duet/error.h>

/** duet_error_set_at() with a list of arguments, which the caller ends. */
duet_code duet_error_vset_at(duet_error *error, duet_code code, const char *file, int line,
                             int column, const char *format, va_list arguments);

#endif
