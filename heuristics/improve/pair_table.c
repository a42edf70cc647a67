// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/pair_table.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"

// More work than any processor may have; two of them do not overflow.
enum { NEVER = DUET_PAIR_TABLE_MOST + 1 };

void duet_pair_table_free(duet_pair_table *table)
{
    duet_free(table->cell);
    table->cell = NULL;
}

bool duet_pair_table_fits(duet_pair_table *table, size_t tasks, int64_t most)
{
    bool fits = tasks <= DUET_PAIR_TABLE_TASKS && 0 <= most && most <= DUET_PAIR_TABLE_MOST &&
                (tasks + 1) * ((size_t)most + 1) <= DUET_PAIR_TABLE_CELLS;
    if (fits && table->cell == NULL) {
        table->cell = duet_alloc_raw(DUET_PAIR_TABLE_CELLS, sizeof *table->cell, NULL);
    }
    return fits && table->cell != NULL;
}

static inline int16_t smaller(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

// One row from the one above it, for a task that takes `a` on the first processor, `b` on the
// other.
static void add_task(const int16_t *restrict from, int16_t *restrict to, size_t columns, size_t a,
                     int16_t b)
{
    size_t reached = duet_min(a, columns);
    for (size_t w = 0; w < reached; w++) {
        to[w] = smaller((int16_t)(from[w] + b), NEVER);
    }
    for (size_t w = reached; w < columns; w++) {
        to[w] = smaller(smaller((int16_t)(from[w] + b), from[w - reached]), NEVER);
    }
}

const int16_t *duet_pair_table_fill(duet_pair_table *table, const int64_t *on_a,
                                    const int64_t *on_b, size_t tasks, int64_t room)
{
    table->columns = (size_t)room + 1;
    DUET_ASSERT((tasks + 1) * table->columns <= DUET_PAIR_TABLE_CELLS);
    int16_t *row = table->cell;
    row[0] = 0;
    for (size_t w = 1; w < table->columns; w++) {
        row[w] = NEVER;
    }
    for (size_t i = 0; i < tasks; i++, row += table->columns) {
        size_t a = on_a[i] > room ? table->columns : (size_t)on_a[i];
        int16_t b = on_b[i] > DUET_PAIR_TABLE_MOST ? NEVER : (int16_t)on_b[i];
        add_task(row, row + table->columns, table->columns, a, b);
    }
    return row;
}

void duet_pair_table_trace(const duet_pair_table *table, const int64_t *on_a, const int64_t *on_b,
                           size_t tasks, int64_t work, bool *a_runs)
{
    const int16_t *row = table->cell + tasks * table->columns;
    int64_t other = row[work];
    DUET_ASSERT(other <= DUET_PAIR_TABLE_MOST);
    for (size_t i = tasks; i-- > 0;) {
        row -= table->columns;
        a_runs[i] = other < on_b[i] || row[work] != other - on_b[i];
        work -= a_runs[i] ? on_a[i] : 0;
        other -= a_runs[i] ? 0 : on_b[i];
        DUET_ASSERT(work >= 0 && row[work] == other);
    }
    DUET_ASSERT(work == 0 && other == 0);
}
