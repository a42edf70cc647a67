// SPDX-License-Identifier: Apache-2.0
// Rank 0 of a sweep among several processes: the counter that hands out chunks of jobs, and the
// ledger.
#include <string.h>

#include "bench/run/mpi/rank.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum {
    LARGEST_CHUNK = 512,
    CHUNKS_PER_RANK = 8 // of what is left: chunks shrink towards the end
};

// Rows of its own threads.
static void enter(void *state, size_t job, const duet_sweep_row *rows)
{
    duet_mpi_rank *rank = state;
    duet_error error = DUET_ERROR_INIT;
    pthread_mutex_lock(&rank->mutex);
    if (!duet_cancel_requested(rank->halt) &&
        duet_sweep_ledger_enter(rank->counter.ledger, job, rows, &error) != DUET_OK) {
        duet_mpi_rank_fail(rank, &error);
    }
    pthread_mutex_unlock(&rank->mutex);
}

// Takes the lines of whole jobs.
static duet_code take_lines(duet_mpi_rank *rank, char *text, duet_error *error)
{
    while (*text != '\0') {
        size_t job = 0;
        DUET_TRY(duet_mpi_lines_read(&text, rank->sweep, &job, rank->counter.rows, error));
        DUET_TRY(duet_sweep_ledger_enter(rank->counter.ledger, job, rank->counter.rows, error));
    }
    return DUET_OK;
}

// The next chunk off the counter. Called with the mutex held.
static duet_mpi_chunk hand_out(duet_mpi_rank *rank)
{
    duet_mpi_chunk next = {rank->at, rank->at};
    if (rank->over) {
        return next;
    }
    DUET_ASSERT(rank->at <= rank->end);
    uint64_t left = rank->end - rank->at;
    uint64_t size = left / ((uint64_t)rank->size * CHUNKS_PER_RANK);
    size = duet_min(size, LARGEST_CHUNK);
    size = duet_max(size, 1);
    next.end = rank->at + duet_min(size, left);
    rank->at = next.end;
    return next;
}

// Takes what a message brings; `next` receives the chunk that it asks for.
static void take_message(duet_mpi_rank *rank, int tag, char *text, duet_mpi_chunk *next)
{
    duet_error error = DUET_ERROR_INIT;
    pthread_mutex_lock(&rank->mutex);
    if (tag == DUET_MPI_FAIL) {
        memcpy(&error, text, sizeof error);
        if (error.code == DUET_E_CANCELLED) {
            duet_mpi_rank_halt(rank); // a signal to that rank alone: no error, as here
        } else {
            duet_mpi_rank_fail(rank, &error);
        }
    } else if (rank->error.code == DUET_OK && take_lines(rank, text, &error) != DUET_OK) {
        duet_mpi_rank_fail(rank, &error);
    }
    if (tag == DUET_MPI_ASK) {
        *next = hand_out(rank);
    }
    pthread_mutex_unlock(&rank->mutex);
}

static void answer(duet_mpi_rank *rank, const MPI_Status *probed)
{
    int from = probed->MPI_SOURCE;
    int tag = probed->MPI_TAG;
    duet_mpi_chunk next = {0, 0};
    char *text = duet_mpi_receive(probed);
    take_message(rank, tag, text, &next);
    duet_free(text);
    if (tag == DUET_MPI_ASK) {
        MPI_Send(&next, sizeof next, MPI_BYTE, from, DUET_MPI_CHUNK, MPI_COMM_WORLD);
    } else if (tag == DUET_MPI_BYE) {
        MPI_Send(NULL, 0, MPI_BYTE, from, DUET_MPI_END, MPI_COMM_WORLD);
        DUET_ASSERT(!rank->counter.gone[from]);
        rank->counter.gone[from] = true;
        rank->counter.present--;
    }
}

// Tells the others to stop, once.
static void spread_stop(duet_mpi_rank *rank)
{
    pthread_mutex_lock(&rank->mutex);
    if (duet_mpi_rank_cancelled(rank) && !duet_cancel_requested(rank->halt)) {
        duet_mpi_rank_halt(rank);
    }
    bool stop = duet_cancel_requested(rank->halt) && !rank->counter.stopped;
    rank->counter.stopped = rank->counter.stopped || stop;
    pthread_mutex_unlock(&rank->mutex);
    for (int r = 1; r < rank->size && stop; r++) {
        if (!rank->counter.gone[r]) {
            MPI_Send(NULL, 0, MPI_BYTE, r, DUET_MPI_STOP, MPI_COMM_WORLD);
        }
    }
}

// The first thread: answers until the others have said BYE and the own threads have ended.
static void serve(duet_mpi_rank *rank)
{
    long pause = DUET_MPI_SHORTEST_NAP_NS;
    while (rank->counter.present > 0 || !duet_mpi_rank_has_worked(rank)) {
        int there = 0;
        MPI_Status status;
        spread_stop(rank);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there) {
            answer(rank, &status);
            pause = DUET_MPI_SHORTEST_NAP_NS;
        } else {
            duet_mpi_nap(&pause);
        }
    }
}

duet_code duet_mpi_run_counter(duet_mpi_rank *rank, duet_sweep_summary *summary, duet_error *error)
{
    duet_sweep_ledger ledger;
    duet_mpi_counter *counter = &rank->counter;
    size_t share = duet_sweep_share(rank->sweep, rank->plan);
    duet_sweep_ledger_open(&ledger, rank->sweep, rank->plan, summary, error);
    counter->gone = duet_alloc((size_t)rank->size, sizeof *counter->gone, error);
    counter->rows = duet_alloc(rank->sweep->rows_per_job, sizeof *counter->rows, error);
    rank->halt = duet_cancel_create();
    if (rank->halt == NULL) {
        duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    duet_code code = error->code;
    duet_mpi_broadcast(&code, sizeof code);
    if (code == DUET_OK) {
        counter->ledger = &ledger;
        counter->present = rank->size - 1;
        rank->done = ledger.done;
        rank->end = share;
        duet_mpi_broadcast(ledger.done, duet_sweep_bytes(share));
        duet_mpi_rank_run(rank, enter, serve);
        *error = rank->error.code != DUET_OK ? rank->error : *error;
        if (summary->finished < share && !duet_cancel_requested(rank->halt)) {
            duet_error_set(error, DUET_E_INTERNAL, "a bug in Duet: %zu of %zu jobs were lost",
                           share - summary->finished, share);
        }
    }
    duet_sweep_ledger_close(&ledger, error);
    duet_free(counter->gone);
    duet_free(counter->rows);
    duet_cancel_free(rank->halt);
    return error->code;
}
