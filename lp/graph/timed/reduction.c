// SPDX-License-Identifier: Apache-2.0
// Which edges need prices: those that no other path implies. What an edge says, the edges of a path
// beside it say, too.
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/timed/timed_state.h"
#include "lp/graph/tuning.h"

enum { WORD_BITS = 64 };

// Tasks that each task leads to, a bit each, as rows of words.
typedef struct reach_table {
    uint64_t *row;
    size_t words;
    int32_t *place; // of each task in topological order
} reach_table;

static bool has(const uint64_t *row, int32_t task)
{
    return (row[task / WORD_BITS] >> (task % WORD_BITS) & 1U) != 0;
}

static void add_edge(duet_timed *timed, int32_t edge)
{
    const duet_graph *graph = timed->net->graph;
    timed->edge[timed->edges++] =
        (duet_timed_edge){.edge = edge, .tail = graph->tail[edge], .head = graph->head[edge]};
}

// The edge out of a task, not yet taken, whose head comes first; -1: none.
static int32_t next_edge(const duet_timed *timed, const reach_table *table, int32_t task,
                         int32_t after)
{
    const duet_graph *graph = timed->net->graph;
    int32_t best = -1;
    for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
        int32_t edge = graph->leaving[i];
        int32_t place = table->place[graph->head[edge]];
        if (place > after && (best < 0 || place < table->place[graph->head[best]])) {
            best = edge;
        }
    }
    return best;
}

// Takes the edges out of a task that it needs, from the nearest head on.
static void reduce_task(duet_timed *timed, const reach_table *table, const int64_t *flow,
                        int32_t task)
{
    const duet_graph *graph = timed->net->graph;
    uint64_t *own = table->row + (size_t)task * table->words;
    for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
        const uint64_t *row = table->row + (size_t)graph->head[graph->leaving[i]] * table->words;
        for (size_t w = 0; w < table->words; w++) {
            own[w] |= row[w];
        }
    }
    int32_t edge = -1;
    int32_t after = -1;
    while ((edge = next_edge(timed, table, task, after)) >= 0) {
        int32_t head = graph->head[edge];
        after = table->place[head];
        if (!has(own, head) || flow[edge] > 0) {
            add_edge(timed, edge);
        }
    }
    for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
        int32_t head = graph->head[graph->leaving[i]];
        own[head / WORD_BITS] |= UINT64_C(1) << (head % WORD_BITS);
    }
}

duet_code duet_timed_reduce(duet_timed *timed, const int64_t *flow, duet_error *error)
{
    const duet_network *net = timed->net;
    size_t tasks = (size_t)net->tasks;
    timed->edge = duet_alloc_raw((size_t)net->edges + 1, sizeof *timed->edge, error);
    DUET_NEED(timed->edge);
    if (net->tasks > DUET_GRAPH_CLOSURE_TASKS) {
        for (int32_t e = 0; e < net->edges; e++) {
            add_edge(timed, e);
        }
        return DUET_OK;
    }
    reach_table table = {.words = tasks / WORD_BITS + 1};
    table.row = duet_alloc(tasks * table.words, sizeof *table.row, error);
    table.place = duet_alloc_raw(tasks + 1, sizeof *table.place, error);
    for (int64_t i = 0; table.place != NULL && i < net->tasks; i++) {
        table.place[net->order[i]] = (int32_t)i;
    }
    bool made = table.row != NULL && table.place != NULL;
    for (int64_t i = net->tasks; made && i-- > 0;) {
        reduce_task(timed, &table, flow, net->order[i]);
    }
    duet_free(table.row);
    duet_free(table.place);
    return made ? DUET_OK : DUET_E_MEMORY;
}
