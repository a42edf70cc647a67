// SPDX-License-Identifier: Apache-2.0
// Timing the tile kernels of cuBLAS and cuSOLVER on the first GPU of this computer, and how long
// tiles take between its memory and the host's.
//
// Method: the operands of the CPU's runs (instances/kernels/runs.h), copied to the device. Before
// each run what it overwrites is put back there; the time is that between two events of the device
// around the call. Median and quartiles as on the CPU.
#ifndef DUET_INSTANCES_KERNELS_GPU_H
#define DUET_INSTANCES_KERNELS_GPU_H

#include "instances/kernels/cuda.h"
#include "instances/kernels/measure.h"

// Nanoseconds of copies of some bytes from and to the host, whose memory is pinned, and from the
// first GPU to the second, which is 0 without a second one.
typedef struct duet_gpu_transfers {
    duet_measured to_gpu;
    duet_measured to_host;
    int64_t between;
} duet_gpu_transfers;

// Whether cuBLAS or cuSOLVER has that kernel: all of Cholesky and of LU, none of QR.
bool duet_gpu_has(const duet_factorisation *factorisation, int kernel);

// Times one kernel. DUET_E_UNSUPPORTED, with what CUDA says, where it fails; DUET_E_MEMORY and
// DUET_E_LIMIT where the host's memory does not hold the tiles.
duet_code duet_gpu_measure(const duet_cuda *cuda, const duet_measure_plan *plan,
                           const duet_factorisation *factorisation, int kernel, duet_measured *out,
                           duet_error *error);

// Times copies of `bytes` >= 1.
duet_code duet_gpu_measure_transfers(const duet_cuda *cuda, const duet_measure_plan *plan,
                                     size_t bytes, duet_gpu_transfers *out, duet_error *error);

#endif
