// SPDX-License-Identifier: Apache-2.0
// Inside of branching on starts. A file calls only those before it in this order:
//   seen_states    the dominance memo of earlier nodes
//   graph          what does not change: windows of the tasks, sets of them, their weights, those
//                  that are interchangeable
//   cuts           nodes that are pruned or dominated
//   branch_starts  children, and the search
#ifndef DUET_SOLVERS_GRAPH_STARTS_STATE_H
#define DUET_SOLVERS_GRAPH_STARTS_STATE_H

#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "heuristics/graph_search/model.h"
#include "solvers/graph/starts/branch_starts.h"
#include "solvers/graph/starts/seen_states.h"
#include "solvers/graph/starts/tuning.h"

typedef struct duet_start_search {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    const duet_graph_search_model *model;
    int64_t lower; // A proven bound.
    bool costly;   // Data take time.

    // The best schedule so far.
    duet_placement *best;
    int64_t upper; // Its makespan.

    // The graph, per task, in every schedule that is shorter.
    int32_t order[DUET_BRANCH_STARTS_TASKS];    // The tasks in a topological order.
    int64_t from[DUET_BRANCH_STARTS_TASKS];     // The task starts no earlier.
    int64_t tail[DUET_BRANCH_STARTS_TASKS];     // The task has at least this much time behind it.
    uint64_t types[DUET_BRANCH_STARTS_TASKS];   // The task runs on one of these types.
    int64_t shortest[DUET_BRANCH_STARTS_TASKS]; // The task takes at least this long.
    // An interchangeable task that starts no later; -1: none.
    int32_t twin[DUET_BRANCH_STARTS_TASKS];
    uint64_t before[DUET_BRANCH_STARTS_TASKS];  // The set of its predecessors.
    uint64_t behind[DUET_BRANCH_STARTS_TASKS];  // The set of its successors.
    int64_t weighted[DUET_BRANCH_STARTS_TASKS]; // Its least weighted time.
    int64_t weight[DUET_MAX_TYPES];             // Per type, the price of a tick of a processor.
    // The work of the tasks with a tail of at least each of these is compared with what fits.
    int64_t threshold[DUET_STARTS_THRESHOLDS];
    size_t thresholds; // Their number.

    // The node.
    uint64_t started;                       // The set of tasks that have started.
    int64_t end[DUET_BRANCH_STARTS_TASKS];  // Per started task, when it ends.
    int32_t host[DUET_BRANCH_STARTS_TASKS]; // Per started task, its processor.
    uint8_t type[DUET_BRANCH_STARTS_TASKS]; // Per started task, its type.

    // Per processor, of one arena.
    duet_arena arena;
    int64_t *free_at; // When it is free.
    bool *used;       // Whether it has run a task.
    int32_t *holder;  // The first task that left there what is still needed; -1: none did.

    // How the search ends.
    duet_seen_states *seen;
    int64_t nodes; // The nodes that may still be visited.
    bool stopped;  // The search ended before all nodes were visited.
    duet_code code;
} duet_start_search;

static inline uint64_t duet_task_bit(int32_t task)
{
    return UINT64_C(1) << task;
}

// Describes the graph of s->model as it is for schedules shorter than s->upper. Sets `*none` if
// there are none. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_start_search_describe(duet_start_search *s, bool *none, duet_error *error);

// Returns the most numbers that a stored state has.
size_t duet_start_search_longest(size_t processors);

// Returns whether a node, whose last task started at `last`, is pruned: by a bound, or because an
// earlier state dominates it.
bool duet_start_search_leads_nowhere(duet_start_search *s, int64_t last);

#endif
