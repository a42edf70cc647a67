// SPDX-License-Identifier: Apache-2.0
// The best flow for given prices of two types, by project crashing; see crash.c.
#ifndef DUET_LP_GRAPH_CRASH_H
#define DUET_LP_GRAPH_CRASH_H

#include "core/system/context.h"
#include "lp/graph/network.h"

// Prices of the types, of which at least one is above 0.
typedef struct duet_crash_prices {
    int64_t cpu; // The price of a tick of a CPU, 0 to DUET_MAX_CRASH_PRICE.
    int64_t gpu; // The same of a GPU.
} duet_crash_prices;
#define DUET_MAX_CRASH_PRICE (INT64_C(1) << 46)

// How the tasks are divided between the types when the flow stops. The numbers are approximate and
// only guide the search.
typedef struct duet_crash_shares {
    double work[2]; // The work of CPU and GPU with these shares, in ticks.
    double *share;  // Per task, its share on the CPU; NULL: not wanted.
} duet_crash_shares;

typedef struct duet_crash duet_crash;

// The network must have two types, both with processors. About 100 bytes a task and 8 an edge.
// DUET_E_LIMIT (tasks, memory), DUET_E_MEMORY.
duet_code duet_crash_create(const duet_network *network, const duet_context *context,
                            duet_crash **out, duet_error *error);
void duet_crash_free(duet_crash *crash); // NULL is allowed

// Augments flow along longest residual paths while these are longer than both the bound proven so
// far and `best`. When they are not, no flow at these prices proves more than the larger of the
// two. Subtracts the arcs looked at from `*work`. Stops early if that falls below 0 or if the
// context stops: the flow then still proves its bound, but paths with the returned shares may be
// longer than that. DUET_E_MEMORY.
duet_code duet_crash_run(duet_crash *crash, duet_crash_prices prices, duet_fraction best,
                         int64_t *work, duet_crash_shares *shares, duet_error *error);

// Receives the shares that use up all slack: each task takes as long as it can without lengthening
// the longest path. Every convex combination of these and the shares of the last run is optimal at
// these prices, too. O(tasks + edges). DUET_E_MEMORY.
duet_code duet_crash_stretch(const duet_crash *crash, duet_fraction best, duet_crash_shares *shares,
                             duet_error *error);

// Returns the dual solution of the last run; it belongs to `crash`.
duet_dual_flow *duet_crash_flow(duet_crash *crash);

// Returns whether the last run ended because no path helped, rather than by work, context or
// overflow.
bool duet_crash_is_done(const duet_crash *crash);

#endif
