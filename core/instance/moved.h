// SPDX-License-Identifier: Apache-2.0
// Sequential tasks with releases and busy processors as a task graph without them, the *moved*
// instance (problem.md, "The moved instance").
//
// Types are those of the platform, each with one of the times f until which some of its processors
// are busy: by type, then by f. The last type has one processor, on which the *source*, a task more
// behind all others, takes a tick and nothing else may run. The edges are those of the instance,
// which cost between types what they cost there, then one from the source to every task, which
// costs max(r, f) to a type that is busy until f, where the task is released at r.
//
// A schedule of the instance becomes one of the moved instance where the source starts at 0 and all
// else a tick later: a task starts at max(r, f) or later there, which is when the source's data
// arrive a tick later, and no two of the old types share a processor with another cost. So what is
// a bound of the moved instance is one of the instance, less the tick. Conversely, where the source
// ends at b, every task starts at b + max(r, f) or later, and moved to the left by b the schedule
// is one of the instance: both optima are the same, but for the tick.
#ifndef DUET_CORE_INSTANCE_MOVED_H
#define DUET_CORE_INSTANCE_MOVED_H

#include "core/instance/instance.h"

enum { DUET_MOVED_TICKS = 1 }; // that the source takes

// Processors of one type that are busy until the same time.
typedef struct duet_moved_class {
    size_t type;
    int64_t until;
    int64_t count;
} duet_moved_class;

typedef struct duet_moved {
    duet_instance *instance;
    duet_moved_class class[DUET_MAX_TYPES]; // the types but for the source's
    size_t classes;
} duet_moved;

// What stands in the way of a search of the moved instance.
typedef enum duet_moved_obstacle {
    DUET_MOVED_FREE,    // nothing
    DUET_MOVED_TIMES,   // times that leave no room for their sums, or no task at all
    DUET_MOVED_CLASSES, // there would be too many types
    DUET_MOVED_COSTS,   // or too many costs of edges; or no memory to count them
} duet_moved_obstacle;

// Whether a moved instance is small enough to be searched, which is known before it is made.
// O(tasks log tasks + processors that are listed as busy x types).
duet_moved_obstacle duet_moved_obstacle_of(const duet_instance *from);

// Of an instance without moldable tasks in which nothing is given. `memory_limit` in bytes, as in
// duet_memory_check(). The caller frees it, also after an error. DUET_E_LIMIT: there would be too
// many types or costs, or too much work; DUET_E_MEMORY. O(tasks log tasks + edges + processors that
// are listed as busy x types + tables of costs x types^2), with a table for each release.
duet_code duet_moved_create(const duet_instance *from, size_t memory_limit, duet_moved *moved,
                            duet_error *error);
void duet_moved_free(duet_moved *moved);

#endif
