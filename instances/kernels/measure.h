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

#endif
