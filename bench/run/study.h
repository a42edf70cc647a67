// SPDX-License-Identifier: Apache-2.0
// A study that is a sweep: a plan (which cases), rows (their columns, bench/run/columns.h) and a
// view. This is its command from the parsed command line to the exit code; and that of others.
#ifndef DUET_BENCH_RUN_STUDY_H
#define DUET_BENCH_RUN_STUDY_H

#include "bench/run/sweep.h"
#include "console/json.h"
#include "console/options.h"

// sweep_args.c
// The input of a command that takes duet_sweep_options begins with one of these.
typedef struct duet_sweep_args {
    duet_cli_args shared;
    const char *csv;
    bool resume;
    uint64_t shard;
    uint64_t shards; // 0: no --shard
} duet_sweep_args;

extern const duet_cli_option duet_sweep_options[]; // --csv --resume --shard

// The plan that the command line gives. DUET_E_USAGE where its parts do not go together.
duet_code duet_sweep_plan_make(const duet_sweep_args *args, const duet_cancel *cancel,
                               duet_sweep_plan *plan, duet_error *error);

// Of several processes that mpirun started, all read the same command line: rank 0 says what is
// wrong with it, the others are silent.
bool duet_sweep_is_another_rank(void);
// duet_cli_fail(), but what every process comes to is said by rank 0 alone.
int duet_sweep_fail(const duet_error *error);

// One line for people: rows, digest, time.
void duet_sweep_print_rows(const duet_sweep *sweep, const duet_sweep_plan *plan,
                           const duet_sweep_summary *summary, FILE *stream);
// On standard error, where the sweep was interrupted.
void duet_sweep_print_interrupted(const duet_sweep_plan *plan, const duet_sweep_summary *summary);
// Both.
void duet_sweep_print(const duet_sweep *sweep, const duet_sweep_plan *plan,
                      const duet_sweep_summary *summary, FILE *stream);
// The same as members of a JSON object.
void duet_sweep_print_json(const duet_sweep *sweep, const duet_sweep_plan *plan,
                           const duet_sweep_summary *summary, duet_cli_json *json);

// study.c
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
