// SPDX-License-Identifier: Apache-2.0
// Tasks and processors as searches with releases see them; for this folder alone.
#ifndef DUET_SOLVERS_RELEASED_MODEL_H
#define DUET_SOLVERS_RELEASED_MODEL_H

#include "core/instance/graph.h"
#include "core/system/arena.h"
#include "solvers/released/released.h"

// Rounds in a row without a shorter schedule that end a search without a target.
enum { DUET_RELEASED_BARREN = 30 };
// The most tasks that the search over all schedules takes.
enum { DUET_RELEASED_MOST_TASKS = 64 };

// A processor that can be of use.
typedef struct duet_released_processor {
    int64_t from; // it is busy until then
    int32_t type;
    int32_t number; // of its type
} duet_released_processor;

typedef struct duet_released_model {
    duet_arena arena; // It holds the arrays.
    const duet_instance *instance;
    const duet_graph *graph; // NULL: tasks are independent
    size_t tasks;
    int32_t *kind;                      // of a task
    int64_t *release;                   // of a task
    int64_t *shortest;                  // time of a task
    int64_t *head;                      // when a task can start at the earliest
    int64_t begin;                      // of the first task, at the earliest
    int64_t *tail;                      // what must come behind a task, without its own time
    int32_t *order;                     // of tasks, a topological one
    duet_released_processor *processor; // those of a type together, the earliest first
    size_t first[DUET_MAX_TYPES + 1];   // where those of a type begin
    size_t processors;
} duet_released_model;

// Of each type only as many processors as the tasks can use. DUET_E_MEMORY. Free it whatever comes
// back.
duet_code duet_released_model_create(const duet_instance *instance, duet_released_model *model,
                                     duet_error *error);
void duet_released_model_free(duet_released_model *model);

// How long a search goes on.
typedef struct duet_released_effort {
    int64_t rounds; // 0: as long as there is time
    int64_t pass;   // Which of several searches from the best schedule so far it is, from 0 on.
    int64_t target; // A makespan that is good enough.
} duet_released_effort;

// Improves the schedule of the solution; sets its makespan. Errors: DUET_E_MEMORY.
duet_code duet_released_exchange(const duet_released_model *model, const duet_context *context,
                                 const duet_released_effort *effort, duet_solution *solution,
                                 duet_error *error);
duet_code duet_released_order(const duet_released_model *model, const duet_context *context,
                              const duet_released_effort *effort, duet_solution *solution,
                              duet_error *error);

#endif
