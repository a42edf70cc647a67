// SPDX-License-Identifier: Apache-2.0
// A subproblem of a task graph: some of the tasks before, or behind, one of them, each with the
// head or tail that is known of it. The least time that they take is a head or tail of that task.
#ifndef DUET_SOLVERS_GRAPH_BOUND_SUBPROBLEM_H
#define DUET_SOLVERS_GRAPH_BOUND_SUBPROBLEM_H

#include "core/instance/instance.h"
#include "core/system/context.h"
#include "solvers/graph/bound/destructive.h"

// Which tasks a subproblem has.
typedef struct duet_subproblem_choice {
    int32_t task; // The task that it is about.
    bool before;  // Its tasks are some of those before `task`, with heads that are proven of
                  // the whole graph; else some of those behind it, with tails.
    const int32_t *member; // The tasks, as numbers of the whole graph, rising.
    int64_t count;         // Their number.
} duet_subproblem_choice;

typedef struct duet_subproblem {
    duet_subproblem_choice choice;
    duet_instance *instance; // The members alone, in their order.
    int64_t *start;          // The head of each member; NULL behind `task`.
    int64_t *tail;           // The tail of each member; NULL before `task`.
    duet_destructive *bound;
    // Only guesses below this are tried: the makespan of a schedule of the subproblem, or one more
    // than the longest that a schedule of the whole graph allows it.
    int64_t upper;
    int64_t spent; // The operations so far.
} duet_subproblem;

// `known` are windows of the whole graph. `choice->member` and `context` are borrowed. `lower` is a
// known bound of the subproblem. DUET_E_LIMIT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_subproblem_create(duet_subproblem *sub, const duet_windows *known,
                                 const duet_subproblem_choice *choice, int64_t lower,
                                 const duet_context *context, duet_error *error);
void duet_subproblem_free(duet_subproblem *sub);

// Raises the bound of the subproblem for about `work` operations. DUET_E_MEMORY.
duet_code duet_subproblem_work(duet_subproblem *sub, int64_t work, duet_error *error);
// Returns whether there is nothing left to do.
bool duet_subproblem_done(const duet_subproblem *sub);

// Writes its line of a proof about the whole graph: its task, its bound less one, its members with
// what is known of each, and its own lines. Only if its bound was raised. Whether there was room.
bool duet_subproblem_write(const duet_subproblem *sub, duet_proof_writer *proof);

// Finds sub->upper, the best of some list schedules in which data take no time. DUET_E_MEMORY.
duet_code duet_subproblem_schedule(duet_subproblem *sub, duet_error *error);

#endif
