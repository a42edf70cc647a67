// SPDX-License-Identifier: Apache-2.0
// Acceleration factors out of a table of kernel times: what a kernel takes on a GPU, from what it
// takes here on the CPU.
#ifndef DUET_INSTANCES_KERNELS_FACTOR_H
#define DUET_INSTANCES_KERNELS_FACTOR_H

#include "instances/kernels/table.h"

// What a factor is wanted for.
typedef struct duet_factor_query {
    const char *source; // a machine ("sirocco") or a row ("sirocco-double-960") of the table
    const duet_factorisation *factorisation;
    int kernel;
    const char *precision;
    int64_t tile;
} duet_factor_query;

// The row to take the factor from: the kernel's own, or where the source has none of its
// factorisation, the stand-in of LU (factorisation.c). Of a machine's rows one of the same
// precision, then with the nearest tile. DUET_E_USAGE if no row has a time on both.
duet_code duet_kernel_factor(const duet_kernel_table *table, const duet_factor_query *query,
                             const duet_kernel_row **row, duet_error *error);

// CPU time by GPU time of a row with both.
double duet_kernel_acceleration(const duet_kernel_row *row);

// `cpu` ticks by a factor above 0, rounded to whole ticks, at least 1.
int64_t duet_kernel_gpu_time(int64_t cpu, double factor);

#endif
