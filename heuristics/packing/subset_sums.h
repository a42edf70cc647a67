// SPDX-License-Identifier: Apache-2.0
// Subset sums of a few items.
//
// Method:    the sums of each half of the items are listed in order, one item at a time; a walk
//            through both lists finds the sum that is wanted.
// Guarantee: exact.
// Cost:      O(2^(items/2)) time and memory.
// Reference: Horowitz, Sahni, "Computing partitions with applications to the knapsack problem",
//            J. ACM 21(2), 1974.
#ifndef DUET_HEURISTICS_PACKING_SUBSET_SUMS_H
#define DUET_HEURISTICS_PACKING_SUBSET_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DUET_SUBSET_SUMS_MOST_HALF = 16 };

// A subset of half the items.
typedef struct duet_subset {
    int64_t sum;
    uint32_t members;
} duet_subset;

// The room for the lists.
typedef struct duet_subset_sums {
    duet_subset *half[2];
    duet_subset *spare;
    size_t most; // items
} duet_subset_sums;

// For up to 2 * half items, half <= DUET_SUBSET_SUMS_MOST_HALF. Returns whether there is memory; to
// be freed in either case.
bool duet_subset_sums_create(size_t half, duet_subset_sums *sums);
void duet_subset_sums_free(duet_subset_sums *sums);

// The subset whose sum is nearest to `goal`: bit i for item i.
uint32_t duet_subset_sums_nearest(duet_subset_sums *sums, const int64_t *time, size_t items,
                                  int64_t goal);

// The subset with the largest sum that is at most `goal` >= 0.
uint32_t duet_subset_sums_below(duet_subset_sums *sums, const int64_t *time, size_t items,
                                int64_t goal);

#endif
