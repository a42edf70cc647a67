// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime, cuBLAS and cuSOLVER, found when they are needed, and NVML, which may be missing:
// the few C functions of theirs that `duet measure` calls, declared here. Nothing is linked with
// them, and none has to be there when Duet is built.
#ifndef DUET_INSTANCES_KERNELS_CUDA_H
#define DUET_INSTANCES_KERNELS_CUDA_H

#include <stdbool.h>
#include <stddef.h>

#include <duet/error.h>

// Numbers that the libraries' enumerations have had since CUDA 4; a status of 0 is success.
enum {
    DUET_CUDA_TO_DEVICE = 1, // cudaMemcpyKind
    DUET_CUDA_TO_HOST = 2,
    DUET_CUDA_ON_DEVICE = 3,
    DUET_CUDA_PLAIN = 0, // cublasOperation_t
    DUET_CUDA_TRANSPOSED = 1,
    DUET_CUDA_LOWER = 0, // cublasFillMode_t
    DUET_CUDA_UPPER = 1,
    DUET_CUDA_LEFT = 0, // cublasSideMode_t
    DUET_CUDA_RIGHT = 1,
    DUET_CUDA_NON_UNIT = 0, // cublasDiagType_t
    DUET_CUDA_UNIT = 1,
    DUET_CUDA_NAME = 96
};

// Streams and events are pointers that nobody looks into; the stream NULL is the default one.
typedef struct duet_cuda_runtime {
    int (*count_devices)(int *count);
    int (*set_device)(int device);
    int (*allocate)(void **memory, size_t bytes);
    int (*release)(void *memory);
    int (*allocate_host)(void **memory, size_t bytes);
    int (*release_host)(void *memory);
    int (*copy)(void *to, const void *from, size_t bytes, int kind);
    int (*copy_peer)(void *to, int to_device, const void *from, int from_device, size_t bytes);
    int (*wait)(void);
    int (*create_event)(void **event);
    int (*record_event)(void *event, void *stream);
    int (*wait_for_event)(void *event);
    int (*elapsed)(float *milliseconds, void *from, void *to);
    int (*destroy_event)(void *event);
    const char *(*describe)(int status);
    int (*version)(int *version);
    int (*bus_id)(char *text, int size, int device);
} duet_cuda_runtime;

// Of one precision: a `const void *` is a number on the host or a matrix on the device.
typedef struct duet_cuda_blas {
    int (*gemm)(void *handle, int left, int right, int m, int n, int k, const void *alpha,
                const void *a, int lda, const void *b, int ldb, const void *beta, void *c, int ldc);
    int (*syrk)(void *handle, int triangle, int operation, int n, int k, const void *alpha,
                const void *a, int lda, const void *beta, void *c, int ldc);
    int (*trsm)(void *handle, int side, int triangle, int operation, int diagonal, int m, int n,
                const void *alpha, const void *a, int lda, void *b, int ldb);
} duet_cuda_blas;

typedef struct duet_cuda_solver {
    int (*potrf_buffer)(void *handle, int triangle, int n, void *a, int lda, int *count);
    int (*potrf)(void *handle, int triangle, int n, void *a, int lda, void *work, int count,
                 int *info);
    int (*getrf_buffer)(void *handle, int m, int n, void *a, int lda, int *count);
    int (*getrf)(void *handle, int m, int n, void *a, int lda, void *work, int *pivots, int *info);
} duet_cuda_solver;

typedef struct duet_cuda {
    duet_cuda_runtime runtime;
    duet_cuda_blas blas[2]; // single, double
    duet_cuda_solver solver[2];
    void *blas_handle;
    void *solver_handle;
    void *management; // NVML, NULL where it is not there
    int devices;
    char name[DUET_CUDA_NAME];    // of the first device, "GPU" where nobody knows it
    char library[DUET_CUDA_NAME]; // "CUDA 12.4, cuBLAS 12.4.5"
} duet_cuda;

// Opens the libraries and the first device. DUET_E_UNSUPPORTED, in the words of the system's loader
// or of CUDA, where it finds none. Closed by duet_cuda_close(), also after a failure.
duet_code duet_cuda_open(duet_cuda *cuda, duet_error *error);
void duet_cuda_close(duet_cuda *cuda);

// DUET_E_UNSUPPORTED with the runtime's words unless `status` is 0.
duet_code duet_cuda_check(const duet_cuda *cuda, int status, const char *what, duet_error *error);

// The clocks of the first device's processors and of its memory at this instant, in MHz. False
// where NVML is missing or does not tell.
bool duet_cuda_clocks(const duet_cuda *cuda, unsigned *processors, unsigned *memory);

#endif
