// SPDX-License-Identifier: Apache-2.0
// The files of a folder.
#ifndef DUET_BENCH_RUN_FOLDER_H
#define DUET_BENCH_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>

typedef struct duet_folder {
    char **path; // by name
    size_t count;
} duet_folder;

// Whether a file is wanted; an error ends the listing.
typedef duet_code duet_folder_filter(const void *state, const char *path, bool *wanted,
                                     duet_error *error);
// Lists those that are wanted, and not hidden. Free with duet_folder_free(), also after an error:
// DUET_E_INPUT where the folder cannot be read, DUET_E_MEMORY, and those of the filter.
duet_code duet_folder_read(const char *path, duet_folder_filter *filter, const void *state,
                           duet_folder *folder, duet_error *error);
void duet_folder_free(duet_folder *folder);

#endif
