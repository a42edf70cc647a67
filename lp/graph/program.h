// SPDX-License-Identifier: Apache-2.0
// The linear program of a task graph; see program.c.
#ifndef DUET_LP_GRAPH_PROGRAM_H
#define DUET_LP_GRAPH_PROGRAM_H

#include "core/system/context.h"
#include "lp/graph/network.h"

// Returns whether this build has a solver and the program is small enough for a few seconds, or, if
// `quick`, for some tenths of one.
bool duet_lp_graph_program_fits(const duet_network *network, bool quick);

// Solves the program, with communication costs on two types. Replaces `*bound` where its rounded
// duals prove more; `bound->exact` is then "". Sets `*optimal` to whether the program was solved to
// optimality. `share`, if it is not NULL, receives each task's shares as duet_lp_graph_shares()
// says. If the solver stops or fails, the bound stays. Errors: DUET_E_UNSUPPORTED (no solver in
// this build), DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_lp_graph_program_bound(const duet_network *network, const duet_context *context,
                                      duet_bound *bound, bool *optimal, double *share,
                                      duet_error *error);

#endif
