// SPDX-License-Identifier: Apache-2.0
// The best bound by a flow over all prices of two types; see ratio.c.
#ifndef DUET_LP_GRAPH_RATIO_H
#define DUET_LP_GRAPH_RATIO_H

#include "lp/graph/crash.h"

// A fractional solution of the linear program `graph`, in floating point.
typedef struct duet_graph_shares {
    double *cpu;  // per task, how much of it is on the CPU
    bool optimal; // the program's optimum, but for rounding
} duet_graph_shares;

// Replaces `*bound`, the better of path and area, where a flow proves more. Looks at about `work`
// arcs at most. `shares` (NULL: not wanted) gets room of its own. Two types, both with processors.
// DUET_E_LIMIT (memory), DUET_E_MEMORY.
duet_code duet_graph_flow_bound(const duet_network *network, const duet_context *context,
                                int64_t work, duet_bound *bound, duet_graph_shares *shares,
                                duet_error *error);

#endif
