// SPDX-License-Identifier: Apache-2.0
// Processors of any number of types that ask for work when they are idle: the engine owns time, a
// rule says what an idle processor does.
//
// Method:    simulation by events. At time 0 and at each completion the processor is handed to the
//            rule, which starts a task on it, takes over one that another processor runs, or leaves
//            it idle. At equal times later types come first (GPUs before CPUs), and of a type
//            lower processors.
// Cost:      O((n + m) log m) time beside the rule's own and O(m) memory, for m processors of all
//            types.
#ifndef DUET_HEURISTICS_ENGINE_WORKERS_H
#define DUET_HEURISTICS_ENGINE_WORKERS_H

#include "core/algorithm.h"
#include "core/instance/reality.h"

// A processor and what it runs.
typedef struct duet_worker {
    int64_t end; // when the task that it runs is planned to end
    int64_t due; // when it ends: the same but on a reality
    int64_t task;
    size_t kind;
    bool busy;
    // Which processor it is.
    int32_t type;
    int32_t processor;
} duet_worker;

// A worker at an instant.
typedef struct duet_worker_event {
    int64_t time;
    size_t worker;
} duet_worker_event;

typedef struct duet_workers {
    const duet_instance *instance;
    duet_solution *solution;
    duet_reality *reality; // NULL: times are as planned
    duet_worker *worker;   // the last type's first, so that the lower index acts first
    size_t count;
    int64_t now;
    duet_worker_event *completions; // a heap; entries of tasks that were taken over are stale
    size_t completion_count;
} duet_workers;

// At most one processor per task, and those that go. `reality` may be NULL. Free with
// duet_workers_free(), also after an error.
duet_code duet_workers_create(const duet_instance *instance, duet_reality *reality,
                              duet_solution *solution, duet_workers *workers, duet_error *error);
void duet_workers_free(duet_workers *workers);

static inline size_t duet_workers_type(const duet_workers *workers, size_t index)
{
    return (size_t)workers->worker[index].type;
}

// Starts a task on a worker that is idle, now or at an instant for which the worker waits.
duet_code duet_workers_start_at(duet_workers *workers, size_t index, size_t kind, int64_t task,
                                int64_t start, duet_error *error);
static inline duet_code duet_workers_start(duet_workers *workers, size_t index, size_t kind,
                                           int64_t task, duet_error *error)
{
    return duet_workers_start_at(workers, index, kind, task, workers->now, error);
}
// The task of a busy worker stops now; its work is lost, and recorded as aborted where it has
// begun.
duet_code duet_workers_abort(duet_workers *workers, size_t index, duet_error *error);

// The next completion that is not after `until`: advances time to it and returns the worker, which
// is idle now. SIZE_MAX: there is none.
size_t duet_workers_complete(duet_workers *workers, int64_t until);

// The rule: worker `index` is idle now.
typedef duet_code duet_workers_serve(void *rule, size_t index, duet_error *error);

// Runs until no worker is busy.
duet_code duet_workers_run(duet_workers *workers, duet_workers_serve *serve, void *rule,
                           duet_error *error);

#endif
