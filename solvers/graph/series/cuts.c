// SPDX-License-Identifier: Apache-2.0
// Which stages a task graph has; see series.h.
// Method:    a cut is a place in a topological order such that each task before it is before each
//            task behind it. Then every topological order has it. That is so where each last task
//            before the place, which has no successor there, has an edge to each first task behind
//            it: between two such tasks no path has a third. For each place these tasks and edges
//            are counted at once, since each counts from one place to another.
// Cost:      O(tasks log tasks + edges).
// Memory:    32 bytes a task.
// Reference: series decomposition: Valdes, Tarjan, Lawler, SIAM J. Computing 11(2), 1982.

#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "solvers/graph/series/series.h"

// How many count at each place, as differences from the place before.
typedef struct counts {
    int64_t *last;
    int64_t *first;
    int64_t *edges;
} counts;

typedef struct places {
    const duet_graph *graph;
    int64_t tasks;
    int32_t *order;
    int32_t *place;  // Of a task in the order.
    int32_t *before; // Of a task: the last place of its predecessors; -1: it has none.
    int32_t *behind; // The first place of its successors; `tasks`: it has none.
    counts at;
} places;

static void find_neighbours(places *p)
{
    for (int64_t i = 0; i < p->tasks; i++) {
        p->place[p->order[i]] = (int32_t)i;
        p->before[i] = -1;
        p->behind[i] = (int32_t)p->tasks;
    }
    for (int64_t e = 0; e < p->graph->edges; e++) {
        int32_t from = p->graph->tail[e];
        int32_t to = p->graph->head[e];
        p->before[to] = duet_max(p->before[to], p->place[from]);
        p->behind[from] = duet_min(p->behind[from], p->place[to]);
    }
}

// Counts one at all places behind `from` up to `to`. Place k is before the task that stands there.
static void count(int64_t *at, int32_t from, int32_t to)
{
    at[from + 1]++;
    at[to + 1]--;
}

static void count_all(places *p)
{
    for (int32_t j = 0; j < (int32_t)p->tasks; j++) {
        count(p->at.last, p->place[j], p->behind[j]);
        count(p->at.first, p->before[j], p->place[j]);
    }
    for (int64_t e = 0; e < p->graph->edges; e++) {
        int32_t from = p->before[p->graph->head[e]];
        int32_t to = p->behind[p->graph->tail[e]];
        if (from < to) {
            count(p->at.edges, from, to);
        }
    }
}

static void end_stage(duet_series *out, int64_t place)
{
    int64_t begin = out->begin[out->count];
    duet_sort_tasks(out->task + begin, (size_t)(place - begin));
    out->begin[++out->count] = place;
}

static void divide(const places *p, duet_series *out)
{
    int64_t last = 0;
    int64_t first = 0;
    int64_t edges = 0;
    out->begin[0] = 0;
    for (int64_t k = 0; k < p->tasks; k++) {
        last += p->at.last[k];
        first += p->at.first[k];
        edges += p->at.edges[k];
        if (k > 0 && (duet_int128)last * first == edges) {
            end_stage(out, k);
        }
    }
    end_stage(out, p->tasks);
}

void duet_series_free(duet_series *stages)
{
    duet_free(stages->task);
    duet_free(stages->begin);
    *stages = (duet_series){.count = 0};
}

duet_code duet_series_find(const duet_instance *instance, duet_series *out, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(instance);
    places p = {.graph = instance->graph, .tasks = (int64_t)tasks};
    int32_t *room = duet_alloc_raw(3 * tasks, sizeof *room, error);
    int64_t *differences = duet_alloc(3 * (tasks + 2), sizeof *differences, error);
    p.order = duet_graph_order(instance->graph, error);
    *out = (duet_series){.task = duet_alloc_raw(tasks, sizeof *out->task, error),
                         .begin = duet_alloc_raw(tasks + 1, sizeof *out->begin, error)};
    bool whole = room != NULL && differences != NULL && p.order != NULL && out->task != NULL &&
                 out->begin != NULL;
    if (whole) {
        p.place = room;
        p.before = room + tasks;
        p.behind = room + 2 * tasks;
        p.at = (counts){differences, differences + tasks + 2, differences + 2 * (tasks + 2)};
        find_neighbours(&p);
        count_all(&p);
        for (size_t i = 0; i < tasks; i++) {
            out->task[i] = p.order[i];
        }
        divide(&p, out);
    } else {
        duet_series_free(out);
    }
    duet_free(room);
    duet_free(differences);
    duet_free(p.order);
    return whole ? DUET_OK : DUET_E_MEMORY;
}
