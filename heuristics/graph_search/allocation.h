// SPDX-License-Identifier: Apache-2.0
// The schedule of an allocation: each task has a type, and lists do the rest.
//
// Method:    bottom levels are computed under the allocation. Then time goes on from one completion
//            to the next: a processor that is idle starts the task of its type that is ready and
//            has the longest bottom level, and never waits. A task whose type is changed finds its
//            place anew, which it does not in an activity list (graph_search/activity_list.h).
//            An evaluation has a limit and ends as soon as the makespan will be above it: where the
//            work of a type is more than its processors do by then, where a bottom level is longer,
//            where work and idle time so far are too much, or a task starts too late for what is
//            behind it. Levels are looked at from the last task on that was moved since an
//            allocation was kept, and not at all where a path through such a task is too long
//            whatever the others save.
// Guarantee: none. On independent tasks of one type it is that of longest tasks first.
// Cost:      O(n log m + e) an evaluation beside its levels' order (graph_search/level_order.h),
//            often a small part of that where it is rejected.
// Memory:    O(n).
// Reference: Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969,
//            for lists; the early rejections are ours.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ALLOCATION_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ALLOCATION_H

#include "core/least_set.h"
#include "core/system/arena.h"
#include "heuristics/graph_search/level_order.h"
#include "heuristics/graph_search/model.h"

// Up to this many moved tasks are known one by one.
enum { DUET_ALLOCATION_MOVED = 8 };

// A task that runs.
typedef struct duet_graph_allocation_entry {
    int64_t end; // When it ends.
    int32_t task;
} duet_graph_allocation_entry;

typedef struct duet_graph_allocation {
    // Inputs. The order is a topological one of the model.
    const duet_graph_search_model *model;
    const int32_t *order;
    bool backwards; // The order is read from its end: the model is mirrored.

    // The allocation.
    uint8_t *type;                // Per task, its type.
    int64_t *time;                // Per task, its time there.
    int64_t work[DUET_MAX_TYPES]; // Per type, the time of its tasks.

    // The last evaluation.
    int64_t *level; // Per task, its bottom level: the longest path from its start.
    int64_t *start; // Per task, when it starts; only all of it if the evaluation ended.
    int64_t placed; // The tasks that it started.
    int64_t looked; // The tasks whose levels it looked at.
    int32_t *left;  // Per task, its predecessors that have not ended.
    int32_t *waits; // Per task, its predecessors.
    int32_t *place; // Per task, its place in the order.
    duet_arena arena;

    // The allocation that was kept last, from which evaluations go out.
    bool kept;                            // There is one.
    int64_t *kept_time;                   // Per task, its time there.
    int64_t *kept_level;                  // Per task, its bottom level there.
    int64_t *kept_head;                   // Per task, the longest path to its start there.
    int32_t moved[DUET_ALLOCATION_MOVED]; // Tasks that were moved since.
    int32_t moved_count;                  // Their number; DUET_ALLOCATION_MOVED: there are more.

    // Workspace: the ranks of tasks that are ready, per type, and a heap of those that run.
    duet_graph_level_order levels;
    duet_least_set ready[DUET_MAX_TYPES];
    duet_graph_allocation_entry *running;
    size_t running_count;
} duet_graph_allocation;

// Only where data take no time. Free with duet_graph_allocation_free(), also after an error.
// DUET_E_MEMORY.
duet_code duet_graph_allocation_create(const duet_graph_search_model *model,
                                       duet_graph_allocation *allocation, duet_error *error);
void duet_graph_allocation_free(duet_graph_allocation *allocation);

// Sets the model, or its mirror, with a topological order of the model that is not mirrored. Both
// are borrowed.
void duet_graph_allocation_set_model(duet_graph_allocation *allocation,
                                     const duet_graph_search_model *model, const int32_t *order);
// Sets all types; each task may run on its type. O(n).
void duet_graph_allocation_set(duet_graph_allocation *allocation, const uint8_t *type);
// Gives a task another type, where it may run.
void duet_graph_allocation_move(duet_graph_allocation *allocation, int32_t task, size_t type);
// Returns the makespan of the allocation's schedule, or INT64_MAX if that is above `most`, which is
// at most DUET_ALLOCATION_MOST.
#define DUET_ALLOCATION_MOST (INT64_MAX / 4)
int64_t duet_graph_allocation_evaluate(duet_graph_allocation *allocation, int64_t most);
// Keeps the allocation that was evaluated last, with a makespan: the next evaluations, whose limit
// is not below that makespan, look at what was moved since. Sets of types and models forget it.
void duet_graph_allocation_keep(duet_graph_allocation *allocation);

#endif
