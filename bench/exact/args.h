// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench exact`.
#ifndef DUET_BENCH_EXACT_ARGS_H
#define DUET_BENCH_EXACT_ARGS_H

#include "bench/exact/exact.h"
#include "bench/run/sweep_args.h"

typedef struct duet_exact_args {
    duet_sweep_args sweep;
    duet_exact_plan plan;   // its settings
    int64_t types;          // of set mixed, 0: not given
    const char *algorithms; // as given
    char *list;             // owned: the names that the settings point into
    const char *chart;      // prefix; NULL: none
    const char *ending;     // of the charts
} duet_exact_args;

extern const duet_cli_syntax duet_exact_syntax;
// Completes the settings of a duet_exact_args.
duet_code duet_exact_args_complete(void *input, duet_error *error);
void duet_exact_args_free(duet_exact_args *args);

#endif
