// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reading and writing instances and solutions. The path "-" is standard input or output. Files are
/// written whole or not at all: to a temporary file beside the target, then renamed.
#ifndef DUET_IO_H
#define DUET_IO_H

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads an instance in any known format, recognised from its content. On success `*out` is owned
/// by the caller. Errors: DUET_E_INPUT with file, line, column and what was expected;
/// DUET_E_INFEASIBLE for a task that is forbidden everywhere; DUET_E_LIMIT, DUET_E_MEMORY.
/// O(size of the file) expected; memory O(kinds).
DUET_API duet_code duet_read_instance(const char *path, duet_instance **out, duet_error *error);

/// Writes an instance in the format of that name ("json", "csv"; NULL: by the ending of `path`,
/// else json). Errors: DUET_E_USAGE (unknown format), DUET_E_OUTPUT.
DUET_API duet_code duet_write_instance(const char *path, const char *format,
                                       const duet_instance *instance, duet_error *error);

/// Reads a solution of `instance` (JSON). Tasks are matched by id. If the instance has no platform
/// yet, it takes the solution's. What the file claims is stored, not believed: check it with
/// duet_check_solution(). Errors as duet_read_instance().
DUET_API duet_code duet_read_solution(const char *path, duet_instance *instance,
                                      duet_solution **out, duet_error *error);

/// Writes a solution as JSON.
DUET_API duet_code duet_write_solution(const char *path, const duet_instance *instance,
                                       const duet_solution *solution, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
