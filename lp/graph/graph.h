// SPDX-License-Identifier: Apache-2.0
// Lower bounds of task graphs.
#ifndef DUET_LP_GRAPH_GRAPH_H
#define DUET_LP_GRAPH_GRAPH_H

#include "core/algorithm.h"
#include "lp/graph/network.h"

// The longest path with the shortest times. Any number of types; of independent tasks the longest
// task. O(tasks + edges) time, 16 bytes a task. The caller releases the bound.
duet_code duet_path_bound(const duet_instance *instance, const duet_context *context,
                          duet_bound *bound, duet_error *error);
// The same where the network is there.
duet_code duet_network_path_bound(const duet_network *network, duet_bound *bound,
                                  duet_error *error);

// How much work a flow bound may take, in arcs that are looked at: beside a schedule, and where it
// is asked for.
#define DUET_LP_GRAPH_QUICK INT64_C(50000000)
#define DUET_LP_GRAPH_THOROUGH INT64_C(2000000000)

// The best of path, area and the linear program, as far as `work` goes, by its name. The caller
// releases it.
duet_code duet_lp_graph_bound(const duet_instance *instance, const duet_context *context,
                              int64_t work, duet_bound *bound, duet_error *error);

// The same with a solution of the program, on two types: how much of each task is on the CPU, where
// the program is solved to its end; else about that. Communication is left out.
duet_code duet_lp_graph_shares(const duet_network *network, const duet_context *context,
                               duet_bound *bound, double *share, duet_error *error);

extern const duet_bound_method duet_bound_path;
extern const duet_bound_method duet_bound_graph;

#endif
