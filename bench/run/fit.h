// SPDX-License-Identifier: Apache-2.0
// Least-squares fits of growth laws.
#ifndef DUET_BENCH_RUN_FIT_H
#define DUET_BENCH_RUN_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum { DUET_FIT_MAX_VARIABLES = 4, DUET_FIT_MAX_POINTS = 4096 };

// y = a x_1^b_1 x_2^b_2 ...
typedef struct duet_fit {
    double factor;                           // a
    double exponent[DUET_FIT_MAX_VARIABLES]; // NAN where the variable has the same value throughout
    double determination; // R^2 of the logarithms: the share of their variance that is explained
} duet_fit;

// Fits by least squares on logarithms. `x` holds `count` rows of `variables` values; all x and y
// are > 0. False where memory is short, or the points do not determine the exponents (too few, or
// two variables that move together).
bool duet_fit_powers(const double *x, size_t variables, const double *y, size_t count,
                     duet_fit *fit);

// The same with one variable; only its exponent.
bool duet_fit_exponent(const double *x, const double *y, size_t count, double *exponent);

#endif
