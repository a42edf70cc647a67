// SPDX-License-Identifier: Apache-2.0
// What one processor runs, in the order of releases, and when it would end with other tasks.
#ifndef DUET_SOLVERS_RELEASED_LINE_H
#define DUET_SOLVERS_RELEASED_LINE_H

#include "solvers/released/model.h"

enum { DUET_RELEASED_NO_TASK = -1 };

// A task of a line, and what a change from it on needs to know.
typedef struct duet_released_stop {
    int64_t ready;  // when the processor is free for the task
    int64_t before; // the times of the tasks before it, in sum
    int64_t least;  // when the processor ends if it is free for the task at any time
    int32_t task;
} duet_released_stop;

typedef struct duet_released_line {
    duet_released_stop *stop; // in the order of releases; one more, of no task, stands at the end
    size_t count;
    int64_t end;
} duet_released_line;

// Whether a task comes before another one on a processor that runs both.
bool duet_released_comes_first(const duet_released_model *m, int32_t a, int32_t b);

// Puts a task in, or takes one out that is there. duet_released_settle() has to follow before the
// line is asked for anything. O(tasks of the line). DUET_E_MEMORY.
duet_code duet_released_put_in(const duet_released_model *m, duet_released_line *line, int32_t task,
                               duet_error *error);
void duet_released_take_out(const duet_released_model *m, duet_released_line *line, int32_t task);
// Computes when the tasks of the line of processor `p` start, but not `end`. O(tasks of the line).
void duet_released_settle(const duet_released_model *m, duet_released_line *line, size_t p);

// Returns when processor `p` would end without a task of its line and with another one;
// DUET_RELEASED_NO_TASK: without none, with none. O(log tasks of the line), and where both are
// given and tasks between them wait for their releases, their number.
int64_t duet_released_end_with(const duet_released_model *m, const duet_released_line *line,
                               size_t p, int32_t without, int32_t with);

#endif
