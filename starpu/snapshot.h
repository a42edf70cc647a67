// SPDX-License-Identifier: Apache-2.0
// The tasks that wait, with their dependencies, types of workers and data: a problem for Duet.
#ifndef DUET_STARPU_SNAPSHOT_H
#define DUET_STARPU_SNAPSHOT_H

#include <duet/duet.h>

#include "starpu/jobs.h"

// A dependency between two tasks of a snapshot.
typedef struct duet_starpu_edge {
    int32_t from;
    int32_t to;
    size_t size; // bytes that the first writes and the other reads
} duet_starpu_edge;

typedef struct duet_starpu_snapshot {
    // Tasks.
    size_t tasks;
    size_t *job;               // its index in the table
    struct starpu_task **task; // as it was then
    double *time;              // us, tasks x archs; negative: not allowed
    double *release;           // us until those that have begun let it start
    // Their data.
    size_t *access_at; // tasks + 1
    duet_starpu_access *access;
    // Dependencies, sorted, each once.
    duet_starpu_edge *edge;
    size_t edges;
    size_t edge_room;
    // Workers.
    size_t types;
    int type_of[DUET_STARPU_MOST_ARCHS];
    int *worker; // those of the first type first
    size_t worker_at[DUET_STARPU_MOST_ARCHS + 1];
    double busy[STARPU_NMAXWORKERS]; // us until it has run what it has begun
    bool unordered;                  // some access commutes or is a reduction
    bool failed;                     // no memory
} duet_starpu_snapshot;

// Takes all tasks that have not begun and whose times are known; those that the base policy has are
// supposed to run where it suits the plan. What has begun keeps its worker, and others wait for it.
// To be called while no task of ours can begin. False: no memory.
bool duet_starpu_snapshot_take(duet_starpu_snapshot *snapshot, duet_starpu_jobs *jobs);
void duet_starpu_snapshot_free(duet_starpu_snapshot *snapshot);

// The instance, with what transfers cost or without, and the machine with its bus. Both are the
// caller's.
duet_code duet_starpu_snapshot_instance(const duet_starpu_snapshot *snapshot, bool costs,
                                        duet_instance **out, duet_error *error);
duet_code duet_starpu_snapshot_bus(const duet_starpu_snapshot *snapshot,
                                   const duet_instance *instance, duet_bus **out,
                                   duet_error *error);

#endif
