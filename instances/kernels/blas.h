// SPDX-License-Identifier: Apache-2.0
// BLAS and LAPACK, found when they are needed: whichever flavour of libblas.so.3 and liblapack.so.3
// the system names, with one thread. Nothing is linked with them, so that no other command depends
// on what is there, and none has to be there when Duet is built.
#ifndef DUET_INSTANCES_KERNELS_BLAS_H
#define DUET_INSTANCES_KERNELS_BLAS_H

#include <stddef.h>

#include <duet/error.h>

// The functions of one precision by their Fortran names ("dgemm_" ...): matrices by columns, each
// length of a character argument (1) at the end, as Fortran compilers pass it. A `const void *` is
// a number or a matrix of that precision.
typedef struct duet_blas_functions {
    void (*gemm)(const char *left, const char *right, const int *m, const int *n, const int *k,
                 const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,
                 const void *beta, void *c, const int *ldc, size_t, size_t);
    void (*syrk)(const char *triangle, const char *transposed, const int *n, const int *k,
                 const void *alpha, const void *a, const int *lda, const void *beta, void *c,
                 const int *ldc, size_t, size_t);
    void (*trsm)(const char *side, const char *triangle, const char *transposed,
                 const char *diagonal, const int *m, const int *n, const void *alpha, const void *a,
                 const int *lda, void *b, const int *ldb, size_t, size_t, size_t, size_t);
    void (*potrf)(const char *triangle, const int *n, void *a, const int *lda, int *info, size_t);
    void (*getrf)(const int *m, const int *n, void *a, const int *lda, int *pivots, int *info);
    void (*geqrt)(const int *m, const int *n, const int *block, void *a, const int *lda, void *t,
                  const int *ldt, void *work, int *info);
    void (*gemqrt)(const char *side, const char *transposed, const int *m, const int *n,
                   const int *k, const int *block, const void *v, const int *ldv, const void *t,
                   const int *ldt, void *c, const int *ldc, void *work, int *info, size_t, size_t);
    void (*tpqrt)(const int *m, const int *n, const int *l, const int *block, void *a,
                  const int *lda, void *b, const int *ldb, void *t, const int *ldt, void *work,
                  int *info);
    void (*tpmqrt)(const char *side, const char *transposed, const int *m, const int *n,
                   const int *k, const int *l, const int *block, const void *v, const int *ldv,
                   const void *t, const int *ldt, void *a, const int *lda, void *b, const int *ldb,
                   void *work, int *info, size_t, size_t);
} duet_blas_functions;

enum { DUET_BLAS_NAME = 256 };

typedef struct duet_blas {
    duet_blas_functions single; // all NULL until they are opened
    duet_blas_functions precise;
    char name[DUET_BLAS_NAME]; // "OpenBLAS 0.3.21, Zen", or the files that they come from
} duet_blas;

// Opens them for as long as the process runs: the threads of some flavours do not outlive being
// unloaded. DUET_E_UNSUPPORTED where none is there, or what is there does not fit together, in
// the words of the system's loader. Sets variables of the environment by which such libraries are
// told their number of threads.
duet_code duet_blas_open(duet_blas *blas, duet_error *error);

#endif
