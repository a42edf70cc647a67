// SPDX-License-Identifier: Apache-2.0
// Finds CUDA's libraries by the names that they have in CUDA 11 to 13. All calls of one process go
// to the first device that CUDA shows, which CUDA_VISIBLE_DEVICES chooses.
#include "instances/kernels/cuda.h"

#include <stdio.h>

#include "core/system/loader.h"
#include "core/system/try.h"

#define SYMBOL(type, name, field)                                                                  \
    {                                                                                              \
        name, offsetof(type, field)                                                                \
    }
static const duet_loader_symbol of_runtime[] = {
    SYMBOL(duet_cuda_runtime, "GetDeviceCount", count_devices),
    SYMBOL(duet_cuda_runtime, "SetDevice", set_device),
    SYMBOL(duet_cuda_runtime, "Malloc", allocate),
    SYMBOL(duet_cuda_runtime, "Free", release),
    SYMBOL(duet_cuda_runtime, "MallocHost", allocate_host),
    SYMBOL(duet_cuda_runtime, "FreeHost", release_host),
    SYMBOL(duet_cuda_runtime, "Memcpy", copy),
    SYMBOL(duet_cuda_runtime, "MemcpyPeer", copy_peer),
    SYMBOL(duet_cuda_runtime, "DeviceSynchronize", wait),
    SYMBOL(duet_cuda_runtime, "EventCreate", create_event),
    SYMBOL(duet_cuda_runtime, "EventRecord", record_event),
    SYMBOL(duet_cuda_runtime, "EventSynchronize", wait_for_event),
    SYMBOL(duet_cuda_runtime, "EventElapsedTime", elapsed),
    SYMBOL(duet_cuda_runtime, "EventDestroy", destroy_event),
    SYMBOL(duet_cuda_runtime, "GetErrorString", describe),
    SYMBOL(duet_cuda_runtime, "RuntimeGetVersion", version),
    SYMBOL(duet_cuda_runtime, "DeviceGetPCIBusId", bus_id),
};
static const duet_loader_symbol of_blas[] = {SYMBOL(duet_cuda_blas, "gemm", gemm),
                                             SYMBOL(duet_cuda_blas, "syrk", syrk),
                                             SYMBOL(duet_cuda_blas, "trsm", trsm)};
static const duet_loader_symbol of_solver[] = {
    SYMBOL(duet_cuda_solver, "potrf_bufferSize", potrf_buffer),
    SYMBOL(duet_cuda_solver, "potrf", potrf),
    SYMBOL(duet_cuda_solver, "getrf_bufferSize", getrf_buffer),
    SYMBOL(duet_cuda_solver, "getrf", getrf),
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { NAMES = 4 };

// Newest first; the last is what the packages for developers add.
static const char *const runtime_files[NAMES] = {"libcudart.so.13", "libcudart.so.12",
                                                 "libcudart.so.11.0", "libcudart.so"};
static const char *const blas_files[NAMES] = {"libcublas.so.13", "libcublas.so.12",
                                              "libcublas.so.11", "libcublas.so"};
static const char *const solver_files[NAMES] = {"libcusolver.so.12", "libcusolver.so.11",
                                                "libcusolver.so.10", "libcusolver.so"};
static const char management_file[] = "libnvidia-ml.so.1";

// The first of these files that can be opened. The fault is that of the first that is missing: the
// others are the same library in other versions.
static void *open_one(const char *const *files, duet_loader_fault *fault)
{
    void *library = duet_loader_open(files[0], fault);
    for (size_t i = 1; i < NAMES && library == NULL; i++) {
        duet_loader_fault ignored;
        library = duet_loader_open(files[i], &ignored);
    }
    return library;
}

static bool find_precision(void *blas, void *solver, size_t precision, duet_cuda *cuda,
                           duet_loader_fault *fault)
{
    static const char *const in_blas[] = {"cublasS", "cublasD"};
    static const char *const in_solver[] = {"cusolverDnS", "cusolverDnD"};
    const duet_loader_symbols first = {in_blas[precision], "_v2", of_blas, COUNT(of_blas)};
    const duet_loader_symbols second = {in_solver[precision], "", of_solver, COUNT(of_solver)};
    return duet_loader_find_all(blas, &first, &cuda->blas[precision], fault) &&
           duet_loader_find_all(solver, &second, &cuda->solver[precision], fault);
}

typedef struct libraries {
    void *runtime;
    void *blas;
    void *solver;
} libraries;

static bool open_libraries(libraries *files, duet_cuda *cuda, duet_loader_fault *fault)
{
    const duet_loader_symbols runtime = {"cuda", "", of_runtime, COUNT(of_runtime)};
    files->runtime = open_one(runtime_files, fault);
    if (files->runtime == NULL ||
        !duet_loader_find_all(files->runtime, &runtime, &cuda->runtime, fault)) {
        return false;
    }
    files->blas = open_one(blas_files, fault);
    files->solver = files->blas == NULL ? NULL : open_one(solver_files, fault);
    return files->solver != NULL && find_precision(files->blas, files->solver, 0, cuda, fault) &&
           find_precision(files->blas, files->solver, 1, cuda, fault);
}

duet_code duet_cuda_check(const duet_cuda *cuda, int status, const char *what, duet_error *error)
{
    if (status == 0) {
        return DUET_OK;
    }
    const char *words = cuda->runtime.describe(status);
    return duet_error_set(error, DUET_E_UNSUPPORTED, "%s gave %d (%.80s)", what, status,
                          words == NULL ? "no reason is known" : words);
}

static duet_code open_device(duet_cuda *cuda, duet_error *error)
{
    DUET_TRY(duet_cuda_check(cuda, cuda->runtime.count_devices(&cuda->devices),
                             "cudaGetDeviceCount", error));
    if (cuda->devices < 1) {
        return duet_error_set(error, DUET_E_UNSUPPORTED, "CUDA finds no device");
    }
    return duet_cuda_check(cuda, cuda->runtime.set_device(0), "cudaSetDevice", error);
}

// A handle of cuBLAS or cuSOLVER, whose statuses the runtime has no words for.
static duet_code create(void *library, const char *function, void **handle, duet_error *error)
{
    int (*make)(void **) = NULL;
    int status = duet_loader_find(library, function, &make) ? make(handle) : -1;
    if (status == 0) {
        return DUET_OK;
    }
    *handle = NULL;
    return duet_error_set(error, DUET_E_UNSUPPORTED, "%s gave %d", function, status);
}

static void name_libraries(void *blas, duet_cuda *cuda)
{
    enum { MAJOR = 1000, MINOR = 10, BLAS_MAJOR = 10000, BLAS_MINOR = 100 };
    int (*blas_version)(void *, int *) = NULL;
    int runtime = 0;
    int version = 0;
    if (cuda->runtime.version(&runtime) != 0 ||
        !duet_loader_find(blas, "cublasGetVersion_v2", &blas_version) ||
        blas_version(cuda->blas_handle, &version) != 0) {
        snprintf(cuda->library, sizeof cuda->library, "CUDA");
        return;
    }
    snprintf(cuda->library, sizeof cuda->library, "CUDA %d.%d, cuBLAS %d.%d.%d", runtime / MAJOR,
             runtime % MAJOR / MINOR, version / BLAS_MAJOR, version % BLAS_MAJOR / BLAS_MINOR,
             version % BLAS_MINOR);
}

// The device as NVML knows it. The order of devices is not CUDA's: they meet by the bus.
static bool find_device(const duet_cuda *cuda, void **device)
{
    char bus[64] = "";
    int (*by_bus)(const char *, void **) = NULL;
    return cuda->management != NULL && cuda->runtime.bus_id(bus, sizeof bus, 0) == 0 &&
           duet_loader_find(cuda->management, "nvmlDeviceGetHandleByPciBusId_v2", &by_bus) &&
           by_bus(bus, device) == 0;
}

static void open_management(duet_cuda *cuda)
{
    duet_loader_fault ignored;
    int (*start)(void) = NULL;
    int (*get_name)(void *, char *, unsigned) = NULL;
    void *device = NULL;
    void *library = duet_loader_open(management_file, &ignored);
    snprintf(cuda->name, sizeof cuda->name, "GPU");
    if (library == NULL || !duet_loader_find(library, "nvmlInit_v2", &start) || start() != 0) {
        return;
    }
    cuda->management = library;
    if (!find_device(cuda, &device) || !duet_loader_find(library, "nvmlDeviceGetName", &get_name) ||
        get_name(device, cuda->name, sizeof cuda->name) != 0) {
        snprintf(cuda->name, sizeof cuda->name, "GPU");
    }
    for (char *letter = cuda->name; *letter != '\0'; letter++) {
        if (*letter < ' ' || *letter > '~') {
            *letter = '?'; // it goes into one line of a table
        }
    }
}

bool duet_cuda_clocks(const duet_cuda *cuda, unsigned *processors, unsigned *memory)
{
    enum { OF_PROCESSORS = 1, OF_MEMORY = 2 };
    int (*get_clock)(void *, int, unsigned *) = NULL;
    void *device = NULL;
    return find_device(cuda, &device) &&
           duet_loader_find(cuda->management, "nvmlDeviceGetClockInfo", &get_clock) &&
           get_clock(device, OF_PROCESSORS, processors) == 0 &&
           get_clock(device, OF_MEMORY, memory) == 0;
}

duet_code duet_cuda_open(duet_cuda *cuda, duet_error *error)
{
    *cuda = (duet_cuda){0};
    libraries files;
    duet_loader_fault fault;
    if (!open_libraries(&files, cuda, &fault)) {
        return duet_error_set(error, DUET_E_UNSUPPORTED, "%s", fault.text);
    }
    DUET_TRY(open_device(cuda, error));
    DUET_TRY(create(files.blas, "cublasCreate_v2", &cuda->blas_handle, error));
    DUET_TRY(create(files.solver, "cusolverDnCreate", &cuda->solver_handle, error));
    name_libraries(files.blas, cuda);
    open_management(cuda);
    return DUET_OK;
}

static void destroy(const char *const *files, const char *function, void *handle)
{
    duet_loader_fault ignored;
    int (*end)(void *) = NULL;
    void *library = handle == NULL ? NULL : open_one(files, &ignored);
    if (library != NULL && duet_loader_find(library, function, &end)) {
        end(handle);
    }
}

void duet_cuda_close(duet_cuda *cuda)
{
    destroy(solver_files, "cusolverDnDestroy", cuda->solver_handle);
    destroy(blas_files, "cublasDestroy_v2", cuda->blas_handle);
    *cuda = (duet_cuda){0};
}
