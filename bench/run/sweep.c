// SPDX-License-Identifier: Apache-2.0
#include "bench/run/sweep.h"

#include <pthread.h>

#include "bench/run/ledger.h"
#include "bench/run/mpi_world.h"
#include "core/system/context.h"
#include "core/system/try.h"

// The job source of a process that is alone.
typedef struct local_source {
    pthread_mutex_t mutex;
    const duet_sweep_plan *plan;
    duet_sweep_ledger *ledger;
    size_t position;
    duet_error *error;
} local_source;

static bool ended(const local_source *source)
{
    return source->error->code != DUET_OK ||
           (source->plan->cancel != NULL && duet_cancel_requested(source->plan->cancel));
}

static bool local_next(void *state, size_t *job)
{
    local_source *source = state;
    const duet_sweep_ledger *ledger = source->ledger;
    pthread_mutex_lock(&source->mutex);
    while (source->position < ledger->share && duet_sweep_bit(ledger->done, source->position)) {
        source->position++;
    }
    bool more = source->position < ledger->share && !ended(source);
    if (more) {
        *job = duet_sweep_job(source->plan, source->position++);
    }
    pthread_mutex_unlock(&source->mutex);
    return more;
}

static void local_put(void *state, size_t job, const duet_sweep_row *rows)
{
    local_source *source = state;
    pthread_mutex_lock(&source->mutex);
    bool keeps = source->error->code == DUET_OK && source->ledger->sweep->keeps_cut_jobs;
    if (keeps || !ended(source)) {
        duet_sweep_ledger_enter(source->ledger, job, rows, source->error);
    }
    pthread_mutex_unlock(&source->mutex);
}

static void local_fail(void *state, const duet_error *error)
{
    local_source *source = state;
    pthread_mutex_lock(&source->mutex);
    if (source->error->code == DUET_OK) {
        *source->error = *error;
    }
    pthread_mutex_unlock(&source->mutex);
}

static duet_code run_alone(const duet_sweep *sweep, const duet_sweep_plan *plan,
                           duet_sweep_summary *summary, duet_error *error)
{
    duet_sweep_ledger ledger;
    duet_code code = duet_sweep_ledger_open(&ledger, sweep, plan, summary, error);
    if (code == DUET_OK) {
        local_source local = {.plan = plan, .ledger = &ledger, .error = error};
        duet_job_source source = {local_next, local_put, local_fail, plan->cancel, &local};
        pthread_mutex_init(&local.mutex, NULL);
        duet_sweep_work(sweep, &source, duet_sweep_threads(plan, 1));
        pthread_mutex_destroy(&local.mutex);
    }
    duet_sweep_ledger_close(&ledger, error);
    return error->code;
}

// Processes that MPI does not bring together know nothing of each other: with a share each that is
// as well, without one each would do the whole sweep.
static duet_code refuse_world(const duet_sweep_plan *plan, duet_error *error)
{
    duet_mpi_world world = duet_mpi_world_find();
    if (world.size == 1 || plan->shards > 1) {
        return DUET_OK;
    }
#ifdef DUET_WITH_MPI
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "the %ld processes that %s started do not find each other through MPI: "
                          "expected mpirun, srun --mpi=pmix, or a --shard for each",
                          world.size, world.starter);
#else
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "this build cannot share a sweep between %ld processes: expected one, a "
                          "--shard for each, or a build with MPI (-DDUET_WITH_MPI=ON)",
                          world.size);
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
        code = refuse_world(plan, error);
    }
    if (code == DUET_OK && !several) {
        code = run_alone(sweep, plan, summary, error);
    }
    summary->seconds = (double)(duet_clock_ns() - start) * 1e-9;
    summary->interrupted = code == DUET_OK && summary->finished < summary->jobs;
    return code;
}
