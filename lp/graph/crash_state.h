// SPDX-License-Identifier: Apache-2.0
// What crash.c and shares.c share.
#ifndef DUET_LP_GRAPH_CRASH_STATE_H
#define DUET_LP_GRAPH_CRASH_STATE_H

#include "core/system/arena.h"
#include "lp/graph/crash.h"

// More flow than there is ever sent.
#define DUET_CRASH_MUCH (INT64_C(1) << 56)
#define DUET_CRASH_FAR INT64_MAX

// What a unit of flow through a task of a kind gains: `first` up to the limit, `then` beyond.
typedef struct gains {
    int64_t first, limit, then;
} gains;

// A node with its distance from the source.
typedef struct label {
    int64_t distance;
    int32_t node;
} label;

// By which arc a node was reached; an edge where it is not negative.
enum { BY_TASK = -1, BY_SOURCE = -2 };

struct duet_crash {
    duet_arena arena; // It holds the arrays.
    // Inputs.
    const duet_network *net;
    const duet_context *context;

    // What the prices make of it.
    duet_crash_prices prices;
    gains *gain;         // per kind
    int64_t sent;        // flow from first to last tasks
    duet_int128 bracket; // m a + k b + flow
    duet_int128 gained;  // what the tasks cost, flow included
    int64_t floor;       // the larger of bound so far and the best of others, rounded down

    // Flow and potentials. Node 2 j is the start of task j, 2 j + 1 its end.
    duet_dual_flow dual;
    int64_t *time; // per node
    int64_t source, sink;
    int32_t *entries; // tasks without predecessors
    size_t entry_count;

    // One search.
    int64_t *distance; // per node
    int32_t *by;       // per node, how it was reached
    int32_t *touched;  // nodes with a distance
    size_t touched_count;
    int32_t *queue; // nodes in the order in which they were found as near as another one
    size_t queue_next, queue_count;
    label *heap; // the others
    size_t heap_count;
    int64_t reach; // distance of the sink
    int64_t last;  // the last task on the way there

    int64_t *work;
    bool stopped;
    duet_error *error;
};

// What one more unit of flow through a task gains.
static inline int64_t duet_crash_gain(const duet_crash *c, int64_t task)
{
    const gains *g = &c->gain[c->net->kind[task]];
    return c->dual.pass[task] < g->limit ? g->first : g->then;
}

// The larger of the bound so far and the best of others.
double duet_crash_level(const duet_crash *c, duet_fraction best);

// The shares where the flow stops. Distances are those of the last search.
void duet_crash_divide(const duet_crash *c, duet_fraction best, duet_crash_shares *shares);

#endif
