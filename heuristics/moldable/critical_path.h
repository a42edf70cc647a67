// SPDX-License-Identifier: Apache-2.0
// The critical path of a task graph whose tasks get shorter one at a time.
//
// Method:    tasks stand in topological order. Each has a level: the longest path that begins with
//            it. Levels only fall, so that an old one is an upper bound; it is computed anew where
//            it may decide, and only there. When a task of the path gets shorter, its predecessors
//            on the path are looked at, and of their other successors those whose old level is
//            above that of the path.
// Guarantee: the path is the longest; of several the one whose tasks have the least ids from the
//            first on.
// Cost:      O(n + e) at first; then mostly O(edges that leave the path above the task).
// Memory:    O(n + e).
// Reference: ours.
#ifndef DUET_HEURISTICS_MOLDABLE_CRITICAL_PATH_H
#define DUET_HEURISTICS_MOLDABLE_CRITICAL_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "core/graph.h"

typedef struct duet_critical_path {
    // The graph. Tasks are *places* in a topological order.
    int32_t tasks;
    int32_t *id;        // the task at a place
    size_t *first;      // of the successors of a place
    int32_t *successor; // places
    int64_t *time;      // of a place
    int32_t *entry;     // places without predecessors: a heap by falling level, then id
    size_t entries;

    // Levels.
    int64_t *level; // exact where `known` says so, else an upper bound
    int32_t *best;  // the successor that the level goes through; -1: none
    int64_t *known; // the step at which the level was computed
    int64_t step;
    int32_t *stack; // of levels in the making

    // The path, from `head` along `best`. Its levels are exact.
    int32_t head; // -1: there are no tasks
    int64_t length;
    int32_t *above; // the place before one on the path; -1: none
    int64_t *rival; // no other successor of a place on the path has a higher level than this
    bool *on_path;

    // Whom the path tells about places that join or leave it; NULL where it was not made yet.
    void (*changed)(void *user, int32_t place, bool joins);
    void *user;
} duet_critical_path;

// `graph`: NULL where tasks are independent; `time`: of each task. Free with
// duet_critical_path_free(), also after an error. `changed` is told of the first path, too.
duet_code duet_critical_path_create(const duet_graph *graph, int64_t tasks, const int64_t *time,
                                    duet_critical_path *path, duet_error *error);
void duet_critical_path_free(duet_critical_path *path);

// Computes all levels and the path.
void duet_critical_path_find(duet_critical_path *path);

// A place on the path takes another time. Where that is longer all is computed anew.
void duet_critical_path_set(duet_critical_path *path, int32_t place, int64_t time);

#endif
