// SPDX-License-Identifier: Apache-2.0
// The times of a moldable task on one type, by the number of its processors.
//
// A table is *monotone* where no processor more makes the task longer, nor its area (processors
// times time) smaller. Then the least size within a time also has the least area within it.
#ifndef DUET_CORE_TIME_TABLE_H
#define DUET_CORE_TIME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/fraction.h"
#include "core/moldable.h"

// Borrowed. Zero is a table of no size: the task cannot run there.
typedef struct duet_time_table {
    const int64_t *time; // time[p - 1] ticks on p processors
    int64_t sizes;       // 1 .. sizes processors
} duet_time_table;

// That of a kind on a type, no longer than the type has processors.
static inline duet_time_table duet_table_of(const duet_instance *instance, size_t kind, size_t type)
{
    duet_time_table table;
    table.time = duet_moldable_table_of(instance, kind, type, &table.sizes);
    return table;
}

static inline int64_t duet_time_at(duet_time_table table, int64_t size)
{
    DUET_ASSERT(1 <= size && size <= table.sizes);
    return table.time[size - 1];
}

// At most 2^62 where the instance was checked.
static inline int64_t duet_area_at(duet_time_table table, int64_t size)
{
    return size * duet_time_at(table, size);
}

// γ(num/den): the least size of a monotone table that takes at most so many ticks; 0 where none
// does. O(log sizes).
static inline int64_t duet_least_size(duet_time_table table, duet_int128 num, int den)
{
    int64_t above = table.sizes; // fits, or no size does
    if (above < 1 || den * (duet_int128)duet_time_at(table, above) > num) {
        return 0;
    }
    int64_t below = 0; // does not fit
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        bool fits = den * (duet_int128)duet_time_at(table, middle) <= num;
        above = fits ? middle : above;
        below = fits ? below : middle;
    }
    return above;
}

// The size of least area within so many ticks, the least of them; 0 where there is none. O(log
// sizes) where the table is monotone, else O(sizes).
static inline int64_t duet_cheapest_size(duet_time_table table, bool monotone, int64_t most)
{
    if (monotone) {
        return duet_least_size(table, most, 1);
    }
    int64_t best = 0;
    for (int64_t p = 1; p <= table.sizes; p++) {
        if (duet_time_at(table, p) <= most &&
            (best == 0 || duet_area_at(table, p) < duet_area_at(table, best))) {
            best = p;
        }
    }
    return best;
}

#endif
