// SPDX-License-Identifier: Apache-2.0
#include "bench/run/mpi_world.h"

#include <stdlib.h>
#include <string.h>

duet_mpi_world duet_mpi_world_find(void)
{
    // Slurm's are those of a step: in a batch script, which runs once, only those of the job are
    // set.
    static const struct {
        const char *size, *rank, *starter;
    } known[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun"},
                 {"PMI_SIZE", "PMI_RANK", "mpirun"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *size = getenv(known[i].size);
        const char *rank = getenv(known[i].rank);
        if (size != NULL && strtol(size, NULL, 10) > 1) {
            return (duet_mpi_world){strtol(size, NULL, 10), rank == NULL || strcmp(rank, "0") == 0,
                                    known[i].starter};
        }
    }
    return (duet_mpi_world){1, true, ""};
}
