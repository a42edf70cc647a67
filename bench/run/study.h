// SPDX-License-Identifier: Apache-2.0
// A study that is a sweep: a plan (which cases), rows (their columns, bench/run/columns.h) and a
// view. This is its command from the parsed command line to the exit code; and that of others.
#ifndef DUET_BENCH_RUN_STUDY_H
#define DUET_BENCH_RUN_STUDY_H

#include "bench/run/sweep_args.h"

typedef struct duet_study {
    // Refuses what cannot be written, before the first run, and lists the cases.
    duet_code (*prepare)(void *state, duet_error *error);
    // Describes the sweep to duet_sweep_run(); ends early where the plan's cancel is requested.
    duet_code (*run)(void *state, const duet_sweep_plan *plan, duet_sweep_summary **summary,
                     duet_error *error);
    // Shows what came of it. *good: no target was missed, no ratio exceeded, and nothing is at
    // fault.
    duet_code (*report)(void *state, const duet_sweep_plan *plan, bool *good, duet_error *error);
} duet_study;

// Parses argv[1..] into `args`, which begins with a duet_cli_args, and completes it (`complete` may
// be NULL). Where several processes were started, one of them says what is wrong. False: stop with
// *exit_code; what `complete` has put into `args` is still to be freed.
bool duet_study_parse(const duet_cli_syntax *syntax, int argc, char **argv, void *args,
                      duet_code (*complete)(void *args, duet_error *error), int *exit_code);

// Prepares, runs with Ctrl-C caught, and reports where this process is the one that does. Returns
// the exit code of the command.
int duet_study_run(const duet_study *study, const duet_sweep_args *args, void *state);

// The command of a study that is no sweep: parses argv[1..] into `args`, has it measured and shown,
// and frees what parsing has put into `args`. *good is true before, and means what it does in
// duet_study.report. Returns the exit code.
int duet_study_measure(const duet_cli_syntax *syntax, int argc, char **argv, void *args,
                       duet_code (*measure)(void *args, bool *good, duet_error *error));

// Whether the rows go to standard output, where nothing else may be then.
bool duet_study_prints_rows(const duet_sweep_plan *plan);

#endif
