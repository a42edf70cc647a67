// SPDX-License-Identifier: Apache-2.0
// What the command lines of the studies have in common: families, algorithms, formats of
// charts, and places to write to.
#ifndef DUET_BENCH_RUN_ARGS_H
#define DUET_BENCH_RUN_ARGS_H

#include "console/args.h"
#include "core/algorithm.h"

// --families: of those to measure on (duet_bench_families()), at most DUET_CLI_MAX_LIST.
bool duet_bench_take_families(duet_cli_args *args, const char *text, const char **list,
                              size_t *count);
// Of charts, for --chart-format; NULL at the end.
extern const char *const duet_bench_endings[];

// Adds what -a names, once, where `list` has room for `most`; else DUET_E_USAGE.
duet_code duet_bench_add_algorithm(const char *name, const char **list, size_t *count, size_t most,
                                   duet_error *error);

// Makes a folder if it does not exist. DUET_E_OUTPUT, before what takes its time, where nothing can
// be written there.
duet_code duet_bench_make_folder(const char *path, duet_error *error);

// rows.c
// The algorithm of that name; NULL: no algorithm has it. What is there once all plug-ins are loaded
// stays where it is. The first call comes before there are threads.
const duet_algorithm *duet_bench_find_algorithm(const char *name);

#endif
