// SPDX-License-Identifier: Apache-2.0
// The state of the policy. StarPU hands its hooks a number of a context alone, so there is one.
//
// One mutex guards it. It is taken after the mutex of a worker that StarPU holds while it asks for
// a task, so no worker is woken while it is held.
#ifndef DUET_STARPU_POLICY_STATE_H
#define DUET_STARPU_POLICY_STATE_H

#include <duet/duet.h>

#include "starpu/jobs.h"
#include "starpu/plan.h"
#include "starpu/snapshot.h"

// What a worker is to run, in its order.
typedef struct duet_starpu_line {
    size_t *job; // index in the table
    size_t count;
    size_t room;
    size_t next; // what is before has begun
} duet_starpu_line;

// What is fetched once a task has run, or before it does: data that a node needs.
typedef struct duet_starpu_fetch {
    size_t job;
    starpu_data_handle_t handle;
    unsigned node;
    int priority;
    double at; // us of starpu_timing_now(): when the job that needs it is planned to start
} duet_starpu_fetch;

// Of the tasks that are known: since there were some, until there are none.
typedef struct duet_starpu_figures {
    double began; // us; negative: nothing runs
    double bound;
    double span; // of what is over
    double spans_bound;
    double busy; // us of workers, running and waiting for data
    double waited;
    long tasks;
    long planned;
    long plans;
    long untimed; // tasks that ran before the models knew them
    double popped[STARPU_NMAXWORKERS];
    double started[STARPU_NMAXWORKERS];
} duet_starpu_figures;

typedef enum duet_starpu_life {
    DUET_PLANNER_ABSENT, // no thread was started
    DUET_PLANNER_RUNS,
    DUET_PLANNER_ENDS // it was told to end
} duet_starpu_life;

// The thread that plans.
typedef struct duet_starpu_planning {
    starpu_pthread_t thread;
    starpu_pthread_cond_t wanted; // signalled when a plan is asked for, or the thread is to end
    duet_starpu_life life;
    bool asked;  // a new plan is asked for
    bool busy;   // a plan is being made, without the mutex
    bool broken; // no memory: nothing is planned any more
} duet_starpu_planning;

typedef struct duet_starpu_state_all {
    starpu_pthread_mutex_t mutex;
    duet_starpu_planning planner;
    duet_cancel *cancel;
    duet_starpu_settings settings;
    struct starpu_sched_policy *base;
    unsigned context;
    bool active; // false: the base policy does it all
    bool strict; // of the plan that counts

    duet_starpu_jobs jobs;
    duet_starpu_line line[STARPU_NMAXWORKERS];
    duet_starpu_fetch *fetch; // by job
    size_t fetches;
    duet_starpu_fetch *early; // before their jobs begin, in the order of the plan
    size_t earlies;
    size_t early_next;      // those before were asked for
    double lead;            // us that they are asked for before their jobs start
    size_t held;            // 1 + a job that does not begin while its data are asked for; 0: none
    bool partitioned;       // data were partitioned while tasks ran
    size_t running;         // tasks of ours that have begun
    long unplanned;         // submitted since the last plan
    double first_unplanned; // us of starpu_timing_now(): when the first of them was
    double rest;            // us that the plan took from its beginning on
    long since;             // tasks that ended since the plan
    duet_starpu_figures figures;
} duet_starpu_state_all;

extern duet_starpu_state_all duet_starpu;

// lines.c. The mutex is held.
// The next task of a worker; NULL: none, for now.
struct starpu_task *duet_starpu_lines_take(int worker);
void duet_starpu_lines_clear(void);
void duet_starpu_lines_free(void);

// fetches.c. The mutex is held; duet_starpu_fetch_early() leaves it meanwhile.
// Notes what a plan makes to be fetched. False: no memory.
bool duet_starpu_plan_fetches(const duet_starpu_snapshot *s, const int *worker_of);
// What is to be fetched once a job has run. `fetch` has room for as many as there are.
size_t duet_starpu_fetches_behind(size_t job, duet_starpu_fetch *fetch, size_t most);
// Asks for what the plan reads soon and is there. To be called by the planner alone.
void duet_starpu_fetch_early(void);
bool duet_starpu_is_fetch_due(void);
void duet_starpu_fetches_free(void);

// planner.c
void *duet_starpu_planner(void *unused); // the thread
void duet_starpu_want_plan(void);        // the mutex is held
void duet_starpu_wake_all(void);         // idle workers look for tasks

// summary.c. The mutex is held.
void duet_starpu_note_begin(int worker);
void duet_starpu_note_end(int worker);
void duet_starpu_note_span_over(void);
void duet_starpu_summary(void);

#endif
