// SPDX-License-Identifier: Apache-2.0
// What crash.c and shares.c share.
#ifndef DUET_LP_GRAPH_CRASH_STATE_H
#define DUET_LP_GRAPH_CRASH_STATE_H

#include "core/system/arena.h"
#include "lp/graph/crash.h"

// An infinite capacity: more flow than is ever sent.
#define DUET_CRASH_MUCH (INT64_C(1) << 56)
// The distance of a node that was not reached.
#define DUET_CRASH_FAR INT64_MAX

// What flow through a task of a kind gains.
typedef struct gains {
    int64_t first; // A unit gains this up to `limit`: the time on the type cheaper without flow.
    int64_t limit; // The flow at which the other type becomes as cheap.
    int64_t then;  // A unit gains this beyond the limit.
} gains;

// A node with its distance from the source.
typedef struct label {
    int64_t distance;
    int32_t node;
} label;

// The arc by which a node was reached. A number that is not negative is an edge.
enum {
    BY_TASK = -1,   // It is the task's own arc, from its other node.
    BY_SOURCE = -2, // It is an arc from the source.
};

struct duet_crash {
    duet_arena arena; // It holds the arrays.
    // Inputs.
    const duet_network *net;
    const duet_context *context;

    // The prices, and the bound that they prove with the flow: numerator / denominator.
    duet_crash_prices prices;
    gains *gain;  // Per kind, what a unit of flow gains.
    int64_t sent; // The flow from source to sink.
    // The denominator: m a + k b + sent, for m CPUs at the price a and k GPUs at the price b.
    duet_int128 denominator;
    duet_int128 numerator; // The numerator: the least costs of all tasks at these prices and flows.
    // The larger of the bound so far and `best`, rounded down. Paths no longer than this are of no
    // use.
    int64_t floor;

    // Flow and potentials. Node 2 j is the start of task j, 2 j + 1 its end.
    duet_dual_flow dual;
    int64_t *time;       // Per node, its potential: when the task starts or ends.
    int64_t source_time; // The potential of the source.
    int64_t sink_time;   // The potential of the sink.
    int32_t *entries;    // The tasks without predecessors.
    size_t entry_count;  // Their number.

    // One search, by Dijkstra's algorithm. The length of an arc is its slack.
    int64_t *distance;    // Per node, its distance from the source; DUET_CRASH_FAR: not reached.
    int32_t *by;          // Per node, the arc by which it was reached.
    int32_t *touched;     // The nodes with a distance.
    size_t touched_count; // Their number.
    // The nodes reached at the distance of the node that is left, by arcs of length 0, first in,
    // first out.
    int32_t *queue;
    size_t queue_next;  // The place in `queue` of the node that is left next.
    size_t queue_count; // The number of nodes in `queue`, also of those that were left.
    label *heap;        // The other nodes reached, by distance.
    size_t heap_count;  // The number of labels in the heap.
    // The distance of the sink. Before the sink is reached, the distance from which on it is of no
    // use.
    int64_t reach;
    int64_t last; // The task from whose end the sink was reached; -1: none.

    int64_t *work;     // The arcs that may still be looked at, a counter of the caller.
    bool stopped;      // The run ended early.
    duet_error *error; // Where errors are told.
};

// Returns what one more unit of flow through a task gains.
static inline int64_t duet_crash_gain(const duet_crash *c, int64_t task)
{
    const gains *g = &c->gain[c->net->kind[task]];
    return c->dual.pass[task] < g->limit ? g->first : g->then;
}

// Receives the shares when the flow has stopped, by the distances of the last search.
void duet_crash_divide(const duet_crash *c, duet_fraction best, duet_crash_shares *shares);

#endif
