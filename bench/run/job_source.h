// SPDX-License-Identifier: Apache-2.0
// Where the threads of a process get jobs and leave rows: the ledger itself, or, among several
// processes, the one that has it. Every function may be called by several threads at once.
#ifndef DUET_BENCH_RUN_JOB_SOURCE_H
#define DUET_BENCH_RUN_JOB_SOURCE_H

#include "bench/run/sweep.h"

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
