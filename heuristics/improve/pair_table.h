// SPDX-License-Identifier: Apache-2.0
// All ways to divide tasks between two processors a and b, by a table over the work on a.
//
// Method:    row i, column w: the least work on b of the first i tasks where a has exactly w. A
//            task goes to b, or to a from the column to the left.
// Guarantee: exact.
// Cost:      O(tasks x columns) time, eight columns at a time where there are vectors of 128 bits,
//            and as much memory.
// Reference: Rothkopf, "Scheduling independent tasks on parallel processors", Management Science
//            12(5), 1966.
#ifndef DUET_HEURISTICS_IMPROVE_PAIR_TABLE_H
#define DUET_HEURISTICS_IMPROVE_PAIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DUET_PAIR_TABLE_TASKS = 256,
    DUET_PAIR_TABLE_MOST = (1 << 14) - 2,  // work: two of them and 2 more fit into 16 bits
    DUET_PAIR_TABLE_CELLS = 1 << 19,       // in all
    DUET_PAIR_TABLE_CELLS_A_STEP = 1 << 4, // that take as long as a step of other searches
};

// All zero: without memory so far.
typedef struct duet_pair_table {
    int16_t *cell;
    size_t columns;
} duet_pair_table;

void duet_pair_table_free(duet_pair_table *table);

// Whether there is a table, and memory for it, for `tasks` tasks and up to `most` work on each.
bool duet_pair_table_fits(duet_pair_table *table, size_t tasks, int64_t most);

// The last row, for 0 .. room of work on a; above DUET_PAIR_TABLE_MOST where there is no such way.
// The tasks must fit, and every time[i] be one that is allowed.
const int16_t *duet_pair_table_fill(duet_pair_table *table, const int64_t *on_a,
                                    const int64_t *on_b, size_t tasks, int64_t room);

// Who runs each task, where a has exactly `work` of a column that the last row has.
void duet_pair_table_trace(const duet_pair_table *table, const int64_t *on_a, const int64_t *on_b,
                           size_t tasks, int64_t work, bool *a_runs);

#endif
