// SPDX-License-Identifier: Apache-2.0
#include "bench/fit.h"

#ifdef DUET_WITH_OPENBLAS

#include <lapacke.h>
#include <math.h>

bool duet_fit_exponent(const double *x, const double *y, size_t count, double *exponent)
{
    enum { limit = 64 };
    double matrix[limit * 2];
    double right[limit];
    if (count < 2 || count > limit) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        matrix[2 * i] = 1.0;
        matrix[2 * i + 1] = log(x[i]);
        right[i] = log(y[i]);
    }
    lapack_int info =
        LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)count, 2, 1, matrix, 2, right, 1);
    *exponent = right[1];
    return info == 0;
}

#else

bool duet_fit_exponent(const double *x, const double *y, size_t count, double *exponent)
{
    (void)x;
    (void)y;
    (void)count;
    (void)exponent;
    return false;
}

#endif
