// SPDX-License-Identifier: Apache-2.0
// The tasks that StarPU was given and that have not ended, as the policy sees them.
//
// A task is known from its submission until it has run. Its pointer is good while it waits and
// while it is in a queue of ours: StarPU may free what it has begun.
#ifndef DUET_STARPU_JOBS_H
#define DUET_STARPU_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <starpu.h>

enum { DUET_STARPU_MOST_ARCHS = 64 };

// Workers that take equally long for everything: all CPUs, or one device.
typedef struct duet_starpu_arch {
    enum starpu_worker_archtype type;
    int device;
    int first; // its first worker
} duet_starpu_arch;

typedef enum duet_starpu_state {
    DUET_STARPU_WAITS,    // for others
    DUET_STARPU_IS_READY, // in the queue of its worker, by our plan
    DUET_STARPU_IS_BASES, // the base policy has it
    DUET_STARPU_RUNS,
    DUET_STARPU_IS_DONE
} duet_starpu_state;

typedef struct duet_starpu_access {
    starpu_data_handle_t handle;
    size_t size;
    bool reads;
    bool writes;
} duet_starpu_access;

typedef struct duet_starpu_job {
    struct starpu_task *task;
    duet_starpu_state state;
    bool timed; // the models know how long it takes wherever it may run
    // The plan.
    int32_t rank;         // from 1 in the order of planned starts; 0: not planned
    int worker;           // where it runs, once it has begun
    double planned_start; // us of starpu_timing_now()
    double planned_end;
    double began; // likewise; 0: it has not
    // What it uses, in the pools.
    size_t first_access;
    size_t accesses;
    double *time; // us per arch; 0: not known; negative: not allowed
} duet_starpu_job;

typedef struct duet_starpu_jobs {
    duet_starpu_arch arch[DUET_STARPU_MOST_ARCHS];
    size_t archs;
    int arch_of[STARPU_NMAXWORKERS];
    duet_starpu_job *job;
    size_t count;
    size_t room;
    size_t unfinished;
    duet_starpu_access *access;
    size_t access_count;
    size_t access_room;
    size_t *slot; // open addressing by task: 1 + index; 0: free
    size_t slots;
} duet_starpu_jobs;

// Learns the workers.
void duet_starpu_jobs_begin(duet_starpu_jobs *jobs);
void duet_starpu_jobs_free(duet_starpu_jobs *jobs);
// Whether a task is one of ours: sequential, with a model, for any worker.
bool duet_starpu_is_ours(const struct starpu_task *task);
// Adds a task that is submitted, with its times. False: no memory.
bool duet_starpu_jobs_add(duet_starpu_jobs *jobs, struct starpu_task *task);
// The job of a task that is not done; NULL: there is none.
duet_starpu_job *duet_starpu_jobs_find(const duet_starpu_jobs *jobs,
                                       const struct starpu_task *task);
// Asks the models for what they did not know.
void duet_starpu_jobs_time(const duet_starpu_jobs *jobs, duet_starpu_job *job);
void duet_starpu_jobs_done(duet_starpu_jobs *jobs, duet_starpu_job *job);
// Leaves out what is done: indices change. False: no memory.
bool duet_starpu_jobs_compact(duet_starpu_jobs *jobs);

// Room for one entry more of `size` bytes in an array. False: no memory.
bool duet_starpu_grow(void *array, size_t count, size_t *room, size_t size);

#endif
