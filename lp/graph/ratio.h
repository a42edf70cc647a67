// SPDX-License-Identifier: Apache-2.0
// The best bound by a flow over all prices of two types; see ratio.c.
#ifndef DUET_LP_GRAPH_RATIO_H
#define DUET_LP_GRAPH_RATIO_H

#include "lp/graph/crash.h"

// Replaces `*bound`, the better of path and area, where a flow proves more. Looks at about `work`
// arcs at most. `*optimal` receives whether that is the value of the program; `share` (NULL: not
// wanted) receives how much of each task is on the CPU in a solution of it. Two types, both with
// processors. DUET_E_LIMIT (memory), DUET_E_MEMORY.
duet_code duet_lp_graph_flow_bound(const duet_network *network, const duet_context *context,
                                   int64_t work, duet_bound *bound, bool *optimal, double *share,
                                   duet_error *error);

#endif
