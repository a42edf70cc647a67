// SPDX-License-Identifier: Apache-2.0
// Sorts arrays of plain numbers, the least first. O(n log n). `values` may be NULL where count is
// 0.
#ifndef DUET_CORE_NUMBER_SORT_H
#define DUET_CORE_NUMBER_SORT_H

#include <stddef.h>
#include <stdint.h>

void duet_sort_doubles(double *values, size_t count);
void duet_sort_ticks(int64_t *values, size_t count);
void duet_sort_tasks(int32_t *values, size_t count);

// Sorts the values and leaves each once. Returns how many these are.
size_t duet_sort_distinct(int64_t *values, size_t count);

#endif
