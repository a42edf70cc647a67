// SPDX-License-Identifier: Apache-2.0
// The times of a moldable task on one type, by the number of its processors.
//
// A table is *monotone* where no processor more makes the task longer, nor its area (processors
// times time) smaller. Then the least size within a time also has the least area within it.
#ifndef DUET_CORE_INSTANCE_TIME_TABLE_H
#define DUET_CORE_INSTANCE_TIME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/instance/moldable.h"
#include "core/number/fraction.h"

// Borrowed. Zero is a table of no size: the task cannot run there. Each of the sizes up to `dense`
// is a step; the others begin at their first size and have equal times up to the next one. What
// looks for a best size needs the steps alone: of equal times the least size has the least area.
// In a table with gaps `dense` is 0, and a step is an allowed size: a task that has more processors
// leaves the others idle.
typedef struct duet_time_table {
    const int64_t *time;  // of each step
    const int32_t *first; // size of the steps behind the dense ones
    int64_t dense;
    int64_t steps;
    int64_t sizes; // 1 .. sizes processors
    bool by_law;   // then it is monotone
} duet_time_table;

// Whether there are sizes on which the task may not run.
static inline bool duet_has_gaps(duet_time_table table)
{
    return table.dense == 0 && table.steps > 0;
}

// How many of the rising sizes are at most `size`.
static inline int64_t duet_steps_within(const int32_t *first, int64_t count, int64_t size)
{
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        bool within = first[middle] <= size;
        low = within ? middle + 1 : low;
        high = within ? high : middle;
    }
    return low;
}

// That of a kind on a type, no longer than the type has processors. O(1), O(log steps) where it is
// longer.
static inline duet_time_table duet_table_of(const duet_instance *instance, size_t kind, size_t type)
{
    const duet_moldable *m = instance->moldable;
    size_t at = kind * instance->types + type;
    uint32_t cell = m == NULL ? 0 : m->cell[at];
    int64_t sizes = duet_moldable_sizes(instance, kind, type);
    duet_time_table table = {&instance->times[at], NULL, sizes, sizes, sizes, false};
    if (cell == 0) {
        return table;
    }
    const duet_moldable_table *all = &m->table[cell - 1];
    table.time = m->time + all->at;
    table.by_law = all->law >= 0;
    if (sizes > all->dense) {
        table.first = m->step_size + all->size_at;
        table.dense = all->dense;
        table.steps =
            all->dense +
            (sizes == all->length ? all->later : duet_steps_within(table.first, all->later, sizes));
    }
    return table;
}

static inline int64_t duet_time_at(duet_time_table table, int64_t size)
{
    DUET_ASSERT(1 <= size && size <= table.sizes);
    int64_t step =
        size <= table.dense
            ? size
            : table.dense + duet_steps_within(table.first, table.steps - table.dense, size);
    return step == 0 ? DUET_FORBIDDEN : table.time[step - 1];
}

// The least size of a step, from 0 on.
static inline int64_t duet_step_size(duet_time_table table, int64_t step)
{
    DUET_ASSERT(0 <= step && step < table.steps);
    return step < table.dense ? step + 1 : table.first[step - table.dense];
}

// The next step behind one that takes less than `ticks`, as that one does not; the number of steps
// if no such step follows. O(log steps) where a law makes the table; else it may be one that takes
// more.
static inline int64_t duet_next_step(duet_time_table table, int64_t step, int64_t ticks)
{
    if (!table.by_law || step + 1 >= table.steps || table.time[step + 1] < ticks) {
        return step + 1;
    }
    int64_t below = step + 1; // takes at least as much
    int64_t above = table.steps;
    for (int64_t stride = 1; stride < above - below; stride *= 2) {
        if (table.time[below + stride] < ticks) {
            above = below + stride;
            break;
        }
        below += stride;
    }
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        bool shorter = table.time[middle] < ticks;
        above = shorter ? middle : above;
        below = shorter ? below : middle;
    }
    return above;
}

// At most 2^62 where the instance was checked.
static inline int64_t duet_area_at(duet_time_table table, int64_t size)
{
    return size * duet_time_at(table, size);
}

// γ(num/den): the least size of a monotone table that takes at most num/den ticks; 0 where none
// does. O(log steps).
static inline int64_t duet_least_size(duet_time_table table, duet_int128 num, int den)
{
    int64_t above = table.steps - 1; // fits, or no size does
    if (above < 0 || den * (duet_int128)table.time[above] > num) {
        return 0;
    }
    int64_t below = -1; // does not fit
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        bool fits = den * (duet_int128)table.time[middle] <= num;
        above = fits ? middle : above;
        below = fits ? below : middle;
    }
    return duet_step_size(table, above);
}

// The size of least area that takes at most `most` ticks, the least of them; 0: no size does. O(log
// steps) where the table is monotone, else O(steps).
static inline int64_t duet_cheapest_size(duet_time_table table, bool monotone, int64_t most)
{
    if (monotone) {
        return duet_least_size(table, most, 1);
    }
    int64_t best = 0;
    int64_t least = 0;
    for (int64_t i = 0; i < table.steps; i++) {
        int64_t size = duet_step_size(table, i);
        int64_t area = size * table.time[i];
        if (table.time[i] <= most && (best == 0 || area < least)) {
            best = size;
            least = area;
        }
    }
    return best;
}

#endif
