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
    double demand[DUET_ENERGY_CANDIDATES]; // Per price vector, what the work in it is worth.
    double slack;                          // Its length less the largest demand.
} duet_kept_interval;

// What the work before or after a task says of its start or tail.
typedef struct duet_energy_found {
    int32_t task;
    size_t candidate; // The price vector that says most.
    int64_t from;     // The work from this time on counts.
    int64_t time;     // The start or tail, at least; 0: nothing.
} duet_energy_found;

typedef struct duet_energy {
    duet_windows *windows;       // borrowed
    const duet_context *context; // borrowed
    int threads;                 // At most this many find delays at the same time.
    int64_t next_look;           // It asks the context again when windows->work is here.

    duet_arena arena; // It holds all arrays but the closure.

    // Vectors of prices of the types that are tried. Floating point finds what may be too much
    // work; integers decide.
    size_t candidates; // The number of price vectors.
    int64_t *price;    // Per vector and type, its price.
    // Per vector, the sum over the types of price times processors.
    int64_t supply[DUET_ENERGY_CANDIDATES];
    double *share; // Per type and vector, price / supply; 0 for vectors that do not exist.
    double *cost;  // Per task and vector, the least product of time and share over its types.

    // Per task, its ancestors, by falling start when they were last sorted.
    duet_reachable before;
    // Per task, its descendants, by falling tail likewise.
    duet_reachable after;

    int32_t *order; // A topological order: level by level where there are many tasks.

    // The fullest intervals of the state in which suppositions are made.
    int64_t prepared; // The number of that state (windows->state); 0: there is none.
    duet_kept_interval *kept;
    size_t kept_count; // The number of these intervals.

    // Workspace per task.
    // The start or types of an ancestor, or the tail of a descendant, changed since its delay was
    // last computed.
    bool *touched;
    bool *seen;      // It is in `changed`, or its descendants (or ancestors) were touched.
    size_t *changed; // The first entry of each changed task in windows->undo since the supposition.
    int32_t *room;   // Room for sorting: for each thread that may find delays.
    duet_energy_found *found; // The delays of a batch of tasks.
    int64_t *froms;           // The starts of tasks, with which intervals begin.
    int64_t *backs;           // The tails of tasks, with which intervals end.
} duet_energy;

// `windows` and `context` are borrowed. DUET_E_MEMORY, and what the area bound refuses. Free it
// whatever comes back.
duet_code duet_energy_create(duet_energy *energy, duet_windows *windows,
                             const duet_context *context, duet_error *error);
void duet_energy_free(duet_energy *energy);

// Raises each start to the earliest time at which the work of its ancestors can be done, and each
// tail likewise; propagates. Returns whether a window changed. Ends early if the context stops.
bool duet_energy_delay(duet_energy *energy);

// Returns whether the context stops, which is asked after some work.
bool duet_energy_stops(duet_energy *energy);

// Overload check: if the work in an interval between one of `points` starts and one of as many
// tails is too much, writes the line of the proof and sets windows->refuted.
void duet_energy_overload(duet_energy *energy, size_t points);

// Prepares for suppositions about a state: keeps its fullest intervals. Call it before each
// supposition; it does nothing while the state is the same.
void duet_energy_prepare(duet_energy *energy);
// Under a supposition about that state, makes the overload check of the intervals that were kept.
// The cost is proportional to the tasks that the supposition has changed.
void duet_energy_overload_since(duet_energy *energy);

#endif
