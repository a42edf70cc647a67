// SPDX-License-Identifier: Apache-2.0
// The best bound by a flow over all prices of two types; see ratio.c.
#ifndef DUET_LP_GRAPH_RATIO_H
#define DUET_LP_GRAPH_RATIO_H

#include "lp/graph/crash.h"

// Replaces `*bound`, the better of path and area, if a flow proves more. Looks at about `work` arcs
// at most. Sets `*optimal` to whether `*bound` is the value of the linear program. `share`, if it
// is not NULL, receives each task's share on the CPU in a solution of the program. There must be
// two types, both with processors. DUET_E_LIMIT (memory), DUET_E_MEMORY.
duet_code duet_lp_graph_flow_bound(const duet_network *network, const duet_context *context,
                                   int64_t work, duet_bound *bound, bool *optimal, double *share,
                                   duet_error *error);

#endif
