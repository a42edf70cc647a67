// SPDX-License-Identifier: Apache-2.0
// What the processes of a sweep say to each other. The last words of a rank are BYE, and END back:
// after that no message between the two is left.
#ifndef DUET_BENCH_RUN_MPI_MESSAGES_H
#define DUET_BENCH_RUN_MPI_MESSAGES_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/run/sweep.h"

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

#endif
