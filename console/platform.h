// SPDX-License-Identifier: Apache-2.0
// The platforms that the command line asks for: -m, -k and --platform, as options and as counts of
// an instance's processors.
#ifndef DUET_CONSOLE_PLATFORM_H
#define DUET_CONSOLE_PLATFORM_H

#include "console/args.h"
#include "core/system/shell_word.h"

// Values of the options. The first three also take ranges such as 1..4. False: a usage error is
// recorded.
bool duet_cli_take_cpus_range(void *input, const char *text);
bool duet_cli_take_gpus_range(void *input, const char *text);
bool duet_cli_take_platform_range(void *input, const char *text);
bool duet_cli_take_cpus(void *input, const char *text);
bool duet_cli_take_gpus(void *input, const char *text);
bool duet_cli_take_platform(void *input, const char *text);
// The times of --busy, which are read with the file.
bool duet_cli_take_busy(void *input, const char *text);
bool duet_cli_take_without(void *input, const char *text);

// A count "4" or a range "1..4" from *at on, which moves behind it.
bool duet_cli_read_count(const char **at, duet_cli_count *count);

// How many platforms are asked for: 1 where no count is a range.
int64_t duet_cli_platform_count(const duet_cli_args *args);
// Gives an instance the platform of that index, the counts of the last type changing fastest.
// `path` is its file. DUET_E_USAGE where the counts do not fit its types, with their names.
duet_code duet_cli_apply_platform(const duet_cli_args *args, const char *path,
                                  duet_instance *instance, int64_t index, duet_error *error);
// The counts of each type that are asked for; those that are not given are the file's own. Errors
// as of duet_cli_apply_platform().
duet_code duet_cli_platform_range(const duet_cli_args *args, const char *path,
                                  const duet_instance *instance,
                                  duet_cli_count range[DUET_MAX_TYPES], duet_error *error);
// Which types' counts change from platform to platform.
duet_code duet_cli_varied_types(const duet_cli_args *args, const char *path,
                                const duet_instance *instance, bool varied[DUET_MAX_TYPES],
                                duet_error *error);

// The next NAME=COUNT of --platform, and what comes behind it in *at. False at the end of the list,
// or where the text is none: then *at is NULL.
typedef struct duet_cli_named_count {
    char name[256];
    duet_cli_count count;
} duet_cli_named_count;
bool duet_cli_next_named(const char **at, duet_cli_named_count *item);

// DUET_E_USAGE where the processor counts are still unknown.
duet_code duet_cli_require_platform(const char *path, const duet_instance *instance,
                                    duet_error *error);
// "cpu, gpu, npu", the types of an instance, cut to `size`. Returns `buffer`.
const char *duet_cli_type_names(const duet_instance *instance, char *buffer, size_t size);
// "cpu=4,gpu=2", the counts of an instance that has them, as a word of a shell; NAME=N,... where
// that is too long. Returns `buffer`.
const char *duet_cli_counts(const duet_instance *instance, char buffer[DUET_SHELL_WORD]);

#endif
