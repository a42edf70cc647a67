// SPDX-License-Identifier: Apache-2.0
// The command line of a sweep, beside -j and -q of duet_cli_study_limits_options; and what is said
// of one.
#ifndef DUET_BENCH_RUN_SWEEP_ARGS_H
#define DUET_BENCH_RUN_SWEEP_ARGS_H

#include "bench/run/sweep.h"
#include "console/json.h"
#include "console/options.h"

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

#endif
