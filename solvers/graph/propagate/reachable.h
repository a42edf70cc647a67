// SPDX-License-Identifier: Apache-2.0
// The transitive closure of a task graph.
#ifndef DUET_SOLVERS_GRAPH_PROPAGATE_REACHABLE_H
#define DUET_SOLVERS_GRAPH_PROPAGATE_REACHABLE_H

#include "lp/graph/network.h"

// The tasks before, or after, each task.
typedef struct duet_reachable {
    int64_t *at;   // The tasks of task j are task[at[j]] .. task[at[j + 1] - 1].
    int32_t *task; // The tasks reached, in any order; NULL: there are too many.
} duet_reachable;

// Fills both closures. If one of them has more than 2^24 pairs, `task` is NULL in it, and `at` must
// not be read; if that is `before`, `after` stays empty. DUET_E_MEMORY. Free them whatever comes
// back.
duet_code duet_reachable_create(const duet_network *network, duet_reachable *before,
                                duet_reachable *after, duet_error *error);
void duet_reachable_free(duet_reachable *reachable);

#endif
