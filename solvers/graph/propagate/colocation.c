// SPDX-License-Identifier: Apache-2.0
// Co-location in the windows of a guess, where data take time.
// Method:    suppose that a task starts by a given time on a processor of one type. What a
//            predecessor leaves elsewhere, and what arrives too late from there, must have been
//            made on that processor; so must what those tasks need in turn. All of them run there
//            one after another, and where they do not fit in between the supposition is false. The
//            latest time at which it is false on every type left is found by bisection; a type on
//            which it is false up to the end of the window is dropped. Backward in time the same
//            holds of the tasks behind, and raises tails.
// Guarantee: each conclusion is one that check/proof/graph/gather.c draws by itself from the line.
// Cost:      a question takes the edges into the gathered tasks, times the types; a bisection some
//            twenty of them. A pass looks at each task once in each direction.
// Memory:    16 bytes a task.
// Reference: the clusters of Papadimitriou, Yannakakis, "Towards an architecture-independent
//            analysis of parallel algorithms", SIAM J. Comput. 19(2), 1990, and Jung, Kirousis,
//            Spirakis, SPAA 1989, here with types, windows, and times at which data are there.
#include "solvers/graph/propagate/colocation.h"

#include "core/number/minmax.h"
#include "solvers/graph/propagate/tuning.h"
#include "solvers/graph/propagate/windows_state.h"

duet_code duet_colocation_create(duet_colocation *colocation, duet_windows *windows,
                                 const duet_context *context, duet_error *error)
{
    size_t tasks = (size_t)windows->tasks;
    *colocation = (duet_colocation){.windows = windows, .context = context, .settled = -1};
    if (windows->network->graph->transfer == NULL) {
        return DUET_OK;
    }
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(colocation->task, DUET_COLOCATION_TASKS),
                                       DUET_ARENA_ARRAY(colocation->asked, tasks),
                                       DUET_ARENA_ARRAY(colocation->at, tasks)};
    return duet_arena_create(&colocation->arena, arrays, sizeof arrays / sizeof *arrays, error);
}

void duet_colocation_free(duet_colocation *colocation)
{
    duet_arena_free(&colocation->arena);
    *colocation = (duet_colocation){.windows = NULL};
}

// --- one question --------------------------------------------------------------------------------

// The earliest start of a task on a type.
static int64_t first_on(const duet_colocation *g, int32_t task, size_t type)
{
    const duet_window *w = &g->windows->window[task];
    int64_t time = duet_windows_time(g->windows, task, type);
    return g->before ? duet_max(w->start, w->end - time) : duet_max(w->tail, w->rest - time);
}

// The latest one within the guess.
static int64_t last_on(const duet_colocation *g, int32_t task, size_t type)
{
    const duet_window *w = &g->windows->window[task];
    int64_t time = duet_windows_time(g->windows, task, type);
    int64_t behind =
        g->before ? duet_max(w->rest, w->tail + time) : duet_max(w->end, w->start + time);
    return g->windows->guess - behind;
}

// When data of a task are there on an edge to a processor of a type, at the earliest, if they come
// from another processor.
static int64_t arrival(const duet_colocation *g, int32_t edge, int32_t from, size_t type)
{
    const duet_windows *windows = g->windows;
    const duet_graph *graph = windows->network->graph;
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < windows->types; t++) {
        bool other = t != type || windows->instance->processors[t] > 1;
        if (other && duet_windows_has(windows, from, t)) {
            int64_t cost = g->before ? duet_graph_cost(graph, edge, t, type)
                                     : duet_graph_cost(graph, edge, type, t);
            int64_t there = first_on(g, from, t) + duet_windows_time(windows, from, t) + cost;
            least = duet_min(there, least);
        }
    }
    return least;
}

// Whether `a` is looked at before `b`: those that are needed by fewer come first.
static bool is_nearer(const duet_colocation *g, int32_t a, int32_t b)
{
    const int32_t *place = g->windows->place;
    return g->before ? place[a] > place[b] : place[a] < place[b];
}

// Gathers a task that must have started by `by`, or notes that of one that is gathered. A task for
// which there is no room is left out. Whether it can.
static bool add(duet_colocation *g, int32_t task, size_t type, int64_t by)
{
    int64_t first = first_on(g, task, type);
    if (first > by) {
        return false;
    }
    if (g->asked[task] == g->question) {
        int64_t *known = &g->task[g->at[task]].by;
        *known = duet_min(by, *known);
        return true;
    }
    if (g->count == DUET_COLOCATION_TASKS) {
        return true;
    }
    size_t at = g->count++;
    for (; at > 0 && is_nearer(g, task, g->task[at - 1].task); at--) {
        g->task[at] = g->task[at - 1];
        g->at[g->task[at].task] = at;
    }
    g->task[at] = (duet_colocated){task, duet_windows_time(g->windows, task, type), first, by};
    g->at[task] = at;
    g->asked[task] = g->question;
    return true;
}

// Gathers what a task that starts by then on the processor needs from there. Whether all can.
static bool add_needed(duet_colocation *g, int32_t task, size_t type, int64_t by)
{
    const duet_graph *graph = g->windows->network->graph;
    const int64_t *at = g->before ? graph->enter_at : graph->leave_at;
    const int32_t *row = g->before ? graph->entering : graph->leaving;
    const int32_t *other = g->before ? graph->tail : graph->head;
    g->windows->work += 4 * (at[task + 1] - at[task]) * (int64_t)g->windows->types;
    for (int64_t i = at[task]; i < at[task + 1]; i++) {
        int32_t next = other[row[i]];
        if (arrival(g, row[i], next, type) > by &&
            (!duet_windows_has(g->windows, next, type) ||
             !add(g, next, type, by - duet_windows_time(g->windows, next, type)))) {
            return false;
        }
    }
    return true;
}

// Whether the gathered tasks, all of which have ended by then, fit one after another.
static bool fit_until(duet_colocation *g, int64_t by)
{
    int64_t sum = 0;
    for (size_t i = 1; i < g->count; i++) {
        duet_colocated moved = g->task[i];
        size_t at = i;
        for (; at > 0 && g->task[at - 1].from < moved.from; at--) {
            g->task[at] = g->task[at - 1];
        }
        g->task[at] = moved;
    }
    g->windows->work += 2 * (int64_t)g->count;
    for (size_t i = 0; i < g->count; i++) {
        sum += g->task[i].time;
        if (g->task[i].from + sum > by) {
            return false;
        }
    }
    return true;
}

// Whether a task can start by then on a type.
static bool can_start(duet_colocation *g, int32_t task, size_t type, int64_t by)
{
    g->question++;
    g->count = 0;
    if (!add_needed(g, task, type, by)) {
        return false;
    }
    for (size_t i = 0; i < g->count; i++) { // what is added stands behind
        duet_colocated next = g->task[i];
        if (!add_needed(g, next.task, type, next.by)) {
            return false;
        }
    }
    return fit_until(g, by);
}

// --- conclusions ---------------------------------------------------------------------------------

static bool can_start_anywhere(duet_colocation *g, int32_t task, int64_t by)
{
    for (size_t t = 0; t < g->windows->types; t++) {
        if (duet_windows_has(g->windows, task, t)) {
            int64_t last = last_on(g, task, t);
            if (can_start(g, task, t, duet_min(by, last))) {
                return true;
            }
        }
    }
    return false;
}

// It does not start by then on a type that is left.
static void conclude(duet_colocation *g, int32_t task, int64_t by)
{
    duet_windows_write_colocation(g->windows, task, by, g->before);
    if (g->before) {
        duet_windows_raise_start(g->windows, task, by + 1);
    } else {
        duet_windows_raise_tail(g->windows, task, by + 1);
    }
}

// Drops a type on which a task cannot start at all. Whether it did.
static bool drop(duet_colocation *g, int32_t task, size_t type)
{
    int64_t last = last_on(g, task, type);
    if (can_start(g, task, type, last)) {
        return false;
    }
    duet_task_statement on = {DUET_CLAIM_ON, task, (int64_t)type};
    if (!duet_windows_suppose(g->windows, on)) {
        return false;
    }
    if (!g->windows->refuted) {
        conclude(g, task, g->windows->guess);
    }
    if (!g->windows->refuted) { // there was no memory
        duet_windows_give_up(g->windows);
        return false;
    }
    duet_windows_conclude(g->windows);
    return true;
}

static bool narrow_task(duet_colocation *g, int32_t task)
{
    const duet_window *window = &g->windows->window[task];
    bool any = false;
    for (size_t t = 0; t < g->windows->types && !duet_windows_is_over(g->windows); t++) {
        bool several = (window->types & (window->types - 1)) != 0;
        any = (several && duet_windows_has(g->windows, task, t) && drop(g, task, t)) || any;
    }
    int64_t known = g->before ? window->start : window->tail;
    if (duet_windows_is_over(g->windows) || can_start_anywhere(g, task, known)) {
        return any;
    }
    int64_t not_by = known;
    int64_t step = 1;
    int64_t last = g->windows->guess;
    for (; step < last - not_by && !can_start_anywhere(g, task, not_by + step); step *= 2) {
        not_by += step;
    }
    int64_t may = step < last - not_by ? not_by + step : last + 1;
    while (may - not_by > 1) {
        int64_t middle = not_by + (may - not_by) / 2;
        bool can = can_start_anywhere(g, task, middle);
        may = can ? middle : may;
        not_by = can ? not_by : middle;
    }
    conclude(g, task, not_by);
    return true;
}

// Whether anything followed; `*whole` falls where the context stops it.
static bool narrow_all(duet_colocation *g, bool before, bool *whole)
{
    const duet_windows *windows = g->windows;
    bool any = false;
    g->before = before;
    for (int64_t i = 0; i < windows->tasks && !duet_windows_is_over(windows); i++) {
        if (i % DUET_COLOCATION_GLANCE == 0 &&
            (windows->proof.lost || duet_context_stop(g->context))) {
            *whole = false;
            break;
        }
        int32_t task = windows->network->order[before ? i : windows->tasks - 1 - i];
        duet_windows_pull(g->windows, task, before);
        any = narrow_task(g, task) || any;
    }
    duet_windows_propagate(g->windows);
    return any;
}

bool duet_colocation_narrow(duet_colocation *colocation)
{
    duet_windows *windows = colocation->windows;
    if (colocation->task == NULL || duet_windows_is_over(windows) ||
        colocation->settled == windows->state) {
        return false;
    }
    bool whole = true;
    bool any = narrow_all(colocation, true, &whole);
    any = narrow_all(colocation, false, &whole) || any;
    colocation->settled = any || !whole ? -1 : windows->state;
    return any;
}
