// SPDX-License-Identifier: Apache-2.0
// One process of a sweep among several that mpirun started. Rank 0 has the ledger and the counter
// that hands out chunks of jobs (mpi/counter.c); its own threads take jobs from it directly. Every
// other rank asks for a chunk when half of the last is begun, and sends the rows of what it has
// done (mpi/chunks.c).
//
// In every rank the first thread does nothing but talk to MPI, and the work is done by others.
// Hence rank 0 answers at once, whatever its jobs take: one-sided access to a counter would wait
// for rank 0 to enter MPI wherever the network has no atomics of its own. The first thread naps
// between its looks, since a thread that waits in MPI keeps a processor busy.
#ifndef DUET_BENCH_RUN_MPI_RANK_H
#define DUET_BENCH_RUN_MPI_RANK_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/run/ledger.h"
#include "bench/run/sweep.h"

// messages.c
typedef enum duet_mpi_tag {
    DUET_MPI_NOTHING = 0,
    // To rank 0. All but FAIL bring the lines that are there.
    DUET_MPI_ASK, // for a chunk
    DUET_MPI_ROWS,
    DUET_MPI_FAIL, // a duet_error
    DUET_MPI_BYE,
    // From rank 0.
    DUET_MPI_CHUNK,
    DUET_MPI_STOP,
    DUET_MPI_END
} duet_mpi_tag;

// Indices of the shard's jobs; none: there is nothing more.
typedef struct duet_mpi_chunk {
    uint64_t begin, end;
} duet_mpi_chunk;

// Rows as lines, each after the number of its job.
typedef struct duet_mpi_lines {
    char *text; // owned
    size_t used, room;
} duet_mpi_lines;

// Appends the rows of a job. DUET_E_INTERNAL where they have not the sweep's columns, DUET_E_LIMIT,
// DUET_E_MEMORY.
duet_code duet_mpi_lines_add(duet_mpi_lines *lines, const duet_sweep *sweep, size_t job,
                             const duet_sweep_row *rows, duet_error *error);
// Reads the rows of the next job from `*text`, which is cut up, and moves it on. DUET_E_INTERNAL,
// or DUET_E_UNSUPPORTED where they are of another Duet.
duet_code duet_mpi_lines_read(char **text, const duet_sweep *sweep, size_t *job,
                              duet_sweep_row *rows, duet_error *error);

// Receives a message with a NUL behind it; the caller's.
char *duet_mpi_receive(const MPI_Status *probed);
// Rank 0's `length` bytes to all, without keeping a processor busy.
void duet_mpi_broadcast(void *bytes, size_t length);
// Ends all processes where memory runs out: the file can be resumed.
void duet_mpi_abort(void);

// Sleeps between two looks at what came; `length` grows from DUET_MPI_SHORTEST_NAP_NS.
enum { DUET_MPI_SHORTEST_NAP_NS = 50000 };
void duet_mpi_nap(long *length);

// rank.c
// What rank 0 alone has.
typedef struct duet_mpi_counter {
    duet_sweep_ledger *ledger;
    int present;          // other ranks that have not said BYE
    bool *gone;           // by rank: it has said BYE
    bool stopped;         // the others were told to stop
    duet_sweep_row *rows; // of a job, as they come in
} duet_mpi_counter;

// What every other rank has.
typedef struct duet_mpi_chunks {
    duet_mpi_chunk spare; // the next chunk, if it is there
    uint64_t size_of_last;
    int waiting;          // threads that wait for a chunk
    bool asked;           // for a chunk that has not come
    bool dry;             // rank 0 has no more
    bool reported;        // why this rank halted
    duet_mpi_lines lines; // of jobs that are done, to be sent
    int64_t sent_ns;      // when lines were sent last
} duet_mpi_chunks;

typedef struct duet_mpi_rank {
    // The sweep.
    const duet_sweep *sweep;
    const duet_sweep_plan *plan;
    int rank, size;
    const unsigned char *done; // jobs of the shard with nothing left to do
    duet_cancel *halt;         // of what runs here
    // What several threads use; the mutex guards it, and what follows it.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t at, end; // jobs not begun: of the chunk; at rank 0 all that are not handed out
    bool over;        // no more is begun
    bool worked;      // the threads have ended
    duet_error error; // the first
    // Of rank 0, and of every other rank.
    duet_mpi_counter counter;
    duet_mpi_chunks chunks;
} duet_mpi_rank;

// Whether the sweep is to end: Ctrl-C, or a signal to this rank alone.
bool duet_mpi_rank_cancelled(const duet_mpi_rank *rank);
bool duet_mpi_rank_has_worked(duet_mpi_rank *rank);

// Called with the mutex held. Nothing more is begun, and what runs is asked to end; with an error,
// which is kept if it is the first.
void duet_mpi_rank_halt(duet_mpi_rank *rank);
void duet_mpi_rank_fail(duet_mpi_rank *rank, const duet_error *error);

// Starts the threads that work, and has the first thread talk to the other ranks until all is done.
// `put` takes the rows of this rank's jobs, `talk` is the first thread's part.
typedef void duet_mpi_put(void *rank, size_t job, const duet_sweep_row *rows);
void duet_mpi_rank_run(duet_mpi_rank *rank, duet_mpi_put *put, void (*talk)(duet_mpi_rank *rank));

// mpi/counter.c: the part of rank 0; mpi/chunks.c: that of every other rank.
duet_code duet_mpi_run_counter(duet_mpi_rank *rank, duet_sweep_summary *summary, duet_error *error);
duet_code duet_mpi_run_chunks(duet_mpi_rank *rank, duet_sweep_summary *summary);

#endif
