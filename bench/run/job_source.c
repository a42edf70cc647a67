// SPDX-License-Identifier: Apache-2.0
// The threads of a process do the jobs of a source, each one job after the other.
#include "bench/run/sweep.h"

#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/threads.h"
#include "core/system/try.h"

int duet_sweep_threads(const duet_sweep_plan *plan, int neighbours)
{
    duet_context context;
    duet_context_init(&context, NULL, NULL); // with the processors that this process may use
    int share = context.threads / (neighbours > 0 ? neighbours : 1);
    if (plan->threads > 0) {
        return plan->threads;
    }
    return duet_max(share, 1);
}

static void do_job(const duet_sweep *sweep, const duet_job_source *source, size_t job,
                   duet_sweep_row *rows)
{
    duet_error error = DUET_ERROR_INIT;
    for (size_t r = 0; r < sweep->rows_per_job; r++) {
        rows[r].times[0] = '\0';
        rows[r].cut = false;
    }
    duet_code code = sweep->describe(sweep->state, job, rows, &error);
    DUET_THEN(code, sweep->run(sweep->state, job, source->cancel, rows, &error));
    // What is cut short has no result. Mostly the source drops rows that come after the request,
    // too.
    bool cut =
        code == DUET_E_CANCELLED && source->cancel != NULL && duet_cancel_requested(source->cancel);
    if (code == DUET_OK) {
        source->put(source->state, job, rows);
    } else if (!cut) {
        source->fail(source->state, &error);
    }
}

// What one thread does.
static void do_jobs(const duet_sweep *sweep, const duet_job_source *source)
{
    duet_error error = DUET_ERROR_INIT;
    size_t job = 0;
    duet_sweep_row *rows = duet_alloc(sweep->rows_per_job, sizeof *rows, &error);
    if (rows == NULL) {
        source->fail(source->state, &error);
    }
    while (rows != NULL && source->next(source->state, &job)) {
        do_job(sweep, source, job, rows);
    }
    duet_free(rows);
}

void duet_sweep_work(const duet_sweep *sweep, const duet_job_source *source, int threads)
{
    if (threads == 1) { // the job may have threads of its own
        do_jobs(sweep, source);
        return;
    }
#ifdef DUET_WITH_OPENMP
#pragma omp parallel num_threads(duet_threads_startable(threads))
#endif
    do_jobs(sweep, source);
}
