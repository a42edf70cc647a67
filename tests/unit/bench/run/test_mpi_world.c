// SPDX-License-Identifier: Apache-2.0
// What the environment says of the processes that were started together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bench/run/mpi_world.h"

static const char *const names[] = {"OMPI_COMM_WORLD_SIZE",
                                    "OMPI_COMM_WORLD_RANK",
                                    "OMPI_COMM_WORLD_LOCAL_SIZE",
                                    "MPI_LOCALNRANKS",
                                    "PMI_SIZE",
                                    "PMI_RANK",
                                    "PMIX_RANK",
                                    "SLURM_STEP_NUM_TASKS",
                                    "SLURM_NTASKS",
                                    "SLURM_PROCID"};

// The world where the variables are as `text` has them, "NAME=value NAME=value".
static duet_mpi_world find(const char *text)
{
    char copy[256];
    char *rest = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsetenv(names[i]);
    }
    strcpy(copy, text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (value != NULL) {
            *value = '\0';
            setenv(word, value + 1, 1);
        }
    }
    return duet_mpi_world_find();
}

static void test_worlds(void **state)
{
    (void)state;
    static const struct {
        const char *environment;
        duet_mpi_world world;
    } rows[] = {
        {"", {1, true, false, 1, ""}},
        {"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=2",
         {4, true, true, 2, "mpirun"}},
        {"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3", {4, false, true, 1, "mpirun"}},
        {"OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0", {1, true, true, 1, ""}},
        // MPICH's mpirun, with its processes on each machine started by srun.
        {"PMI_SIZE=8 PMI_RANK=5 MPI_LOCALNRANKS=4 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1",
         {8, false, true, 4, "mpirun"}},
        // srun --mpi=pmi2, --mpi=pmix, and without MPI.
        {"PMI_SIZE=3 PMI_RANK=0 SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0",
         {3, true, true, 1, "mpirun"}},
        {"PMIX_RANK=2 SLURM_NTASKS=3 SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=2",
         {3, false, true, 1, "srun"}},
        {"SLURM_NTASKS=3 SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=1", {3, false, false, 1, "srun"}},
        // A batch script, which runs once, and a step of one task.
        {"SLURM_NTASKS=3 SLURM_PROCID=0", {1, true, false, 1, ""}},
        {"SLURM_NTASKS=3 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0", {1, true, false, 1, ""}},
        // What is no number.
        {"PMI_SIZE=many SLURM_STEP_NUM_TASKS=2x SLURM_PROCID=1", {1, true, false, 1, ""}},
        {"OMPI_COMM_WORLD_SIZE=-2 OMPI_COMM_WORLD_LOCAL_SIZE=0", {1, true, true, 1, ""}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_mpi_world found = find(rows[i].environment);
        const duet_mpi_world *expected = &rows[i].world;
        if (found.size != expected->size || found.is_first != expected->is_first ||
            found.has_mpi != expected->has_mpi || found.neighbours != expected->neighbours ||
            strcmp(found.starter, expected->starter) != 0) {
            fail_msg("'%s': %ld processes, first %d, MPI %d, %d neighbours, '%s'",
                     rows[i].environment, found.size, found.is_first, found.has_mpi,
                     found.neighbours, found.starter);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
