// SPDX-License-Identifier: Apache-2.0
#include "core/system/path.h"

#include <string.h>
#include <strings.h>

bool duet_path_ends(const char *path, const char *endings)
{
    size_t length = strlen(path);
    for (const char *at = endings; *at != '\0';) {
        size_t size = strcspn(at, " ");
        if (size <= length && strncasecmp(path + length - size, at, size) == 0) {
            return true;
        }
        at += size + strspn(at + size, " ");
    }
    return false;
}

const char *duet_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

size_t duet_path_stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
}
