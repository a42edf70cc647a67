// SPDX-License-Identifier: Apache-2.0
// Every rank but 0 of a sweep among several processes: chunks of jobs that come from rank 0, and
// rows on their way to it.
#include "bench/run/mpi/rank.h"
#include "core/system/context.h"
#include "core/system/memory.h"

enum { SEND_BYTES = 1 << 16 };
static const int64_t send_ns = 100000000; // rows are not kept back for longer

// Rows of this rank's threads. What was cut short is dropped.
static void post(void *state, size_t job, const duet_sweep_row *rows)
{
    duet_mpi_rank *rank = state;
    duet_error error = DUET_ERROR_INIT;
    pthread_mutex_lock(&rank->mutex);
    if (!duet_cancel_requested(rank->halt) &&
        duet_mpi_lines_add(&rank->chunks.lines, rank->sweep, job, rows, &error) != DUET_OK) {
        duet_mpi_rank_fail(rank, &error);
    }
    pthread_mutex_unlock(&rank->mutex);
}

// Sends all rows there are with `tag`.
static void send_rows(duet_mpi_rank *rank, duet_mpi_tag tag)
{
    pthread_mutex_lock(&rank->mutex);
    duet_mpi_lines lines = rank->chunks.lines;
    rank->chunks.lines = (duet_mpi_lines){.text = NULL};
    pthread_mutex_unlock(&rank->mutex);
    MPI_Send(lines.text, (int)lines.used, MPI_BYTE, 0, (int)tag, MPI_COMM_WORLD);
    duet_free(lines.text);
    rank->chunks.sent_ns = duet_clock_ns();
}

// Takes one message of rank 0. False: it was the last.
static bool take_message(duet_mpi_rank *rank, const MPI_Status *probed)
{
    duet_mpi_chunk next = {0, 0};
    MPI_Recv(&next, sizeof next, MPI_BYTE, 0, probed->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&rank->mutex);
    if (probed->MPI_TAG == DUET_MPI_STOP) {
        duet_mpi_rank_halt(rank);
    } else if (probed->MPI_TAG == DUET_MPI_CHUNK) {
        rank->chunks.asked = false;
        rank->chunks.dry = next.begin == next.end;
        rank->chunks.spare = next;
        rank->chunks.size_of_last = next.end - next.begin;
        pthread_cond_broadcast(&rank->changed);
    }
    pthread_mutex_unlock(&rank->mutex);
    return probed->MPI_TAG != DUET_MPI_END;
}

// What to send next.
static duet_mpi_tag next_tag(duet_mpi_rank *rank, bool said_bye)
{
    int64_t now = duet_clock_ns();
    duet_mpi_chunks *c = &rank->chunks;
    duet_mpi_tag tag = DUET_MPI_NOTHING;
    pthread_mutex_lock(&rank->mutex);
    if (duet_mpi_rank_cancelled(rank) && !duet_cancel_requested(rank->halt)) {
        duet_error_set(&rank->error, DUET_E_CANCELLED, "interrupted");
        duet_mpi_rank_halt(rank);
    }
    bool low = c->waiting > 0 || rank->end - rank->at < c->size_of_last / 2;
    bool lacks = low && c->spare.begin == c->spare.end && !c->asked && !c->dry && !rank->over;
    if (rank->error.code != DUET_OK && !c->reported) {
        c->reported = true;
        tag = DUET_MPI_FAIL;
    } else if (lacks) {
        c->asked = true;
        tag = DUET_MPI_ASK;
    } else if (rank->worked && !c->asked && !said_bye) {
        tag = DUET_MPI_BYE;
    } else if (c->lines.used > SEND_BYTES || (c->lines.used > 0 && now - c->sent_ns > send_ns)) {
        tag = DUET_MPI_ROWS;
    }
    pthread_mutex_unlock(&rank->mutex);
    return tag;
}

// The first thread.
static void attend(duet_mpi_rank *rank)
{
    long pause = DUET_MPI_SHORTEST_NAP_NS;
    bool said_bye = false;
    for (;;) {
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there && !take_message(rank, &status)) {
            return;
        }
        duet_mpi_tag tag = next_tag(rank, said_bye);
        said_bye = said_bye || tag == DUET_MPI_BYE;
        if (tag == DUET_MPI_FAIL) {
            MPI_Send(&rank->error, sizeof rank->error, MPI_BYTE, 0, (int)tag, MPI_COMM_WORLD);
        } else if (tag != DUET_MPI_NOTHING) {
            send_rows(rank, tag);
        }
        if (there || tag != DUET_MPI_NOTHING) {
            pause = DUET_MPI_SHORTEST_NAP_NS;
        } else {
            duet_mpi_nap(&pause);
        }
    }
}

duet_code duet_mpi_run_chunks(duet_mpi_rank *rank, duet_sweep_summary *summary)
{
    size_t bytes = duet_sweep_bytes(duet_sweep_share(rank->sweep, rank->plan));
    unsigned char *done = duet_alloc(bytes, 1, NULL);
    rank->halt = duet_cancel_create();
    rank->chunks.sent_ns = duet_clock_ns();
    *summary = (duet_sweep_summary){.writer = false};
    if (done == NULL || rank->halt == NULL) {
        duet_mpi_abort();
    }
    duet_code code = DUET_OK;
    duet_mpi_broadcast(&code, sizeof code);
    if (code == DUET_OK) {
        duet_mpi_broadcast(done, bytes);
        rank->done = done;
        duet_mpi_rank_run(rank, post, attend);
    }
    duet_free(done);
    duet_cancel_free(rank->halt);
    return DUET_OK; // rank 0 says what went wrong
}
