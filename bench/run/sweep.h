// SPDX-License-Identifier: Apache-2.0
// A sweep: many independent runs, one CSV row each. A *job* is what is done in one piece (mostly an
// instance with everything that is run on it) and gives a fixed number of rows. The study's columns
// (bench/run/columns.h) say what a row is made of:
//
// - keys say what the run is, and follow from the settings and the job's number alone;
// - results say what came of it, and are the same on every machine;
// - times are not. Hence the digest over all rows without their times does not depend on threads,
//   ranks or shards;
// - a stamp, where the study has a column for it, stands for what else results depend on (limits,
//   Duet's version): a file holds the rows of one such choice only;
// - the job's number, where the study has a column for it. Without one the job of a row that is
//   read back is found by its keys.
#ifndef DUET_BENCH_RUN_SWEEP_H
#define DUET_BENCH_RUN_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

#include "bench/run/columns.h"

enum { DUET_SWEEP_KEYS = 512, DUET_SWEEP_RESULTS = 512, DUET_SWEEP_TIMES = 64 };

typedef struct duet_sweep_row {
    char keys[DUET_SWEEP_KEYS];       // fields separated by commas, quoted as CSV wants them
    char results[DUET_SWEEP_RESULTS]; // the same of its results
    char times[DUET_SWEEP_TIMES];     // the same of its columns of role TIME alone
    double seconds;                   // of the run
    bool cut;                         // there is no such row: its run was cut short
} duet_sweep_row;

typedef struct duet_sweep {
    const duet_column *columns; // a name of NULL ends
    const char *settings;       // what results depend on and keys do not say; NULL: nothing
    size_t jobs;
    size_t rows_per_job;
    bool keeps_cut_jobs; // a job whose run ends after `cancel` gives the rows that are not `cut`;
                         // else it gives none. In a sweep of several processes it gives none.
    // Fills the keys of a job's rows, which differ from each other. Cheap: runs nothing.
    duet_code (*describe)(const void *state, size_t job, duet_sweep_row *rows, duet_error *error);
    // Fills results and seconds of rows that have their keys. Called by several threads at once.
    // What fails for one run is a result; an error ends the sweep. DUET_E_CANCELLED is none after
    // `cancel` was requested.
    duet_code (*run)(const void *state, size_t job, const duet_cancel *cancel, duet_sweep_row *rows,
                     duet_error *error);
    // Takes the rows of a finished job, whether run now or read from the file of an earlier sweep.
    // One job at a time, in any order. Some rows may be `cut` where the sweep keeps cut jobs. NULL:
    // nothing is done with them.
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

// Digest of one row without its times and stamp; a sweep's digest is the sum over its rows.
uint64_t duet_sweep_row_digest(size_t job, const duet_sweep_row *row);

// job_source.c
typedef struct duet_job_source {
    // The next job; may wait. False: there is nothing more to do.
    bool (*next)(void *state, size_t *job);
    // Takes the rows of a job, or why there are none.
    void (*put)(void *state, size_t job, const duet_sweep_row *rows);
    void (*fail)(void *state, const duet_error *error);
    const duet_cancel *cancel; // of what runs; may be NULL
    void *state;
} duet_job_source;

// Does jobs in `threads` threads until the source has no more.
void duet_sweep_work(const duet_sweep *sweep, const duet_job_source *source, int threads);

// run/mpi/run.c, in a build with MPI. Whether this process is one of several that mpirun started;
// starts MPI if so. DUET_E_UNSUPPORTED where MPI has no threads.
duet_code duet_sweep_mpi_join(bool *several, duet_error *error);
// The part of this process in a sweep of several; arguments as duet_sweep_run().
duet_code duet_sweep_mpi_run(const duet_sweep *sweep, const duet_sweep_plan *plan,
                             duet_sweep_summary *summary, duet_error *error);

// Threads of this process: those of the plan, else the processors that it may use, shared among the
// `neighbours` processes of the sweep on this machine.
int duet_sweep_threads(const duet_sweep_plan *plan, int neighbours);

#endif
