// SPDX-License-Identifier: Apache-2.0
// What the one writer of a sweep keeps: which rows there are, the file they are appended to, and
// the digest. Not for two threads at once.
#ifndef DUET_BENCH_RUN_LEDGER_H
#define DUET_BENCH_RUN_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <duet/error.h>

#include "bench/run/progress.h"
#include "bench/run/sweep.h"
#include "bench/run/sweep_row.h"

// file.c
typedef struct duet_sweep_file {
    const char *path; // the caller's
    int descriptor;   // -1: closed
    bool regular;     // a plain file, not a device or a pipe: it can be cut and flushed to the disk
    bool terminal;    // names are shown with escapes
    int64_t size;     // bytes, while this process holds it
    int64_t flushed_ns;
} duet_sweep_file;

// Opens and locks `path` ("-": standard output). A file that has something in it is refused
// (DUET_E_USAGE) unless `resume`; one that is locked already is DUET_E_OUTPUT.
duet_code duet_sweep_file_open(duet_sweep_file *file, const char *path, bool resume,
                               duet_error *error);

// Appends all of `text`, and flushes to the disk once a second. Where that fails, the file is as it
// was before: DUET_E_OUTPUT.
duet_code duet_sweep_file_append(duet_sweep_file *file, const char *text, size_t length,
                                 duet_error *error);

// A stream over what is there, from the beginning, to be closed by the caller; NULL with
// DUET_E_INPUT.
FILE *duet_sweep_file_read(const duet_sweep_file *file, duet_error *error);
// Cuts the file to its first `size` bytes.
duet_code duet_sweep_file_cut(duet_sweep_file *file, int64_t size, duet_error *error);

// Flushes and closes. Safe on a closed one. DUET_E_OUTPUT.
duet_code duet_sweep_file_close(duet_sweep_file *file, duet_error *error);

// ledger.c
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
