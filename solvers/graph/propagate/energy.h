// SPDX-License-Identifier: Apache-2.0
// What the processors' time proves about the windows of a task graph: the work that cannot leave an
// interval is too much for it, or the work before a task delays its start.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_ENERGY_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_ENERGY_H

#include "solvers/graph/propagate/reachable.h"
#include "solvers/graph/propagate/tuning.h"
#include "solvers/graph/propagate/windows.h"

// An interval, and what the work in it was worth with each candidate.
typedef struct duet_kept_interval {
    duet_area_line line;
    double demand[DUET_ENERGY_CANDIDATES];
    double slack; // its length less the largest of these
} duet_kept_interval;

typedef struct duet_energy {
    duet_windows *windows;       // borrowed
    const duet_context *context; // borrowed
    int64_t next_look;           // windows->work at which it asks the context next
    // Prices of the types that are tried, and what a tick of all processors is worth with each.
    // Floating point finds what may be too much work; integers decide.
    size_t candidates;
    int64_t *price; // candidates x types
    int64_t supply[DUET_ENERGY_CANDIDATES];
    double *share; // types x DUET_ENERGY_CANDIDATES: a type's price over the supply; 0 beyond
    double *cost; // tasks x DUET_ENERGY_CANDIDATES: the least of time and share over the types left
    // Transitive closure, by falling start, or tail, as far as it was sorted last:
    duet_reachable before, after;
    // The fullest intervals of the state windows->state == prepared:
    int64_t prepared;
    duet_kept_interval *kept;
    size_t kept_count;
    // Room, per task:
    bool *touched; // something has changed that may delay it
    bool *seen;
    size_t *changed; // places in windows->undo
    int32_t *room;   // for sorting
    int64_t *froms;  // starts of tasks, which intervals begin with
    int64_t *backs;  // tails of tasks, which they end with
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

// Looks for an interval with too much work, of about `points` beginnings and as many ends.
void duet_energy_overload(duet_energy *energy, size_t points);

// The same under many suppositions about one state: prepare before each, which does something only
// where the state has become another; then under the supposition look at the intervals of that
// state, at the price of the tasks that it has changed.
void duet_energy_prepare(duet_energy *energy);
void duet_energy_overload_since(duet_energy *energy);

#endif
