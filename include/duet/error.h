// SPDX-License-Identifier: Apache-2.0
/// @file
/// How a call fails. Every fallible function returns a ::duet_code and takes a caller-owned
/// ::duet_error, which may be NULL. The first error wins: a record that already holds one is not
/// overwritten, so the cause survives whatever fails after it.
///
/// Every function that is handed a struct with `struct_size` may also fail with DUET_E_USAGE (the
/// size was not set) and with DUET_E_UNSUPPORTED (a member is set that this library, older than the
/// headers, does not know).
///
/// A call error is not a solve status: a schedule that is only bounded, not optimal, is no error.
#ifndef DUET_ERROR_H
#define DUET_ERROR_H

#include <duet/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Why a call failed.
typedef enum duet_code {
    DUET_OK = 0,        ///< it did not
    DUET_E_USAGE,       ///< wrong argument, unknown name, option out of range
    DUET_E_INPUT,       ///< a file or an instance is unreadable or invalid
    DUET_E_INFEASIBLE,  ///< no schedule exists: some task has nowhere to run
    DUET_E_LIMIT,       ///< time or memory limit reached before any answer
    DUET_E_MEMORY,      ///< an allocation failed
    DUET_E_OUTPUT,      ///< a result could not be written
    DUET_E_UNSUPPORTED, ///< this algorithm or build cannot do that (message says which part)
    DUET_E_CANCELLED,   ///< cancelled before any answer
    DUET_E_INTERNAL     ///< a bug in Duet
} duet_code;

/// A caller-owned error record. Start from DUET_ERROR_INIT.
typedef struct duet_error {
    duet_code code; ///< DUET_OK until something failed
    int line;       ///< line in `file`, from 1; 0: no line is at fault
    int column;     ///< column in bytes, from 1; 0: no column is at fault
    char file[256]; ///< name of the file at fault; empty: no file is at fault
    /// One line without a final newline: what is wrong and what was expected. Control characters,
    /// line breaks, characters that turn the direction of text and bytes that are no UTF-8 are
    /// escapes in it (\\n, \\x1b, \\u202e).
    char message[512];
} duet_error;

/// An empty record.
#define DUET_ERROR_INIT                                                                            \
    {                                                                                              \
        DUET_OK, 0, 0, {0},                                                                        \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/// Empties `error` so that it can be used again. NULL is allowed.
DUET_API void duet_error_clear(duet_error *error);

/// Records an error unless one is there already or `error` is NULL; returns `code` either way, so
/// that a caller can write `return duet_error_set(...)`. The message is cut to what fits.
DUET_API duet_code duet_error_set(duet_error *error, duet_code code, const char *format, ...)
    DUET_PRINTF(3, 4);

/// As duet_error_set(), with a place in a file. `file` may be NULL; `line` and `column` 0 if
/// unknown.
DUET_API duet_code duet_error_set_at(duet_error *error, duet_code code, const char *file, int line,
                                     int column, const char *format, ...) DUET_PRINTF(6, 7);

/// Writes "file:line:column: message" (without the parts that are unknown) into `buffer`, cut to
/// `size` bytes with the final NUL. The file's name has escapes as the message has. Returns
/// `buffer`.
DUET_API char *duet_error_format(const duet_error *error, char *buffer, unsigned long size);

/// A short name for a code, such as "invalid input". A static string; never NULL.
DUET_API const char *duet_code_name(duet_code code);

#ifdef __cplusplus
}
#endif

#endif
