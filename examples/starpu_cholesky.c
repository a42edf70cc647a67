// SPDX-License-Identifier: Apache-2.0
// A tiled Cholesky factorisation with StarPU, scheduled by Duet's policy: the two lines that ask
// for it are in main(). The tasks' times come from a performance model that is a formula here, so
// that the first run is planned already; an application has models that StarPU measures.
//
//     starpu=$(pkg-config --cflags --libs starpu-1.3)
//     cc starpu_cholesky.c -o starpu_cholesky -lduet_starpu $starpu -lm
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <starpu.h>

#include <duet/starpu.h>

enum { TILES = 8, SIDE = 24, N = TILES * SIDE, REPEATS = 2 };

static double tile[TILES][TILES][SIDE * SIDE];
static starpu_data_handle_t handle[TILES][TILES];

// --- kernels -------------------------------------------------------------------------------------

static double *matrix(void *buffers[], int i)
{
    return (double *)STARPU_MATRIX_GET_PTR(buffers[i]);
}

static void potrf(void *buffers[], void *unused)
{
    double *a = matrix(buffers, 0);
    (void)unused;
    for (int k = 0; k < SIDE; k++) {
        a[k * SIDE + k] = sqrt(a[k * SIDE + k]);
        for (int i = k + 1; i < SIDE; i++) {
            a[i * SIDE + k] /= a[k * SIDE + k];
            for (int j = k + 1; j <= i; j++) {
                a[i * SIDE + j] -= a[i * SIDE + k] * a[j * SIDE + k];
            }
        }
    }
}

static void trsm(void *buffers[], void *unused)
{
    const double *l = matrix(buffers, 0);
    double *b = matrix(buffers, 1);
    (void)unused;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            for (int k = 0; k < j; k++) {
                b[i * SIDE + j] -= b[i * SIDE + k] * l[j * SIDE + k];
            }
            b[i * SIDE + j] /= l[j * SIDE + j];
        }
    }
}

static void gemm(void *buffers[], void *unused)
{
    const double *a = matrix(buffers, 0);
    const double *b = matrix(buffers, 1);
    double *c = matrix(buffers, 2);
    (void)unused;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            for (int k = 0; k < SIDE; k++) {
                c[i * SIDE + j] -= a[i * SIDE + k] * b[j * SIDE + k];
            }
        }
    }
}

static void syrk(void *buffers[], void *unused)
{
    void *three[] = {buffers[0], buffers[0], buffers[1]};
    gemm(three, unused);
}

// --- tasks ---------------------------------------------------------------------------------------

static double time_of(struct starpu_task *task, unsigned implementation)
{
    (void)implementation;
    return STARPU_TASK_GET_NBUFFERS(task) == 3 ? 30 : 15; // microseconds
}

static struct starpu_perfmodel model = {.type = STARPU_COMMON, .cost_function = time_of};
static struct starpu_codelet potrf_codelet = {
    .cpu_funcs = {potrf}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &model};
static struct starpu_codelet trsm_codelet = {
    .cpu_funcs = {trsm}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .model = &model};
static struct starpu_codelet syrk_codelet = {
    .cpu_funcs = {syrk}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .model = &model};
static struct starpu_codelet gemm_codelet = {
    .cpu_funcs = {gemm}, .nbuffers = 3, .modes = {STARPU_R, STARPU_R, STARPU_RW}, .model = &model};

static void submit(struct starpu_codelet *codelet, starpu_data_handle_t a, starpu_data_handle_t b,
                   starpu_data_handle_t c)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = codelet;
    task->handles[0] = a;
    if (codelet->nbuffers > 1) {
        task->handles[1] = b;
    }
    if (codelet->nbuffers > 2) {
        task->handles[2] = c;
    }
    if (starpu_task_submit(task) != 0) {
        fprintf(stderr, "starpu_cholesky: a task was not submitted\n");
        exit(1);
    }
}

static void factorise(void)
{
    for (int k = 0; k < TILES; k++) {
        submit(&potrf_codelet, handle[k][k], NULL, NULL);
        for (int i = k + 1; i < TILES; i++) {
            submit(&trsm_codelet, handle[k][k], handle[i][k], NULL);
        }
        for (int i = k + 1; i < TILES; i++) {
            submit(&syrk_codelet, handle[i][k], handle[i][i], NULL);
            for (int j = k + 1; j < i; j++) {
                submit(&gemm_codelet, handle[i][k], handle[j][k], handle[i][j]);
            }
        }
    }
    starpu_task_wait_for_all();
}

// --- the matrix: 1 / (1 + |i - j|), and N more on the diagonal
// -------------------------------------

static double element(int i, int j)
{
    return 1.0 / (1 + abs(i - j)) + (i == j ? N : 0);
}

static double *place(int i, int j)
{
    return &tile[i / SIDE][j / SIDE][i % SIDE * SIDE + j % SIDE];
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            *place(i, j) = element(i, j);
            if (i / SIDE == j / SIDE) {
                *place(j, i) = element(i, j);
            }
        }
    }
}

// The largest difference between L times its transpose and the matrix.
static double residual(void)
{
    double worst = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k <= j; k++) {
                sum += *place(i, k) * *place(j, k);
            }
            worst = fmax(worst, fabs(sum - element(i, j)));
        }
    }
    return worst;
}

static void register_tiles(void)
{
    for (int i = 0; i < TILES; i++) {
        for (int j = 0; j <= i; j++) {
            starpu_matrix_data_register(&handle[i][j], STARPU_MAIN_RAM, (uintptr_t)tile[i][j], SIDE,
                                        SIDE, SIDE, sizeof(double));
        }
    }
}

static void unregister_tiles(void)
{
    for (int i = 0; i < TILES; i++) {
        for (int j = 0; j <= i; j++) {
            starpu_data_unregister(handle[i][j]);
        }
    }
}

int main(void)
{
    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.sched_policy = duet_starpu_policy();
    if (starpu_init(&conf) != 0) {
        return 77; // no worker to be had here
    }
    double worst = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        fill();
        register_tiles();
        factorise();
        unregister_tiles();
        worst = fmax(worst, residual());
    }
    starpu_shutdown();
    printf("%s\n", worst < 1e-9 * N ? "right" : "wrong");
    return worst < 1e-9 * N ? 0 : 1;
}
