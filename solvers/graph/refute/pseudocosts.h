// SPDX-License-Identifier: Apache-2.0
// Which starts are worth a case: those whose cases have narrowed most so far, or were refuted.
// Reference: Vilim, Laborie, Shaw, "Failure-directed search for constraint-based scheduling",
//            CPAIOR 2015.
#ifndef DUET_SOLVERS_GRAPH_REFUTE_PSEUDOCOSTS_H
#define DUET_SOLVERS_GRAPH_REFUTE_PSEUDOCOSTS_H

#include "solvers/graph/propagate/windows.h"

enum { DUET_PSEUDOCOST_DEPTHS = 256 };

// Of each case: 0 where it was always refuted, DUET_PSEUDOCOST_UNIT where it does what all do in
// the mean.
enum { DUET_PSEUDOCOST_UNIT = 1 << 20 };

typedef struct duet_pseudocost {
    int64_t early, late; // it starts by some time, or after it
} duet_pseudocost;

typedef struct duet_pseudocosts {
    duet_pseudocost *task;
    int64_t mean[DUET_PSEUDOCOST_DEPTHS]; // by suppositions that are open
} duet_pseudocosts;

// DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_pseudocosts_create(duet_pseudocosts *pseudocosts, int64_t tasks, duet_error *error);
void duet_pseudocosts_free(duet_pseudocosts *pseudocosts);

// After a statement about a start or an end was taken for true and propagated. `narrowed` is what
// windows->narrowed was before.
void duet_pseudocosts_learn(duet_pseudocosts *pseudocosts, const duet_windows *windows,
                            const duet_task_statement *what, int64_t narrowed);

#endif
