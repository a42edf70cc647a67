// SPDX-License-Identifier: Apache-2.0
// Co-location where data take time: a task that starts early has what it needs from its own
// processor, on which its predecessors then run one after another.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_COLOCATION_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_COLOCATION_H

#include "core/system/context.h"
#include "solvers/graph/propagate/windows.h"

// A task that must run on the processor in question, seen forward or backward in time: what is an
// end backward is a start here.
typedef struct duet_colocated {
    int32_t task;
    int64_t time; // The time that it takes there.
    int64_t from; // It starts no earlier there.
    int64_t by;   // It starts no later there.
} duet_colocated;

typedef struct duet_colocation {
    duet_windows *windows;       // borrowed
    const duet_context *context; // borrowed
    int64_t settled; // The windows' state at the last pass if nothing followed in it; else -1.

    // The question under way: whether a task can start by some time on a type.
    duet_arena arena; // It holds the three arrays below, which are NULL if no data take time.
    // The gathered tasks. While they are being gathered, those nearest to the task in question come
    // first; for the final test they are sorted by falling `from`.
    duet_colocated *task;
    size_t count;     // The number of gathered tasks.
    int64_t *asked;   // Per task, the question in which it was gathered last.
    size_t *at;       // Per task, where it stands in `task`.
    int64_t question; // The number of the question.
    bool before;      // The question is asked forward in time.
} duet_colocation;

// `windows` and `context` are borrowed. DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_colocation_create(duet_colocation *colocation, duet_windows *windows,
                                 const duet_context *context, duet_error *error);
void duet_colocation_free(duet_colocation *colocation);

// Narrows the windows, with the lines `gather` and `scatter`, and propagates, as far as the context
// lets it. Returns whether anything followed; nothing does if no data take time. For each task and
// type it looks at the edges into at most 128 gathered tasks, once for each type, and about twenty
// times if a start is raised.
bool duet_colocation_narrow(duet_colocation *colocation);

#endif
