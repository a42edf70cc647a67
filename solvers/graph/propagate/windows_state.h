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
    return windows->refuted || windows->code != DUET_OK;
}

// A line `word` with the first `count` of the tasks that were raised; none if `count` is 0.
void duet_windows_write_raised(duet_windows *windows, const char *word, int64_t count);
// The chains of tasks that are alike.
void duet_windows_write_twins(duet_windows *windows);
// A line `gather` or `scatter`: a task does not start by `by`, or does not end that near the guess.
void duet_windows_write_colocation(duet_windows *windows, int32_t task, int64_t by, bool before);
void duet_windows_write_supposition(duet_windows *windows, const duet_task_statement *what);
void duet_windows_write_end(duet_windows *windows);

// Takes a window that says more than the one that is there.
void duet_windows_change(duet_windows *windows, int32_t task, const duet_window *changed);
// Raises the start of a task, or its tail, to what its neighbours say, where that may be late.
void duet_windows_pull(duet_windows *windows, int32_t task, bool forward);
// Nothing is left to be pulled.
void duet_windows_forget_late(duet_windows *windows);

#endif
