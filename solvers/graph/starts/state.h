// SPDX-License-Identifier: Apache-2.0
// Inside of branching on starts. A file calls only those before it in this order:
//   seen_states    what earlier nodes are remembered by
//   graph          what does not change: windows of the tasks, sets of them, their weights, those
//                  that are alike
//   cuts           nodes that lead to nothing better
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
    int64_t lower;
    bool costly; // Data take time.

    // The best schedule so far.
    duet_placement *best;
    int64_t upper; // Its makespan.

    // The graph, per task, in every schedule that is shorter.
    int32_t order[DUET_BRANCH_STARTS_TASKS];    // The tasks in a topological order.
    int64_t from[DUET_BRANCH_STARTS_TASKS];     // A task starts no earlier.
    int64_t tail[DUET_BRANCH_STARTS_TASKS];     // It has at least this much time behind it.
    uint64_t types[DUET_BRANCH_STARTS_TASKS];   // It runs on one of these types.
    int64_t shortest[DUET_BRANCH_STARTS_TASKS]; // It takes at least this long.
    int32_t twin[DUET_BRANCH_STARTS_TASKS];     // A task like it that starts no later; -1: none.
    uint64_t before[DUET_BRANCH_STARTS_TASKS];  // The set of its predecessors.
    uint64_t behind[DUET_BRANCH_STARTS_TASKS];  // The set of its successors.
    int64_t weighted[DUET_BRANCH_STARTS_TASKS]; // Its least weighted time.
    int64_t weight[DUET_MAX_TYPES];             // Weights of work on the types.
    int64_t threshold[DUET_STARTS_THRESHOLDS];  // Tails above which work is summed.
    size_t thresholds;

    // The node.
    uint64_t started; // The set of tasks that have started.
    int64_t end[DUET_BRANCH_STARTS_TASKS];
    int32_t host[DUET_BRANCH_STARTS_TASKS];
    uint8_t type[DUET_BRANCH_STARTS_TASKS];

    // Per processor, of one arena.
    duet_arena arena;
    int64_t *free_at; // When it is free.
    bool *used;       // Whether it has run a task.
    int32_t *holder;  // The first task that left there what is still needed; -1: none did.

    // How the search ends.
    duet_seen_states *seen;
    int64_t nodes; // Nodes that are left.
    bool stopped;  // It ended without all nodes.
    duet_code code;
} duet_start_search;

static inline uint64_t duet_task_bit(int32_t task)
{
    return UINT64_C(1) << task;
}

// Describes the graph of s->model as it is for schedules shorter than s->upper. *none: there are
// none. DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_start_search_describe(duet_start_search *s, bool *none, duet_error *error);

// Numbers of a state that is remembered, at most.
size_t duet_start_search_longest(size_t processors);

// Whether a node, whose last task started at `last`, leads to nothing shorter than s->upper, or no
// farther than an earlier one.
bool duet_start_search_leads_nowhere(duet_start_search *s, int64_t last);

#endif
