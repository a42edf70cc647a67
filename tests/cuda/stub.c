// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime, cuBLAS, cuSOLVER and NVML as `duet measure` needs them, without a GPU: device
// memory is host memory, kernels do nothing, and events tell times that a test has chosen. Built by
// the tests alone, under the names of the libraries it stands in for.
//
// The environment: DUET_STUB_CALLS, a file that gets a line per call; DUET_STUB_TIMES, a file with
// lines "potrf 0.9 1.1 ...", milliseconds of the runs of a kernel (or `copy`) in turns;
// DUET_STUB_FAIL, a function that gives 2 instead; DUET_STUB_DEVICES (1); DUET_STUB_INFO (0), what
// factorisations leave as info.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 256, KERNELS = 8, RUNS = 64 };

typedef struct block {
    char *memory;
    size_t bytes;
} block;

typedef struct recorded {
    char name[16];
    float times[RUNS];
    int count;
    int next;
} recorded;

static block blocks[BLOCKS];
static recorded records[KERNELS];
static int record_count;
static const char *last = "nothing";
static int device;

static void say(const char *words)
{
    const char *path = getenv("DUET_STUB_CALLS");
    FILE *file = path == NULL ? NULL : fopen(path, "a");
    if (file != NULL) {
        fprintf(file, "%s\n", words);
        fclose(file);
    }
}

static bool fails(const char *function)
{
    const char *chosen = getenv("DUET_STUB_FAIL");
    return chosen != NULL && strcmp(chosen, function) == 0;
}

static int number(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : atoi(text);
}

// Whether the bytes are within one block of the device, or what a fault it would be.
static void within(const void *memory, size_t bytes, const char *what)
{
    const char *at = memory;
    for (int i = 0; i < BLOCKS; i++) {
        if (blocks[i].memory != NULL && at >= blocks[i].memory &&
            at + bytes <= blocks[i].memory + blocks[i].bytes) {
            return;
        }
    }
    char words[80];
    snprintf(words, sizeof words, "FAULT %s: %zu bytes that are not on the device", what, bytes);
    say(words);
}

static void read_times(void)
{
    const char *path = getenv("DUET_STUB_TIMES");
    FILE *file = path == NULL || record_count > 0 ? NULL : fopen(path, "r");
    char line[1024];
    while (file != NULL && record_count < KERNELS && fgets(line, sizeof line, file) != NULL) {
        recorded *record = &records[record_count++];
        char *word = strtok(line, " \n");
        snprintf(record->name, sizeof record->name, "%s", word == NULL ? "" : word);
        while ((word = strtok(NULL, " \n")) != NULL && record->count < RUNS) {
            record->times[record->count++] = strtof(word, NULL);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static float next_time(void)
{
    read_times();
    for (int i = 0; i < record_count; i++) {
        recorded *record = &records[i];
        if (strcmp(record->name, last) == 0 && record->count > 0) {
            return record->times[record->next++ % record->count];
        }
    }
    return 0.5F;
}

// ---- the runtime

int cudaGetDeviceCount(int *count)
{
    *count = number("DUET_STUB_DEVICES", 1);
    return fails("cudaGetDeviceCount") ? 2 : 0;
}

int cudaSetDevice(int chosen)
{
    device = chosen;
    return fails("cudaSetDevice") ? 2 : 0;
}

static int take(void **memory, size_t bytes)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (blocks[i].memory == NULL) {
            blocks[i] = (block){malloc(bytes), bytes};
            *memory = blocks[i].memory;
            return 0;
        }
    }
    return 2;
}

static int give_back(void *memory)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (blocks[i].memory == memory && memory != NULL) {
            free(memory);
            blocks[i] = (block){NULL, 0};
            return 0;
        }
    }
    say("FAULT something is freed that is not there");
    return 1;
}

int cudaMalloc(void **memory, size_t bytes)
{
    return fails("cudaMalloc") ? 2 : take(memory, bytes);
}

int cudaFree(void *memory)
{
    return give_back(memory);
}

int cudaMallocHost(void **memory, size_t bytes)
{
    return fails("cudaMallocHost") ? 2 : take(memory, bytes);
}

int cudaFreeHost(void *memory)
{
    return give_back(memory);
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    static const char *const kinds[] = {"", "to device", "to host", "on device"};
    char words[80];
    if (kind == 1 || kind == 3) {
        within(to, bytes, "cudaMemcpy");
    }
    if (kind == 2 || kind == 3) {
        within(from, bytes, "cudaMemcpy");
    }
    snprintf(words, sizeof words, "copy %zu %s", bytes, kinds[kind & 3]);
    say(words);
    last = "copy";
    memcpy(to, from, bytes);
    return fails("cudaMemcpy") ? 2 : 0;
}

int cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    char words[80];
    within(to, bytes, "cudaMemcpyPeer");
    within(from, bytes, "cudaMemcpyPeer");
    snprintf(words, sizeof words, "peer %zu from %d to %d on %d", bytes, from_device, to_device,
             device);
    say(words);
    last = "peer";
    memcpy(to, from, bytes);
    return fails("cudaMemcpyPeer") ? 2 : 0;
}

int cudaDeviceSynchronize(void)
{
    return fails("cudaDeviceSynchronize") ? 2 : 0;
}

int cudaEventCreate(void **event)
{
    return fails("cudaEventCreate") ? 2 : take(event, 1);
}

int cudaEventRecord(void *event, void *stream)
{
    (void)event;
    (void)stream;
    return fails("cudaEventRecord") ? 2 : 0;
}

int cudaEventSynchronize(void *event)
{
    (void)event;
    return fails("cudaEventSynchronize") ? 2 : 0;
}

int cudaEventElapsedTime(float *milliseconds, void *from, void *to)
{
    (void)from;
    (void)to;
    *milliseconds = next_time();
    return fails("cudaEventElapsedTime") ? 2 : 0;
}

int cudaEventDestroy(void *event)
{
    return give_back(event);
}

const char *cudaGetErrorString(int status)
{
    return status == 2 ? "out of memory" : "some error";
}

int cudaRuntimeGetVersion(int *version)
{
    *version = 12040;
    return fails("cudaRuntimeGetVersion") ? 2 : 0;
}

int cudaDeviceGetPCIBusId(char *text, int size, int which)
{
    (void)which;
    snprintf(text, (size_t)size, "0000:17:00.0");
    return 0;
}

// ---- cuBLAS and cuSOLVER

static int create(void **handle, const char *function)
{
    return fails(function) ? 1 : take(handle, 1);
}

int cublasCreate_v2(void **handle)
{
    return create(handle, "cublasCreate_v2");
}

int cublasDestroy_v2(void *handle)
{
    return give_back(handle);
}

int cublasGetVersion_v2(void *handle, int *version)
{
    (void)handle;
    *version = 120405;
    return 0;
}

int cusolverDnCreate(void **handle)
{
    return create(handle, "cusolverDnCreate");
}

int cusolverDnDestroy(void *handle)
{
    return give_back(handle);
}

// A tile of a side, with the leading dimension that belongs to it.
static void tile(const void *memory, int side, int leading, size_t size, const char *what)
{
    within(memory, (size_t)side * (size_t)side * size, what);
    if (leading != side) {
        say("FAULT a leading dimension");
    }
}

static double scalar(const void *value, bool single)
{
    float small = 0;
    double large = 0;
    memcpy(single ? (void *)&small : (void *)&large, value, single ? sizeof small : sizeof large);
    return single ? (double)small : large;
}

static int gemm(const char *name, bool single, const int *flags, int m, int n, int k,
                const void *alpha, const void *a, int lda, const void *b, int ldb, const void *beta,
                void *c, int ldc)
{
    size_t size = single ? sizeof(float) : sizeof(double);
    char words[120];
    snprintf(words, sizeof words, "%s %d %d, %d %d %d, %g %g", name, flags[0], flags[1], m, n, k,
             scalar(alpha, single), scalar(beta, single));
    say(words);
    tile(a, m, lda, size, name);
    tile(b, m, ldb, size, name);
    tile(c, m, ldc, size, name);
    last = "gemm";
    return fails(name) ? 13 : 0;
}

static int syrk(const char *name, bool single, const int *flags, int n, int k, const void *alpha,
                const void *a, int lda, const void *beta, void *c, int ldc)
{
    size_t size = single ? sizeof(float) : sizeof(double);
    char words[120];
    snprintf(words, sizeof words, "%s %d %d, %d %d, %g %g", name, flags[0], flags[1], n, k,
             scalar(alpha, single), scalar(beta, single));
    say(words);
    tile(a, n, lda, size, name);
    tile(c, n, ldc, size, name);
    last = "syrk";
    return fails(name) ? 13 : 0;
}

static int trsm(const char *name, bool single, const int *flags, int m, int n, const void *alpha,
                const void *a, int lda, void *b, int ldb)
{
    size_t size = single ? sizeof(float) : sizeof(double);
    char words[120];
    snprintf(words, sizeof words, "%s %d %d %d %d, %d %d, %g", name, flags[0], flags[1], flags[2],
             flags[3], m, n, scalar(alpha, single));
    say(words);
    tile(a, m, lda, size, name);
    tile(b, m, ldb, size, name);
    last = "trsm";
    return fails(name) ? 13 : 0;
}

static int factorise(const char *name, const char *kernel, bool single, int n, void *a, int lda,
                     void *work, int count, int *pivots, int *info)
{
    size_t size = single ? sizeof(float) : sizeof(double);
    char words[120];
    snprintf(words, sizeof words, "%s %d", name, n);
    say(words);
    tile(a, n, lda, size, name);
    within(work, (size_t)count * size, name);
    if (pivots != NULL) {
        within(pivots, (size_t)n * sizeof *pivots, name);
    }
    within(info, sizeof *info, name);
    *info = number("DUET_STUB_INFO", 0);
    last = kernel;
    return fails(name) ? 7 : 0;
}

static int buffer(const char *function, int n, int *count)
{
    *count = 2 * n;
    return fails(function) ? 7 : 0;
}

#define PRECISION(letter, single)                                                                  \
    int cublas##letter##gemm_v2(void *handle, int left, int right, int m, int n, int k,            \
                                const void *alpha, const void *a, int lda, const void *b, int ldb, \
                                const void *beta, void *c, int ldc)                                \
    {                                                                                              \
        (void)handle;                                                                              \
        return gemm("cublas" #letter "gemm", single, (int[]){left, right}, m, n, k, alpha, a, lda, \
                    b, ldb, beta, c, ldc);                                                         \
    }                                                                                              \
    int cublas##letter##syrk_v2(void *handle, int triangle, int operation, int n, int k,           \
                                const void *alpha, const void *a, int lda, const void *beta,       \
                                void *c, int ldc)                                                  \
    {                                                                                              \
        (void)handle;                                                                              \
        return syrk("cublas" #letter "syrk", single, (int[]){triangle, operation}, n, k, alpha, a, \
                    lda, beta, c, ldc);                                                            \
    }                                                                                              \
    int cublas##letter##trsm_v2(void *handle, int side, int triangle, int operation, int diagonal, \
                                int m, int n, const void *alpha, const void *a, int lda, void *b,  \
                                int ldb)                                                           \
    {                                                                                              \
        (void)handle;                                                                              \
        return trsm("cublas" #letter "trsm", single, (int[]){side, triangle, operation, diagonal}, \
                    m, n, alpha, a, lda, b, ldb);                                                  \
    }                                                                                              \
    int cusolverDn##letter##potrf_bufferSize(void *handle, int triangle, int n, void *a, int lda,  \
                                             int *count)                                           \
    {                                                                                              \
        (void)handle, (void)triangle, (void)a, (void)lda;                                          \
        return buffer("cusolverDn" #letter "potrf_bufferSize", n, count);                          \
    }                                                                                              \
    int cusolverDn##letter##potrf(void *handle, int triangle, int n, void *a, int lda, void *work, \
                                  int count, int *info)                                            \
    {                                                                                              \
        (void)handle, (void)triangle;                                                              \
        return factorise("cusolverDn" #letter "potrf", "potrf", single, n, a, lda, work, count,    \
                         NULL, info);                                                              \
    }                                                                                              \
    int cusolverDn##letter##getrf_bufferSize(void *handle, int m, int n, void *a, int lda,         \
                                             int *count)                                           \
    {                                                                                              \
        (void)handle, (void)m, (void)a, (void)lda;                                                 \
        return buffer("cusolverDn" #letter "getrf_bufferSize", n, count);                          \
    }                                                                                              \
    int cusolverDn##letter##getrf(void *handle, int m, int n, void *a, int lda, void *work,        \
                                  int *pivots, int *info)                                          \
    {                                                                                              \
        (void)handle, (void)m;                                                                     \
        return factorise("cusolverDn" #letter "getrf", "getrf", single, n, a, lda, work, 2 * n,    \
                         pivots, info);                                                            \
    }
PRECISION(S, true)
PRECISION(D, false)

// ---- NVML

int nvmlInit_v2(void)
{
    return fails("nvmlInit_v2") ? 9 : 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **handle)
{
    *handle = blocks;
    return strcmp(bus, "0000:17:00.0") == 0 ? 0 : 2;
}

int nvmlDeviceGetName(void *handle, char *name, unsigned size)
{
    (void)handle;
    snprintf(name, size, "Stub GPU");
    return fails("nvmlDeviceGetName") ? 9 : 0;
}

int nvmlDeviceGetClockInfo(void *handle, int which, unsigned *mhz)
{
    (void)handle;
    *mhz = which == 1 ? 1980 : 3201;
    return fails("nvmlDeviceGetClockInfo") ? 9 : 0;
}

__attribute__((destructor)) static void end(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (blocks[i].memory != NULL) {
            say("FAULT something is not given back");
        }
    }
}
