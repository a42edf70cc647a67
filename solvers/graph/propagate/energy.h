// SPDX-License-Identifier: Apache-2.0
// What the processors' time proves about the windows of a task graph: the work that cannot leave an
// interval is too much for it, or the work before a task delays its start.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_ENERGY_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_ENERGY_H

#include "solvers/graph/propagate/reachable.h"
#include "solvers/graph/propagate/tuning.h"
#include "solvers/graph/propagate/windows.h"

// An interval of a state, kept for suppositions about it.
typedef struct duet_kept_interval {
    duet_area_line line;
    double demand[DUET_ENERGY_CANDIDATES]; // What the work in it is worth with each candidate.
    double slack;                          // Its length less the largest demand.
} duet_kept_interval;

typedef struct duet_energy {
    duet_windows *windows;       // borrowed
    const duet_context *context; // borrowed
    int64_t next_look;           // It asks the context again when windows->work is here.

    duet_arena arena; // It holds all arrays but the closure.

    // Candidates: prices of the types that are tried. Floating point finds what may be too much
    // work; integers decide.
    size_t candidates;
    int64_t *price;                         // candidates x types
    int64_t supply[DUET_ENERGY_CANDIDATES]; // What a tick of all processors is worth with each.
    double *share; // types x DUET_ENERGY_CANDIDATES: a type's price over the supply; 0 beyond.
    double *cost;  // tasks x DUET_ENERGY_CANDIDATES: the least product of time and share.

    duet_reachable
        before; // The ancestors of each task, by falling start when they were last sorted.
    duet_reachable after; // Its descendants, by falling tail likewise.

    // The fullest intervals of the state `prepared`.
    int64_t prepared;
    duet_kept_interval *kept;
    size_t kept_count;

    // Workspace per task.
    bool *touched;   // Something has changed that may delay it.
    bool *seen;      // It is in `changed`, or its change was passed on.
    size_t *changed; // Places in windows->undo.
    int32_t *room;   // For sorting.
    int64_t *froms;  // The starts of tasks, with which intervals begin.
    int64_t *backs;  // The tails of tasks, with which intervals end.
} duet_energy;

// `windows` and `context` are borrowed. DUET_E_MEMORY, and what the area bound refuses. Free it
// whatever comes back.
duet_code duet_energy_create(duet_energy *energy, duet_windows *windows,
                             const duet_context *context, duet_error *error);
void duet_energy_free(duet_energy *energy);

// Raises each start by what must run between its ancestors' starts and it, and each tail likewise;
// propagates. Whether a window changed. It ends early where the context stops.
bool duet_energy_delay(duet_energy *energy);

// Whether the context stops, which is asked after some work.
bool duet_energy_stops(duet_energy *energy);

// Looks for an interval with too much work, among those between `points` starts and as many tails.
void duet_energy_overload(duet_energy *energy, size_t points);

// Prepares for suppositions about a state: keeps its fullest intervals. Call it before each one; it
// does nothing while the state is the same.
void duet_energy_prepare(duet_energy *energy);
// Under a supposition about that state, looks at the intervals that were kept. It costs the tasks
// that the supposition has changed.
void duet_energy_overload_since(duet_energy *energy);

#endif
