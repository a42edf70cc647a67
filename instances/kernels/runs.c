// SPDX-License-Identifier: Apache-2.0
// The tile kernels, each one call of BLAS or LAPACK as the tiled algorithms make it (Cholesky:
// lower triangle; QR: flat trees, compact WY form with an inner block). By their Fortran names: the
// C interface of LAPACK may allocate and look for NaNs, which would be timed too.
//
// Random operands have nothing a factorisation would stumble over: triangles and matrices to be
// Cholesky-factorised are dominated by their diagonals; all others are uniform in -1 .. 1.
#include "instances/kernels/measure.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static const float one_float = 1;
static const float minus_float = -1;
static const double one_double = 1;
static const double minus_double = -1;

typedef enum content { ABSENT, UNIFORM, DOMINANT } content;

typedef struct duet_run_rules {
    duet_factorisation_id factorisation;
    const char *kernel;
    content tiles[DUET_RUN_TILES];
    bool overwrites[DUET_RUN_TILES];
    int (*prepare)(duet_kernel_run *run, duet_random *random); // NULL: nothing more to do
    int (*once)(duet_kernel_run *run);
} run_rules;

static const void *one(const duet_kernel_run *run)
{
    return run->single ? (const void *)&one_float : (const void *)&one_double;
}

static const void *minus_one(const duet_kernel_run *run)
{
    return run->single ? (const void *)&minus_float : (const void *)&minus_double;
}

static int run_potrf(duet_kernel_run *run)
{
    const int *b = &run->tile;
    int info = 0;
    run->functions->potrf("L", b, run->tiles[0], b, &info, 1);
    return info;
}

static int run_getrf(duet_kernel_run *run)
{
    const int *b = &run->tile;
    int info = 0;
    run->functions->getrf(b, b, run->tiles[0], b, run->pivots, &info);
    return info;
}

static int run_syrk(duet_kernel_run *run)
{
    const int *b = &run->tile;
    run->functions->syrk("L", "N", b, b, minus_one(run), run->tiles[0], b, one(run), run->tiles[1],
                         b, 1, 1);
    return 0;
}

static int run_trsm(duet_kernel_run *run, const char *side, const char *triangle,
                    const char *transposed, const char *diagonal)
{
    const int *b = &run->tile;
    run->functions->trsm(side, triangle, transposed, diagonal, b, b, one(run), run->tiles[0], b,
                         run->tiles[1], b, 1, 1, 1, 1);
    return 0;
}

static int run_trsm_cholesky(duet_kernel_run *run)
{
    return run_trsm(run, "R", "L", "T", "N");
}

static int run_trsm_left_lower(duet_kernel_run *run)
{
    return run_trsm(run, "L", "L", "N", "U");
}

static int run_trsm_right_upper(duet_kernel_run *run)
{
    return run_trsm(run, "R", "U", "N", "N");
}

static int run_gemm(duet_kernel_run *run, const char *right)
{
    const int *b = &run->tile;
    run->functions->gemm("N", right, b, b, b, minus_one(run), run->tiles[0], b, run->tiles[1], b,
                         one(run), run->tiles[2], b, 1, 1);
    return 0;
}

static int run_gemm_cholesky(duet_kernel_run *run)
{
    return run_gemm(run, "T");
}

static int run_gemm_lu(duet_kernel_run *run)
{
    return run_gemm(run, "N");
}

static int run_geqrt(duet_kernel_run *run)
{
    const int *b = &run->tile;
    const int *ib = &run->inner;
    int info = 0;
    run->functions->geqrt(b, b, ib, run->tiles[0], b, run->factor, ib, run->work, &info);
    return info;
}

static int run_unmqr(duet_kernel_run *run)
{
    const int *b = &run->tile;
    const int *ib = &run->inner;
    int info = 0;
    run->functions->gemqrt("L", "T", b, b, b, ib, run->tiles[0], b, run->factor, ib, run->tiles[1],
                           b, run->work, &info, 1, 1);
    return info;
}

// Of the pentagons that LAPACK's functions are for, ours are squares.
static const int trapezoid = 0;

// The triangle of tile 0 above the whole of tile 1.
static int run_tsqrt(duet_kernel_run *run)
{
    const int *b = &run->tile;
    const int *ib = &run->inner;
    int info = 0;
    run->functions->tpqrt(b, b, &trapezoid, ib, run->tiles[0], b, run->tiles[1], b, run->factor, ib,
                          run->work, &info);
    return info;
}

// The reflectors in tile 1, applied to tile 0 above tile 2.
static int run_tsmqr(duet_kernel_run *run)
{
    const int *b = &run->tile;
    const int *ib = &run->inner;
    int info = 0;
    run->functions->tpmqrt("L", "T", b, b, b, &trapezoid, ib, run->tiles[1], b, run->factor, ib,
                           run->tiles[0], b, run->tiles[2], b, run->work, &info, 1, 1);
    return info;
}

static double next_value(duet_random *random)
{
    enum { STEPS = 1000000 };
    return (double)duet_random_between(random, -STEPS, STEPS) / STEPS;
}

static void put(const duet_kernel_run *run, void *tile, size_t row, size_t column, double value)
{
    size_t at = column * (size_t)run->tile + row;
    if (run->single) {
        ((float *)tile)[at] = (float)value;
    } else {
        ((double *)tile)[at] = value;
    }
}

// Symmetric where it is dominated by its diagonal: the rest of a row adds up to less than 1.
static void fill(const duet_kernel_run *run, void *tile, content kind, duet_random *random)
{
    size_t b = (size_t)run->tile;
    for (size_t column = 0; column < b; column++) {
        for (size_t row = kind == DOMINANT ? column : 0; row < b; row++) {
            double value = next_value(random);
            if (kind == UNIFORM) {
                put(run, tile, row, column, value);
            } else if (row == column) {
                put(run, tile, row, column, 1.5 + value / 2);
            } else {
                put(run, tile, row, column, value / (double)b);
                put(run, tile, column, row, value / (double)b);
            }
        }
    }
}

static int prepare_triangle(duet_kernel_run *run, duet_random *random)
{
    (void)random;
    return run_geqrt(run);
}

static int prepare_reflectors(duet_kernel_run *run, duet_random *random)
{
    int info = run_geqrt(run);
    info = info == 0 ? run_tsqrt(run) : info;
    fill(run, run->tiles[0], UNIFORM, random);
    return info;
}

static const run_rules all_rules[] = {
    {DUET_CHOLESKY, "potrf", {DOMINANT}, {true}, NULL, run_potrf},
    {DUET_CHOLESKY, "trsm", {DOMINANT, UNIFORM}, {false, true}, NULL, run_trsm_cholesky},
    {DUET_CHOLESKY, "syrk", {UNIFORM, DOMINANT}, {false, true}, NULL, run_syrk},
    {DUET_CHOLESKY,
     "gemm",
     {UNIFORM, UNIFORM, UNIFORM},
     {false, false, true},
     NULL,
     run_gemm_cholesky},
    {DUET_LU, "getrf", {UNIFORM}, {true}, NULL, run_getrf},
    {DUET_LU, "trsm-ll", {DOMINANT, UNIFORM}, {false, true}, NULL, run_trsm_left_lower},
    {DUET_LU, "trsm-ru", {DOMINANT, UNIFORM}, {false, true}, NULL, run_trsm_right_upper},
    {DUET_LU, "gemm", {UNIFORM, UNIFORM, UNIFORM}, {false, false, true}, NULL, run_gemm_lu},
    {DUET_QR, "geqrt", {UNIFORM}, {true}, NULL, run_geqrt},
    {DUET_QR, "unmqr", {UNIFORM, UNIFORM}, {false, true}, prepare_triangle, run_unmqr},
    {DUET_QR, "tsqrt", {UNIFORM, UNIFORM}, {true, true}, prepare_triangle, run_tsqrt},
    {DUET_QR,
     "tsmqr",
     {UNIFORM, UNIFORM, UNIFORM},
     {true, false, true},
     prepare_reflectors,
     run_tsmqr},
};

static const run_rules *find_rules(const duet_factorisation *factorisation, int kernel)
{
    for (size_t i = 0; i < sizeof all_rules / sizeof all_rules[0]; i++) {
        if (all_rules[i].factorisation == factorisation->id &&
            strcmp(all_rules[i].kernel, factorisation->kernels[kernel].name) == 0) {
            return &all_rules[i];
        }
    }
    return NULL;
}

static duet_code allocate(duet_kernel_run *run, duet_error *error)
{
    size_t number = run->single ? sizeof(float) : sizeof(double);
    size_t block = (size_t)run->inner * (size_t)run->tile * number;
    enum { MOST = 2 * DUET_RUN_TILES };
    DUET_TRY(duet_memory_check(MOST, run->bytes, 0, "the tiles of a kernel", error));
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        if (run->rules->tiles[i] != ABSENT) {
            run->tiles[i] = duet_alloc_lines(run->bytes, error);
            DUET_TRY(run->tiles[i] == NULL ? DUET_E_MEMORY : DUET_OK);
        }
        if (run->rules->overwrites[i]) {
            run->before[i] = duet_alloc_lines(run->bytes, error);
            DUET_TRY(run->before[i] == NULL ? DUET_E_MEMORY : DUET_OK);
        }
    }
    run->factor = duet_alloc_lines(block, error);
    run->work = duet_alloc_lines(block, error);
    run->pivots = duet_alloc_lines((size_t)run->tile * sizeof *run->pivots, error);
    return run->factor != NULL && run->work != NULL && run->pivots != NULL ? DUET_OK
                                                                           : DUET_E_MEMORY;
}

duet_code duet_kernel_run_prepare(duet_kernel_run *run, const duet_blas *blas,
                                  const duet_factorisation *factorisation, int kernel, bool single,
                                  int tile, int inner, uint64_t seed, duet_error *error)
{
    *run = (duet_kernel_run){.rules = find_rules(factorisation, kernel),
                             .functions = single ? &blas->single : &blas->precise,
                             .single = single,
                             .tile = tile,
                             .inner = duet_min(inner, tile),
                             .bytes = (size_t)tile * (size_t)tile *
                                      (single ? sizeof(float) : sizeof(double))};
    if (run->rules == NULL) {
        return duet_error_set(error, DUET_E_INTERNAL, "no run of the kernel %s",
                              factorisation->kernels[kernel].name);
    }
    DUET_TRY(allocate(run, error));
    duet_random random;
    duet_random_seed(&random, seed);
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        if (run->tiles[i] != NULL) {
            fill(run, run->tiles[i], run->rules->tiles[i], &random);
        }
    }
    int info = run->rules->prepare == NULL ? 0 : run->rules->prepare(run, &random);
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        if (run->before[i] != NULL && run->tiles[i] != NULL) {
            memcpy(run->before[i], run->tiles[i], run->bytes);
        }
    }
    return info == 0 ? DUET_OK
                     : duet_error_set(error, DUET_E_INTERNAL,
                                      "the operands of %s cannot be made: LAPACK gave info = %d",
                                      run->rules->kernel, info);
}

void duet_kernel_run_free(duet_kernel_run *run)
{
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        duet_free(run->tiles[i]);
        duet_free(run->before[i]);
    }
    duet_free(run->factor);
    duet_free(run->work);
    duet_free(run->pivots);
    *run = (duet_kernel_run){0};
}

void duet_kernel_run_restore(duet_kernel_run *run)
{
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        if (run->before[i] != NULL) {
            memcpy(run->tiles[i], run->before[i], run->bytes);
        }
    }
}

int duet_kernel_run_once(duet_kernel_run *run)
{
    return run->rules->once(run);
}
