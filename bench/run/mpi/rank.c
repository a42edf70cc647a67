// SPDX-License-Identifier: Apache-2.0
#include "bench/run/mpi/rank.h"

#include <string.h>

#include "bench/run/mpi_world.h"
#include "bench/run/sweep.h"
#include "core/system/memory.h"

bool duet_mpi_rank_cancelled(const duet_mpi_rank *rank)
{
    return rank->plan->cancel != NULL && duet_cancel_requested(rank->plan->cancel);
}

bool duet_mpi_rank_has_worked(duet_mpi_rank *rank)
{
    pthread_mutex_lock(&rank->mutex);
    bool worked = rank->worked;
    pthread_mutex_unlock(&rank->mutex);
    return worked;
}

void duet_mpi_rank_halt(duet_mpi_rank *rank)
{
    rank->over = true;
    duet_cancel_request(rank->halt);
    pthread_cond_broadcast(&rank->changed);
}

void duet_mpi_rank_fail(duet_mpi_rank *rank, const duet_error *error)
{
    if (rank->error.code == DUET_OK) {
        rank->error = *error;
    }
    duet_mpi_rank_halt(rank);
}

static void fail(void *state, const duet_error *error)
{
    duet_mpi_rank *rank = state;
    pthread_mutex_lock(&rank->mutex);
    duet_mpi_rank_fail(rank, error);
    pthread_mutex_unlock(&rank->mutex);
}

// Whether there is a job to begin, after the spare chunk has taken the place of an empty one.
static bool has_next(duet_mpi_rank *rank)
{
    duet_mpi_chunk *spare = &rank->chunks.spare;
    for (;;) {
        while (rank->at < rank->end && duet_sweep_bit(rank->done, rank->at)) {
            rank->at++;
        }
        if (rank->at < rank->end || spare->begin == spare->end) {
            return rank->at < rank->end;
        }
        rank->at = spare->begin;
        rank->end = spare->end;
        *spare = (duet_mpi_chunk){0, 0};
    }
}

static bool next(void *state, size_t *job)
{
    duet_mpi_rank *rank = state;
    bool found = false;
    pthread_mutex_lock(&rank->mutex);
    while (!rank->over && !found) {
        found = has_next(rank);
        if (found) {
            *job = duet_sweep_job(rank->plan, rank->at++);
        } else if (rank->rank == 0 || rank->chunks.dry) {
            break;
        } else {
            rank->chunks.waiting++;
            pthread_cond_wait(&rank->changed, &rank->mutex);
            rank->chunks.waiting--;
        }
    }
    pthread_mutex_unlock(&rank->mutex);
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
    duet_mpi_rank *rank = given->rank;
    duet_job_source source = {next, given->put, fail, rank->halt, rank};
    int threads = duet_sweep_threads(rank->plan, duet_mpi_world_find().neighbours);
    duet_sweep_work(rank->sweep, &source, threads);
    pthread_mutex_lock(&rank->mutex);
    rank->worked = true;
    pthread_mutex_unlock(&rank->mutex);
    return NULL;
}

void duet_mpi_rank_run(duet_mpi_rank *rank, duet_mpi_put *put, void (*talk)(duet_mpi_rank *rank))
{
    pthread_t worker;
    work_state state = {rank, put};
    pthread_mutex_init(&rank->mutex, NULL);
    pthread_cond_init(&rank->changed, NULL);
    int failed = pthread_create(&worker, NULL, work, &state);
    if (failed) {
        duet_error_set(&rank->error, DUET_E_LIMIT, "cannot start a thread: %s", strerror(failed));
        rank->worked = rank->over = true;
        duet_cancel_request(rank->halt);
    }
    talk(rank);
    if (!failed) {
        pthread_join(worker, NULL);
    }
    pthread_mutex_destroy(&rank->mutex);
    pthread_cond_destroy(&rank->changed);
    duet_free(rank->chunks.lines.text);
}
