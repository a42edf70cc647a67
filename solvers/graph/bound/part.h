// SPDX-License-Identifier: Apache-2.0
// A part of a task graph: some of the tasks before, or after, one of them, and how long they take
// at least from what is known of each.
#ifndef DUET_SOLVERS_GRAPH_BOUND_PART_H
#define DUET_SOLVERS_GRAPH_BOUND_PART_H

#include "core/instance/instance.h"
#include "core/system/context.h"
#include "solvers/graph/bound/raise.h"

// Which tasks: some of those before `task`, with starts that are proven of the whole graph, or of
// those behind it, with tails.
typedef struct duet_part_choice {
    int32_t task;
    bool before;
    const int32_t *member; // of the whole graph, rising
    int64_t count;
} duet_part_choice;

typedef struct duet_part {
    duet_part_choice choice;
    duet_instance *instance; // of the members alone, in their order
    int64_t *start, *tail;   // of each, on one side; the other is NULL
    duet_raise *raise;
    int64_t upper; // of a schedule, as far as that matters: nothing above is tried
    int64_t spent; // operations so far
} duet_part;

// `known` are windows of the whole graph. `choice->member` is borrowed, as is `context`. The part
// takes at least `lower`, which is known. DUET_E_LIMIT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_part_create(duet_part *part, const duet_windows *known,
                           const duet_part_choice *choice, int64_t lower,
                           const duet_context *context, duet_error *error);
void duet_part_free(duet_part *part);

// Raises the least length of the part for so much work. DUET_E_MEMORY.
duet_code duet_part_work(duet_part *part, int64_t work, duet_error *error);
bool duet_part_done(const duet_part *part);

// Its line of a proof about the whole graph: its task, its length less one, its members with what
// is known of each, and its own lines. Only where its length was raised. Whether there was room.
bool duet_part_write(const duet_part *part, duet_proof_writer *proof);

// Finds `part->upper`: the best of some schedules by lists, tasks by what they have behind them,
// each where it ends first, but for some noise. Data take no time. DUET_E_MEMORY.
duet_code duet_part_schedule(duet_part *part, duet_error *error);

#endif
