// SPDX-License-Identifier: Apache-2.0
// Whether the process was started with others at once, by mpirun or srun: what each of them would
// do alone they would all do. Environment variables say so, without MPI too.
#ifndef DUET_BENCH_RUN_MPI_WORLD_H
#define DUET_BENCH_RUN_MPI_WORLD_H

#include <stdbool.h>

typedef struct duet_mpi_world {
    long size;           // processes; 1: alone
    bool is_first;       // this one speaks for all
    const char *starter; // "mpirun", "srun"
} duet_mpi_world;

duet_mpi_world duet_mpi_world_find(void);

#endif
