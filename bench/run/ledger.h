// SPDX-License-Identifier: Apache-2.0
// What the one writer of a sweep keeps: which rows there are, the file they are appended to, and
// the digest. Not for two threads at once.
#ifndef DUET_BENCH_RUN_LEDGER_H
#define DUET_BENCH_RUN_LEDGER_H

#include "bench/run/file.h"
#include "bench/run/progress.h"
#include "bench/run/sweep.h"
#include "bench/run/sweep_row.h"

typedef struct duet_sweep_ledger {
    // The sweep.
    const duet_sweep *sweep;
    const duet_sweep_plan *plan;
    duet_sweep_summary *summary;
    size_t share; // jobs of this shard
    char stamp[DUET_SWEEP_STAMP];
    // What there is.
    unsigned char *have; // a bit per row: it is in the file
    unsigned char *done; // a bit per job of the shard: nothing is left to do
    duet_sweep_progress progress;
    // The file.
    bool has_file;
    duet_sweep_file file;
    char *text; // room for the lines of a job
} duet_sweep_ledger;

// The jobs of the plan's shard are duet_sweep_job(plan, 0 .. duet_sweep_share() - 1).
size_t duet_sweep_share(const duet_sweep *sweep, const duet_sweep_plan *plan);
size_t duet_sweep_job(const duet_sweep_plan *plan, size_t index);
// Bits; a byte holds eight.
bool duet_sweep_bit(const unsigned char *bits, size_t index);
void duet_sweep_set_bit(unsigned char *bits, size_t index, bool value);
size_t duet_sweep_bytes(size_t bits);

// Opens the file, if there is to be one, and takes what it has. `summary` is counted up.
duet_code duet_sweep_ledger_open(duet_sweep_ledger *ledger, const duet_sweep *sweep,
                                 const duet_sweep_plan *plan, duet_sweep_summary *summary,
                                 duet_error *error);
// Takes the rows of a job that was run: appends those that are not in the file yet. A job some of
// whose rows are `cut` is not finished with that.
duet_code duet_sweep_ledger_enter(duet_sweep_ledger *ledger, size_t job, const duet_sweep_row *rows,
                                  duet_error *error);
// Takes the rows of a job without writing any.
duet_code duet_sweep_ledger_take(duet_sweep_ledger *ledger, size_t job, const duet_sweep_row *rows,
                                 duet_error *error);
duet_code duet_sweep_ledger_close(duet_sweep_ledger *ledger, duet_error *error);

// run/resume.c: takes what the file has. DUET_E_INPUT where it belongs to another sweep.
duet_code duet_sweep_resume(duet_sweep_ledger *ledger, duet_error *error);

#endif
