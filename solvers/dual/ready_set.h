// SPDX-License-Identifier: Apache-2.0
// The ready tasks of a task graph as an instance of their own, which an algorithm for independent
// tasks divides between CPUs and GPUs. What is left of a running task is a task of its type alone.
#ifndef DUET_SOLVERS_DUAL_READY_SET_H
#define DUET_SOLVERS_DUAL_READY_SET_H

#include "core/algorithm.h"
#include "heuristics/engine/workers.h"

// The tasks: count[i] of kind[i]. The workers are on two types.
typedef struct duet_ready_set {
    const duet_workers *workers;
    const size_t *kind;
    const int64_t *count;
    size_t kinds;
} duet_ready_set;

// Runs the algorithm; on_gpu[i] of the tasks of kind[i] are then on GPUs. Adds what it counts as
// "cells" to *cells. Its errors.
duet_code duet_ready_set_divide(const duet_ready_set *set, duet_run_function *run,
                                const duet_context *context, int64_t *on_gpu, int64_t *cells,
                                duet_error *error);

#endif
