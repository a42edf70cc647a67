// SPDX-License-Identifier: Apache-2.0
// What the names of files say.
#ifndef DUET_CORE_SYSTEM_PATH_H
#define DUET_CORE_SYSTEM_PATH_H

#include <stdbool.h>
#include <stddef.h>

// Whether `path` ends in one of `endings` (".svg .png"), in capital or small letters.
bool duet_path_ends(const char *path, const char *endings);
// The name of the file within its path.
const char *duet_path_name(const char *path);
// The length of such a name without its ending: all of it where it has none, or is nothing else.
size_t duet_path_stem(const char *name);

#endif
