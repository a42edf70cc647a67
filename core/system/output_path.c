// SPDX-License-Identifier: Apache-2.0
// Where an output goes: the file that a path means, and the temporary one beside it.
#include "core/system/output.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/number/random.h"
#include "core/system/memory.h"

enum {
    SUFFIX = 8,     // letters of a temporary name that are drawn
    KEPT = 64,      // bytes of the target's name that a temporary name begins with
    MOST_LINKS = 40 // the kernel's own limit
};

// Where the last part of a path begins.
static size_t last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

bool duet_output_resolve(const char *path, char resolved[PATH_MAX])
{
    char aim[PATH_MAX];
    size_t length = strlen(path);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(resolved, path, length + 1);
    for (int i = 0; i <= MOST_LINKS; i++) {
        ssize_t got = readlink(resolved, aim, sizeof aim);
        if (got < 0) {
            return true; // a file, nothing, or what open() will refuse
        }
        size_t kept = aim[0] == '/' ? 0 : last_part(resolved);
        if (kept + (size_t)got >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(resolved + kept, aim, (size_t)got);
        resolved[kept + (size_t)got] = '\0';
    }
    errno = ELOOP;
    return false;
}

bool duet_output_folder(const char *path, char folder[PATH_MAX])
{
    size_t length = last_part(path);
    if (length >= PATH_MAX) {
        return false;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (length == 0) {
        memcpy(folder, ".", 2);
    }
    return true;
}

// As much of a name as is kept, and no part of a letter.
static size_t kept_of(const char *name)
{
    size_t length = strlen(name);
    if (length <= KEPT) {
        return length;
    }
    length = KEPT;
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
        length--;
    }
    return length;
}

char *duet_output_temporary(const char *target, duet_error *error)
{
    size_t folder = last_part(target);
    size_t length = folder + kept_of(target + folder);
    char *temporary = duet_alloc(length + SUFFIX + 2, 1, error);
    if (temporary == NULL) {
        return NULL;
    }
    memcpy(temporary, target, length);
    temporary[length] = '.';
    memset(temporary + length + 1, 'x', SUFFIX);
    temporary[length + 1 + SUFFIX] = '\0';
    return temporary;
}

// Random enough for a name beside the target; a taken one is tried again.
void duet_output_rename_temporary(char *temporary)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    duet_random random;
    duet_random_seed(&random, (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32);
    for (char *at = temporary + strlen(temporary) - SUFFIX; *at != '\0'; at++) {
        *at = letters[duet_random_between(&random, 0, (int64_t)sizeof letters - 2)];
    }
}

char *duet_output_self(int descriptor, char path[DUET_OUTPUT_SELF])
{
    snprintf(path, DUET_OUTPUT_SELF, "/proc/self/fd/%d", descriptor);
    return path;
}
