// SPDX-License-Identifier: Apache-2.0
#include "bench/run/mpi/rank.h"

#include <stdlib.h>
#include <string.h>

#include "bench/run/job_source.h"
#include "bench/run/mpi_world.h"
#include "core/memory.h"

bool duet_mpi_rank_cancelled(const duet_mpi_rank *s)
{
    return s->plan->cancel != NULL && duet_cancel_requested(s->plan->cancel);
}

bool duet_mpi_rank_has_worked(duet_mpi_rank *s)
{
    pthread_mutex_lock(&s->mutex);
    bool worked = s->worked;
    pthread_mutex_unlock(&s->mutex);
    return worked;
}

void duet_mpi_rank_halt(duet_mpi_rank *s)
{
    s->over = true;
    duet_cancel_request(s->halt);
    pthread_cond_broadcast(&s->changed);
}

void duet_mpi_rank_fail(duet_mpi_rank *s, const duet_error *error)
{
    if (s->error.code == DUET_OK) {
        s->error = *error;
    }
    duet_mpi_rank_halt(s);
}

static void fail(void *state, const duet_error *error)
{
    duet_mpi_rank *s = state;
    pthread_mutex_lock(&s->mutex);
    duet_mpi_rank_fail(s, error);
    pthread_mutex_unlock(&s->mutex);
}

// Whether there is a job to begin, after the spare chunk has taken the place of an empty one.
static bool has_next(duet_mpi_rank *s)
{
    duet_mpi_chunk *spare = &s->chunks.spare;
    for (;;) {
        while (s->at < s->end && duet_sweep_bit(s->done, s->at)) {
            s->at++;
        }
        if (s->at < s->end || spare->begin == spare->end) {
            return s->at < s->end;
        }
        s->at = spare->begin;
        s->end = spare->end;
        *spare = (duet_mpi_chunk){0, 0};
    }
}

static bool next(void *state, size_t *job)
{
    duet_mpi_rank *s = state;
    bool found = false;
    pthread_mutex_lock(&s->mutex);
    while (!s->over && !found) {
        found = has_next(s);
        if (found) {
            *job = duet_sweep_job(s->plan, s->at++);
        } else if (s->rank == 0 || s->chunks.dry) {
            break;
        } else {
            s->chunks.waiting++;
            pthread_cond_wait(&s->changed, &s->mutex);
            s->chunks.waiting--;
        }
    }
    pthread_mutex_unlock(&s->mutex);
    return found;
}

// What the thread that has the others is given.
typedef struct work_state {
    duet_mpi_rank *rank;
    duet_mpi_put *put;
} work_state;

static void *work(void *state)
{
    const work_state *given = state;
    duet_mpi_rank *s = given->rank;
    duet_job_source source = {next, given->put, fail, s->halt, s};
    int threads = duet_sweep_threads(s->plan, duet_mpi_world_find().neighbours);
    duet_sweep_work(s->sweep, &source, threads);
    pthread_mutex_lock(&s->mutex);
    s->worked = true;
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

void duet_mpi_rank_run(duet_mpi_rank *s, duet_mpi_put *put, void (*talk)(duet_mpi_rank *rank))
{
    pthread_t worker;
    work_state state = {s, put};
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, NULL);
    int failed = pthread_create(&worker, NULL, work, &state);
    if (failed) {
        duet_error_set(&s->error, DUET_E_LIMIT, "cannot start a thread: %s", strerror(failed));
        s->worked = s->over = true;
        duet_cancel_request(s->halt);
    }
    talk(s);
    if (!failed) {
        pthread_join(worker, NULL);
    }
    pthread_mutex_destroy(&s->mutex);
    pthread_cond_destroy(&s->changed);
    duet_free(s->chunks.lines.text);
}
