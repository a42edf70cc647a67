// SPDX-License-Identifier: Apache-2.0
// Left shift: starts that wait for a reason.
// Method:    of all schedules within the guess take one whose starts have the least sum. A task
//            that starts later than it could is then behind something that ends or arrives at that
//            time; so a start that cannot be earlier is at the next such time.
// Guarantee: it holds of one of the schedules that are as good (docs/theory/graphs.md, "No
//            idle time without a reason").
// Cost:      O(tasks^2), and O(tasks x edges) where some tasks take no time.
// Memory:    none.
// Reference: semi-active schedules: Giffler, Thompson, Operations Research 8(4), 1960.
#include "core/number/minmax.h"
#include "solvers/graph/propagate/windows_state.h"

// The least time of at least `from` in an interval; INT64_MAX: there is none.
static int64_t next_in(int64_t from, int64_t first, int64_t last)
{
    int64_t next = duet_max(first, from);
    return next <= last ? next : INT64_MAX;
}

// The next time at which data of an edge may arrive that were under way.
static int64_t next_journey(const duet_windows *windows, int32_t edge, int64_t from)
{
    const duet_graph *graph = windows->network->graph;
    const duet_window *window = &windows->window[graph->tail[edge]];
    int64_t last = windows->guess - window->tail;
    int64_t next = INT64_MAX;
    for (size_t t = 0; t < windows->types && graph->transfer != NULL; t++) {
        for (size_t u = 0; u < windows->types; u++) {
            if (duet_windows_has(windows, graph->tail[edge], t) &&
                duet_windows_has(windows, graph->head[edge], u)) {
                int64_t cost = duet_graph_cost(graph, edge, t, u);
                int64_t arrival = next_in(from, window->end + cost, last + cost);
                next = cost > 0 ? duet_min(next, arrival) : next;
            }
        }
    }
    return next;
}

static int64_t next_end(const duet_windows *windows, int32_t task, int64_t from)
{
    const duet_window *window = &windows->window[task];
    return next_in(from, window->end, windows->guess - window->tail);
}

// The next time at which anything ends that takes time, or data arrive that were under way. Tasks
// without a time that start together at any other time could all start earlier.
static int64_t next_event(duet_windows *windows, int32_t task, int64_t from)
{
    int64_t next = INT64_MAX;
    for (int32_t i = 0; i < windows->tasks && next > from; i++) {
        if (i != task && windows->window[i].longest > 0) {
            next = duet_min(next, next_end(windows, i, from));
        }
    }
    for (int32_t e = 0; e < windows->network->edges && next > from; e++) {
        if (windows->network->graph->tail[e] != task) {
            next = duet_min(next, next_journey(windows, e, from));
        }
    }
    windows->work += windows->tasks;
    return next;
}

// Whether a task may start at its window's start because it is released there. If some tasks take
// no time, one that is released may be the reason of others at any time.
static bool starts_at_release(const duet_windows *windows, int32_t task)
{
    const duet_given *given = &windows->given;
    bool released = given->released && given->start != NULL;
    return windows->window[task].start <= (released ? given->start[task] : 0) ||
           (released && windows->network->has_zero_times);
}

// The next time at which a task may start: when another one may end, or data may arrive.
static int64_t next_start(duet_windows *windows, int32_t task)
{
    const duet_graph *graph = windows->network->graph;
    int64_t from = windows->window[task].start;
    int64_t next = INT64_MAX;
    if (starts_at_release(windows, task)) {
        return from;
    }
    for (int64_t i = graph->enter_at[task]; i < graph->enter_at[task + 1] && next > from; i++) {
        int32_t edge = graph->entering[i];
        next = duet_min(next, next_journey(windows, edge, from));
        next = duet_min(next, next_end(windows, graph->tail[edge], from));
    }
    for (int32_t i = 0; i < windows->tasks && next > from; i++) {
        if (i != task && (windows->window[i].types & windows->window[task].types) != 0) {
            next = duet_min(next, next_end(windows, i, from));
        }
        windows->work++;
    }
    bool circular = windows->network->has_zero_times && next < INT64_MAX;
    return circular ? next_event(windows, task, next) : next;
}

bool duet_windows_shift(duet_windows *windows)
{
    int64_t count = 0;
    if (windows->without_dominance) {
        return false;
    }
    for (int64_t i = 0; i < windows->tasks && !duet_windows_is_over(windows); i++) {
        int32_t task = windows->network->order[i];
        int64_t next = next_start(windows, task);
        if (next > windows->window[task].start) {
            duet_windows_raise_start(windows, task, next);
            windows->raised[count++] = task;
        }
    }
    duet_windows_write_raised(windows, "shift", count);
    return count > 0;
}
