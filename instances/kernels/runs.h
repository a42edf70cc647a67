// SPDX-License-Identifier: Apache-2.0
// One run of a tile kernel by BLAS and LAPACK, on operands that are as a factorisation would have
// them.
#ifndef DUET_INSTANCES_KERNELS_RUNS_H
#define DUET_INSTANCES_KERNELS_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "instances/kernels/blas.h"
#include "instances/kernels/factorisation.h"

// Operands of a kernel: 0 is a factor or the left one, the last is what is updated.
enum { DUET_RUN_TILES = 3 };

struct duet_run_rules;

// A kernel made ready. Tiles are tile x tile by columns, float or double.
typedef struct duet_kernel_run {
    const struct duet_run_rules *rules;
    const duet_blas_functions *functions; // of the precision; borrowed
    bool single;
    int tile;
    int inner;                    // block of the QR kernels, at most `tile`
    size_t bytes;                 // of a tile
    void *tiles[DUET_RUN_TILES];  // NULL where the kernel has fewer
    void *before[DUET_RUN_TILES]; // what the kernel overwrites, as it was; else NULL
    void *factor;                 // inner x tile: the triangular factors of the QR kernels
    void *work;                   // inner x tile
    int32_t *pivots;
} duet_kernel_run;

// Operands of `kernel` in random numbers that `seed` determines; `blas` must stay. Released by
// duet_kernel_run_free(), also after a failure. DUET_E_LIMIT where memory does not hold them.
duet_code duet_kernel_run_prepare(duet_kernel_run *run, const duet_blas *blas,
                                  const duet_factorisation *factorisation, int kernel, bool single,
                                  int tile, int inner, uint64_t seed, duet_error *error);
void duet_kernel_run_free(duet_kernel_run *run);

// Puts the operands back as they were before the first run.
void duet_kernel_run_restore(duet_kernel_run *run);
// Runs the kernel once; returns LAPACK's info, 0 where all is well.
int duet_kernel_run_once(duet_kernel_run *run);

#endif
