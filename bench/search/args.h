// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench search`, and what becomes of it in the end.
#ifndef DUET_BENCH_SEARCH_ARGS_H
#define DUET_BENCH_SEARCH_ARGS_H

#include "bench/search/search.h"
#include "console/options.h"

typedef struct duet_search_args {
    duet_cli_args shared;
    duet_search_settings settings;
    const char *algorithm; // as given; NULL: none
    const char *output;    // file of the worst instance; NULL: none
} duet_search_args;

extern const duet_cli_syntax duet_search_syntax;
// Completes the settings of a duet_search_args. DUET_E_USAGE, DUET_E_OUTPUT.
duet_code duet_search_args_complete(void *input, duet_error *error);

// search.c: confirms what was found, saves it and shows it on the stream: both whatever the
// confirmation said. Returns the exit code.
int duet_search_finish(const duet_search_args *args, const duet_cancel *cancel,
                       duet_search_result *result, FILE *stream);

#endif
