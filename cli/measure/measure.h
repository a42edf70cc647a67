// SPDX-License-Identifier: Apache-2.0
// duet measure: what was measured, and how it is shown.
#ifndef DUET_CLI_MEASURE_MEASURE_H
#define DUET_CLI_MEASURE_MEASURE_H

#include <stdio.h>

#include "console/args_list.h"
#include "console/json.h"
#include "instances/kernels/measure.h"
#include "instances/kernels/table.h"

enum { DUET_CLI_PRECISIONS = 2 };

extern const char *const duet_cli_precisions[DUET_CLI_PRECISIONS]; // "single", "double"

// What to measure.
typedef struct duet_cli_measure_request {
    bool wanted[DUET_FACTORISATIONS];
    bool precisions[DUET_CLI_PRECISIONS];
    int64_t tiles[DUET_CLI_MAX_LIST];
    size_t tile_count;
    uint64_t inner;
    uint64_t repeats;
    uint64_t warmup;
    const char *machine;  // what this one is called
    const char *gpu;      // machine or row of the factors, NULL: this machine's GPU, or the default
    const char *gpu_file; // NULL: the shipped table
    duet_blas blas;       // what is measured
} duet_cli_measure_request;

typedef struct duet_cli_kernel {
    duet_kernel_row row; // as it goes into the table, GPU time included
    duet_measured figures;
    int inner;                         // block as timed: at most the tile; 0 where not of QR
    double factor;                     // acceleration
    const char *from;                  // the kernel whose factor it is
    char source[DUET_KERNEL_ROW_NAME]; // the row of that
    bool stands_in;                    // it is a kernel of another factorisation
    bool on_gpu;                       // the GPU time is measured, and the factor is of this run
    duet_measured gpu_figures;         // where it is
} duet_cli_kernel;

// Copies of one size between the host and the GPU.
typedef struct duet_cli_transfer {
    int64_t bytes;
    duet_gpu_transfers figures;
} duet_cli_transfer;

// The GPU of this machine, as far as it was measured.
typedef struct duet_cli_gpu {
    bool measured;
    bool clocked;                                    // whether the clocks are known
    int devices;                                     // that CUDA has found
    char name[DUET_CUDA_NAME];                       // of the first, which was measured
    char library[DUET_CUDA_NAME];                    // "CUDA 12.4, cuBLAS 12.4.5"
    char fault[sizeof((duet_error *)NULL)->message]; // why it was not measured, "" where nobody
                                                     // tried
    unsigned processor_mhz[2];                       // before the first and after the last kernel
    unsigned memory_mhz[2];
    duet_cli_transfer *transfers; // by size; the first is of next to nothing
    size_t transfer_count;
} duet_cli_gpu;

typedef struct duet_cli_measurement {
    const char *machine;
    const char *library; // what was measured, of the request
    int processor;       // -1: not kept on one
    int repeats;
    int warmup;
    int inner;         // the largest of the kernels'; 0 where none is of QR
    char factors[256]; // the file of the acceleration factors
    duet_cli_kernel *kernels;
    size_t count;
    duet_cli_gpu gpu;
} duet_cli_measurement;

// Finds the factors, then times the kernels; freed by duet_cli_measure_free() also after a failure.
duet_code duet_cli_measure_run(const duet_cli_measure_request *request,
                               duet_cli_measurement *measurement, duet_error *error);
void duet_cli_measure_free(duet_cli_measurement *measurement);

// Times what the first GPU has of the kernels, whose CPU times are known, and the transfers of
// their tiles. Where CUDA or a GPU is missing or fails, `measurement->gpu.fault` says why, and all
// GPU times stay derived ones.
duet_code duet_cli_measure_gpu(const duet_cli_measure_request *request,
                               duet_cli_measurement *measurement, duet_error *error);
// What a transfer takes by its size: latency in ns, and ns per 1,000,000 bytes.
void duet_cli_transfer_line(const duet_cli_gpu *gpu, bool to_gpu, int64_t *latency,
                            int64_t *per_megabyte);

void duet_cli_measure_gpu_text(const duet_cli_gpu *gpu, FILE *stream);
void duet_cli_measure_gpu_json(const duet_cli_gpu *gpu, duet_cli_json *json);
void duet_cli_measure_gpu_csv(const duet_cli_gpu *gpu, FILE *stream);

void duet_cli_measure_text(const duet_cli_measurement *measurement, FILE *stream);
void duet_cli_measure_json(const duet_cli_measurement *measurement, FILE *stream);
// As a table of kernel times that `duet generate` reads.
void duet_cli_measure_csv(const duet_cli_measurement *measurement, FILE *stream);

#endif
