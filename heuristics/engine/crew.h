// SPDX-License-Identifier: Apache-2.0
// CPUs and GPUs that run a task graph and ask for work when they are idle.
//
// Method:    simulation by events. At each instant come first all completions, then the tasks that
//            they make ready, then the rule, which starts ready tasks on idle processors and may
//            stop running ones. A task of zero time ends in another round at the same instant.
// Cost:      O((n + e) + (n + aborted runs) log m) time beside the rule's own, O(n + m) memory.
#ifndef DUET_HEURISTICS_ENGINE_CREW_H
#define DUET_HEURISTICS_ENGINE_CREW_H

#include "heuristics/engine/tournament.h"
#include "heuristics/engine/waits.h"
#include "heuristics/engine/workers.h"

typedef struct duet_crew {
    duet_workers workers;
    int32_t *kind; // of a task
    duet_waits waits;
    duet_tournament busy[2]; // of each type: 0 for an idle processor, else 1
    size_t worker_at[2];     // the worker that is processor 0 of each type
} duet_crew;

typedef struct duet_crew_rule {
    // A task is ready now.
    duet_code (*join)(void *rule, int64_t task, duet_error *error);
    // All that is ready now has joined: idle processors act.
    duet_code (*act)(void *rule, duet_error *error);
    // A worker's task has completed. NULL: the rule need not know.
    void (*complete)(void *rule, size_t worker);
} duet_crew_rule;

// For an instance with edges and two types. Free with duet_crew_free(), also after an error.
duet_code duet_crew_create(const duet_instance *instance, duet_solution *solution, duet_crew *crew,
                           duet_error *error);
void duet_crew_free(duet_crew *crew);

static inline bool duet_crew_is_idle(const duet_crew *crew, size_t type)
{
    return duet_tournament_least(&crew->busy[type]) == 0;
}

// Starts a task on the lowest idle processor of a type that has one.
duet_code duet_crew_start(duet_crew *crew, size_t type, int64_t task, duet_error *error);
// The task of a worker stops: its processor is idle.
duet_code duet_crew_abort(duet_crew *crew, size_t worker, duet_error *error);

// Runs until no processor is busy.
duet_code duet_crew_run(duet_crew *crew, const duet_crew_rule *functions, void *rule,
                        duet_error *error);

#endif
