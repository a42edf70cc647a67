// SPDX-License-Identifier: Apache-2.0
// Measured kernels: each computes what its name says, from operands that every run finds as they
// were; the figures are in order. A build without DUET_WITH_OPENBLAS says that it cannot,
// and where the system has no BLAS there is nothing to be tested.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "instances/kernels/measure.h"

static void test_summary(void **state)
{
    (void)state;
    int64_t one[] = {7};
    duet_measured figures = duet_measure_summary(one, 1);
    assert_true(figures.median == 7 && figures.low == 7 && figures.high == 7);
    int64_t two[] = {10, 5};
    figures = duet_measure_summary(two, 2);
    assert_true(figures.median == 7 && figures.low == 5 && figures.high == 10);
    int64_t nine[] = {9, 1, 8, 2, 7, 3, 6, 4, 5};
    figures = duet_measure_summary(nine, 9);
    assert_true(figures.median == 5 && figures.low == 3 && figures.high == 7);
    assert_true(figures.least == 1 && figures.most == 9);
    int64_t huge[] = {INT64_MAX, INT64_MAX - 2};
    assert_true(duet_measure_summary(huge, 2).median == INT64_MAX - 1);
}

#ifdef DUET_WITH_OPENBLAS

// How much of a tile is meant, and which way round.
typedef enum part { WHOLE, LOWER, UNIT_LOWER, UPPER } part;

typedef struct view {
    const void *tile;
    part part;
    bool transposed;
} view;

static double number(const duet_kernel_run *run, const void *tile, int row, int column)
{
    size_t at = (size_t)column * (size_t)run->tile + (size_t)row;
    return run->single ? (double)((const float *)tile)[at] : ((const double *)tile)[at];
}

static double element(const duet_kernel_run *run, view x, int row, int column)
{
    int i = x.transposed ? column : row;
    int j = x.transposed ? row : column;
    if (x.part == UNIT_LOWER && i == j) {
        return 1;
    }
    bool outside = x.part == UPPER ? i > j : x.part != WHOLE && i < j;
    return outside ? 0 : number(run, x.tile, i, j);
}

static double product(const duet_kernel_run *run, view x, view y, int row, int column)
{
    double sum = 0;
    for (int k = 0; k < run->tile; k++) {
        sum += element(run, x, row, k) * element(run, y, k, column);
    }
    return sum;
}

static view whole(const void *tile)
{
    return (view){tile, WHOLE, false};
}

static view turned(view x)
{
    x.transposed = !x.transposed;
    return x;
}

// x^T x: what an orthogonal transformation leaves as it is.
static double gram(const duet_kernel_run *run, view x, int row, int column)
{
    return product(run, turned(x), x, row, column);
}

// The row of the matrix that getrf was given which its pivots bring to `row`.
static int origin(const duet_kernel_run *run, int row)
{
    for (int k = run->tile - 1; k >= 0; k--) {
        int other = run->pivots[k] - 1;
        row = row == k ? other : row == other ? k : row;
    }
    return row;
}

// What a kernel must make true of an element, as the difference of its two sides.
typedef double equation(const duet_kernel_run *run, int row, int column);

static double potrf(const duet_kernel_run *run, int i, int j)
{
    view l = {run->tiles[0], LOWER, false};
    return product(run, l, turned(l), i, j) - number(run, run->before[0], i, j);
}

static double trsm(const duet_kernel_run *run, int i, int j)
{
    return product(run, whole(run->tiles[1]), (view){run->tiles[0], LOWER, true}, i, j) -
           number(run, run->before[1], i, j);
}

static double syrk(const duet_kernel_run *run, int i, int j)
{
    double change = product(run, whole(run->tiles[0]), turned(whole(run->tiles[0])), i, j);
    return number(run, run->before[1], i, j) - (i >= j ? change : 0) -
           number(run, run->tiles[1], i, j);
}

static double gemm_transposed(const duet_kernel_run *run, int i, int j)
{
    return number(run, run->before[2], i, j) -
           product(run, whole(run->tiles[0]), turned(whole(run->tiles[1])), i, j) -
           number(run, run->tiles[2], i, j);
}

static double gemm(const duet_kernel_run *run, int i, int j)
{
    return number(run, run->before[2], i, j) -
           product(run, whole(run->tiles[0]), whole(run->tiles[1]), i, j) -
           number(run, run->tiles[2], i, j);
}

static double getrf(const duet_kernel_run *run, int i, int j)
{
    view l = {run->tiles[0], UNIT_LOWER, false};
    view u = {run->tiles[0], UPPER, false};
    return product(run, l, u, i, j) - number(run, run->before[0], origin(run, i), j);
}

static double trsm_left_lower(const duet_kernel_run *run, int i, int j)
{
    return product(run, (view){run->tiles[0], UNIT_LOWER, false}, whole(run->tiles[1]), i, j) -
           number(run, run->before[1], i, j);
}

static double trsm_right_upper(const duet_kernel_run *run, int i, int j)
{
    return product(run, whole(run->tiles[1]), (view){run->tiles[0], UPPER, false}, i, j) -
           number(run, run->before[1], i, j);
}

static double geqrt(const duet_kernel_run *run, int i, int j)
{
    return gram(run, (view){run->tiles[0], UPPER, false}, i, j) -
           gram(run, whole(run->before[0]), i, j);
}

static double unmqr(const duet_kernel_run *run, int i, int j)
{
    return gram(run, whole(run->tiles[1]), i, j) - gram(run, whole(run->before[1]), i, j);
}

static double tsqrt(const duet_kernel_run *run, int i, int j)
{
    return gram(run, (view){run->tiles[0], UPPER, false}, i, j) -
           gram(run, (view){run->before[0], UPPER, false}, i, j) -
           gram(run, whole(run->before[1]), i, j);
}

static double tsmqr(const duet_kernel_run *run, int i, int j)
{
    return gram(run, whole(run->tiles[0]), i, j) + gram(run, whole(run->tiles[2]), i, j) -
           gram(run, whole(run->before[0]), i, j) - gram(run, whole(run->before[2]), i, j);
}

// In the order of duet_factorisations.
static equation *const equations[DUET_FACTORISATIONS][DUET_KERNELS] = {
    {potrf, trsm, syrk, gemm_transposed},
    {getrf, trsm_left_lower, trsm_right_upper, gemm},
    {geqrt, unmqr, tsqrt, tsmqr},
};

static double worst(const duet_kernel_run *run, equation *holds)
{
    double most = 0;
    for (int i = 0; i < run->tile; i++) {
        for (int j = 0; j < run->tile; j++) {
            most = fmax(most, fabs(holds(run, i, j)));
        }
    }
    return most;
}

// Opens what the system has, or skips the test.
static void open_blas(duet_blas *blas)
{
    duet_error error = DUET_ERROR_INIT;
    if (duet_measure_open(blas, &error) != DUET_OK) {
        print_message("skipped: %s\n", error.message);
        skip();
    }
}

static void expect_kernel(const duet_blas *blas, const duet_factorisation *factorisation,
                          int kernel, bool single, int tile, int inner)
{
    duet_kernel_run run;
    duet_error error = DUET_ERROR_INIT;
    const char *name = factorisation->kernels[kernel].name;
    if (duet_kernel_run_prepare(&run, blas, factorisation, kernel, single, tile, inner, 11,
                                &error) != DUET_OK) {
        fail_msg("%s: %s", name, error.message);
    }
    void *first[DUET_RUN_TILES] = {NULL};
    for (int round = 0; round < 3; round++) {
        duet_kernel_run_restore(&run);
        assert_int_equal(duet_kernel_run_once(&run), 0);
        for (int t = 0; t < DUET_RUN_TILES; t++) {
            if (run.tiles[t] == NULL) {
                continue;
            }
            // Every run starts from the same operands, those it only reads included.
            if (round == 0) {
                first[t] = malloc(run.bytes);
                assert_non_null(first[t]);
                memcpy(first[t], run.tiles[t], run.bytes);
            }
            assert_memory_equal(first[t], run.tiles[t], run.bytes);
            assert_true(tile == 1 || run.before[t] == NULL ||
                        memcmp(run.before[t], run.tiles[t], run.bytes) != 0);
        }
    }
    double fault = worst(&run, equations[factorisation->id][kernel]);
    double allowed = (single ? 2e-5 : 5e-14) * (tile + 1);
    if (!(fault <= allowed)) {
        fail_msg("%s of %s, single %d, tile %d, inner %d: off by %g", name, factorisation->name,
                 single, tile, inner, fault);
    }
    for (int t = 0; t < DUET_RUN_TILES; t++) {
        free(first[t]);
    }
    duet_kernel_run_free(&run);
}

static void test_kernels(void **state)
{
    (void)state;
    duet_blas blas;
    open_blas(&blas);
    static const int sizes[][2] = {{1, 64}, {2, 1}, {17, 5}, {48, 64}, {65, 16}};
    for (size_t f = 0; f < DUET_FACTORISATIONS; f++) {
        for (int k = 0; k < DUET_KERNELS; k++) {
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                expect_kernel(&blas, &duet_factorisations[f], k, false, sizes[s][0], sizes[s][1]);
                expect_kernel(&blas, &duet_factorisations[f], k, true, sizes[s][0], sizes[s][1]);
            }
        }
    }
}

static void test_figures(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    duet_blas blas;
    open_blas(&blas);
    assert_true(strlen(blas.name) > 0 && strlen(blas.name) < sizeof blas.name);
    for (size_t f = 0; f < DUET_FACTORISATIONS; f++) {
        for (int k = 0; k < DUET_KERNELS; k++) {
            duet_measure_plan plan = {k % 2 == 0, 24, 8, (int)f, 5};
            duet_measured m = {0};
            assert_int_equal(
                duet_measure_kernel(&blas, &plan, &duet_factorisations[f], k, &m, &error), DUET_OK);
            assert_true(1 <= m.least && m.least <= m.low && m.low <= m.median &&
                        m.median <= m.high && m.high <= m.most);
        }
    }
}

#else

static void test_kernels(void **state)
{
    (void)state;
    duet_error error = DUET_ERROR_INIT;
    duet_measure_plan plan = {false, 24, 8, 0, 5};
    duet_measured figures;
    duet_blas blas;
    assert_int_equal(duet_measure_open(&blas, &error), DUET_E_UNSUPPORTED);
    assert_non_null(strstr(error.message, "this build has no OpenBLAS"));
    assert_int_equal(
        duet_measure_kernel(&blas, &plan, &duet_factorisations[DUET_LU], 0, &figures, &error),
        DUET_E_UNSUPPORTED);
}

static void test_figures(void **state)
{
    (void)state;
    duet_blas blas = {.name = "before"};
    assert_int_equal(duet_measure_open(&blas, NULL), DUET_E_UNSUPPORTED);
    assert_string_equal(blas.name, "");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
