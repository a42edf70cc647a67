// SPDX-License-Identifier: Apache-2.0
// What the bounds of task graphs share: the tasks in topological order, and lower bounds by a flow
// along the edges.
//
// Prices a_t of the types, a flow f_e on the edges, numbers phi_i of at least what flows into and
// out of task i, and on two types charges g_e of the communication are a solution of the dual of
// the linear program `graph`; docs/theory/graphs.md has both. All such solutions prove a bound:
// duet/certificate.h says which (DUET_PROOF_FLOW).
#ifndef DUET_LP_GRAPH_NETWORK_H
#define DUET_LP_GRAPH_NETWORK_H

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/solution/certificate.h"

typedef struct duet_network {
    const duet_instance *instance;
    const duet_graph *graph; // The task graph: that of the instance, or `empty`.
    duet_graph *empty; // If tasks are independent, a graph without edges, which it owns; else NULL.
    int64_t tasks, edges;
    int32_t *order;      // The tasks in a topological order.
    int32_t *kind;       // Per task, its kind.
    int64_t *shortest;   // Per kind, its least time on any type.
    bool has_zero_times; // Some task takes no time on some type.
} duet_network;

// O(tasks + edges + kinds x types) time, 8 bytes a task. DUET_E_LIMIT (too many independent tasks),
// DUET_E_MEMORY.
duet_code duet_network_create(const duet_instance *instance, duet_network *out, duet_error *error);
void duet_network_free(duet_network *network);

// A solution of the dual. Prices and what passes stay below 2^57 in sum, so that their products
// with all times stay below 2^120.
typedef struct duet_dual_flow {
    int64_t weight[DUET_MAX_TYPES]; // Per type, a_t >= 0, the price of a tick of a processor.
    int64_t *flow;                  // Per edge, f_e >= 0.
    int64_t *pass; // Per task, phi_i, at least the flow into it and the flow out of it.
    // Per edge, g_e, which its tail costs more on the CPU, and its head less. It must be between
    // -f_e times the cost from GPU to CPU and f_e times that from CPU to GPU. NULL: all are 0.
    int64_t *cross;
} duet_dual_flow;

// Returns the bound that it proves: the least makespan as a fraction. Raises `pass` to what flows
// in and out. `waits`: with releases and busy processors. O(sizes of the tables of all tasks +
// edges), with `waits` also the processors that are listed as busy, a few times.
duet_fraction duet_dual_flow_value(const duet_network *network, duet_dual_flow *dual, bool waits);

// The same as a bound with its certificate, after duet_dual_flow_value(). DUET_E_MEMORY.
duet_code duet_dual_flow_bound(const duet_network *network, const duet_dual_flow *dual,
                               duet_fraction value, const char *name, duet_bound *bound,
                               duet_error *error);

#endif
