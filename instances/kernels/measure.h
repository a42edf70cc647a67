// SPDX-License-Identifier: Apache-2.0
// Timing the tile kernels of BLAS and LAPACK on one core of this computer.
//
// Method: random operands (instances/kernels/runs.h), `warmup` runs that do not count, then
// `repeats` runs, each timed after the operands were put back: the time that passes, or the time
// the thread had of its processor where that is less, since other processes are no part of a
// kernel. Median and quartiles tell more than a mean where others use the caches and the memory.
#ifndef DUET_INSTANCES_KERNELS_MEASURE_H
#define DUET_INSTANCES_KERNELS_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "instances/kernels/blas.h"
#include "instances/kernels/factorisation.h"

enum { DUET_MEASURE_MAX_TILE = 16384, DUET_MEASURE_MAX_REPEATS = 100000 };

typedef struct duet_measure_plan {
    bool single; // precision
    int tile;    // 1 .. DUET_MEASURE_MAX_TILE
    int inner;   // block of the QR kernels, at least 1; cut to the tile
    int warmup;  // at least 0
    int repeats; // 1 .. DUET_MEASURE_MAX_REPEATS
} duet_measure_plan;

// Nanoseconds of one run, each at least 1.
typedef struct duet_measured {
    int64_t median; // mean of the middle two, rounded down
    int64_t low;    // quartiles: as many runs are below `low` as above `high`, a quarter at most
    int64_t high;
    int64_t least;
    int64_t most;
} duet_measured;

// Opens the libraries that are measured (duet_blas_open()), and sees that they get the memory they
// ask for. DUET_E_UNSUPPORTED also in a build without DUET_WITH_OPENBLAS.
duet_code duet_measure_open(duet_blas *blas, duet_error *error);
// Keeps the calling thread on the processor it runs on. The processor's number, or -1 where the
// system does not allow it.
int duet_measure_pin(void);

// Times one kernel of `blas`, which duet_measure_open() has opened. DUET_E_LIMIT where its tiles do
// not fit into memory, DUET_E_UNSUPPORTED in a build without DUET_WITH_OPENBLAS.
duet_code duet_measure_kernel(const duet_blas *blas, const duet_measure_plan *plan,
                              const duet_factorisation *factorisation, int kernel,
                              duet_measured *out, duet_error *error);

// The figures of `count` >= 1 times; sorts them.
duet_measured duet_measure_summary(int64_t *times, size_t count);

// runs.c
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
