// SPDX-License-Identifier: Apache-2.0
// Lists and words on the command line, such as "50,100,200" and "svg".
#ifndef DUET_CONSOLE_ARGS_LIST_H
#define DUET_CONSOLE_ARGS_LIST_H

#include "console/args.h"

// Whole numbers, at most DUET_CLI_MAX_LIST. False, here and below: a usage error naming `option` is
// recorded.
bool duet_cli_take_numbers(duet_cli_args *args, const char *option, const char *text,
                           uint64_t minimum, uint64_t maximum, int64_t *list, size_t *count);
// Words; each must be one of `known` (`known_count` of them); the list receives their indices.
bool duet_cli_take_words(duet_cli_args *args, const char *option, const char *text,
                         const char *const *known, size_t known_count, size_t *list, size_t *count);
// The same, as their names in `known`; and one word alone.
bool duet_cli_take_names(duet_cli_args *args, const char *option, const char *text,
                         const char *const *known, size_t known_count, const char **list,
                         size_t *count);
bool duet_cli_take_name(duet_cli_args *args, const char *option, const char *text,
                        const char *const *known, size_t known_count, const char **name);
// Platforms "M:K,M:K,..." of at least one CPU, into `m` and `k`.
bool duet_cli_take_platforms(duet_cli_args *args, const char *option, const char *text, int64_t *m,
                             int64_t *k, size_t *count);

#endif
