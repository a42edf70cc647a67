// SPDX-License-Identifier: Apache-2.0
// The kernels of tiled factorisations of N x N tiles: how many of each, and their operations.
#ifndef DUET_INSTANCES_KERNELS_FACTORISATION_H
#define DUET_INSTANCES_KERNELS_FACTORISATION_H

#include <stddef.h>
#include <stdint.h>

enum { DUET_KERNELS = 4 };

typedef enum duet_factorisation_id {
    DUET_CHOLESKY,
    DUET_LU,
    DUET_QR,
    DUET_FACTORISATIONS
} duet_factorisation_id;

typedef enum duet_kernel_count_rule {
    DUET_COUNT_STEPS,    // one per step: N
    DUET_COUNT_PANEL,    // one per step and tile below (or beside) the diagonal: N(N-1)/2
    DUET_COUNT_TRIANGLE, // one per tile of the rest, half of it: N(N-1)(N-2)/6
    DUET_COUNT_SQUARE    // one per tile of the rest: N(N-1)(2N-1)/6
} duet_kernel_count_rule;

typedef struct duet_tile_kernel {
    const char *name;
    duet_kernel_count_rule rule;
    double operations[3]; // in terms of the tile's side b: of b^3, b^2 and b
    // The LU kernel whose acceleration factor stands in where none was measured; NULL: none does.
    const char *stand_in;
} duet_tile_kernel;

typedef struct duet_factorisation {
    duet_factorisation_id id;
    const char *name;   // in tables of kernel times
    const char *family; // of instances
    duet_tile_kernel kernels[DUET_KERNELS];
} duet_factorisation;

extern const duet_factorisation duet_factorisations[DUET_FACTORISATIONS];

// The factorisation of that name ("cholesky"); NULL: none has it.
const duet_factorisation *duet_factorisation_find(const char *name);
// That of a family of instances ("chol"), likewise.
const duet_factorisation *duet_factorisation_of_family(const char *family);
// Index of the kernel of that name, or -1.
int duet_kernel_index(const duet_factorisation *factorisation, const char *name);

// How often the kernel runs in a factorisation of n x n tiles, n <= 10^6.
int64_t duet_kernel_count(const duet_tile_kernel *kernel, int64_t n);
// All kernels together; the tiles a side for which that is nearest to `tasks` (of two the fewer).
int64_t duet_factorisation_tasks(const duet_factorisation *factorisation, int64_t n);
int64_t duet_factorisation_tiles(const duet_factorisation *factorisation, int64_t tasks);
// Floating-point operations of one run on tiles of side `tile`, as they are counted by convention.
double duet_kernel_operations(const duet_tile_kernel *kernel, int64_t tile);

// "gemm, potrf, ..." into `buffer`; returns it.
char *duet_kernel_names(const duet_factorisation *factorisation, char *buffer, size_t size);

#endif
