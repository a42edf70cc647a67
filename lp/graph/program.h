// SPDX-License-Identifier: Apache-2.0
// The linear program of a task graph; see program.c.
#ifndef DUET_LP_GRAPH_PROGRAM_H
#define DUET_LP_GRAPH_PROGRAM_H

#include "core/system/context.h"
#include "lp/graph/network.h"

// Whether the program is of a size that is solved within a few seconds, `quick`: some tenths.
bool duet_lp_graph_program_fits(const duet_network *network, bool quick);

// Solves the program, with communication costs on two types. Replaces `*bound` where its rounded
// duals prove more; `bound->exact` is then "". `*optimal` and `share` as
// duet_lp_graph_flow_bound(), of two types. Where the solver stops or fails, the bound stays.
// Errors: DUET_E_UNSUPPORTED (no solver in this build), DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_lp_graph_program_bound(const duet_network *network, const duet_context *context,
                                      duet_bound *bound, bool *optimal, double *share,
                                      duet_error *error);

#endif
