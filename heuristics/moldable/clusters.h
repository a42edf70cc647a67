// SPDX-License-Identifier: Apache-2.0
// Placing tasks of a graph on clusters: when their processors are released, when data arrive.
//
// Nothing is filled in before a processor's release. On p processors of a cluster a task starts
// when its data have arrived and p processors are released, on those that were released last by
// then; or on the very set of a predecessor, whose data need not move.
//
// Cost:      a trial is O(predecessors), and the size of each predecessor's set of that size; to
//            place is O(processors of the cluster).
// Memory:    O(n + processors + sizes of the sets).
// Reference: N'Takpe, Suter, ICPADS 2006, section 4.2.
#ifndef DUET_HEURISTICS_MOLDABLE_CLUSTERS_H
#define DUET_HEURISTICS_MOLDABLE_CLUSTERS_H

#include "core/instance/graph.h"
#include "heuristics/moldable/plan.h"

// What the data of an edge take from p processors of type i to other q of type j.
typedef int64_t duet_move_function(const void *platform, int64_t edge, size_t i, int64_t p,
                                   size_t j, int64_t q);

// The processors of a type.
typedef struct duet_cluster {
    int64_t processors;
    int64_t *release; // of each processor
    int32_t *order;   // processors by release, then number
} duet_cluster;

typedef struct duet_clusters {
    const duet_graph *graph;        // NULL: tasks are independent
    const duet_instance *available; // says when tasks and processors are there; NULL: from 0 on
    duet_move_function *move;
    const void *platform; // for `move`
    size_t types;
    duet_cluster cluster[DUET_MAX_TYPES];
    duet_plan plan;
    int32_t *chosen; // a set in the making
} duet_clusters;

// A way to place a task.
typedef struct duet_trial {
    int64_t start, finish;
    size_t type;
    int32_t size;
    int32_t same; // the predecessor whose set it takes; -1: none
} duet_trial;

// All processors are released at 0, but for duet_clusters_heed(). Free with duet_clusters_free(),
// also after an error.
duet_code duet_clusters_create(const duet_graph *graph, int64_t tasks, size_t types,
                               const int64_t *processors, duet_clusters *clusters,
                               duet_error *error);
void duet_clusters_free(duet_clusters *clusters);
// From now on no task starts before its release, and no processor is released before it stops being
// busy, as the instance says, whose types these are. No task is placed.
void duet_clusters_heed(duet_clusters *clusters, const duet_instance *instance);
// Forgets all placements.
void duet_clusters_clear(duet_clusters *clusters);

// Where a task whose predecessors are placed would finish first on `size` processors of a type, for
// `time` ticks. Of two that finish together a predecessor's set comes first, that of the lowest
// one.
duet_trial duet_clusters_try(const duet_clusters *clusters, int32_t task, size_t type, int64_t size,
                             int64_t time);

// Whether a trial comes before another: the earlier finish, a predecessor's set, the lower type.
bool duet_trial_precedes(const duet_trial *a, const duet_trial *b);

// Places the task as tried, before any other is placed.
duet_code duet_clusters_place(duet_clusters *clusters, int32_t task, const duet_trial *trial,
                              duet_error *error);

#endif
