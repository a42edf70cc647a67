// SPDX-License-Identifier: Apache-2.0
// Tasks of a graph that are alike: sorted by kind and by their rows of neighbours; see twins.h.
#include "solvers/graph/propagate/twins.h"

#include <stdlib.h>

#include "core/system/memory.h"

// What tasks are compared by. Neighbours are sorted, each with the table of its edge's cost.
typedef struct likeness {
    const uint64_t *before, *after;
    int64_t befores, afters;
    int32_t kind;
    int32_t task;
} likeness;

static int compare_neighbours(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return duet_order(x, y);
}

// Copies and sorts the rows of neighbours.
static void sort_rows(const duet_graph *graph, bool before, uint64_t *rows)
{
    const int64_t *at = before ? graph->enter_at : graph->leave_at;
    const int32_t *row = before ? graph->entering : graph->leaving;
    const int32_t *other = before ? graph->tail : graph->head;
    for (int64_t j = 0; j < graph->tasks; j++) {
        for (int64_t i = at[j]; i < at[j + 1]; i++) {
            uint64_t cost = graph->transfer == NULL ? 0 : graph->transfer[row[i]];
            rows[i] = (uint64_t)other[row[i]] << 32 | cost;
        }
        qsort(rows + at[j], (size_t)(at[j + 1] - at[j]), sizeof *rows, compare_neighbours);
    }
}

static int compare_rows(const uint64_t *a, int64_t as, const uint64_t *b, int64_t bs)
{
    int order = duet_order(as, bs);
    for (int64_t i = 0; order == 0 && i < as; i++) {
        order = duet_order(a[i], b[i]);
    }
    return order;
}

static int compare_likeness(const likeness *x, const likeness *y)
{
    int order = duet_order(x->kind, y->kind);
    order = order != 0 ? order : compare_rows(x->before, x->befores, y->before, y->befores);
    return order != 0 ? order : compare_rows(x->after, x->afters, y->after, y->afters);
}

static int by_likeness(const void *a, const void *b)
{
    const likeness *x = a;
    const likeness *y = b;
    return 2 * compare_likeness(x, y) + duet_order(x->task, y->task);
}

duet_code duet_find_twins(const duet_network *network, int32_t *before, duet_error *error)
{
    const duet_graph *graph = network->graph;
    uint64_t *rows = duet_alloc_raw(2 * (size_t)network->edges + 1, sizeof *rows, error);
    likeness *list = duet_alloc_raw((size_t)network->tasks, sizeof *list, error);
    if (rows == NULL || list == NULL) {
        duet_free(rows);
        duet_free(list);
        return DUET_E_MEMORY;
    }
    uint64_t *after = rows + network->edges;
    sort_rows(graph, true, rows);
    sort_rows(graph, false, after);
    for (int32_t j = 0; j < network->tasks; j++) {
        before[j] = -1;
        list[j] = (likeness){rows + graph->enter_at[j],
                             after + graph->leave_at[j],
                             graph->enter_at[j + 1] - graph->enter_at[j],
                             graph->leave_at[j + 1] - graph->leave_at[j],
                             network->kind[j],
                             j};
    }
    qsort(list, (size_t)network->tasks, sizeof *list, by_likeness);
    for (int64_t i = 1; i < network->tasks; i++) {
        if (compare_likeness(&list[i - 1], &list[i]) == 0) {
            before[list[i].task] = list[i - 1].task;
        }
    }
    duet_free(rows);
    duet_free(list);
    return DUET_OK;
}

void duet_put_twins(const int32_t *before, int32_t tasks, duet_proof_writer *text)
{
    for (int32_t j = 0; j < tasks; j++) {
        if (before[j] >= 0) {
            duet_proof_put(text, "twins 2");
            duet_proof_put_number(text, before[j]);
            duet_proof_put_number(text, j);
            duet_proof_put(text, "\n");
        }
    }
}
