// SPDX-License-Identifier: Apache-2.0
// The state of an online simulation; for online.c, online_idle.c and online_real.c alone.
#ifndef DUET_HEURISTICS_ENGINE_ONLINE_STATE_H
#define DUET_HEURISTICS_ENGINE_ONLINE_STATE_H

#include "core/heap.h"
#include "core/system/watch.h"
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

// Completions of an instant are taken together.
static inline bool duet_line_event_before(const void *none, duet_line_event a, duet_line_event b)
{
    (void)none;
    return a.time < b.time;
}

DUET_HEAP(duet_line_events, duet_line_event, void, duet_line_event_before)

// What time alone brings: the release of a task, which has no predecessor left; or -1, the end of a
// processor's busy time.
typedef struct duet_later {
    int64_t time;
    int64_t task;
} duet_later;

static inline bool duet_later_before(const void *none, duet_later a, duet_later b)
{
    (void)none;
    return a.time != b.time ? a.time < b.time : a.task < b.task;
}

DUET_HEAP(duet_laters, duet_later, void, duet_later_before)

// What a rule expects of a processor on which real times differ from planned ones.
typedef struct duet_real_line {
    int64_t end;    // when the first task of its line is planned to end
    int64_t behind; // the planned times of the others
    bool gone;
} duet_real_line;

// A task that waits for an idle processor.
typedef struct duet_waiting {
    duet_ready_task task;
    size_t type; // SIZE_MAX: none has been chosen, or it is chosen anew at each instant
    bool fresh;  // it has not been asked for
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
    duet_later *later; // a heap: tasks that are not released, and ends of busy times
    size_t later_count;

    // A reality: NULL where times are as planned.
    duet_reality *reality;
    duet_watch
        watch; // of a run on it, which can be stopped; rules that make plans run to their end
    duet_real_line *real; // of each line
    bool *done;           // of a task: it has completed
    size_t next_gone;     // the next processor that goes, in the reality's list

    // Tasks that wait for an idle processor: by type where the rule does not look at processors,
    // else in one order with a copy of the processors on which they are placed.
    duet_ready waiting_on[DUET_MAX_TYPES];
    duet_waiting *waiting;
    size_t waiting_count;
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

// Takes back what waits for a type that has lost its last processor.
duet_code duet_idle_lose(duet_simulation *s, size_t type, duet_error *error);

// Makes what is needed where times are real, and frees it, also after an error.
duet_code duet_real_begin(duet_simulation *s, duet_error *error);
void duet_real_end(duet_simulation *s);
// The planned time of a task where it was placed, and when its data are there.
int64_t duet_real_time(const duet_simulation *s, int32_t task);
int64_t duet_real_arrival(const duet_simulation *s, int32_t task);
// The first task of a line starts, as soon as its data are there. Returns when it really ends.
int64_t duet_real_start(duet_simulation *s, size_t line);
// The instant of the next completion or loss of a processor; there is a completion to come.
int64_t duet_real_next(const duet_simulation *s);
// Takes away the processors that are gone by now; their tasks are ready again.
duet_code duet_real_lose(duet_simulation *s, duet_error *error);
// Tells the rule from when on each processor is expected to be free.
void duet_real_refresh(duet_simulation *s);

#endif
