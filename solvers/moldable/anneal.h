// SPDX-License-Identifier: Apache-2.0
// The annealing of independent moldable tasks: its state, and the order of its files, in which each
// calls those before it: anneal_state.c, anneal_moves.c, anneal_start.c, anneal.c.
#ifndef DUET_SOLVERS_MOLDABLE_ANNEAL_H
#define DUET_SOLVERS_MOLDABLE_ANNEAL_H

#include "core/algorithm.h"
#include "core/number/random.h"
#include "solvers/moldable/choices.h"

// A task that runs.
typedef struct duet_anneal_running {
    int64_t end;
    int32_t type;
    int32_t size;
} duet_anneal_running;

// A task by what decides where it is in the order.
typedef struct duet_anneal_entry {
    int64_t key;
    int32_t task;
} duet_anneal_entry;

// What a state is worth. `late`: processors times ticks by which tasks end after the due time.
typedef struct duet_anneal_worth {
    int64_t makespan;
    double late;
} duet_anneal_worth;

typedef struct duet_anneal {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    int32_t tasks;
    int32_t *kind;                     // of each task
    bool *monotone;                    // of each kind
    int64_t target;                    // a makespan that is good enough
    duet_int128 price[DUET_MAX_TYPES]; // of area on each type
    duet_random random;

    // States: tasks start as soon as they fit, in the order.
    duet_moldable_choices now, best;
    duet_anneal_worth now_worth;
    int64_t best_makespan;
    int64_t due; // what a descent looks for: no task of `now` is longer

    // Workspace of a schedule.
    duet_anneal_running *run;
    int32_t *waiting;
    int64_t idle[DUET_MAX_TYPES];
    duet_anneal_entry *list; // of each task
} duet_anneal;

// --- states (anneal_state.c) ---------------------------------------------------------------------

// Sets what the instance says, and makes room. Free with duet_anneal_free(), also after an error.
duet_code duet_anneal_create(duet_anneal *a, duet_error *error);
void duet_anneal_free(duet_anneal *a);
// Another type and size of a task.
void duet_anneal_set(const duet_anneal *a, duet_moldable_choice *choice, int32_t task, size_t type,
                     int64_t size);
// Its size of least area within the due time on a type; 0 where it has none.
int64_t duet_anneal_least_size(const duet_anneal *a, int32_t task, size_t type);
// The worth of `now`. Where more is late than `limit`, some worth of which that is true.
duet_anneal_worth duet_anneal_evaluate(duet_anneal *a, double limit);
// Keeps `now` where its makespan is the best.
void duet_anneal_keep_best(duet_anneal *a);
duet_code duet_anneal_write(const duet_anneal *a, duet_solution *solution, duet_error *error);

// --- moves (anneal_moves.c) ----------------------------------------------------------------------

// A move and how it is taken back.
typedef struct duet_anneal_move {
    int32_t task; // that had `before`; -1: none
    duet_moldable_choice before;
    int32_t other; // likewise
    duet_moldable_choice other_before;
    int64_t from, to; // in the order
    bool exchanges;
} duet_anneal_move;

// Changes `now`, so that no task is longer than the due time.
duet_anneal_move duet_anneal_propose(duet_anneal *a);
void duet_anneal_take_back(duet_anneal *a, const duet_anneal_move *made);

// --- where it starts (anneal_start.c) ------------------------------------------------------------

// `now` and `best` become the better of a schedule and some states of least areas.
void duet_anneal_start(duet_anneal *a, const duet_solution *solution);
// `now` becomes the least areas within the due time, at their prices, longest first. False where a
// task fits nowhere.
bool duet_anneal_take_least(duet_anneal *a);
// `now` becomes the best state, where tasks longer than the due time get sizes of least area within
// it. False where a task has none.
bool duet_anneal_take_best(duet_anneal *a);

#endif
