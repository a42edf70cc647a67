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
    int64_t nodes; // left
    duet_placement *best;
    int64_t upper; // its makespan

    // The graph.
    int32_t order[DUET_BRANCH_STARTS_TASKS];    // topological
    int64_t from[DUET_BRANCH_STARTS_TASKS];     // in a better schedule a task starts no earlier,
    int64_t tail[DUET_BRANCH_STARTS_TASKS];     // has at least so much time behind it,
    uint64_t types[DUET_BRANCH_STARTS_TASKS];   // runs on one of these types,
    int64_t shortest[DUET_BRANCH_STARTS_TASKS]; // and takes at least so long
    int32_t twin[DUET_BRANCH_STARTS_TASKS];    // a task that is alike and starts no later; -1: none
    uint64_t before[DUET_BRANCH_STARTS_TASKS]; // sets of tasks
    uint64_t behind[DUET_BRANCH_STARTS_TASKS];
    int64_t weight[DUET_MAX_TYPES];             // of work, in integers
    int64_t weighted[DUET_BRANCH_STARTS_TASKS]; // the least weighted time of a task
    int64_t threshold[DUET_STARTS_THRESHOLDS];  // of the time behind a task
    size_t thresholds;

    // The node.
    uint64_t started;
    int64_t end[DUET_BRANCH_STARTS_TASKS];
    int32_t host[DUET_BRANCH_STARTS_TASKS];
    uint8_t type[DUET_BRANCH_STARTS_TASKS];
    int64_t *free_at; // processors
    bool *used;       // which of them have run a task

    duet_seen_states *seen;
    bool costly;     // data take time; then of each processor
    int32_t *holder; // the first task that left there what is still needed; -1: none did
    bool stopped;
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
