// SPDX-License-Identifier: Apache-2.0
#include "bench/run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static duet_code add(duet_folder *folder, const char *path, duet_error *error)
{
    duet_code code = duet_vec_grow(folder->path, folder->count, error);
    char *copy = code == DUET_OK ? duet_copy_string(path, error) : NULL;
    DUET_NEED(copy);
    folder->path[folder->count++] = copy;
    return DUET_OK;
}

duet_code duet_folder_read(const char *path, duet_folder_filter *filter, const void *state,
                           duet_folder *folder, duet_error *error)
{
    *folder = (duet_folder){.count = 0};
    DIR *stream = opendir(path);
    if (stream == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, path, 0, 0, "cannot read the folder: %s",
                                 strerror(errno));
    }
    duet_code code = DUET_OK;
    for (const struct dirent *entry; code == DUET_OK && (entry = readdir(stream)) != NULL;) {
        char file[4096];
        bool wanted = false;
        int length = snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof file) {
            code = filter(state, file, &wanted, error);
            code = code == DUET_OK && wanted ? add(folder, file, error) : code;
        }
    }
    closedir(stream);
    if (code == DUET_OK && folder->count > 0) {
        qsort(folder->path, folder->count, sizeof *folder->path, by_name);
    }
    return code;
}

void duet_folder_free(duet_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        duet_free(folder->path[i]);
    }
    duet_free(folder->path);
    *folder = (duet_folder){.count = 0};
}
