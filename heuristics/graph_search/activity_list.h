// SPDX-License-Identifier: Apache-2.0
// A schedule as a list of tasks with a type each, and how it is read.
//
// Method:    tasks are placed in the order of the list, which is topological, each on the processor
//            of its type where it starts first; of those the one that is busy longest before (best
//            fit). Gaps are not filled: read in the order of its starts, any schedule gives one
//            that is no longer, where data take no time.
//            Where data take time that loses some schedules: a task may do better to wait for the
//            processor that has its data. So tasks may also be pinned, each to a processor.
//            A change of the list leaves all before it as it was. So the state of the processors is
//            kept at every few positions, and only what follows a change is read again, with a log
//            of what was there for the case that the change is not kept. Where the processors are
//            again free as before, and no task behind waits for one that ends at another time, the
//            rest is as it was, and is not read.
// Cost:      O(predecessors + processors of the type) a task; memory O(n), however many processors.
#ifndef DUET_HEURISTICS_GRAPH_SEARCH_ACTIVITY_LIST_H
#define DUET_HEURISTICS_GRAPH_SEARCH_ACTIVITY_LIST_H

#include "core/solution/solution.h"
#include "core/system/arena.h"
#include "heuristics/graph_search/model.h"
#include "heuristics/graph_search/tuning.h"

// What has been reached at a position of the list, beside the processors.
typedef struct duet_activity_reached {
    int64_t cost;     // of the tasks so far
    int64_t makespan; // of the tasks so far
} duet_activity_reached;

typedef struct duet_activity_list {
    const duet_graph_search_model *model;
    duet_arena arena; // It holds the arrays.

    // The list.
    int32_t *task;  // the task at a position
    int32_t *place; // the position of a task
    uint8_t *type;  // the type of a task

    // The schedule of the list. A task costs what it makes a schedule longer than the target: its
    // end, and the least time behind that, beyond it.
    int64_t target;
    duet_activity_reached reached;
    int64_t *end;  // the end of a task; the entry behind the last task is 0
    int32_t *host; // the processor of a task; NULL where no data take time
    int32_t *pin;  // the processor to which a task is pinned; NULL where no data take time
    bool pinned;   // tasks are pinned

    // Processors: when each is free from then on. Where no data take time it does not
    // matter which is which, and many of a type are sorted.
    int64_t *free_at;

    // Checkpoints at every `stride` positions, two of each: one of the schedule of the list, and
    // room for one of the change that is being tried.
    int32_t stride;
    int32_t checkpoints;
    int64_t *saved;                      // 2 x checkpoints x processors
    duet_activity_reached *reached_then; // 2 x checkpoints
    uint8_t *current;                    // which of the two belongs to the schedule

    // The change that is being tried. It was read from position `begin` to `until` - 1.
    int32_t begin;
    int32_t until;
    bool settled;                 // the tasks from `until` on keep their places
    duet_activity_reached before; // what the schedule of the list has reached at `until`
    duet_activity_reached after;  // what the change has reached there
    int64_t *end_before;          // the ends of the tasks that were read, without the change
    int32_t *host_before;         // their processors, without the change
} duet_activity_list;

// When processors are free at a checkpoint: of the schedule of the list where `which` is `current`.
static inline int64_t *duet_activity_list_saved(const duet_activity_list *list, int32_t checkpoint,
                                                unsigned which)
{
    size_t processors = (size_t)list->model->begin[list->model->types];
    return list->saved + (2 * (size_t)checkpoint + which) * processors;
}

// Free with duet_activity_list_free(), also after an error. DUET_E_MEMORY.
duet_code duet_activity_list_create(const duet_graph_search_model *model, duet_activity_list *list,
                                    duet_error *error);
void duet_activity_list_free(duet_activity_list *list);

// Takes tasks and types over: `task` is topological. O(n).
void duet_activity_list_set(duet_activity_list *list, const int32_t *task, const uint8_t *type);
// Pins every task to a processor, or none with NULL: then each runs where it starts first. Only
// where data take time. O(n).
void duet_activity_list_pin(duet_activity_list *list, const int32_t *host);
// Reads the whole list, with this target. Keeps what comes of it.
void duet_activity_list_read(duet_activity_list *list, int64_t target);

// Where a change is found to be no good before its end.
typedef struct duet_activity_limits {
    int64_t cost; // above it the change is rejected
    int32_t last; // the last position that was changed; INT32_MAX: all is read
    // The position from which on the processors' weighted work is looked at, again where twice as
    // much has been read, and by how much it may exceed what it was; INT32_MAX: never.
    int32_t area_from;
    double area;
} duet_activity_limits;

// Reads the list from position `from` on, which is the first that was changed, with `reached` that
// of the schedule of the list. False where the
// change is rejected: duet_activity_list_restore() must follow, with the list still changed. Else
// duet_activity_list_keep() or duet_activity_list_restore().
bool duet_activity_list_try(duet_activity_list *list, int32_t from,
                            const duet_activity_limits *limits);
void duet_activity_list_keep(duet_activity_list *list);
void duet_activity_list_restore(duet_activity_list *list);

// Moves the task at position `from` to position `to`; those between make room.
void duet_activity_list_shift(duet_activity_list *list, int32_t from, int32_t to);
// The first and the last position where the task at a position may stand, given all others.
int32_t duet_activity_list_earliest(const duet_activity_list *list, int32_t position);
int32_t duet_activity_list_latest(const duet_activity_list *list, int32_t position);

// Sorts the list by starts, those of equal starts as they stand, and reads it again; leaves it as
// it is where that would cost more. `keys`: room for two entries a task.
void duet_activity_list_sort(duet_activity_list *list, int64_t *keys);

// Writes the schedule of tasks and types, which need not be those of the list, into `placement` and
// returns its makespan. The list then has them. O(n).
int64_t duet_activity_list_write(duet_activity_list *list, const int32_t *task, const uint8_t *type,
                                 duet_placement *placement);

#endif
