// SPDX-License-Identifier: Apache-2.0
#include "instances/kernels/gpu.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/kernels/measure.h"

static const float one_float = 1;
static const float minus_float = -1;
static const double one_double = 1;
static const double minus_double = -1;

// A kernel or a copy, made ready on the device.
typedef struct device_run {
    const duet_cuda *cuda;
    bool single;
    int tile;
    size_t bytes;                // of a tile
    void *tiles[DUET_RUN_TILES]; // on the device; NULL where the kernel has fewer
    void *clean[DUET_RUN_TILES]; // what is put back before a run, or NULL
    void *work;                  // of cuSOLVER
    int work_count;
    int *pivots;
    int *info;
    void *events[2];
    int (*once)(struct device_run *run); // a status of CUDA
    // Copies only.
    void *from;
    void *to;
    int kind;
} device_run;

static const void *one(const device_run *run)
{
    return run->single ? (const void *)&one_float : (const void *)&one_double;
}

static const void *minus_one(const device_run *run)
{
    return run->single ? (const void *)&minus_float : (const void *)&minus_double;
}

static const duet_cuda_blas *blas_of(const device_run *run)
{
    return &run->cuda->blas[run->single ? 0 : 1];
}

static const duet_cuda_solver *solver_of(const device_run *run)
{
    return &run->cuda->solver[run->single ? 0 : 1];
}

static int run_potrf(device_run *run)
{
    return solver_of(run)->potrf(run->cuda->solver_handle, DUET_CUDA_LOWER, run->tile,
                                 run->tiles[0], run->tile, run->work, run->work_count, run->info);
}

static int run_getrf(device_run *run)
{
    return solver_of(run)->getrf(run->cuda->solver_handle, run->tile, run->tile, run->tiles[0],
                                 run->tile, run->work, run->pivots, run->info);
}

static int run_syrk(device_run *run)
{
    return blas_of(run)->syrk(run->cuda->blas_handle, DUET_CUDA_LOWER, DUET_CUDA_PLAIN, run->tile,
                              run->tile, minus_one(run), run->tiles[0], run->tile, one(run),
                              run->tiles[1], run->tile);
}

static int run_trsm(device_run *run, int side, int triangle, int operation, int diagonal)
{
    return blas_of(run)->trsm(run->cuda->blas_handle, side, triangle, operation, diagonal,
                              run->tile, run->tile, one(run), run->tiles[0], run->tile,
                              run->tiles[1], run->tile);
}

static int run_trsm_cholesky(device_run *run)
{
    return run_trsm(run, DUET_CUDA_RIGHT, DUET_CUDA_LOWER, DUET_CUDA_TRANSPOSED,
                    DUET_CUDA_NON_UNIT);
}

static int run_trsm_left_lower(device_run *run)
{
    return run_trsm(run, DUET_CUDA_LEFT, DUET_CUDA_LOWER, DUET_CUDA_PLAIN, DUET_CUDA_UNIT);
}

static int run_trsm_right_upper(device_run *run)
{
    return run_trsm(run, DUET_CUDA_RIGHT, DUET_CUDA_UPPER, DUET_CUDA_PLAIN, DUET_CUDA_NON_UNIT);
}

static int run_gemm(device_run *run, int right)
{
    return blas_of(run)->gemm(run->cuda->blas_handle, DUET_CUDA_PLAIN, right, run->tile, run->tile,
                              run->tile, minus_one(run), run->tiles[0], run->tile, run->tiles[1],
                              run->tile, one(run), run->tiles[2], run->tile);
}

static int run_gemm_cholesky(device_run *run)
{
    return run_gemm(run, DUET_CUDA_TRANSPOSED);
}

static int run_gemm_lu(device_run *run)
{
    return run_gemm(run, DUET_CUDA_PLAIN);
}

static const struct {
    duet_factorisation_id factorisation;
    const char *kernel;
    int (*once)(device_run *run);
} device_kernels[] = {
    {DUET_CHOLESKY, "potrf", run_potrf},
    {DUET_CHOLESKY, "trsm", run_trsm_cholesky},
    {DUET_CHOLESKY, "syrk", run_syrk},
    {DUET_CHOLESKY, "gemm", run_gemm_cholesky},
    {DUET_LU, "getrf", run_getrf},
    {DUET_LU, "trsm-ll", run_trsm_left_lower},
    {DUET_LU, "trsm-ru", run_trsm_right_upper},
    {DUET_LU, "gemm", run_gemm_lu},
};

static int (*find_kernel(const duet_factorisation *factorisation, int kernel))(device_run *)
{
    for (size_t i = 0; i < sizeof device_kernels / sizeof *device_kernels; i++) {
        if (device_kernels[i].factorisation == factorisation->id &&
            strcmp(device_kernels[i].kernel, factorisation->kernels[kernel].name) == 0) {
            return device_kernels[i].once;
        }
    }
    return NULL;
}

bool duet_gpu_has(const duet_factorisation *factorisation, int kernel)
{
    return find_kernel(factorisation, kernel) != NULL;
}

static duet_code allocate(const device_run *run, void **memory, size_t bytes, duet_error *error)
{
    return duet_cuda_check(run->cuda, run->cuda->runtime.allocate(memory, bytes), "cudaMalloc",
                           error);
}

static duet_code copy(const device_run *run, void *to, const void *from, size_t bytes, int kind,
                      duet_error *error)
{
    return duet_cuda_check(run->cuda, run->cuda->runtime.copy(to, from, bytes, kind), "cudaMemcpy",
                           error);
}

static duet_code make_events(device_run *run, duet_error *error)
{
    for (int i = 0; i < 2; i++) {
        DUET_TRY(duet_cuda_check(run->cuda, run->cuda->runtime.create_event(&run->events[i]),
                                 "cudaEventCreate", error));
    }
    return DUET_OK;
}

// The operands of the host's run, and those that it overwrites twice.
static duet_code copy_tiles(device_run *run, const duet_kernel_run *host, duet_error *error)
{
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        if (host->tiles[i] == NULL) {
            continue;
        }
        DUET_TRY(allocate(run, &run->tiles[i], run->bytes, error));
        DUET_TRY(copy(run, run->tiles[i], host->tiles[i], run->bytes, DUET_CUDA_TO_DEVICE, error));
        if (host->before[i] != NULL) {
            DUET_TRY(allocate(run, &run->clean[i], run->bytes, error));
            DUET_TRY(
                copy(run, run->clean[i], host->tiles[i], run->bytes, DUET_CUDA_TO_DEVICE, error));
        }
    }
    return DUET_OK;
}

// What cuSOLVER needs beside its matrix.
static duet_code make_workspace(device_run *run, duet_error *error)
{
    const duet_cuda_solver *solver = solver_of(run);
    void *handle = run->cuda->solver_handle;
    int b = run->tile;
    bool getrf = run->once == run_getrf;
    if (!getrf && run->once != run_potrf) {
        return DUET_OK;
    }
    int status = getrf ? solver->getrf_buffer(handle, b, b, run->tiles[0], b, &run->work_count)
                       : solver->potrf_buffer(handle, DUET_CUDA_LOWER, b, run->tiles[0], b,
                                              &run->work_count);
    if (status != 0 || run->work_count < 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED, "cuSOLVER's bufferSize gave %d", status);
    }
    void *info = NULL;
    void *pivots = NULL;
    size_t number = run->single ? sizeof(float) : sizeof(double);
    DUET_TRY(allocate(run, &run->work, (size_t)duet_max(run->work_count, 1) * number, error));
    DUET_TRY(allocate(run, &pivots, (size_t)b * sizeof *run->pivots, error));
    run->pivots = pivots;
    DUET_TRY(allocate(run, &info, sizeof *run->info, error));
    run->info = info;
    return DUET_OK;
}

static void free_run(device_run *run)
{
    const duet_cuda_runtime *runtime = &run->cuda->runtime;
    void *blocks[] = {run->work, run->pivots, run->info};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (blocks[i] != NULL) {
            runtime->release(blocks[i]);
        }
    }
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        if (run->tiles[i] != NULL) {
            runtime->release(run->tiles[i]);
        }
        if (run->clean[i] != NULL) {
            runtime->release(run->clean[i]);
        }
    }
    for (int i = 0; i < 2; i++) {
        if (run->events[i] != NULL) {
            runtime->destroy_event(run->events[i]);
        }
    }
}

// Milliseconds of CUDA's events in whole nanoseconds, at least 1; -1 for what is no time.
static int64_t to_ns(float milliseconds)
{
    const double ns_per_ms = 1e6;
    const double most = 1e15; // eleven days
    double ns = (double)milliseconds * ns_per_ms;
    return !(ns >= 0 && ns <= most) ? -1 : duet_max((int64_t)(ns + 0.5), 1);
}

static duet_code restore(const device_run *run, duet_error *error)
{
    for (int i = 0; i < DUET_RUN_TILES; i++) {
        if (run->clean[i] != NULL) {
            DUET_TRY(
                copy(run, run->tiles[i], run->clean[i], run->bytes, DUET_CUDA_ON_DEVICE, error));
        }
    }
    return duet_cuda_check(run->cuda, run->cuda->runtime.wait(), "cudaDeviceSynchronize", error);
}

static duet_code time_once(device_run *run, const char *name, int64_t *ns, duet_error *error)
{
    const duet_cuda_runtime *runtime = &run->cuda->runtime;
    float milliseconds = 0;
    DUET_TRY(restore(run, error));
    DUET_TRY(duet_cuda_check(run->cuda, runtime->record_event(run->events[0], NULL),
                             "cudaEventRecord", error));
    int status = run->once(run);
    if (status != 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED, "%s gave %d on the GPU", name, status);
    }
    DUET_TRY(duet_cuda_check(run->cuda, runtime->record_event(run->events[1], NULL),
                             "cudaEventRecord", error));
    DUET_TRY(duet_cuda_check(run->cuda, runtime->wait_for_event(run->events[1]),
                             "cudaEventSynchronize", error));
    DUET_TRY(duet_cuda_check(run->cuda,
                             runtime->elapsed(&milliseconds, run->events[0], run->events[1]),
                             "cudaEventElapsedTime", error));
    *ns = to_ns(milliseconds);
    return *ns >= 0 ? DUET_OK
                    : duet_error_set(error, DUET_E_UNSUPPORTED,
                                     "the GPU's events around %s are no time apart", name);
}

static duet_code time_all(device_run *run, const duet_measure_plan *plan, const char *name,
                          duet_measured *out, duet_error *error)
{
    int64_t *times = duet_alloc((size_t)plan->repeats, sizeof *times, error);
    DUET_NEED(times);
    duet_code code = DUET_OK;
    for (int i = -plan->warmup; i < plan->repeats && code == DUET_OK; i++) {
        code = time_once(run, name, &times[duet_max(i, 0)], error);
    }
    if (code == DUET_OK) {
        *out = duet_measure_summary(times, (size_t)plan->repeats);
    }
    duet_free(times);
    return code;
}

// The last factorisation went through to its end.
static duet_code check_info(const device_run *run, const char *name, duet_error *error)
{
    int info = 0;
    if (run->info == NULL) {
        return DUET_OK;
    }
    DUET_TRY(copy(run, &info, run->info, sizeof info, DUET_CUDA_TO_HOST, error));
    return info == 0 ? DUET_OK
                     : duet_error_set(error, DUET_E_UNSUPPORTED,
                                      "%s failed on the GPU: cuSOLVER gave info = %d", name, info);
}

duet_code duet_gpu_measure(const duet_cuda *cuda, const duet_measure_plan *plan,
                           const duet_factorisation *factorisation, int kernel, duet_measured *out,
                           duet_error *error)
{
    enum { SEED = 1 };
    static const duet_blas none = {.name = ""}; // no run on the host: its operands alone
    const char *name = factorisation->kernels[kernel].name;
    duet_kernel_run host;
    duet_code code = duet_kernel_run_prepare(&host, &none, factorisation, kernel, plan->single,
                                             plan->tile, plan->inner, SEED, error);
    device_run run = {.cuda = cuda,
                      .single = plan->single,
                      .tile = plan->tile,
                      .bytes = host.bytes,
                      .once = find_kernel(factorisation, kernel)};
    DUET_THEN(code, make_events(&run, error));
    DUET_THEN(code, copy_tiles(&run, &host, error));
    duet_kernel_run_free(&host);
    DUET_THEN(code, make_workspace(&run, error));
    DUET_THEN(code, time_all(&run, plan, name, out, error));
    DUET_THEN(code, check_info(&run, name, error));
    free_run(&run);
    return code;
}

static int run_copy(device_run *run)
{
    return run->cuda->runtime.copy(run->to, run->from, run->bytes, run->kind);
}

static int run_copy_peer(device_run *run)
{
    return run->cuda->runtime.copy_peer(run->to, 1, run->from, 0, run->bytes);
}

static duet_code time_host_copies(device_run *run, void *host, const duet_measure_plan *plan,
                                  duet_gpu_transfers *out, duet_error *error)
{
    run->once = run_copy;
    run->from = host;
    run->to = run->tiles[0];
    run->kind = DUET_CUDA_TO_DEVICE;
    DUET_TRY(time_all(run, plan, "cudaMemcpy", &out->to_gpu, error));
    run->from = run->tiles[0];
    run->to = host;
    run->kind = DUET_CUDA_TO_HOST;
    return time_all(run, plan, "cudaMemcpy", &out->to_host, error);
}

static duet_code time_peer_copies(device_run *run, const duet_measure_plan *plan,
                                  duet_gpu_transfers *out, duet_error *error)
{
    const duet_cuda_runtime *runtime = &run->cuda->runtime;
    void *other = NULL;
    duet_measured figures = {0};
    duet_code code = duet_cuda_check(run->cuda, runtime->set_device(1), "cudaSetDevice", error);
    DUET_THEN(code, allocate(run, &other, run->bytes, error));
    DUET_THEN(code, duet_cuda_check(run->cuda, runtime->set_device(0), "cudaSetDevice", error));
    run->once = run_copy_peer;
    run->from = run->tiles[0];
    run->to = other;
    DUET_THEN(code, time_all(run, plan, "cudaMemcpyPeer", &figures, error));
    out->between = figures.median;
    if (other != NULL) {
        runtime->release(other);
    }
    return code;
}

duet_code duet_gpu_measure_transfers(const duet_cuda *cuda, const duet_measure_plan *plan,
                                     size_t bytes, duet_gpu_transfers *out, duet_error *error)
{
    *out = (duet_gpu_transfers){0};
    void *host = NULL;
    device_run run = {.cuda = cuda, .bytes = bytes};
    duet_code code = make_events(&run, error);
    DUET_THEN(code, allocate(&run, &run.tiles[0], bytes, error));
    DUET_THEN(code, duet_cuda_check(cuda, cuda->runtime.allocate_host(&host, bytes),
                                    "cudaMallocHost", error));
    DUET_THEN(code, time_host_copies(&run, host, plan, out, error));
    if (cuda->devices > 1) {
        DUET_THEN(code, time_peer_copies(&run, plan, out, error));
    }
    if (host != NULL) {
        cuda->runtime.release_host(host);
    }
    free_run(&run);
    return code;
}
