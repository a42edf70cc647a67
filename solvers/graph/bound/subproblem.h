// SPDX-License-Identifier: Apache-2.0
// A part of a task graph: some of the tasks before, or after, one of them, and how long they take
// at least from what is known of each.
#ifndef DUET_SOLVERS_GRAPH_BOUND_SUBPROBLEM_H
#define DUET_SOLVERS_GRAPH_BOUND_SUBPROBLEM_H

#include "core/instance/instance.h"
#include "core/system/context.h"
#include "solvers/graph/bound/destructive.h"

// Which tasks: some of those before `task`, with starts that are proven of the whole graph, or of
// those behind it, with tails.
typedef struct duet_subproblem_choice {
    int32_t task;
    bool before;
    const int32_t *member; // of the whole graph, rising
    int64_t count;
} duet_subproblem_choice;

typedef struct duet_subproblem {
    duet_subproblem_choice choice;
    duet_instance *instance; // of the members alone, in their order
    int64_t *start, *tail;   // of each, on one side; the other is NULL
    duet_destructive *bound;
    int64_t upper; // of a schedule, as far as that matters: nothing above is tried
    int64_t spent; // operations so far
} duet_subproblem;

// `known` are windows of the whole graph. `choice->member` is borrowed, as is `context`. The part
// takes at least `lower`, which is known. DUET_E_LIMIT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_subproblem_create(duet_subproblem *sub, const duet_windows *known,
                                 const duet_subproblem_choice *choice, int64_t lower,
                                 const duet_context *context, duet_error *error);
void duet_subproblem_free(duet_subproblem *sub);

// Raises the least length of the part for so much work. DUET_E_MEMORY.
duet_code duet_subproblem_work(duet_subproblem *sub, int64_t work, duet_error *error);
bool duet_subproblem_done(const duet_subproblem *sub);

// Its line of a proof about the whole graph: its task, its length less one, its members with what
// is known of each, and its own lines. Only where its length was raised. Whether there was room.
bool duet_subproblem_write(const duet_subproblem *sub, duet_proof_writer *proof);

// Finds `part->upper`: the best of some schedules by lists, tasks by what they have behind them,
// each where it ends first, but for some noise. Data take no time. DUET_E_MEMORY.
duet_code duet_subproblem_schedule(duet_subproblem *sub, duet_error *error);

#endif
