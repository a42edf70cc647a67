// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench papers`.
#ifndef DUET_BENCH_PAPERS_ARGS_H
#define DUET_BENCH_PAPERS_ARGS_H

#include "bench/papers/papers.h"
#include "bench/run/sweep_args.h"

typedef struct duet_papers_args {
    duet_sweep_args sweep;
    duet_papers_settings settings;
    const char *chart;   // prefix; NULL: none
    const char *ending;  // of the charts
    const char *results; // page to write; NULL: none
} duet_papers_args;

// Parses argv[1..]. True: go on, and free args->sweep.shared. False: stop with *exit_code, the help
// or a message is printed.
bool duet_papers_args_parse(int argc, char **argv, duet_papers_args *args, int *exit_code);

#endif
