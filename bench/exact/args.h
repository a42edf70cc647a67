// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench exact`.
#ifndef DUET_BENCH_EXACT_ARGS_H
#define DUET_BENCH_EXACT_ARGS_H

#include "bench/exact/exact.h"
#include "bench/run/sweep_args.h"

typedef struct duet_exact_args {
    duet_sweep_args sweep;
    duet_exact_settings settings;
    const char *algorithms; // as given
    char *list;             // owned: the names that the settings point into
    const char *chart;      // prefix; NULL: none
    const char *ending;     // of the charts
} duet_exact_args;

// Parses argv[1..] and completes the settings. True: go on, and free with
// duet_exact_args_free(). False: stop with *exit_code, the help or a message is printed.
bool duet_exact_args_parse(int argc, char **argv, duet_exact_args *args, int *exit_code);
void duet_exact_args_free(duet_exact_args *args);

#endif
