// SPDX-License-Identifier: Apache-2.0
// A sweep among several processes: whether this is one of them, and the part of its rank.
#include <mpi.h>
#include <stdlib.h>

#include "bench/run/mpi/rank.h"
#include "bench/run/mpi_world.h"
#include "bench/run/sweep.h"

duet_code duet_sweep_mpi_run(const duet_sweep *sweep, const duet_sweep_plan *plan,
                             duet_sweep_summary *summary, duet_error *error)
{
    duet_mpi_rank rank = {.sweep = sweep, .plan = plan};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank.size);
    return rank.rank == 0 ? duet_mpi_run_counter(&rank, summary, error)
                          : duet_mpi_run_chunks(&rank, summary);
}

static void finalize(void)
{
    MPI_Finalize();
}

duet_code duet_sweep_mpi_join(bool *several, duet_error *error)
{
    int started = 0;
    int provided = MPI_THREAD_SINGLE;
    int size = 1;
    *several = false;
    if (!duet_mpi_world_find().has_mpi) {
        return DUET_OK;
    }
    MPI_Initialized(&started);
    if (!started) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
        atexit(finalize); // a command may run several sweeps
    }
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_FUNNELED) {
        return duet_error_set(error, DUET_E_UNSUPPORTED, "this MPI does not work with threads");
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *several = size > 1;
    return DUET_OK;
}
