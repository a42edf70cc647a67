// SPDX-License-Identifier: Apache-2.0
// Lower bounds of task graphs.
#ifndef DUET_LP_GRAPH_GRAPH_H
#define DUET_LP_GRAPH_GRAPH_H

#include "core/algorithm.h"
#include "lp/graph/network.h"

// Receives the length of the longest path with the shortest times, on any number of types. Of
// independent tasks it is the longest task. O(tasks + edges) time, 16 bytes a task. The caller
// releases the bound.
duet_code duet_path_bound(const duet_instance *instance, const duet_context *context,
                          duet_bound *bound, duet_error *error);
// The same where the network is there.
duet_code duet_network_path_bound(const duet_network *network, duet_bound *bound,
                                  duet_error *error);

// The work limit of a bound that accompanies a schedule, in arcs looked at. It also selects the
// smaller size limits of the simplex method.
#define DUET_LP_GRAPH_QUICK INT64_C(50000000)
// The work limit of a bound that was asked for.
#define DUET_LP_GRAPH_THOROUGH INT64_C(2000000000)

// Receives the best of the path bound, the area bound and the linear program, the last within
// `work`; bound->name says which. The caller releases it.
duet_code duet_lp_graph_bound(const duet_instance *instance, const duet_context *context,
                              int64_t work, duet_bound *bound, duet_error *error);

// Receives such a bound, and for each task its share on every type but the last in a solution of
// the program: share[j * (types - 1) + t], on two types that on the CPU. The shares are approximate
// if the program was not solved to optimality; on more types a task is then where it is fastest.
// Callers pass instances without communication costs.
duet_code duet_lp_graph_shares(const duet_network *network, const duet_context *context,
                               duet_bound *bound, double *share, duet_error *error);

#endif
