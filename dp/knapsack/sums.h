// SPDX-License-Identifier: Apache-2.0
// Which loads one processor can have: the sums of some of its tasks' times.
//
// Method:    a bit for each sum; a task shifts them by its time. Equal tasks are taken as one, two,
//            four and so on together.
// Guarantee: exact.
// Cost:      O(tasks x limit / 64).
// Memory:    limit / 8 bytes.
// Reference: Bellman, "Notes on the theory of dynamic programming IV", Naval Research Logistics
//            Quarterly 3, 1956.
#ifndef DUET_DP_KNAPSACK_SUMS_H
#define DUET_DP_KNAPSACK_SUMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct duet_sums_items {
    size_t count;
    const int64_t *time;  // >= 1
    const int64_t *tasks; // >= 1: how many tasks have that time
} duet_sums_items;

// The least sum from `from` to `limit`; limit + 1: no sum is between them. Where it would take more
// than some ten milliseconds, or memory that is not there, `from`.
int64_t duet_sums_next(const duet_sums_items *items, int64_t from, int64_t limit);

#endif
