// SPDX-License-Identifier: Apache-2.0
#include "bench/run/sweep.h"

#include <pthread.h>
#include <stdlib.h>

#include "bench/run/job_source.h"
#include "bench/run/ledger.h"
#include "bench/run/mpi_world.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/threads.h"

int duet_sweep_threads(const duet_sweep_plan *plan, int neighbours)
{
    duet_context context;
    duet_context_init(&context, NULL,
                      NULL); // its threads: the processors that this process may use
    int share = context.threads / (neighbours > 0 ? neighbours : 1);
    if (plan->threads > 0) {
        return plan->threads;
    }
    return share > 1 ? share : 1;
}

static void do_job(const duet_sweep *sweep, const duet_job_source *desk, size_t job,
                   duet_sweep_row *rows)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = sweep->describe(sweep->state, job, rows, &error);
    if (code == DUET_OK) {
        code = sweep->run(sweep->state, job, desk->cancel, rows, &error);
    }
    // What is cut short has no result; the desk drops rows that come after the request, too.
    bool cut =
        code == DUET_E_CANCELLED && desk->cancel != NULL && duet_cancel_requested(desk->cancel);
    if (code == DUET_OK) {
        desk->put(desk->state, job, rows);
    } else if (!cut) {
        desk->fail(desk->state, &error);
    }
}

void duet_sweep_work(const duet_sweep *sweep, const duet_job_source *desk, int threads)
{
    (void)threads;
#ifdef DUET_WITH_OPENMP
#pragma omp parallel num_threads(duet_threads_startable(threads))
#endif
    {
        duet_error lack = DUET_ERROR_INIT;
        size_t job = 0;
        duet_sweep_row *rows = duet_alloc(sweep->rows_per_job, sizeof *rows, &lack);
        if (rows == NULL) {
            desk->fail(desk->state, &lack);
        }
        while (rows != NULL && desk->next(desk->state, &job)) {
            do_job(sweep, desk, job, rows);
        }
        duet_free(rows);
    }
}

// The desk of a process that is alone.
typedef struct local_desk {
    pthread_mutex_t mutex;
    const duet_sweep_plan *plan;
    duet_sweep_ledger *ledger;
    size_t position;
    duet_error *error;
} local_desk;

static bool ended(const local_desk *desk)
{
    return desk->error->code != DUET_OK ||
           (desk->plan->cancel != NULL && duet_cancel_requested(desk->plan->cancel));
}

static bool local_next(void *state, size_t *job)
{
    local_desk *desk = state;
    const duet_sweep_ledger *ledger = desk->ledger;
    pthread_mutex_lock(&desk->mutex);
    while (desk->position < ledger->share && duet_sweep_bit(ledger->done, desk->position)) {
        desk->position++;
    }
    bool more = desk->position < ledger->share && !ended(desk);
    if (more) {
        *job = duet_sweep_job(desk->plan, desk->position++);
    }
    pthread_mutex_unlock(&desk->mutex);
    return more;
}

static void local_put(void *state, size_t job, const duet_sweep_row *rows)
{
    local_desk *desk = state;
    pthread_mutex_lock(&desk->mutex);
    if (!ended(desk)) {
        duet_sweep_ledger_enter(desk->ledger, job, rows, desk->error);
    }
    pthread_mutex_unlock(&desk->mutex);
}

static void local_fail(void *state, const duet_error *error)
{
    local_desk *desk = state;
    pthread_mutex_lock(&desk->mutex);
    if (desk->error->code == DUET_OK) {
        *desk->error = *error;
    }
    pthread_mutex_unlock(&desk->mutex);
}

static duet_code run_alone(const duet_sweep *sweep, const duet_sweep_plan *plan,
                           duet_sweep_summary *summary, duet_error *error)
{
    duet_sweep_ledger ledger;
    duet_code code = duet_sweep_ledger_open(&ledger, sweep, plan, summary, error);
    if (code == DUET_OK) {
        local_desk local = {.plan = plan, .ledger = &ledger, .error = error};
        duet_job_source desk = {local_next, local_put, local_fail, plan->cancel, &local};
        pthread_mutex_init(&local.mutex, NULL);
        duet_sweep_work(sweep, &desk, duet_sweep_threads(plan, 1));
        pthread_mutex_destroy(&local.mutex);
    }
    duet_sweep_ledger_close(&ledger, error);
    return error->code;
}

// Processes that MPI does not bring together know nothing of each other: with a share each that is
// as well, without one each would do the whole sweep.
static duet_code refuse_company(const duet_sweep_plan *plan, duet_error *error)
{
    duet_mpi_world company = duet_mpi_world_find();
    if (company.size == 1 || plan->shards > 1) {
        return DUET_OK;
    }
#ifdef DUET_WITH_MPI
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "the %ld processes that %s started do not find each other through MPI: "
                          "expected mpirun, srun --mpi=pmix, or a --shard for each",
                          company.size, company.starter);
#else
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "this build cannot share a sweep between %ld processes: expected one, a "
                          "--shard for each, or a build with MPI (-DDUET_WITH_MPI=ON)",
                          company.size);
#endif
}

duet_code duet_sweep_run(const duet_sweep *sweep, const duet_sweep_plan *plan,
                         duet_sweep_summary *summary, duet_error *error)
{
    duet_error own = DUET_ERROR_INIT;
    error = error == NULL ? &own : error;
    int64_t start = duet_clock_ns();
    *summary = (duet_sweep_summary){.jobs = duet_sweep_share(sweep, plan), .writer = true};
    bool several = false;
    duet_code code = DUET_OK;
#ifdef DUET_WITH_MPI
    code = duet_sweep_mpi_join(&several, error);
    if (code == DUET_OK && several) {
        code = duet_sweep_mpi_run(sweep, plan, summary, error);
    }
#endif
    if (code == DUET_OK && !several) {
        code = refuse_company(plan, error);
    }
    if (code == DUET_OK && !several) {
        code = run_alone(sweep, plan, summary, error);
    }
    summary->seconds = (double)(duet_clock_ns() - start) * 1e-9;
    summary->interrupted = code == DUET_OK && summary->finished < summary->jobs;
    return code;
}
