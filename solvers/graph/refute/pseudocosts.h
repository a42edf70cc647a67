// SPDX-License-Identifier: Apache-2.0
// Pseudocosts of starts: how much of the search space cases about a task's start have left so far.
// Unlike those of integer programming, small ones are good: they are the ratings of the reference.
// Method:    each case leaves a part of what there was, 0 if it is refuted. A task remembers a
//            running mean of that part for either half of its window, relative to what cases at the
//            same depth leave in the mean.
// Reference: Vilim, Laborie, Shaw, "Failure-directed search for constraint-based scheduling",
//            CPAIOR 2015.
#ifndef DUET_SOLVERS_GRAPH_REFUTE_PSEUDOCOSTS_H
#define DUET_SOLVERS_GRAPH_REFUTE_PSEUDOCOSTS_H

#include "solvers/graph/propagate/windows.h"
#include "solvers/graph/refute/tuning.h"

// A pseudocost is 0 if the cases were always refuted, and this if they leave as much as all cases
// do in the mean.
enum { DUET_PSEUDOCOST_UNIT = 1 << 20 };

// The running means of the parts that cases about a task leave, relative to the means of their
// depths.
typedef struct duet_pseudocost {
    int64_t early; // The pseudocost of cases in which the task starts, or ends, by some time.
    int64_t late;  // That of cases in which it starts, or ends, after some time.
} duet_pseudocost;

typedef struct duet_pseudocosts {
    duet_pseudocost *task; // Per task, its pseudocosts.
    // Per number of open suppositions, the running mean of the part that cases leave.
    int64_t mean[DUET_PSEUDOCOST_DEPTHS];
} duet_pseudocosts;

// DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_pseudocosts_create(duet_pseudocosts *pseudocosts, int64_t tasks, duet_error *error);
void duet_pseudocosts_free(duet_pseudocosts *pseudocosts);

// Learns from a statement about a start or an end that was taken for true and propagated.
// `narrowed` is what windows->narrowed was before.
void duet_pseudocosts_learn(duet_pseudocosts *pseudocosts, const duet_windows *windows,
                            const duet_task_statement *what, int64_t narrowed);

#endif
