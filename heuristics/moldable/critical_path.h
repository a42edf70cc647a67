// SPDX-License-Identifier: Apache-2.0
// The critical path of a task graph whose tasks get shorter one at a time.
//
// Method:    tasks stand in topological order. The level of a task is the longest path that begins
//            with it. Each has a bound of its level, such that no edge is *tense*: the bound of its
//            tail is at least the time of the tail and the bound of its head. On the path bounds
//            are levels.
//            A task that gets shorter lowers all *live* places before it alike, by a sum that they
//            share, so that only edges from them to places behind it or to others can become tense:
//            short ones are near it in the order; the others are due when their tail has fallen by
//            as much as they have to spare. The tail of a tense edge is raised again; where it is
//            on the path, levels are made exact and tell whether the path changes.
// Guarantee: the path is the longest; of several the one whose tasks have the least ids from the
//            first on.
// Cost:      O(n + e) at first; then mostly O(edges that pass over the task + n/64).
// Memory:    O(n + e).
// Reference: ours.
#ifndef DUET_HEURISTICS_MOLDABLE_CRITICAL_PATH_H
#define DUET_HEURISTICS_MOLDABLE_CRITICAL_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "core/instance/graph.h"
#include "core/system/arena.h"

// A block has 2^DUET_PATH_BLOCK_BITS places; a short edge goes down at most DUET_PATH_REACH.
enum { DUET_PATH_BLOCK_BITS = 6, DUET_PATH_REACH = 64 };

static inline size_t duet_path_block(int32_t place)
{
    return (size_t)place >> DUET_PATH_BLOCK_BITS;
}

static inline bool duet_path_is_short(int32_t from, int32_t to)
{
    return to - from <= DUET_PATH_REACH;
}

// A place without predecessors; its key is its bound of a while ago, which was no lower.
typedef struct duet_path_entry {
    int64_t key;
    int32_t place;
} duet_path_entry;

typedef struct duet_critical_path {
    duet_arena arena; // It holds the arrays.
    // The graph. Tasks are *places* in a topological order.
    int32_t tasks;
    int32_t *id;            // the task at a place
    size_t *first;          // of the successors of a place
    int32_t *successor;     // places
    int64_t *time;          // of a place
    duet_path_entry *entry; // places without predecessors: a heap by falling key, then id
    size_t entries;

    size_t *enter_first; // of the predecessors of a place
    int32_t *predecessor;
    int32_t *lowest; // the first place of which a short edge passes over this one, or this one

    // Bounds of levels: of a live place `level` less what it has fallen since.
    int64_t *level;
    bool *live;
    int64_t *fall;       // of a place, beside that of its block
    int64_t *block_fall; // of all places of a block
    int64_t *due;        // a live place is looked at when it has fallen so far
    int64_t *block_due;  // at most what the first such place of a block has left of that
    int32_t *best;       // the successor that the bound goes through; -1: none
    int64_t *known;      // the step at which the level was exact
    int64_t step;
    int32_t *stack;  // of levels in the making
    int32_t *raised; // places whose edges may be tense: a heap by falling place
    size_t raises;
    bool *is_raised;

    // The path, from `head` along `best`.
    int32_t head; // -1: there are no tasks
    int64_t length;
    int32_t *above; // the place before one on the path; -1: none
    bool *on_path;

    // Whom the path tells about places that join or leave it; NULL where it was not made yet.
    void (*changed)(void *user, int32_t place, bool joins);
    void *user;
} duet_critical_path;

// `graph`: NULL where tasks are independent; `time`: of each task; both are copied. Free with
// duet_critical_path_free(), also after an error. `changed` is told of the first path, too.
// DUET_E_LIMIT: more tasks than a graph may have; DUET_E_MEMORY.
duet_code duet_critical_path_create(const duet_graph *graph, int64_t tasks, const int64_t *time,
                                    duet_critical_path *path, duet_error *error);
void duet_critical_path_free(duet_critical_path *path);

// Computes all levels and the path.
void duet_critical_path_find(duet_critical_path *path);

// A place on the path takes another time. Where that is longer all is computed anew.
void duet_critical_path_set(duet_critical_path *path, int32_t place, int64_t time);

#endif
