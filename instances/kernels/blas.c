// SPDX-License-Identifier: Apache-2.0
// Finds BLAS and LAPACK by the names of their interfaces, which Debian's alternatives and others
// have for every flavour; or both in OpenBLAS itself, where libblas.so.3 is of another flavour than
// what it asks for (two that are installed side by side). All symbols are bound at once, so that a
// mixture is found here and not in a kernel.
#define _GNU_SOURCE // dladdr
#include "instances/kernels/blas.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where a function of `duet_blas_functions` is looked for: the first library of a pair, or the
// second.
typedef struct place {
    const char *name; // less the letter of its precision in front
    size_t offset;
    bool in_lapack;
} place;

#define PLACE(function, in_lapack)                                                                 \
    {                                                                                              \
#function "_", offsetof(duet_blas_functions, function), in_lapack                          \
    }
static const place places[] = {
    PLACE(gemm, false),  PLACE(syrk, false), PLACE(trsm, false),
    PLACE(potrf, true),  PLACE(getrf, true), PLACE(geqrt, true),
    PLACE(gemqrt, true), PLACE(tpqrt, true), PLACE(tpmqrt, true),
};

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

// A function from a library, into `to`, which is a pointer to a function. False where it has none.
static bool find_function(void *library, const char *name, void *to)
{
    void *symbol = dlsym(library, name);
    memcpy(to, &symbol, sizeof symbol); // what ISO C has no cast for
    return symbol != NULL;
}

static bool find_all(void *blas, void *lapack, char precision, duet_blas_functions *functions)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char name[16];
        snprintf(name, sizeof name, "%c%s", precision, places[i].name);
        if (!find_function(places[i].in_lapack ? lapack : blas, name,
                           (char *)functions + places[i].offset)) {
            return false;
        }
    }
    return true;
}

// Those that have threads of their own and were not told by the environment; and the OpenMP that a
// library is linked with, which may have been there before, and has the last word in some versions.
static void set_one_thread(void *library)
{
    static const char *const setters[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads",
                                          "omp_set_num_threads"};
    for (size_t i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        void (*set)(int) = NULL;
        if (find_function(library, setters[i], &set)) {
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
    if (!find_function(library, "openblas_get_config", &get_config) ||
        !find_function(library, "openblas_get_corename", &get_core)) {
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

// Both libraries of a pair; false with the loader's words in `why` where that fails.
static bool open_pair(const pair *names, duet_blas *blas, char *why, size_t size)
{
    void *first = dlopen(names->blas, RTLD_NOW | RTLD_LOCAL);
    void *second = first == NULL ? NULL : dlopen(names->lapack, RTLD_NOW | RTLD_LOCAL);
    bool found = second != NULL && find_all(first, second, 's', &blas->single) &&
                 find_all(first, second, 'd', &blas->precise);
    if (!found) {
        const char *words = dlerror();
        snprintf(why, size, "%s", words == NULL ? "no reason is known" : words);
        return false;
    }
    set_one_thread(first);
    set_one_thread(second);
    name_libraries(first, second, blas->name, sizeof blas->name);
    return true;
}

duet_code duet_blas_open(duet_blas *blas, duet_error *error)
{
    char why[2][160];
    ask_for_one_thread();
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        *blas = (duet_blas){0};
        if (open_pair(&pairs[i], blas, why[i], sizeof why[i])) {
            return DUET_OK;
        }
    }
    *blas = (duet_blas){0};
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "no BLAS and LAPACK can be opened (%s; %s): expected libblas.so.3 and "
                          "liblapack.so.3, which Debian's libopenblas0-serial brings",
                          why[0], why[1]);
}
