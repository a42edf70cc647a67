// SPDX-License-Identifier: Apache-2.0
// Pseudocosts of starts: by how much cases about a task's start have narrowed windows so far.
// Method:    each case leaves a part of what there was, 0 if it is refuted. A task remembers a
//            running mean of that part for either half of its window, relative to what cases at the
//            same depth leave in the mean.
// Reference: Vilim, Laborie, Shaw, "Failure-directed search for constraint-based scheduling",
//            CPAIOR 2015.
#ifndef DUET_SOLVERS_GRAPH_REFUTE_PSEUDOCOSTS_H
#define DUET_SOLVERS_GRAPH_REFUTE_PSEUDOCOSTS_H

#include "solvers/graph/propagate/windows.h"
#include "solvers/graph/refute/tuning.h"

// A pseudocost is 0 if the cases were always refuted, this if they do what all do in the mean.
enum { DUET_PSEUDOCOST_UNIT = 1 << 20 };

typedef struct duet_pseudocost {
    int64_t early; // Of the cases in which the task starts by some time.
    int64_t late;  // Of those in which it starts after it.
} duet_pseudocost;

typedef struct duet_pseudocosts {
    duet_pseudocost *task;                // Per task.
    int64_t mean[DUET_PSEUDOCOST_DEPTHS]; // What cases leave, by the number of open suppositions.
} duet_pseudocosts;

// DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_pseudocosts_create(duet_pseudocosts *pseudocosts, int64_t tasks, duet_error *error);
void duet_pseudocosts_free(duet_pseudocosts *pseudocosts);

// Learns from a statement about a start or an end that was taken for true and propagated.
// `narrowed` is what windows->narrowed was before.
void duet_pseudocosts_learn(duet_pseudocosts *pseudocosts, const duet_windows *windows,
                            const duet_task_statement *what, int64_t narrowed);

#endif
