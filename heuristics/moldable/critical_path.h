// SPDX-License-Identifier: Apache-2.0
// The critical path of a task graph whose tasks get shorter one at a time.
//
// Method:    tasks stand at places in a topological order. Each has a level: the longest path that
//            begins with it. Levels only fall, so that an old one is an upper bound. On the path a
//            level is a sum of times. Where a task could go on to another successor than the path
//            does, its *slack* is how much lower the old level of that one is. A task that gets
//            shorter takes as much from the slack of all tasks before it on the path, which a tree
//            over the places does at once; only where a slack gets negative is the other level
//            computed anew, and the path rerouted where it is still the higher one. The last such
//            place comes first, since levels before it depend on it.
// Guarantee: the path is the longest; of several the one whose tasks have the least ids from the
//            first on.
// Cost:      O(n + e) at first; then O(log n) for a change and for each level that is computed.
// Memory:    O(n + e).
// Reference: ours.
#ifndef DUET_HEURISTICS_MOLDABLE_CRITICAL_PATH_H
#define DUET_HEURISTICS_MOLDABLE_CRITICAL_PATH_H

#include "core/graph.h"

typedef struct duet_critical_path {
    // The graph.
    int32_t tasks;
    int32_t *id;        // the task at a place
    size_t *first;      // of the successors of a place
    int32_t *successor; // places
    int64_t *time;      // of a place
    int32_t *entry;     // places without predecessors but the head: a heap by level, then id
    size_t entries;

    // Levels of places that are not on the path.
    int64_t *level; // exact where `known` says so, else an upper bound
    int32_t *best;  // the successor that the level goes through; -1: none. Also of the path
    int64_t *known; // the step at which the level was computed
    int64_t step;
    int32_t *stack; // of levels in the making

    // The path, from `head` along `best`.
    int32_t head; // -1: there are no tasks
    int64_t length;
    bool *on_path;
    int64_t *sum; // of times: a Fenwick tree over the places on the path

    // Slacks: node i is above 2 i and 2 i + 1, place p is node leaves + p. A node's least slack is
    // `least`, to which the `added` of all nodes above it come.
    int64_t *least;
    int64_t *added;
    size_t leaves;

    // Whom the path tells about places that join or leave it; may be NULL.
    void (*changed)(void *user, int32_t place, bool joins);
    void *user;
} duet_critical_path;

// `graph`: NULL where tasks are independent; `time`: of each task. Free with
// duet_critical_path_free(), also after an error. Errors: DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_critical_path_create(const duet_graph *graph, int64_t tasks, const int64_t *time,
                                    duet_critical_path *path, duet_error *error);
void duet_critical_path_free(duet_critical_path *path);

// Computes all levels and the path.
void duet_critical_path_find(duet_critical_path *path);

// A place on the path takes another time. Where that is longer all is computed anew.
void duet_critical_path_set(duet_critical_path *path, int32_t place, int64_t time);

#endif
