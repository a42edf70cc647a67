// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench ratios`.
#ifndef DUET_BENCH_RATIOS_ARGS_H
#define DUET_BENCH_RATIOS_ARGS_H

#include "bench/ratios/ratios.h"
#include "bench/run/sweep_args.h"

typedef struct duet_ratios_args {
    duet_sweep_args sweep; // first: the parser of its options finds it there
    duet_ratios_settings settings;
    const char *algorithms; // -a as given; NULL: the default
    const char *save;       // a folder; NULL: none
    size_t folders;         // of --solutions, and what they are called
    const char *folder[DUET_CLI_MAX_LIST];
    char folder_name[DUET_CLI_MAX_LIST][64];
    bool improve; // another study: what improving makes of schedules
    char *list;   // owned copy of `algorithms`, cut up
    char option_text[256];
} duet_ratios_args;

// As duet_cli_parse(). False: stop with *exit_code.
bool duet_ratios_args_parse(int argc, char **argv, duet_ratios_args *args, int *exit_code);
void duet_ratios_args_free(duet_ratios_args *args);

// ratios/improve.c: the study of --improve. Returns the exit code.
int duet_ratios_improve(const duet_ratios_args *args);

#endif
