// SPDX-License-Identifier: Apache-2.0
// Where an output goes: the file that a path means, and the temporary one beside it.
#ifndef DUET_CORE_SYSTEM_OUTPUT_PATH_H
#define DUET_CORE_SYSTEM_OUTPUT_PATH_H

#include <limits.h>
#include <stdbool.h>

#include <duet/error.h>

// The path without the symbolic links that its last part may name, whether or not a file is there.
// False, and errno says why, where there are too many links or the path is too long.
bool duet_output_resolve(const char *path, char resolved[PATH_MAX]);

// The folder of a path. False where it is too long.
bool duet_output_folder(const char *path, char folder[PATH_MAX]);

// A name for a temporary file beside `target`, at most as long as any file system takes; NULL where
// there is no memory. It is the caller's to free.
char *duet_output_temporary(const char *target, duet_error *error);
// Gives it another end, where that name is taken.
void duet_output_rename_temporary(char *temporary);

enum { DUET_OUTPUT_SELF = 40 };
// The name of an open file below /proc. Returns `path`.
char *duet_output_self(int descriptor, char path[DUET_OUTPUT_SELF]);

#endif
