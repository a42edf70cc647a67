// SPDX-License-Identifier: Apache-2.0
// Least-squares fits of growth laws.
#ifndef DUET_BENCH_FIT_H
#define DUET_BENCH_FIT_H

#include <stdbool.h>
#include <stddef.h>

// The exponent b of y = a x^b through `count` points with x, y > 0, by least squares on logarithms
// (LAPACKE). False where the build has no LAPACKE or the points do not determine it.
bool duet_fit_exponent(const double *x, const double *y, size_t count, double *exponent);

#endif
