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
    int64_t cost;     // The total tardiness of the tasks up to the position.
    int64_t makespan; // Their latest end.
} duet_activity_reached;

typedef struct duet_activity_list {
    const duet_graph_search_model *model;
    duet_arena arena; // It holds the arrays.

    // The list.
    int32_t *task;  // Per position, its task.
    int32_t *place; // Per task, its position.
    uint8_t *type;  // Per task, its type.

    // The schedule of the list. Its cost is its total tardiness: the sum over all tasks of
    // max(0, end + tail - target).
    int64_t target;
    duet_activity_reached reached; // The cost and the makespan of the whole list.
    // Per task, its end. The entry `tasks` is 0 and stands for a missing predecessor.
    int64_t *end;
    int32_t *host; // Per task, its processor; NULL if no data take time.
    int32_t *pin;  // Per task, the processor to which it is pinned; NULL if no data take time.
    bool pinned;   // Every task runs on its processor in `pin`.

    // Per processor, when it becomes free. If no data take time, types of more than eight
    // processors are sorted.
    int64_t *free_at;

    // Checkpoints at every `stride` positions, two copies of each: one of the schedule of the list,
    // and one of the change that is being tried.
    int32_t stride;
    int32_t checkpoints;
    int64_t *saved;                      // Per checkpoint, copy and processor, when it is free.
    duet_activity_reached *reached_then; // Per checkpoint and copy, what is reached there.
    uint8_t *current; // Per checkpoint, which copy is that of the schedule of the list.

    // The change that is being tried.
    int32_t begin;                // The position from which on it was evaluated.
    int32_t until;                // It was evaluated up to the position before this one.
    bool settled;                 // The tasks from `until` on run as before the change.
    duet_activity_reached before; // What was reached at `until` before the change.
    duet_activity_reached after;  // What is reached there after it.
    int64_t *end_before;  // At each position evaluated, the end of its task before the change.
    int32_t *host_before; // Likewise its processor; NULL if no data take time.
} duet_activity_list;

// Returns when processors are free at a checkpoint. If `which` is that of `current`, this is the
// schedule of the list.
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

// Sets the list to these tasks, which are in a topological order, and these types. O(n).
void duet_activity_list_set(duet_activity_list *list, const int32_t *task, const uint8_t *type);
// Pins each task to the processor host[task]. NULL: no task is pinned, and each runs on the
// processor where it starts first. Only if data take time. O(n).
void duet_activity_list_pin(duet_activity_list *list, const int32_t *host);
// Evaluates the whole list with this target, and keeps the result.
void duet_activity_list_read(duet_activity_list *list, int64_t target);

// The limits beyond which a change is rejected.
typedef struct duet_activity_limits {
    int64_t cost; // A change of a higher cost is rejected.
    int32_t last; // The last position that was changed; INT32_MAX: the whole list is evaluated.
    // From this position on the processors' weighted work is compared with that before the change,
    // and again whenever twice as much has been evaluated; INT32_MAX: never.
    int32_t area_from;
    double area; // The change is rejected if that work exceeds the former by more than this.
} duet_activity_limits;

// Evaluates the changed list from position `from` on, which is the first that differs. On entry
// `list->reached` must be that of the kept schedule. Returns false if the change is rejected. If it
// is, or to discard a change that is not, call duet_activity_list_restore() while the list is still
// changed, and set `list->reached` back. Otherwise call duet_activity_list_keep().
bool duet_activity_list_try(duet_activity_list *list, int32_t from,
                            const duet_activity_limits *limits);
void duet_activity_list_keep(duet_activity_list *list);
void duet_activity_list_restore(duet_activity_list *list);

// Moves the task at position `from` to position `to`; those between make room.
void duet_activity_list_shift(duet_activity_list *list, int32_t from, int32_t to);
// Returns the first or the last position where the task at a position may stand, given all others.
int32_t duet_activity_list_earliest(const duet_activity_list *list, int32_t position);
int32_t duet_activity_list_latest(const duet_activity_list *list, int32_t position);

// Sorts the list by starts, those of equal starts in their present order, and evaluates it. The
// list stays as it is if that would cost more. `keys` has room for two entries a task.
void duet_activity_list_sort(duet_activity_list *list, int64_t *keys);

// Sets the list to these tasks and types, writes their schedule into `placement` and returns its
// makespan. O(n x processors of a type).
int64_t duet_activity_list_write(duet_activity_list *list, const int32_t *task, const uint8_t *type,
                                 duet_placement *placement);

// A task of a list, to be sorted by starts; `place` keeps the order of those that start together.
typedef struct duet_activity_start {
    int64_t start;
    int32_t place;
    int32_t task;
} duet_activity_start;

int duet_activity_by_start(const void *left, const void *right); // of two duet_activity_start

#endif
