// SPDX-License-Identifier: Apache-2.0
#include "bench/run/mpi_world.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A whole number of at least 1; 0 where the variable is not set, or is none such.
static long read_count(const char *name)
{
    const char *text = name == NULL ? NULL : getenv(name); // NOLINT(concurrency-mt-unsafe)
    char *end = NULL;
    long count = text == NULL ? 0 : strtol(text, &end, 10);
    return count > 0 && count < INT_MAX && *end == '\0' ? count : 0;
}

static bool is_set(const char *name)
{
    return getenv(name) != NULL; // NOLINT(concurrency-mt-unsafe): nothing here sets it
}

// Where one of these is set, MPI_Init() finds the others. Under `srun --mpi=pmix` and `--mpi=pmi2`
// the rank is PMI's and the size may be Slurm's; under plain srun there is no rank of PMI, and
// MPI_Init() would end the process.
static bool has_mpi(void)
{
    return is_set("OMPI_COMM_WORLD_SIZE") || is_set("PMIX_RANK") || is_set("PMI_RANK");
}

// Open MPI and those of MPICH's kind say how many there are on this machine. srun binds each of its
// tasks to processors of its own, or leaves the choice of -j to who starts them.
static int count_neighbours(void)
{
    static const char *const known[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (read_count(known[i]) > 0) {
            return (int)read_count(known[i]);
        }
    }
    return 1;
}

duet_mpi_world duet_mpi_world_find(void)
{
    // Slurm's are those of a step: in a batch script, which runs once, only those of the job are
    // set. PMI's are before them: mpirun may use srun to start one process on each machine, which
    // starts the ranks.
    static const struct {
        const char *size, *rank, *starter;
    } known[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun"},
                 {"PMI_SIZE", "PMI_RANK", "mpirun"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"}};
    duet_mpi_world world = {1, true, has_mpi(), count_neighbours(), ""};
    for (size_t i = 0; i < sizeof known / sizeof *known && world.size == 1; i++) {
        long size = read_count(known[i].size);
        if (size > 1) {
            const char *rank = getenv(known[i].rank); // NOLINT(concurrency-mt-unsafe)
            world.size = size;
            world.is_first = rank == NULL || strcmp(rank, "0") == 0;
            world.starter = known[i].starter;
        }
    }
    return world;
}

void duet_mpi_world_wait(void)
{
    struct timespec seconds = {.tv_sec = 2};
    nanosleep(&seconds, NULL);
}
