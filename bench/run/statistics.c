// SPDX-License-Identifier: Apache-2.0
#include "bench/run/statistics.h"

#include <stdlib.h>

#include "core/number/sort.h"
#include "core/system/assert.h"

static int compare_fractions(const void *left, const void *right)
{
    const duet_fraction *a = left;
    const duet_fraction *b = right;
    return duet_fraction_compare(*a, *b);
}

void duet_sort_fractions(duet_fraction *values, size_t count)
{
    if (count > 0) {
        qsort(values, count, sizeof *values, compare_fractions);
    }
}

// The smallest of `count` > 0 sorted values that `percent` percent of all do not exceed.
static double quantile(const double *sorted, size_t count, size_t percent)
{
    DUET_ASSERT(count > 0 && percent <= 100);
    size_t rank = (count * percent + 99) / 100;
    return sorted[rank > 0 ? rank - 1 : 0];
}

double duet_bench_median(double *values, int count)
{
    DUET_ASSERT(count > 0);
    duet_sort_doubles(values, (size_t)count);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

duet_statistics duet_statistics_of(double *values, size_t count)
{
    double sum = 0;
    if (count == 0) {
        return (duet_statistics){.count = 0};
    }
    duet_sort_doubles(values, count);
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return (duet_statistics){.count = count,
                             .mean = sum / (double)count,
                             .median = quantile(values, count, 50),
                             .q90 = quantile(values, count, 90),
                             .q99 = quantile(values, count, 99),
                             .largest = values[count - 1]};
}

void duet_ratio_statistics_add(duet_ratio_statistics *statistics, duet_fraction ratio, size_t where)
{
    if (statistics->count == 0 || duet_fraction_compare(ratio, statistics->largest) > 0) {
        statistics->largest = ratio;
        statistics->where = where;
    }
    statistics->above_half += 2 * ratio.num > ratio.den;
    statistics->above_one += ratio.num > ratio.den;
    statistics->sum += (double)ratio.num / (double)ratio.den;
    statistics->count++;
}
