// SPDX-License-Identifier: Apache-2.0
// Statistics of all studies: means, medians, quantiles, largest values. Values are sorted before
// they are added, so that a mean does not depend on the order in which runs ended.
#ifndef DUET_BENCH_RUN_STATISTICS_H
#define DUET_BENCH_RUN_STATISTICS_H

#include <stddef.h>

#include "core/number/fraction.h"

// By increasing value.
void duet_sort_fractions(duet_fraction *values, size_t count);

// The median; sorts `values`. The mean of the middle two where the number is even, so that one slow
// round of two does not count whole.
double duet_bench_median(double *values, int count);

typedef struct duet_statistics {
    size_t count;
    double mean, median, q90, q99, largest; // 0 without values; the median is a quantile
} duet_statistics;
// Sorts `values`.
duet_statistics duet_statistics_of(double *values, size_t count);

// Ratios as they come, in an order that is always the same: nothing is kept of each.
typedef struct duet_ratio_statistics {
    size_t count;
    duet_fraction largest;
    size_t where;      // the first case with it
    size_t above_half; // ratios above 1/2
    size_t above_one;  // ratios above 1
    double sum;
} duet_ratio_statistics;
void duet_ratio_statistics_add(duet_ratio_statistics *statistics, duet_fraction ratio,
                               size_t where);

#endif
