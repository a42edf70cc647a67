// SPDX-License-Identifier: Apache-2.0
#include "bench/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/measure.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/output.h"
#include "core/threads.h"

// FNV-1a.
static uint64_t mix(uint64_t hash, const char *text)
{
    static const uint64_t prime = UINT64_C(1099511628211);
    for (const char *at = text; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * prime;
    }
    return (hash ^ ',') * prime;
}

uint64_t duet_sweep_row_digest(size_t job, const duet_sweep_row *row)
{
    static const uint64_t basis = UINT64_C(14695981039346656037);
    char number[32];
    snprintf(number, sizeof number, "%zu", job);
    return mix(mix(mix(basis, number), row->keys), row->results);
}

// What the threads share.
typedef struct progress {
    const duet_sweep *sweep;
    const duet_sweep_plan *plan;
    duet_sweep_summary *summary;
    duet_output *output; // NULL: no file
    duet_error *error;
} progress;

static duet_code take(progress *p, size_t job, const duet_sweep_row *rows, duet_error *error)
{
    for (size_t r = 0; r < p->sweep->rows_per_job; r++) {
        p->summary->digest += duet_sweep_row_digest(job, &rows[r]);
        if (p->output != NULL) {
            fprintf(p->output->stream, "%zu,%s,%s,%.9f\n", job, rows[r].keys, rows[r].results,
                    rows[r].seconds);
        }
    }
    p->summary->finished++;
    return p->sweep->take == NULL ? DUET_OK : p->sweep->take(p->sweep->state, job, rows, error);
}

static bool ended(const progress *p)
{
    return p->error->code != DUET_OK ||
           (p->plan->cancel != NULL && duet_cancel_requested(p->plan->cancel));
}

static void do_job(progress *p, size_t job, duet_sweep_row *rows)
{
    duet_error error = DUET_ERROR_INIT;
    const duet_sweep *sweep = p->sweep;
    duet_code code = sweep->describe(sweep->state, job, rows, &error);
    if (code == DUET_OK) {
        code = sweep->run(sweep->state, job, p->plan->cancel, rows, &error);
    }
#ifdef DUET_WITH_OPENMP
#pragma omp critical(duet_sweep_take)
#endif
    {
        if (code == DUET_OK && !ended(p)) {
            code = take(p, job, rows, &error);
        }
        if (code != DUET_OK && p->error->code == DUET_OK) {
            *p->error = error;
        }
    }
}

// One thread's part of the loop.
static void work(progress *p, int64_t jobs, duet_sweep_row *rows)
{
    bool stop = rows == NULL;
#ifdef DUET_WITH_OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
    for (int64_t job = 0; job < jobs; job++) {
#ifdef DUET_WITH_OPENMP
#pragma omp critical(duet_sweep_take)
#endif
        stop = stop || ended(p);
        if (!stop) {
            do_job(p, (size_t)job, rows);
        }
    }
}

static void run_jobs(progress *p)
{
    int64_t jobs = (int64_t)p->sweep->jobs;
#ifdef DUET_WITH_OPENMP
    int threads = duet_threads_startable(p->plan->threads);
#pragma omp parallel num_threads(threads)
#endif
    {
        duet_error lack = DUET_ERROR_INIT;
        duet_sweep_row *rows = duet_alloc(p->sweep->rows_per_job, sizeof *rows, &lack);
        if (rows == NULL) {
#ifdef DUET_WITH_OPENMP
#pragma omp critical(duet_sweep_take)
#endif
            *p->error = lack;
        }
        work(p, jobs, rows);
        free(rows);
    }
}

duet_code duet_sweep_run(const duet_sweep *sweep, const duet_sweep_plan *plan,
                         duet_sweep_summary *summary, duet_error *error)
{
    duet_error own = DUET_ERROR_INIT;
    duet_output output;
    int64_t start = duet_clock_ns();
    *summary = (duet_sweep_summary){.jobs = sweep->jobs, .writer = true};
    progress p = {sweep, plan, summary, NULL, error == NULL ? &own : error};
    if (plan->csv != NULL) {
        duet_code code = duet_output_open(&output, plan->csv, p.error);
        if (code != DUET_OK) {
            return code;
        }
        p.output = &output;
        fprintf(output.stream, "job,%s,%s,seconds\n", sweep->key_names, sweep->result_names);
    }
    run_jobs(&p);
    summary->seconds = duet_bench_since(start);
    summary->interrupted = plan->cancel != NULL && duet_cancel_requested(plan->cancel);
    if (p.output == NULL) {
        return p.error->code;
    }
    duet_code code =
        p.error->code == DUET_OK ? duet_output_commit(&output, p.error) : p.error->code;
    duet_output_abandon(&output);
    return code;
}
