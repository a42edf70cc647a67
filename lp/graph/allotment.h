// SPDX-License-Identifier: Apache-2.0
// The linear program of a graph of moldable tasks; see allotment.c.
#ifndef DUET_LP_GRAPH_ALLOTMENT_H
#define DUET_LP_GRAPH_ALLOTMENT_H

#include "core/system/context.h"
#include "lp/graph/network.h"

// Replaces `*bound`, which must be the better of the path and the area bound, if a dual solution is
// found that proves more. Looks at about `work` tasks and edges, and does nothing if that does not
// suffice for a round. DUET_E_LIMIT (memory), DUET_E_MEMORY.
duet_code duet_lp_graph_allotment_bound(const duet_network *network, const duet_context *context,
                                        int64_t work, duet_bound *bound, duet_error *error);

#endif
