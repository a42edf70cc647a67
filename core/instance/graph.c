// SPDX-License-Identifier: Apache-2.0
#include "core/instance/graph.h"

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

void duet_graph_free(duet_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    duet_free(graph->tail);
    duet_free(graph->head);
    duet_free(graph->transfer);
    duet_free(graph->leave_at);
    duet_free(graph->leaving);
    duet_free(graph->enter_at);
    duet_free(graph->entering);
    duet_free(graph->cost);
    duet_graph_forget_amounts(graph);
    duet_free(graph);
}

void duet_graph_forget_amounts(duet_graph *graph)
{
    duet_free(graph->amount);
    duet_free(graph->rate);
    graph->amount = NULL;
    graph->rate = NULL;
}

// --- rows ----------------------------------------------------------------------------------------

// The edges by one of their ends: a counting sort.
static duet_code make_row(const duet_graph *graph, const int32_t *end, int64_t **at, int32_t **row,
                          duet_error *error)
{
    *at = duet_alloc((size_t)graph->tasks + 1, sizeof **at, error);
    *row = duet_alloc_raw((size_t)graph->edges, sizeof **row, error);
    DUET_NEED(*at != NULL && *row != NULL);
    // at[j] counts the edges of task j - 1, then says where those of task j begin. While the row is
    // filled at[j + 1] is where the next edge of task j goes, so that it ends where they end.
    int64_t *next = *at + 1;
    for (int64_t e = 0; e < graph->edges; e++) {
        DUET_ASSERT(end[e] >= 0 && end[e] < graph->tasks);
        next[end[e]]++;
    }
    int64_t before = 0;
    for (int64_t j = 0; j < graph->tasks; j++) {
        int64_t count = next[j];
        next[j] = before;
        before += count;
    }
    for (int64_t e = 0; e < graph->edges; e++) {
        (*row)[next[end[e]]++] = (int32_t)e;
    }
    return DUET_OK;
}

duet_code duet_graph_make_rows(duet_graph *graph, duet_error *error)
{
    DUET_ASSERT(graph->tasks <= DUET_MAX_GRAPH && graph->edges <= DUET_MAX_GRAPH);
    DUET_TRY(make_row(graph, graph->tail, &graph->leave_at, &graph->leaving, error));
    return make_row(graph, graph->head, &graph->enter_at, &graph->entering, error);
}

int64_t duet_graph_find_double(const duet_graph *graph, int64_t *seen)
{
    for (int64_t j = 0; j < graph->tasks; j++) {
        seen[j] = -1;
    }
    int64_t found = -1;
    for (int64_t j = 0; j < graph->tasks; j++) {
        for (int64_t at = graph->leave_at[j]; at < graph->leave_at[j + 1]; at++) {
            int32_t edge = graph->leaving[at];
            int32_t head = graph->head[edge];
            if (seen[head] == j && (found < 0 || edge < found)) {
                found = edge;
            }
            seen[head] = j;
        }
    }
    return found;
}

// --- order ---------------------------------------------------------------------------------------

static bool smaller(const void *none, int32_t a, int32_t b)
{
    (void)none;
    return a < b;
}

DUET_HEAP(sources, int32_t, void, smaller)

// Tasks without a predecessor that is left.
typedef struct frontier {
    duet_topological which;
    int32_t *task; // a heap, or a stack
    size_t count;
} frontier;

static void add_source(frontier *f, int32_t task)
{
    if (f->which == DUET_TOPOLOGICAL_SMALLEST) {
        sources_push(NULL, f->task, &f->count, task);
    } else {
        f->task[f->count++] = task;
    }
}

static int32_t take_source(frontier *f)
{
    DUET_ASSERT(f->count > 0);
    return f->which == DUET_TOPOLOGICAL_SMALLEST ? sources_pop(NULL, f->task, &f->count)
                                                 : f->task[--f->count];
}

// Kahn's algorithm. `missing`: of each task, how many predecessors are left.
static int64_t sort(const duet_graph *graph, frontier *f, int32_t *missing, int32_t *order)
{
    int64_t sorted = 0;
    for (int64_t j = 0; j < graph->tasks; j++) {
        missing[j] = (int32_t)(graph->enter_at[j + 1] - graph->enter_at[j]);
        if (missing[j] == 0) {
            add_source(f, (int32_t)j);
        }
    }
    while (f->count > 0) {
        int32_t task = take_source(f);
        order[sorted++] = task;
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int32_t head = graph->head[graph->leaving[at]];
            if (--missing[head] == 0) {
                add_source(f, head);
            }
        }
    }
    return sorted;
}

int64_t duet_graph_sort(const duet_graph *graph, duet_topological which, int32_t *order,
                        duet_error *error)
{
    frontier f = {.which = which};
    f.task = duet_alloc_raw((size_t)graph->tasks, sizeof *f.task, error);
    int32_t *missing = duet_alloc_raw((size_t)graph->tasks, sizeof *missing, error);
    int64_t sorted = -1;
    if (f.task != NULL && missing != NULL) {
        sorted = sort(graph, &f, missing, order);
    }
    duet_free(f.task);
    duet_free(missing);
    return sorted;
}

int32_t *duet_graph_order(const duet_graph *graph, duet_error *error)
{
    int32_t *order = duet_alloc_raw((size_t)graph->tasks, sizeof *order, error);
    if (order != NULL && duet_graph_sort(graph, DUET_TOPOLOGICAL_STACK, order, error) < 0) {
        duet_free(order);
        order = NULL;
    }
    return order;
}

void duet_graph_raise(const duet_graph *graph, const int32_t *order, int64_t *level)
{
    for (int64_t i = graph->tasks; i-- > 0;) {
        int64_t behind = 0;
        int32_t task = order[i];
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int64_t way = level[graph->head[graph->leaving[at]]];
            behind = duet_max(way, behind);
        }
        level[task] += behind;
    }
}

// From any task that is left, back along edges to one that was passed. `left`: the tasks that no
// topological order reaches; each of them has a predecessor among them.
static int64_t trace_cycle(const duet_graph *graph, const int32_t *left, int32_t start,
                           int32_t *passed, int32_t *cycle)
{
    int32_t task = start;
    for (int32_t step = 1; passed[task] == 0; step++) {
        passed[task] = step;
        int64_t at = graph->enter_at[task];
        while (left[graph->tail[graph->entering[at]]] == 0) {
            at++;
        }
        task = graph->tail[graph->entering[at]];
    }
    // From here the same way leads round once more. It runs against the edges.
    int64_t length = 0;
    int32_t first = task;
    do {
        cycle[length++] = task;
        int64_t at = graph->enter_at[task];
        while (left[graph->tail[graph->entering[at]]] == 0) {
            at++;
        }
        task = graph->tail[graph->entering[at]];
    } while (task != first);
    for (int64_t i = 0; i < length / 2; i++) {
        int32_t kept = cycle[i];
        cycle[i] = cycle[length - 1 - i];
        cycle[length - 1 - i] = kept;
    }
    return length;
}

int64_t duet_graph_find_cycle(const duet_graph *graph, int32_t *cycle, duet_error *error)
{
    int32_t *left = duet_alloc_raw((size_t)graph->tasks, sizeof *left, error);
    int32_t *passed = duet_alloc((size_t)graph->tasks, sizeof *passed, error);
    int64_t length = -1;
    int64_t sorted = -1;
    if (left != NULL && passed != NULL) {
        sorted = duet_graph_sort(graph, DUET_TOPOLOGICAL_STACK, cycle, error);
    }
    if (sorted >= 0) {
        for (int64_t j = 0; j < graph->tasks; j++) {
            left[j] = 1;
        }
        for (int64_t i = 0; i < sorted; i++) {
            left[cycle[i]] = 0;
        }
        int32_t start = 0;
        while (start < graph->tasks && left[start] == 0) {
            start++;
        }
        length = start == graph->tasks ? 0 : trace_cycle(graph, left, start, passed, cycle);
    }
    duet_free(left);
    duet_free(passed);
    return length;
}
