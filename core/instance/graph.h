// SPDX-License-Identifier: Apache-2.0
// The edges of a task graph, in compressed rows: 20 bytes an edge, 16 where none costs anything.
#ifndef DUET_CORE_INSTANCE_GRAPH_H
#define DUET_CORE_INSTANCE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>

#include "core/number/decimal.h"

// Tasks and edges are numbered in 32 bits.
#define DUET_MAX_GRAPH INT64_C(2147483647)

typedef struct duet_graph {
    int64_t tasks;

    // Edges, in the order in which they were given.
    int64_t edges;
    int32_t *tail;      // the task that ends first
    int32_t *head;      // the one that waits
    uint32_t *transfer; // a table of costs; NULL where no edge costs anything

    // Rows: the edges that leave task j are leaving[leave_at[j]] .. leaving[leave_at[j + 1] - 1],
    // those that enter it likewise.
    int64_t *leave_at;
    int32_t *leaving;
    int64_t *enter_at;
    int32_t *entering;

    // Tables of costs, types x types ticks each.
    size_t types;
    size_t tables;
    int64_t *cost;
    // Where the costs of all tables are those of amounts of data, exactly: for writers. Else NULL.
    int64_t *amount;    // of each table
    duet_decimal *rate; // latencies, types x types, then as many times per unit
} duet_graph;

void duet_graph_free(duet_graph *graph); // NULL is allowed
// The costs alone count from now on, and no amounts of data.
void duet_graph_forget_amounts(duet_graph *graph);

// Makes the rows from tails and heads. O(tasks + edges). DUET_E_MEMORY.
duet_code duet_graph_make_rows(duet_graph *graph, duet_error *error);

// An edge whose two tasks an earlier one joins already; -1 if no edge is double. `seen`: room for
// an entry per task. O(tasks + edges).
int64_t duet_graph_find_double(const duet_graph *graph, int64_t *seen);

// Which of several tasks that have no predecessor left comes next in a topological order.
typedef enum duet_topological {
    DUET_TOPOLOGICAL_SMALLEST, // the one of smallest index
    DUET_TOPOLOGICAL_STACK     // the one that was found last
} duet_topological;

// Writes the tasks in a topological order into `order` (an entry per task) and returns how many
// there are: fewer than tasks where there is a cycle. O(edges + tasks log tasks). Negative: no
// memory.
int64_t duet_graph_sort(const duet_graph *graph, duet_topological which, int32_t *order,
                        duet_error *error);

// The tasks of a graph without cycles in some topological order; owned by the caller. NULL with
// DUET_E_MEMORY recorded. O(tasks + edges).
int32_t *duet_graph_order(const duet_graph *graph, duet_error *error);
// level[j], the weight of task j at first, becomes the heaviest way that begins with it. `order` is
// topological. O(tasks + edges).
void duet_graph_raise(const duet_graph *graph, const int32_t *order, int64_t *level);

// The tasks of a cycle into `cycle` (room for an entry per task), each before the one that waits
// for it, and how many they are; 0 where there is no cycle, negative: no memory.
int64_t duet_graph_find_cycle(const duet_graph *graph, int32_t *cycle, duet_error *error);

// What an edge costs between the types, types x types ticks; NULL where no edge costs anything.
static inline const int64_t *duet_graph_costs(const duet_graph *graph, int64_t edge)
{
    return graph->transfer == NULL
               ? NULL
               : graph->cost + graph->transfer[edge] * graph->types * graph->types;
}

// Whether such a table has the same cost everywhere.
static inline bool duet_graph_is_uniform(const duet_graph *graph, const int64_t *costs)
{
    size_t same = 1;
    while (same < graph->types * graph->types && costs[same] == costs[0]) {
        same++;
    }
    return same == graph->types * graph->types;
}

// Ticks until the data of an edge are on another processor.
static inline int64_t duet_graph_cost(const duet_graph *graph, int64_t edge, size_t from, size_t to)
{
    if (graph->transfer == NULL) {
        return 0;
    }
    return graph->cost[(graph->transfer[edge] * graph->types + from) * graph->types + to];
}

#endif
