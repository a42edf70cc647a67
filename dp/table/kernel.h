// SPDX-License-Identifier: Apache-2.0
// The inner loops of the tables: whole rows of cells, 32 or 64 bits wide, in the widest vectors the
// processor has. Cells are work or infinity.
#ifndef DUET_DP_TABLE_KERNEL_H
#define DUET_DP_TABLE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

// Narrow cells: every finite sum is below infinity = 2^30, and infinity plus every value together
// stays below 2^31: nothing saturates because nothing can overflow.
#define DUET_INFINITE_32 (INT32_C(1) << 30)
// Wide cells: sums up to 2^62 are finite; infinity plus one value of up to 2^62 does not overflow,
// and results are cut back to infinity.
#define DUET_INFINITE_64 (INT64_MAX - (INT64_C(1) << 62))

// Rows begin at whole groups of DUET_ROW_GROUP cells, and what is written stays within the groups
// of the row: cells behind it get values that mean nothing. Up to DUET_KERNEL_SLACK cells before
// and behind the rows `a` and `b` are read.
enum { DUET_KERNEL_GROUP = 16, DUET_ROW_GROUP = 64, DUET_KERNEL_SLACK = 128 };

// The operands never overlap `out`.
typedef struct duet_kernel {
    // out = a + value, exactly `count` cells
    void (*add)(void *restrict out, const void *restrict a, int64_t value, size_t count);
    // out[i] = a[i] + value where i < below, else min { a[i] + value, b[i - below] }
    void (*min)(void *restrict out, const void *restrict a, int64_t value, const void *restrict b,
                size_t below, size_t count);
    // Decisions of a row: set where out != a + value, so that the other choice was better.
    void (*differ)(uint32_t *restrict bits, const void *restrict out, const void *restrict a,
                   int64_t value, size_t count);
    void (*fill)(void *out, int64_t value, size_t count);
    size_t cell_bytes;
    int64_t infinite;
} duet_kernel;

// Decisions stand in groups of 256 cells as the vectors leave them: cell 8 v + l of a group is bit
// v of its word l.
enum { DUET_DECISIONS = 256 };

static inline size_t duet_decision_words(size_t cells)
{
    return (cells + DUET_DECISIONS - 1) / DUET_DECISIONS * (DUET_DECISIONS / 32);
}

static inline int duet_decision(const uint32_t *bits, size_t cell)
{
    size_t in_group = cell % DUET_DECISIONS;
    return bits[cell / DUET_DECISIONS * 8 + in_group % 8] >> in_group / 8 & 1;
}

// The kernel for 32-bit (narrow) or 64-bit cells on this processor.
const duet_kernel *duet_kernel_for(int narrow);

#endif
