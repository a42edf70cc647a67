// SPDX-License-Identifier: Apache-2.0
// The branch and bound of one window; window.h has the method.
#include "heuristics/graph_search/window.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"

duet_code duet_graph_search_window_create(const duet_graph_search_model *model,
                                          duet_graph_search_window *window, duet_error *error)
{
    size_t processors = (size_t)model->begin[model->types];
    *window = (duet_graph_search_window){
        .model = model,
        .most_late = INT64_MAX / 2 / (DUET_GRAPH_SEARCH_WINDOW_ROOM + (int64_t)processors)};
    window->free_at = duet_alloc((DUET_GRAPH_SEARCH_WINDOW_ROOM + 1) * processors,
                                 sizeof *window->free_at, error);
    window->wait = duet_alloc(processors, sizeof *window->wait, error);
    return window->free_at != NULL && window->wait != NULL ? DUET_OK : DUET_E_MEMORY;
}

void duet_graph_search_window_free(duet_graph_search_window *window)
{
    duet_free(window->free_at);
    duet_free(window->wait);
}

int64_t duet_graph_search_window_late(const duet_graph_search_window *window, int64_t end)
{
    int64_t late = end > window->target ? end - window->target : 0;
    return duet_min(late, window->most_late);
}

// The end of a task that is ready by then, on the type where it ends first.
static int64_t first_end(const duet_graph_search_window *w, const int64_t *free_at, int32_t task,
                         int64_t ready)
{
    const duet_graph_search_model *model = w->model;
    int64_t first = INT64_MAX;
    for (size_t t = 0; t < model->types; t++) {
        if (duet_graph_search_model_allows(model, w->task[task], t)) {
            int64_t end = duet_max(ready, free_at[model->begin[t]]) +
                          duet_graph_search_model_time(model, w->task[task], t);
            first = duet_min(end, first);
        }
    }
    return first;
}

static int64_t shortest_time(const duet_graph_search_model *model, int32_t task)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < model->types; t++) {
        int64_t time = duet_graph_search_model_time(model, task, t);
        least = duet_graph_search_model_allows(model, task, t) && time < least ? time : least;
    }
    return least;
}

static void find_after(duet_graph_search_window *w)
{
    memcpy(w->after, w->rest, sizeof w->after);
    for (int32_t i = w->count; i-- > 0;) {
        int64_t whole = w->after[i] + shortest_time(w->model, w->task[i]);
        for (int32_t b = 0; b < i; b++) {
            if ((w->before[i] >> b & 1U) != 0) {
                w->after[b] = duet_max(w->after[b], whole);
            }
        }
    }
}

// Adds what the sequences behind the window cost at least, if processors are free then. False where
// one ends too late.
static bool add_sequences(const duet_graph_search_window *w, const int64_t *free_at, int64_t *cost)
{
    bool fit = true;
    for (int32_t p = 0; p < w->model->begin[w->model->types]; p++) {
        int64_t end = w->wait[p] > 0 ? free_at[p] + w->wait[p] : 0;
        fit = fit && end <= w->most;
        *cost += duet_graph_search_window_late(w, end);
    }
    return fit;
}

// Best fit among processors, least first, which they stay: as find_processor() of
// window_sweeps.c. Returns the end.
static int64_t place(int64_t *free_at, int32_t count, int64_t ready, int64_t time)
{
    int32_t i = 0;
    while (i + 1 < count && free_at[i + 1] <= ready) {
        i++;
    }
    int64_t end = duet_max(free_at[i], ready) + time;
    while (i + 1 < count && free_at[i + 1] < end) {
        free_at[i] = free_at[i + 1];
        i++;
    }
    free_at[i] = end;
    return end;
}

// A node: what is placed, when the last of it starts, and what it costs.
typedef struct node {
    int32_t depth;
    uint32_t placed;
    int64_t from;
    int64_t cost;
} node;

static int64_t *free_at_of(const duet_graph_search_window *w, int32_t depth)
{
    return w->free_at + (size_t)depth * (size_t)w->model->begin[w->model->types];
}

static int64_t ready_at(const duet_graph_search_window *w, const node *n, int32_t task)
{
    int64_t ready = duet_max(w->ready[task], n->from);
    for (int32_t b = 0; b < w->count; b++) {
        bool waits = (w->before[task] & n->placed & UINT32_C(1) << b) != 0;
        ready = waits ? duet_max(ready, w->end[b]) : ready;
    }
    return ready;
}

// Whether something better may come of a node, by what it costs at least; with when its tasks are
// ready.
static bool is_promising(const duet_graph_search_window *w, const node *n, int64_t *ready,
                         int64_t *least)
{
    const int64_t *free_at = free_at_of(w, n->depth);
    int64_t cost = n->cost;
    if (!add_sequences(w, free_at, &cost)) {
        return false;
    }
    for (int32_t i = 0; i < w->count && cost < w->cost; i++) {
        if ((n->placed >> i & 1U) != 0) {
            continue;
        }
        ready[i] = ready_at(w, n, i);
        int64_t end = first_end(w, free_at, i, ready[i]);
        if (end + w->after[i] > w->most) {
            return false;
        }
        cost += duet_graph_search_window_late(w, end + w->rest[i]);
    }
    *least = cost;
    return cost < w->cost;
}

static void keep(duet_graph_search_window *w, int64_t cost)
{
    w->cost = cost;
    w->improved = true;
    memcpy(w->order, w->placed, sizeof w->order);
    memcpy(w->type, w->placed_type, sizeof w->type);
}

static void branch(duet_graph_search_window *w, const node *n);

static void branch_on(duet_graph_search_window *w, const node *n, int32_t task, size_t type,
                      int64_t ready)
{
    const duet_graph_search_model *model = w->model;
    int64_t *free_at = free_at_of(w, n->depth + 1);
    int64_t time = duet_graph_search_model_time(model, w->task[task], type);
    memcpy(free_at, free_at_of(w, n->depth), (size_t)model->begin[model->types] * sizeof *free_at);
    int64_t end = place(free_at + model->begin[type], model->begin[type + 1] - model->begin[type],
                        ready, time);
    node next = {.depth = n->depth + 1,
                 .placed = n->placed | UINT32_C(1) << task,
                 .from = end - time,
                 .cost = n->cost + duet_graph_search_window_late(w, end + w->rest[task])};
    w->nodes++;
    if (next.cost < w->cost && end + w->after[task] <= w->most) {
        w->end[task] = end;
        w->placed[n->depth] = task;
        w->placed_type[task] = (uint8_t)type;
        branch(w, &next);
    }
}

static void branch(duet_graph_search_window *w, const node *n)
{
    int64_t ready[DUET_GRAPH_SEARCH_WINDOW_ROOM];
    int64_t cost;
    if (!is_promising(w, n, ready, &cost)) {
        return;
    }
    if (n->depth == w->count) {
        keep(w, cost);
        return;
    }
    for (int32_t i = 0; i < w->count; i++) {
        bool next = (n->placed >> i & 1U) == 0 && (w->before[i] & ~n->placed) == 0;
        for (size_t t = 0; next && t < w->model->types && w->nodes < w->last_node; t++) {
            if (duet_graph_search_model_allows(w->model, w->task[i], t)) {
                branch_on(w, n, i, t, ready[i]);
            }
        }
    }
}

void duet_graph_search_window_solve(duet_graph_search_window *window)
{
    node root = {.from = INT64_MIN};
    window->improved = false;
    window->last_node = window->nodes + window->most_nodes;
    find_after(window);
    branch(window, &root);
}
