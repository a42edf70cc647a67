// SPDX-License-Identifier: Apache-2.0
// Inside of the windows. A file calls only those before it in this order:
//   windows_lines    the lines of the proof
//   windows          what follows for a task, and along the edges
//   windows_shift    starts that wait for a reason
//   windows_suppose  suppositions, and what is undone when they end
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_STATE_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_WINDOWS_STATE_H

#include "core/number/minmax.h"
#include "solvers/graph/propagate/windows.h"

// Whether nothing more is to be concluded.
static inline bool duet_windows_is_over(const duet_windows *windows)
{
    return windows->refuted || windows->no_memory;
}

// Writes a line `word` with the first `count` of the tasks that were raised; none if `count` is 0.
void duet_windows_write_raised(duet_windows *windows, const char *word, int64_t count);
// Writes a line `twins` for each chain of interchangeable tasks.
void duet_windows_write_twins(duet_windows *windows);
// Writes a line `gather` (`before`): a task does not start by `by`; or a line `scatter`: from its
// end to the guess there are more than `by` ticks.
void duet_windows_write_colocation(duet_windows *windows, int32_t task, int64_t by, bool before);
// Writes the line that opens a supposition.
void duet_windows_write_supposition(duet_windows *windows, const duet_task_statement *what);
// Writes the line that closes a refuted supposition.
void duet_windows_write_end(duet_windows *windows);

// Replaces a task's window by one that says more.
void duet_windows_change(duet_windows *windows, int32_t task, const duet_window *changed);
// Recomputes the start (`forward`) or the tail of a task from its neighbours if it is queued for
// that.
void duet_windows_pull(duet_windows *windows, int32_t task, bool forward);
// Empties the queues of starts and tails to be recomputed.
void duet_windows_empty_queues(duet_windows *windows);

#endif
