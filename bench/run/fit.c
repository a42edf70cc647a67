// SPDX-License-Identifier: Apache-2.0
#include "bench/run/fit.h"

#include <math.h>

#ifdef DUET_WITH_OPENBLAS

#include <float.h>
#include <lapacke.h>

#include "core/memory.h"

static bool is_constant(const double *x, size_t variables, size_t count, size_t variable)
{
    for (size_t i = 1; i < count; i++) {
        if (x[i * variables + variable] != x[variable]) {
            return false;
        }
    }
    return true;
}

// The columns that move, behind a column of ones, as logarithms; returns their number.
static lapack_int fill_system(const double *x, size_t variables, const double *y, size_t count,
                              double *matrix, double *right, lapack_int *column)
{
    lapack_int columns = 1;
    for (size_t v = 0; v < variables; v++) {
        column[v] = is_constant(x, variables, count, v) ? 0 : columns++;
    }
    for (size_t i = 0; i < count; i++) {
        double *row = &matrix[i * (size_t)columns];
        row[0] = 1.0;
        for (size_t v = 0; v < variables; v++) {
            if (column[v] > 0) {
                row[column[v]] = log(x[i * variables + v]);
            }
        }
        right[i] = log(y[i]);
    }
    return columns;
}

// The share of the variance of log y that the fit explains; 1 where there is none to explain.
static double determination(const double *x, size_t variables, const double *y, size_t count,
                            const duet_fit *fit)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++) {
        mean += log(y[i]) / (double)count;
    }
    double total = 0;
    double rest = 0;
    for (size_t i = 0; i < count; i++) {
        double value = log(fit->factor);
        for (size_t v = 0; v < variables; v++) {
            if (!isnan(fit->exponent[v])) {
                value += fit->exponent[v] * log(x[i * variables + v]);
            }
        }
        rest += (log(y[i]) - value) * (log(y[i]) - value);
        total += (log(y[i]) - mean) * (log(y[i]) - mean);
    }
    return total > DBL_EPSILON * (double)count ? 1.0 - rest / total : 1.0;
}

static bool solve(const double *x, size_t variables, const double *y, size_t count, double *matrix,
                  double *right, duet_fit *fit)
{
    // Logarithms of small whole numbers: what is singular is so by far more than this.
    static const double singular = 1e-9;
    lapack_int column[DUET_FIT_MAX_VARIABLES];
    double values[DUET_FIT_MAX_VARIABLES + 1];
    lapack_int columns = fill_system(x, variables, y, count, matrix, right, column);
    lapack_int rank = 0;
    if (count < (size_t)columns ||
        LAPACKE_dgelsd(LAPACK_ROW_MAJOR, (lapack_int)count, columns, 1, matrix, columns, right, 1,
                       values, singular, &rank) != 0 ||
        rank < columns) {
        return false;
    }
    fit->factor = exp(right[0]);
    for (size_t v = 0; v < variables; v++) {
        fit->exponent[v] = column[v] > 0 ? right[column[v]] : NAN;
    }
    fit->determination = determination(x, variables, y, count, fit);
    return true;
}

bool duet_fit_powers(const double *x, size_t variables, const double *y, size_t count,
                     duet_fit *fit)
{
    if (count == 0 || count > DUET_FIT_MAX_POINTS || variables == 0 ||
        variables > DUET_FIT_MAX_VARIABLES) {
        return false;
    }
    double *matrix = duet_alloc(count * (variables + 1), sizeof *matrix, NULL);
    double *right = duet_alloc(count, sizeof *right, NULL);
    bool ok = matrix != NULL && right != NULL && duet_memory_for_blas() &&
              solve(x, variables, y, count, matrix, right, fit);
    duet_free(matrix);
    duet_free(right);
    return ok;
}

#else

bool duet_fit_powers(const double *x, size_t variables, const double *y, size_t count,
                     duet_fit *fit)
{
    (void)x;
    (void)variables;
    (void)y;
    (void)count;
    (void)fit;
    return false;
}

#endif

bool duet_fit_exponent(const double *x, const double *y, size_t count, double *exponent)
{
    duet_fit fit;
    if (!duet_fit_powers(x, 1, y, count, &fit) || isnan(fit.exponent[0])) {
        return false;
    }
    *exponent = fit.exponent[0];
    return true;
}
