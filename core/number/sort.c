// SPDX-License-Identifier: Apache-2.0
#include "core/number/sort.h"

#include <stdlib.h>

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static int compare_ticks(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int compare_tasks(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

void duet_sort_doubles(double *values, size_t count)
{
    if (count > 0) {
        qsort(values, count, sizeof *values, compare_doubles);
    }
}

void duet_sort_ticks(int64_t *values, size_t count)
{
    if (count > 0) {
        qsort(values, count, sizeof *values, compare_ticks);
    }
}

void duet_sort_tasks(int32_t *values, size_t count)
{
    if (count > 0) {
        qsort(values, count, sizeof *values, compare_tasks);
    }
}

size_t duet_sort_distinct(int64_t *values, size_t count)
{
    duet_sort_ticks(values, count);
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        if (distinct == 0 || values[distinct - 1] != values[i]) {
            values[distinct++] = values[i];
        }
    }
    return distinct;
}
