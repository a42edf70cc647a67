// SPDX-License-Identifier: Apache-2.0
// Task graphs of tiled factorisations, right-looking: step k factorises tile (k, k), then the
// panel, then updates what is left. A kernel runs after the last that wrote a tile it reads or
// writes. Copies of a kernel are numbered step by step, within a step row by row.
//
// Reference: Buttari, Langou, Kurzak, Dongarra, "A class of parallel tiled linear algebra
//            algorithms for multicore architectures", Parallel Computing 35, 2009.
#include "instances/families/factorization_graph.h"

#include <string.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Where the tasks of each kernel begin, and where the edges go.
typedef struct graph {
    int64_t n; // tiles
    int64_t base[DUET_KERNELS];
    duet_family_draft *draft;
} graph;

// The kernels of all three factorisations, by what they do.
enum { DIAGONAL, FIRST_PANEL, SECOND_PANEL, UPDATE };

static void add(graph *g, int64_t from, int64_t to)
{
    duet_family_draft_join(g->draft, from, to);
}

static int64_t diagonal(const graph *g, int64_t k)
{
    return g->base[DIAGONAL] + k;
}

// Kernel `which` of step k on tile i of the panel, i > k.
static int64_t panel(const graph *g, int which, int64_t i, int64_t k)
{
    DUET_ASSERT(i > k && i < g->n);
    return g->base[which] + k * (2 * g->n - 1 - k) / 2 + (i - k - 1);
}

// Tiles left of steps 0 .. k - 1, half of each square without its diagonal: the sum of r (r - 1) /
// 2 for r = n - 1, n - 2, ..., n - k.
static int64_t triangles(int64_t n, int64_t k)
{
    int64_t rest = n - k;
    return (n * (n - 1) * (n - 2) - rest * (rest - 1) * (rest - 2)) / 6;
}

// The same of whole squares, r^2.
static int64_t squares(int64_t n, int64_t k)
{
    int64_t rest = n - k;
    return ((n - 1) * n * (2 * n - 1) - (rest - 1) * rest * (2 * rest - 1)) / 6;
}

// The update of tile (i, j) below the diagonal, i > j > k.
static int64_t lower_update(const graph *g, int64_t i, int64_t j, int64_t k)
{
    int64_t row = i - k - 1;
    DUET_ASSERT(i > j && j > k);
    return g->base[UPDATE] + triangles(g->n, k) + row * (row - 1) / 2 + (j - k - 1);
}

// The update of any tile (i, j), i > k and j > k.
static int64_t square_update(const graph *g, int64_t i, int64_t j, int64_t k)
{
    DUET_ASSERT(i > k && j > k);
    return g->base[UPDATE] + squares(g->n, k) + (i - k - 1) * (g->n - k - 1) + (j - k - 1);
}

// potrf, trsm, syrk, gemm.
static void cholesky(graph *g)
{
    for (int64_t k = 0; k < g->n && g->draft->code == DUET_OK; k++) {
        if (k > 0) {
            add(g, panel(g, SECOND_PANEL, k, k - 1), diagonal(g, k));
        }
        for (int64_t i = k + 1; i < g->n; i++) {
            int64_t trsm = panel(g, FIRST_PANEL, i, k);
            int64_t syrk = panel(g, SECOND_PANEL, i, k);
            add(g, diagonal(g, k), trsm);
            add(g, trsm, syrk);
            if (k > 0) {
                add(g, lower_update(g, i, k, k - 1), trsm);
                add(g, panel(g, SECOND_PANEL, i, k - 1), syrk);
            }
            for (int64_t j = k + 1; j < i; j++) {
                int64_t gemm = lower_update(g, i, j, k);
                add(g, trsm, gemm);
                add(g, panel(g, FIRST_PANEL, j, k), gemm);
                if (k > 0) {
                    add(g, lower_update(g, i, j, k - 1), gemm);
                }
            }
        }
    }
}

// getrf, trsm-ll on row k, trsm-ru on column k, gemm.
static void lu(graph *g)
{
    for (int64_t k = 0; k < g->n && g->draft->code == DUET_OK; k++) {
        if (k > 0) {
            add(g, square_update(g, k, k, k - 1), diagonal(g, k));
        }
        for (int64_t i = k + 1; i < g->n; i++) {
            int64_t row = panel(g, FIRST_PANEL, i, k);
            int64_t column = panel(g, SECOND_PANEL, i, k);
            add(g, diagonal(g, k), row);
            add(g, diagonal(g, k), column);
            if (k > 0) {
                add(g, square_update(g, k, i, k - 1), row);
                add(g, square_update(g, i, k, k - 1), column);
            }
            for (int64_t j = k + 1; j < g->n; j++) {
                int64_t gemm = square_update(g, i, j, k);
                add(g, column, gemm);
                add(g, panel(g, FIRST_PANEL, j, k), gemm);
                if (k > 0) {
                    add(g, square_update(g, i, j, k - 1), gemm);
                }
            }
        }
    }
}

// geqrt, unmqr on row k, tsqrt on column k, tsmqr. The diagonal tile is two data: R, which every
// tsqrt of the column writes after geqrt, and V, which geqrt alone writes and unmqr reads.
static void qr(graph *g)
{
    for (int64_t k = 0; k < g->n && g->draft->code == DUET_OK; k++) {
        if (k > 0) {
            add(g, square_update(g, k, k, k - 1), diagonal(g, k));
        }
        for (int64_t j = k + 1; j < g->n; j++) {
            add(g, diagonal(g, k), panel(g, FIRST_PANEL, j, k));
            if (k > 0) {
                add(g, square_update(g, k, j, k - 1), panel(g, FIRST_PANEL, j, k));
            }
        }
        for (int64_t i = k + 1; i < g->n; i++) {
            int64_t tsqrt = panel(g, SECOND_PANEL, i, k);
            add(g, i == k + 1 ? diagonal(g, k) : panel(g, SECOND_PANEL, i - 1, k), tsqrt);
            if (k > 0) {
                add(g, square_update(g, i, k, k - 1), tsqrt);
            }
            for (int64_t j = k + 1; j < g->n; j++) {
                int64_t tsmqr = square_update(g, i, j, k);
                add(g, tsqrt, tsmqr);
                add(g, i == k + 1 ? panel(g, FIRST_PANEL, j, k) : square_update(g, i - 1, j, k),
                    tsmqr);
                if (k > 0) {
                    add(g, square_update(g, i, j, k - 1), tsmqr);
                }
            }
        }
    }
}

duet_code duet_factorisation_kind(const duet_tile_kernel *kernel, int64_t n,
                                  const duet_read_time times[2], duet_builder *builder,
                                  duet_error *error)
{
    const duet_read_kind kind = {
        kernel->name, strlen(kernel->name), duet_kernel_count(kernel, n), times, 2, 0, 0};
    return kind.count == 0 ? DUET_OK : duet_builder_add_kind(builder, &kind, error);
}

void duet_factorisation_join(const duet_factorisation *factorisation, int64_t n,
                             duet_family_draft *draft)
{
    static void (*const join[DUET_FACTORISATIONS])(graph *) = {
        [DUET_CHOLESKY] = cholesky, [DUET_LU] = lu, [DUET_QR] = qr};
    // Read and indexed, with room for growing; at most three edges enter a task.
    enum { BYTES_PER_TASK = 3 * 80 };
    graph g = {.n = n, .draft = draft};
    int64_t tasks = 0;
    for (int kernel = 0; kernel < DUET_KERNELS; kernel++) {
        g.base[kernel] = tasks;
        tasks += duet_kernel_count(&factorisation->kernels[kernel], n);
    }
    DUET_THEN(draft->code, duet_memory_check((uint64_t)tasks, BYTES_PER_TASK, 0,
                                             "the edges of the factorisation", draft->error));
    if (draft->code == DUET_OK) {
        join[factorisation->id](&g);
    }
}
