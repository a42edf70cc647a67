// SPDX-License-Identifier: Apache-2.0
// The kernels of tiled factorisations.
//
// Operations: LAPACK Working Note 41 (Blackford, Dongarra 1999), multiplications and additions
// together. For tsqrt and tsmqr, which it has not, the leading terms of Buttari, Langou, Kurzak,
// Dongarra, "A class of parallel tiled linear algebra algorithms for multicore architectures",
// 2009: without the surplus that an inner block makes. Summed over a factorisation, the b^3 terms
// give those of the untiled one: N^3 b^3 / 3, 2 N^3 b^3 / 3 and 4 N^3 b^3 / 3.
//
// Stand-ins: geqrt and tsqrt factorise panels, as getrf does; unmqr applies a factor of the
// diagonal tile to the tiles beside it, as trsm-ll does; tsmqr updates the rest, as gemm does.
#include "instances/kernels/factorisation.h"

#include <stdio.h>
#include <string.h>

const duet_factorisation duet_factorisations[DUET_FACTORISATIONS] = {
    {DUET_CHOLESKY,
     "cholesky",
     "chol",
     {{"potrf", DUET_COUNT_STEPS, {1.0 / 3, 1.0 / 2, 1.0 / 6}, NULL},
      {"trsm", DUET_COUNT_PANEL, {1, 0, 0}, NULL},
      {"syrk", DUET_COUNT_PANEL, {1, 1, 0}, NULL},
      {"gemm", DUET_COUNT_TRIANGLE, {2, 0, 0}, NULL}}},
    {DUET_LU,
     "lu",
     "lu",
     {{"getrf", DUET_COUNT_STEPS, {2.0 / 3, -1.0 / 2, 5.0 / 6}, NULL},
      {"trsm-ll", DUET_COUNT_PANEL, {1, 0, 0}, NULL},
      {"trsm-ru", DUET_COUNT_PANEL, {1, 0, 0}, NULL},
      {"gemm", DUET_COUNT_SQUARE, {2, 0, 0}, NULL}}},
    {DUET_QR,
     "qr",
     "qr",
     {{"geqrt", DUET_COUNT_STEPS, {4.0 / 3, 2, 14.0 / 3}, "getrf"},
      {"unmqr", DUET_COUNT_PANEL, {2, 3, 0}, "trsm-ll"},
      {"tsqrt", DUET_COUNT_PANEL, {2, 0, 0}, "getrf"},
      {"tsmqr", DUET_COUNT_SQUARE, {4, 0, 0}, "gemm"}}},
};

const duet_factorisation *duet_factorisation_find(const char *name)
{
    for (size_t i = 0; i < DUET_FACTORISATIONS; i++) {
        if (strcmp(duet_factorisations[i].name, name) == 0) {
            return &duet_factorisations[i];
        }
    }
    return NULL;
}

const duet_factorisation *duet_factorisation_of_family(const char *family)
{
    for (size_t i = 0; i < DUET_FACTORISATIONS; i++) {
        if (strcmp(duet_factorisations[i].family, family) == 0) {
            return &duet_factorisations[i];
        }
    }
    return NULL;
}

int duet_kernel_index(const duet_factorisation *factorisation, const char *name)
{
    for (int i = 0; i < DUET_KERNELS; i++) {
        if (strcmp(factorisation->kernels[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int64_t duet_kernel_count(const duet_tile_kernel *kernel, int64_t n)
{
    switch (kernel->rule) {
    case DUET_COUNT_STEPS:
        return n;
    case DUET_COUNT_PANEL:
        return n * (n - 1) / 2;
    case DUET_COUNT_TRIANGLE:
        return n * (n - 1) * (n - 2) / 6;
    case DUET_COUNT_SQUARE:
        return n * (n - 1) * (2 * n - 1) / 6;
    }
    return 0;
}

int64_t duet_factorisation_tasks(const duet_factorisation *factorisation, int64_t n)
{
    int64_t tasks = 0;
    for (int i = 0; i < DUET_KERNELS; i++) {
        tasks += duet_kernel_count(&factorisation->kernels[i], n);
    }
    return tasks;
}

int64_t duet_factorisation_tiles(const duet_factorisation *factorisation, int64_t tasks)
{
    int64_t tiles = 1;
    while (duet_factorisation_tasks(factorisation, tiles + 1) < tasks) {
        tiles++;
    }
    int64_t below = duet_factorisation_tasks(factorisation, tiles);
    int64_t above = duet_factorisation_tasks(factorisation, tiles + 1);
    return tasks - below <= above - tasks ? tiles : tiles + 1;
}

double duet_kernel_operations(const duet_tile_kernel *kernel, int64_t tile)
{
    double b = (double)tile;
    return ((kernel->operations[0] * b + kernel->operations[1]) * b + kernel->operations[2]) * b;
}

char *duet_kernel_names(const duet_factorisation *factorisation, char *buffer, size_t size)
{
    const duet_tile_kernel *k = factorisation->kernels;
    snprintf(buffer, size, "%s, %s, %s, %s", k[0].name, k[1].name, k[2].name, k[3].name);
    return buffer;
}
