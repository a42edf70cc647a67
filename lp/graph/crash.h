// SPDX-License-Identifier: Apache-2.0
// The best flow for given prices of two types, by project crashing; see crash.c.
#ifndef DUET_LP_GRAPH_CRASH_H
#define DUET_LP_GRAPH_CRASH_H

#include "core/system/context.h"
#include "lp/graph/network.h"

// Prices of the types, not both 0, at most DUET_MAX_CRASH_PRICE.
typedef struct duet_crash_prices {
    int64_t cpu, gpu;
} duet_crash_prices;
#define DUET_MAX_CRASH_PRICE (INT64_C(1) << 46)

// How the tasks are divided between the types where the flow stops: the work of each type, in
// ticks, and per task its share on the CPU. In floating point: it guides a search.
typedef struct duet_crash_shares {
    double work[2];
    double *share; // per task; NULL: not wanted
} duet_crash_shares;

typedef struct duet_crash duet_crash;

// Of a network of two types, both with processors. About 100 bytes a task and 8 an edge.
// DUET_E_LIMIT (tasks, memory), DUET_E_MEMORY.
duet_code duet_crash_create(const duet_network *network, const duet_context *context,
                            duet_crash **out, duet_error *error);
void duet_crash_free(duet_crash *crash); // NULL is allowed

// Sends flow while that raises the bound that prices and flow prove, and while a longest path is
// above `best`, which no flow for these prices gets beyond otherwise. Stops early where `*work`,
// which counts down with every arc that is looked at, falls below 0, and where the context says so:
// the flow so far proves its bound; the paths of the shares may then be longer. DUET_E_MEMORY.
duet_code duet_crash_run(duet_crash *crash, duet_crash_prices prices, duet_fraction best,
                         int64_t *work, duet_crash_shares *shares, duet_error *error);

// The shares that leave tasks as much time as they may have on paths of the same length. The prices
// are content with any mixture of these and those of the last run. O(tasks + edges).
duet_code duet_crash_stretch(const duet_crash *crash, duet_fraction best, duet_crash_shares *shares,
                             duet_error *error);

// What the last run came to, as a solution of the dual; belongs to `crash`.
duet_dual_flow *duet_crash_flow(duet_crash *crash);

// Of the last run: it ended by itself.
bool duet_crash_is_done(const duet_crash *crash);

#endif
