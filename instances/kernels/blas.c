// SPDX-License-Identifier: Apache-2.0
// Finds BLAS and LAPACK by the names of their interfaces, which Debian's alternatives and others
// have for every flavour; or both in OpenBLAS itself, where libblas.so.3 is of another flavour than
// what it asks for (two that are installed side by side).
#define _GNU_SOURCE // dladdr
#include "instances/kernels/blas.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system/loader.h"

// Functions by their names less the letter of their precision in front and "_" behind.
#define SYMBOL(function)                                                                           \
    {                                                                                              \
#function, offsetof(duet_blas_functions, function)                                         \
    }
static const duet_loader_symbol of_blas[] = {SYMBOL(gemm), SYMBOL(syrk), SYMBOL(trsm)};
static const duet_loader_symbol of_lapack[] = {SYMBOL(potrf),  SYMBOL(getrf), SYMBOL(geqrt),
                                               SYMBOL(gemqrt), SYMBOL(tpqrt), SYMBOL(tpmqrt)};

typedef struct pair {
    const char *blas;
    const char *lapack;
} pair;

static const pair pairs[] = {
    {"libblas.so.3", "liblapack.so.3"},
    {"libopenblas.so.0", "libopenblas.so.0"},
};

// Read by the libraries when they are loaded: Duet's own threads would fight with theirs.
static void ask_for_one_thread(void)
{
    static const char *const variables[] = {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                                            "MKL_NUM_THREADS", "OMP_NUM_THREADS"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        setenv(variables[i], "1", 1);
    }
}

static bool find_all(void *blas, void *lapack, const char *precision,
                     duet_blas_functions *functions, duet_loader_fault *fault)
{
    const duet_loader_symbols first = {precision, "_", of_blas, sizeof of_blas / sizeof *of_blas};
    const duet_loader_symbols second = {precision, "_", of_lapack,
                                        sizeof of_lapack / sizeof *of_lapack};
    return duet_loader_find_all(blas, &first, functions, fault) &&
           duet_loader_find_all(lapack, &second, functions, fault);
}

// Those that have threads of their own and were not told by the environment; and the OpenMP that a
// library is linked with, which may have been there before, and has the last word in some versions.
static void set_one_thread(void *library)
{
    static const char *const setters[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads",
                                          "omp_set_num_threads"};
    for (size_t i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        void (*set)(int) = NULL;
        if (duet_loader_find(library, setters[i], &set)) {
            set(1);
        }
    }
}

// The file that a function is in, as the loader names it; "" where it does not know.
static const char *file_of(void *library, const char *function)
{
    Dl_info info;
    void *symbol = dlsym(library, function);
    return symbol != NULL && dladdr(symbol, &info) != 0 && info.dli_fname != NULL ? info.dli_fname
                                                                                  : "";
}

// OpenBLAS's configuration begins with name and version ("OpenBLAS 0.3.21 NO_LAPACKE ...").
static bool name_openblas(void *library, char *buffer, size_t size)
{
    char *(*get_config)(void) = NULL;
    char *(*get_core)(void) = NULL;
    char version[32] = "";
    if (!duet_loader_find(library, "openblas_get_config", &get_config) ||
        !duet_loader_find(library, "openblas_get_corename", &get_core)) {
        return false;
    }
    const char *config = get_config();
    const char *core = get_core();
    int found = config == NULL ? 0 : sscanf(config, "OpenBLAS %31[0-9.a-z]", version);
    snprintf(buffer, size, "OpenBLAS%s%s%s%s", found == 1 ? " " : "", version,
             core == NULL ? "" : ", ", core == NULL ? "" : core);
    return true;
}

static void name_libraries(void *blas, void *lapack, char *buffer, size_t size)
{
    char first[DUET_BLAS_NAME / 2];
    bool is_openblas = name_openblas(blas, first, sizeof first);
    if (is_openblas && name_openblas(lapack, buffer, size)) {
        return;
    }
    if (!is_openblas) {
        snprintf(first, sizeof first, "BLAS %s", file_of(blas, "dgemm_"));
    }
    snprintf(buffer, size, "%s, LAPACK %s", first, file_of(lapack, "dpotrf_"));
    for (char *letter = buffer; *letter != '\0'; letter++) {
        if (*letter < ' ' || *letter > '~') {
            *letter = '?'; // it goes into one line of a table
        }
    }
}

// Both libraries of a pair; false, and *fault says why, where that fails.
static bool open_pair(const pair *names, duet_blas *blas, duet_loader_fault *fault)
{
    void *first = duet_loader_open(names->blas, fault);
    void *second = first == NULL ? NULL : duet_loader_open(names->lapack, fault);
    if (second == NULL || !find_all(first, second, "s", &blas->single, fault) ||
        !find_all(first, second, "d", &blas->precise, fault)) {
        return false;
    }
    set_one_thread(first);
    set_one_thread(second);
    name_libraries(first, second, blas->name, sizeof blas->name);
    return true;
}

duet_code duet_blas_open(duet_blas *blas, duet_error *error)
{
    duet_loader_fault fault[sizeof pairs / sizeof pairs[0]];
    ask_for_one_thread();
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        *blas = (duet_blas){0};
        if (open_pair(&pairs[i], blas, &fault[i])) {
            return DUET_OK;
        }
    }
    *blas = (duet_blas){0};
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "no BLAS and LAPACK can be opened (%s; %s): expected libblas.so.3 and "
                          "liblapack.so.3, which Debian's libopenblas0-serial brings",
                          fault[0].text, fault[1].text);
}
