// SPDX-License-Identifier: Apache-2.0
// A sweep: many independent runs, one CSV row each. A *job* is what is done in one piece (mostly an
// instance with everything that is run on it) and gives a fixed number of rows. A row is
//
//     job,KEYS,RESULTS,seconds,settings
//
// where the keys say what the run is and follow from the settings and the job's number alone, and
// the results say what came of it and are the same on every machine. Seconds are not. Hence the
// digest over all rows without their seconds does not depend on threads, ranks or shards. The last
// column is a stamp of what else results depend on (limits, Duet's version): a file holds the rows
// of one such choice only.
#ifndef DUET_BENCH_RUN_SWEEP_H
#define DUET_BENCH_RUN_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

enum { DUET_SWEEP_KEYS = 512, DUET_SWEEP_RESULTS = 512 };

typedef struct duet_sweep_row {
    char keys[DUET_SWEEP_KEYS];       // fields separated by commas, quoted as CSV wants them
    char results[DUET_SWEEP_RESULTS]; // likewise
    double seconds;
} duet_sweep_row;

typedef struct duet_sweep {
    const char *key_names;    // "instance,family,n,m,k,seed,algorithm,options"
    const char *result_names; // "status,makespan,..."
    const char *settings;     // what results depend on and keys do not say; NULL: nothing
    size_t jobs;
    size_t rows_per_job;
    // Fills the keys of a job's rows, which differ from each other. Cheap: runs nothing.
    duet_code (*describe)(const void *state, size_t job, duet_sweep_row *rows, duet_error *error);
    // Fills results and seconds of rows that have their keys. Called by several threads at once.
    // What fails for one run is a result; an error ends the sweep. Rows of a run that ends after
    // `cancel` was requested are dropped; DUET_E_CANCELLED is no error then.
    duet_code (*run)(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error);
    // Takes the rows of a finished job, whether run now or read from the file of an earlier sweep.
    // One job at a time, in any order. NULL: nothing is done with them.
    duet_code (*take)(void *state, size_t job, const duet_sweep_row *rows, duet_error *error);
    void *state;
} duet_sweep;

// How it is run; from the command line.
typedef struct duet_sweep_plan {
    int threads;     // of this process; 0: its processors, shared with the others of the machine
    const char *csv; // NULL: no file; "-": standard output
    bool resume;     // leave out what `csv` has already
    uint64_t shard;  // this process's share of the jobs, 1 .. shards
    uint64_t shards; // 0: all of them
    bool quiet;
    const duet_cancel *cancel;
} duet_sweep_plan;

typedef struct duet_sweep_summary {
    size_t jobs;     // of this shard
    size_t resumed;  // taken from the file
    size_t finished; // both
    uint64_t digest; // over the finished jobs' rows
    double seconds;
    bool interrupted;
    bool writer; // reports are this process's business (one of several has it)
} duet_sweep_summary;

// Runs a sweep; where several processes were started that MPI brings together, all of them do, and
// one is the writer: it alone has `take` called, an error returned and a summary.
//
// Rows are appended to the file job by job, each job's at once: whenever the process ends, whatever
// the reason, the file can be resumed, and only jobs that were in flight are missing. Errors: those
// of `run` and `take`; DUET_E_USAGE where the file is there already; DUET_E_OUTPUT
// where it cannot be written, or another process appends to it; DUET_E_INPUT where the file to
// resume from belongs to another sweep, or to this one with other settings; DUET_E_UNSUPPORTED for
// several processes without MPI and without shards; DUET_E_MEMORY.
duet_code duet_sweep_run(const duet_sweep *sweep, const duet_sweep_plan *plan,
                         duet_sweep_summary *summary, duet_error *error);

// Digest of one row without its seconds and settings; a sweep's digest is the sum over its rows.
uint64_t duet_sweep_row_digest(size_t job, const duet_sweep_row *row);

#endif
