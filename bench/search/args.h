// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench search`, and what becomes of it in the end.
#ifndef DUET_BENCH_SEARCH_ARGS_H
#define DUET_BENCH_SEARCH_ARGS_H

#include "bench/search/search.h"
#include "console/args.h"

typedef struct duet_search_args {
    duet_cli_args shared;
    duet_search_settings settings;
    const char *algorithm; // as given; NULL: none
    const char *output;    // file of the worst instance; NULL: none
} duet_search_args;

// Parses argv[1..] and completes the settings. True: go on, and free with
// duet_search_args_free(). False: stop with *exit_code, the help or a message is printed.
bool duet_search_args_parse(int argc, char **argv, duet_search_args *args, int *exit_code);
void duet_search_args_free(duet_search_args *args);

// search.c: confirms what was found, saves it and shows it on the stream: both whatever the
// confirmation said. Returns the exit code.
int duet_search_finish(const duet_search_args *args, const duet_cancel *cancel,
                       duet_search_result *result, FILE *stream);

#endif
