// SPDX-License-Identifier: Apache-2.0
// The MPI world: whether the process was started with others at once, by mpirun or srun. What each
// of them would do alone they would all do. Environment variables say so, without MPI too.
#ifndef DUET_BENCH_RUN_MPI_WORLD_H
#define DUET_BENCH_RUN_MPI_WORLD_H

#include <stdbool.h>

typedef struct duet_mpi_world {
    long size;           // processes; 1: alone
    bool is_first;       // this one speaks for all
    bool has_mpi;        // who started them brings them together, if this build has MPI
    int neighbours;      // processes on this machine that share its processors, this one included
    const char *starter; // "mpirun", "srun"; "" where it is alone
} duet_mpi_world;

duet_mpi_world duet_mpi_world_find(void);

// Called by a rank that fails and leaves it to the first one to say why: waits for that one's end,
// which ends all, for two seconds at most. mpirun ends all as soon as one has failed, and would
// take away what the first one was about to say.
void duet_mpi_world_wait(void);

#endif
