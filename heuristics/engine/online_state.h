// SPDX-License-Identifier: Apache-2.0
// The state of an online simulation; for online.c and online_idle.c alone.
#ifndef DUET_HEURISTICS_ENGINE_ONLINE_STATE_H
#define DUET_HEURISTICS_ENGINE_ONLINE_STATE_H

#include "heuristics/engine/online.h"
#include "heuristics/engine/queues.h"
#include "heuristics/engine/waits.h"

// The tasks of a processor that have not completed, in the order in which it runs them.
typedef struct duet_line {
    int32_t first; // -1: none
    int32_t last;
} duet_line;

// When the first task of a processor's line ends.
typedef struct duet_line_event {
    int64_t time;
    size_t line;
} duet_line_event;

// A task that waits for an idle processor.
typedef struct duet_waiting {
    duet_ready_task task;
    size_t type; // SIZE_MAX: none has been chosen
} duet_waiting;

typedef struct duet_simulation {
    // Inputs.
    const duet_rule *rule;
    const duet_context *context;
    const duet_online *how;
    duet_solution *solution;

    // What the rule sees.
    duet_list list;
    duet_spot spot[DUET_MAX_TYPES];
    int32_t *kind; // of a task
    int64_t *bottom;
    int64_t *descendants;

    // The platform.
    duet_queues queues;
    duet_line *line;
    size_t line_at[DUET_MAX_TYPES]; // the line of processor 0 of each type
    int32_t *next;                  // the task behind another one in its line; -1: none
    duet_line_event *events;        // a heap, an entry for each line that is not empty
    size_t event_count;

    // The instant.
    int64_t now;
    duet_waits waits;
    duet_ready ready;
    int32_t *completed;
    size_t completed_count;
    size_t completed_capacity;

    // Tasks that wait for an idle processor: by type where the rule does not look at processors,
    // else in one order with a copy of the processors on which they are placed.
    duet_ready waiting_on[DUET_MAX_TYPES];
    duet_waiting *waiting;
    size_t waiting_count;
    size_t waiting_capacity;
    duet_queues copy;
} duet_simulation;

// The type of a task, which the rule chooses on these processors, and its spot there.
duet_code duet_simulation_choose(duet_simulation *s, const duet_queues *queues, int64_t task,
                                 size_t *type, duet_spot *spot, duet_error *error);
// A task is the next one of a processor.
void duet_simulation_bind(duet_simulation *s, int64_t task, size_t type, duet_spot spot);

// Makes what is needed where tasks wait for idle processors, and frees it, also after an error.
duet_code duet_idle_begin(duet_simulation *s, duet_error *error);
void duet_idle_end(duet_simulation *s);
// Takes the tasks that are ready among those that wait, and starts those that can start now.
duet_code duet_idle_start(duet_simulation *s, duet_error *error);

#endif
