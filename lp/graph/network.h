// SPDX-License-Identifier: Apache-2.0
// What the bounds of task graphs share: the tasks in topological order, and lower bounds by a flow
// along the edges.
//
// Prices a_t of the types, a flow f_e on the edges and numbers phi_i of at least what flows into
// and out of task i are a solution of the dual of the linear program `graph`; docs/theory/graphs.md
// has both. Whatever the numbers, they prove a bound: duet/certificate.h says which
// (DUET_PROOF_FLOW).
#ifndef DUET_LP_GRAPH_NETWORK_H
#define DUET_LP_GRAPH_NETWORK_H

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/solution/certificate.h"

typedef struct duet_network {
    const duet_instance *instance;
    const duet_graph *graph;
    duet_graph *empty; // of independent tasks: a graph without edges, which is the network's own
    int64_t tasks, edges;
    int32_t *order;    // the tasks in a topological order
    int32_t *kind;     // of each task
    int64_t *shortest; // of each kind: the least of its times
    bool timeless;     // some task takes no time on some type
} duet_network;

// O(tasks + edges + kinds x types) time, 8 bytes a task. DUET_E_LIMIT (too many independent tasks),
// DUET_E_MEMORY.
duet_code duet_network_create(const duet_instance *instance, duet_network *out, duet_error *error);
void duet_network_free(duet_network *network);

// A solution of the dual. Prices and what passes stay below 2^57 in sum, so that their products
// with all times stay below 2^120.
typedef struct duet_dual_flow {
    int64_t weight[DUET_MAX_TYPES]; // a_t
    int64_t *flow;                  // f_e per edge
    int64_t *pass;                  // phi_i per task
    int64_t *cross;                 // g_e per edge; NULL: none
} duet_dual_flow;

// The bound that it proves: the least makespan as a fraction. Raises `pass` to what flows in and
// out. O(sizes of the tables of all tasks + edges).
duet_fraction duet_dual_flow_value(const duet_network *network, duet_dual_flow *dual);

// The same as a bound with its certificate, after duet_dual_flow_value(). DUET_E_MEMORY.
duet_code duet_dual_flow_bound(const duet_network *network, const duet_dual_flow *dual,
                               duet_fraction value, const char *name, duet_bound *bound,
                               duet_error *error);

#endif
