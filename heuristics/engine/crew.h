// SPDX-License-Identifier: Apache-2.0
// Processors that run a task graph and ask for work when they are idle.
//
// Method:    simulation by events. At each instant come first all completions, then the tasks that
//            they make ready, then the rule, which starts ready tasks on idle processors and may
//            stop running ones. A task of zero time ends in another round at the same instant.
//            On a reality (core/instance/reality.h) completions are real, and a processor that goes
//            makes the task that it has ready again.
// Cost:      O((n + e) + (n + aborted runs) log m) time beside the rule's own, O(n + m) memory.
#ifndef DUET_HEURISTICS_ENGINE_CREW_H
#define DUET_HEURISTICS_ENGINE_CREW_H

#include "core/system/watch.h"
#include "heuristics/engine/ready.h"
#include "heuristics/engine/tournament.h"
#include "heuristics/engine/waits.h"
#include "heuristics/engine/workers.h"

// What time alone brings.
typedef struct duet_crew_later {
    int64_t time;
    int64_t task;  // the task that joins; -1: none
    size_t worker; // the worker that is idle
} duet_crew_later;

typedef struct duet_crew {
    duet_workers workers;
    int32_t *kind; // of a task
    duet_waits waits;
    const duet_task_source *source;       // NULL: the edges of the instance say what joins
    duet_ready revealed;                  // by the source, until they join
    duet_tournament busy[DUET_MAX_TYPES]; // of each type: 0 for an idle processor, else 1
    size_t worker_at[DUET_MAX_TYPES];     // the worker that is processor 0 of each type
    // Instants at which the rule wants to act, a heap.
    int64_t *wakes;
    size_t wake_count;
    // On a reality, which can be stopped; rules that make plans run to their end.
    duet_watch watch;
    bool *done;       // of a task: it has completed
    bool *gone;       // of a worker: it will never be idle
    size_t next_gone; // the next processor that goes
    // A heap: tasks that are not released, and processors that are busy.
    duet_crew_later *later;
    size_t later_count;
} duet_crew;

typedef struct duet_crew_rule {
    // A task is ready now.
    duet_code (*join)(void *rule, int64_t task, duet_error *error);
    // All that is ready now has joined: idle processors act.
    duet_code (*act)(void *rule, duet_error *error);
    // A processor has gone; what it had will join. NULL: the rule need not know.
    duet_code (*lose)(void *rule, size_t type, size_t processor, duet_error *error);
} duet_crew_rule;

// context->reality and `source` may be NULL. Free with duet_crew_free(), also after an error.
duet_code duet_crew_create(const duet_instance *instance, const duet_context *context,
                           const duet_task_source *source, duet_solution *solution, duet_crew *crew,
                           duet_error *error);
void duet_crew_free(duet_crew *crew);

static inline bool duet_crew_is_idle(const duet_crew *crew, size_t type)
{
    return duet_tournament_least(&crew->busy[type]) == 0;
}

static inline bool duet_crew_processor_is_idle(const duet_crew *crew, size_t type, size_t processor)
{
    return duet_tournament_at(&crew->busy[type], processor) == 0;
}

// When the data of a task are on a processor; its predecessors have ended. Now where they take no
// time. O(predecessors).
int64_t duet_crew_arrival(const duet_crew *crew, int64_t task, size_t type, size_t processor);
// Starts a task on an idle processor, at an instant that is not before now.
duet_code duet_crew_start_at(duet_crew *crew, size_t type, size_t processor, int64_t task,
                             int64_t start, duet_error *error);
// Has the rule act at an instant.
duet_code duet_crew_wake(duet_crew *crew, int64_t instant, duet_error *error);

// Starts a task on the lowest idle processor of a type that has one.
duet_code duet_crew_start(duet_crew *crew, size_t type, int64_t task, duet_error *error);
// The task of a worker stops: its processor is idle.
duet_code duet_crew_abort(duet_crew *crew, size_t worker, duet_error *error);

// Runs until no processor is busy and nothing is to come.
duet_code duet_crew_run(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                        duet_error *error);

#endif
