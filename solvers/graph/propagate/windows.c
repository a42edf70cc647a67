// SPDX-License-Identifier: Apache-2.0
// Windows of the tasks of a graph, and propagation along its edges; see windows.h.
// Method:    a window draws its own conclusions: which types fit into it, and what its four numbers
//            say of each other. What it leaves behind is pulled by its neighbours, starts in
//            topological order, tails against it, until nothing changes.
// Guarantee: each conclusion is one that check/proof/graph/graph_state.c draws from the same line.
// Cost:      O(edges x types) a pass.
// Memory:    about 73 bytes a task, the changes of open suppositions, and the proof.
// Reference: Carlier, Pinson, "Adjustment of heads and tails for the job-shop problem", EJOR 78,
//            1994.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/tuning.h"
#include "solvers/graph/propagate/tuning.h"
#include "solvers/graph/propagate/twins.h"
#include "solvers/graph/propagate/windows_state.h"

enum {
    WORD_BITS = 64,        // A set of tasks has words of this many bits.
    BYTES = 56 + 4 * 4 + 1 // A task takes this many bytes.
};

duet_code duet_windows_create(duet_windows *windows, const duet_network *network,
                              const duet_context *context, duet_error *error)
{
    *windows = (duet_windows){.network = network,
                              .instance = network->instance,
                              .tasks = network->tasks,
                              .types = network->instance->types};
    size_t tasks = (size_t)network->tasks;
    size_t words = tasks / WORD_BITS + 1;
    DUET_TRY(duet_memory_check(tasks, BYTES, context->memory_limit, "windows of the tasks", error));
    size_t limit = duet_memory_limit(context->memory_limit) / 4;
    windows->proof.limit = duet_min(limit, DUET_WINDOWS_PROOF_BYTES);
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(windows->place, tasks),
                                       DUET_ARENA_ARRAY(windows->twin_before, tasks),
                                       DUET_ARENA_ARRAY(windows->twin_after, tasks),
                                       DUET_ARENA_ARRAY(windows->window, tasks),
                                       DUET_ARENA_ARRAY(windows->queued_starts, words),
                                       DUET_ARENA_ARRAY(windows->queued_tails, words),
                                       DUET_ARENA_ARRAY(windows->raised, tasks)};
    duet_code code =
        duet_arena_create(&windows->arena, arrays, sizeof arrays / sizeof *arrays, error);
    if (code != DUET_OK) {
        return code;
    }
    for (int64_t i = 0; i < network->tasks; i++) {
        windows->place[network->order[i]] = (int32_t)i;
        windows->twin_before[i] = windows->twin_after[i] = -1;
    }
    if (network->tasks <= DUET_GRAPH_CLOSURE_TASKS) {
        code = duet_find_twins(network, windows->twin_before, error);
    }
    for (int32_t j = 0; j < network->tasks; j++) {
        if (windows->twin_before[j] >= 0) {
            windows->twin_after[windows->twin_before[j]] = j;
        }
    }
    return code;
}

void duet_windows_free(duet_windows *windows)
{
    duet_arena_free(&windows->arena);
    duet_free(windows->undo);
    duet_free(windows->level);
    duet_proof_writer_free(&windows->proof);
    *windows = (duet_windows){.tasks = 0};
}

static void mark(const duet_windows *windows, uint64_t *set, int32_t task)
{
    int32_t place = windows->place[task];
    set[place / WORD_BITS] |= UINT64_C(1) << (place % WORD_BITS);
}

// The neighbours that a changed window may change. Without costs only what a task leaves behind,
// its end and its rest, matters to others; with costs also where it runs.
static void mark_neighbours(duet_windows *windows, int32_t task, const duet_window *before)
{
    const duet_graph *graph = windows->network->graph;
    const duet_window *window = &windows->window[task];
    bool moved = graph->transfer != NULL && window->types != before->types;
    if (moved || window->end > before->end) {
        for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
            mark(windows, windows->queued_starts, graph->head[graph->leaving[i]]);
        }
    }
    if (moved || window->rest > before->rest) {
        for (int64_t i = graph->enter_at[task]; i < graph->enter_at[task + 1]; i++) {
            mark(windows, windows->queued_tails, graph->tail[graph->entering[i]]);
        }
    }
    if (window->start > before->start && windows->twin_after[task] >= 0) {
        mark(windows, windows->queued_starts, windows->twin_after[task]);
    }
    if (window->rest > before->rest && windows->twin_before[task] >= 0) {
        mark(windows, windows->queued_tails, windows->twin_before[task]);
    }
    if (moved) {
        mark(windows, windows->queued_starts, task);
        mark(windows, windows->queued_tails, task);
    }
}

// Drops the types that do not fit into a window, and finds the least and the largest time of the
// others. Whether there are any.
static bool choose_types(const duet_windows *windows, int32_t task, duet_window *window)
{
    window->shortest = INT64_MAX;
    window->longest = 0;
    for (size_t t = 0; t < windows->types; t++) {
        if ((window->types >> t & 1U) == 0) {
            continue;
        }
        int64_t time = duet_windows_time(windows, task, t);
        int64_t first = duet_max(window->start, window->end - time);
        if (time > windows->guess || first > windows->guess ||
            duet_max(window->rest, window->tail + time) > windows->guess - first) {
            window->types &= ~(UINT64_C(1) << t);
            continue;
        }
        window->shortest = duet_min(time, window->shortest);
        window->longest = duet_max(window->longest, time);
    }
    return window->types != 0;
}

// Draws the conclusions of a task's window for itself. Fewer types give later numbers, which may
// exclude a type.
static void tighten(duet_windows *windows, int32_t task)
{
    duet_window *window = &windows->window[task];
    uint64_t before;
    do {
        before = window->types;
        if (!choose_types(windows, task, window)) {
            windows->refuted = true;
            return;
        }
        window->end = duet_max(window->end, window->start + window->shortest);
        window->start = duet_max(window->start, window->end - window->longest);
        window->rest = duet_max(window->rest, window->tail + window->shortest);
        window->tail = duet_max(window->tail, window->rest - window->longest);
        windows->work += 4 * (int64_t)windows->types;
    } while (window->types != before);
}

// Remembers a window for the end of the supposition around the change.
static void remember(duet_windows *windows, int32_t task)
{
    if (windows->depth == 0) {
        windows->all_drawn = false;
        return;
    }
    const duet_window_of_task before = {task, windows->window[task]};
    DUET_THEN(windows->code, duet_vec_push(windows->undo, windows->undos, NULL, before));
}

// How much smaller a window has become, about: all of it where a type is left.
static int64_t narrowing(const duet_windows *windows, const duet_window *before,
                         const duet_window *window)
{
    double room = (double)(windows->guess - before->start - before->rest);
    double left = (double)(windows->guess - window->start - window->rest);
    double part = room > left && room > 0 ? (room - duet_max(left, 0)) / room : 0;
    int64_t types = window->types != before->types ? DUET_NARROWED : 0;
    return types + (int64_t)(part * DUET_NARROWED);
}

void duet_windows_change(duet_windows *windows, int32_t task, const duet_window *changed)
{
    remember(windows, task);
    if (windows->code == DUET_OK) {
        duet_window before = windows->window[task];
        windows->window[task] = *changed;
        windows->state = ++windows->states;
        tighten(windows, task);
        windows->narrowed += narrowing(windows, &before, &windows->window[task]);
        mark_neighbours(windows, task, &before);
    }
}

void duet_windows_raise_start(duet_windows *windows, int32_t task, int64_t start)
{
    duet_window changed = windows->window[task];
    if (!duet_windows_is_over(windows) && start > changed.start) {
        changed.start = start > windows->guess ? windows->guess + 1 : start;
        duet_windows_change(windows, task, &changed);
    }
}

void duet_windows_raise_tail(duet_windows *windows, int32_t task, int64_t tail)
{
    duet_window changed = windows->window[task];
    if (!duet_windows_is_over(windows) && tail > changed.tail) {
        changed.tail = tail > windows->guess ? windows->guess + 1 : tail;
        duet_windows_change(windows, task, &changed);
    }
}

void duet_windows_restrict_types(duet_windows *windows, int32_t task, uint64_t types)
{
    duet_window changed = windows->window[task];
    if (!duet_windows_is_over(windows) && (changed.types & ~types) != 0) {
        changed.types &= types;
        duet_windows_change(windows, task, &changed);
    }
}

// The least time of an inter-type transfer on an edge from a type to the types of the task at its
// other end; 0 if that may run on the same processor.
static int64_t least_cost(const duet_windows *windows, int32_t edge, size_t type, int32_t other,
                          bool forward)
{
    int64_t least = INT64_MAX;
    if (duet_windows_has(windows, other, type)) {
        return 0;
    }
    for (size_t t = 0; t < windows->types; t++) {
        if (duet_windows_has(windows, other, t)) {
            int64_t cost = forward ? duet_graph_cost(windows->network->graph, edge, type, t)
                                   : duet_graph_cost(windows->network->graph, edge, t, type);
            least = duet_min(cost, least);
        }
    }
    return least;
}

// The earliest time at which a task's data on an edge can be used (`forward`), or the least time
// that they leave to the end of the schedule at the edge's other end.
static int64_t reach(const duet_windows *windows, int32_t edge, bool forward)
{
    const duet_graph *graph = windows->network->graph;
    int32_t from = forward ? graph->tail[edge] : graph->head[edge];
    int32_t to = forward ? graph->head[edge] : graph->tail[edge];
    const duet_window *window = &windows->window[from];
    int64_t passed = forward ? window->end : window->rest;
    if (graph->transfer == NULL) {
        return passed;
    }
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < windows->types; t++) {
        if (duet_windows_has(windows, from, t)) {
            int64_t begun =
                (forward ? window->start : window->tail) + duet_windows_time(windows, from, t);
            int64_t time = duet_max(passed, begun) + least_cost(windows, edge, t, to, forward);
            least = duet_min(time, least);
        }
    }
    return least;
}

// Raises the start of a task to what its predecessors say. Whether that says more.
static bool pull_start(duet_windows *windows, int32_t task)
{
    const duet_graph *graph = windows->network->graph;
    int64_t start = 0;
    for (int64_t i = graph->enter_at[task]; i < graph->enter_at[task + 1]; i++) {
        start = duet_max(start, reach(windows, graph->entering[i], true));
    }
    int32_t twin = windows->twin_before[task];
    start = twin < 0 ? start : duet_max(start, windows->window[twin].start);
    windows->work += 2 * (graph->enter_at[task + 1] - graph->enter_at[task]) + 4;
    bool more = start > windows->window[task].start;
    duet_windows_raise_start(windows, task, start);
    return more;
}

static bool pull_tail(duet_windows *windows, int32_t task)
{
    const duet_graph *graph = windows->network->graph;
    int64_t tail = 0;
    for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
        tail = duet_max(tail, reach(windows, graph->leaving[i], false));
    }
    windows->work += 2 * (graph->leave_at[task + 1] - graph->leave_at[task]) + 4;
    int32_t twin = windows->twin_after[task];
    bool more = tail > windows->window[task].tail;
    duet_windows_raise_tail(windows, task, tail);
    if (twin >= 0 && !duet_windows_is_over(windows) &&
        windows->window[twin].rest > windows->window[task].rest) {
        duet_window changed = windows->window[task];
        changed.rest = windows->window[twin].rest;
        duet_windows_change(windows, task, &changed);
        more = true;
    }
    return more;
}

// Adds a task to a line, of which there may be several: twins are queued behind it again.
static int64_t add_raised(duet_windows *windows, const char *word, int64_t count, int32_t task)
{
    if (count == windows->tasks) {
        duet_windows_write_raised(windows, word, count);
        count = 0;
    }
    windows->raised[count] = task;
    return count + 1;
}

// Pulls the starts that are queued, in topological order: those found on the way lie ahead, but for
// twins. Whether there were any.
static bool pull_starts(duet_windows *windows)
{
    int64_t count = 0;
    bool any = false;
    for (int64_t w = 0; w <= windows->tasks / WORD_BITS; w++) {
        while (windows->queued_starts[w] != 0 && !duet_windows_is_over(windows)) {
            int64_t place = w * WORD_BITS + __builtin_ctzll(windows->queued_starts[w]);
            int32_t task = windows->network->order[place];
            windows->queued_starts[w] &= windows->queued_starts[w] - 1;
            any = true;
            if (pull_start(windows, task)) {
                count = add_raised(windows, "heads", count, task);
            }
        }
    }
    duet_windows_write_raised(windows, "heads", count);
    return any;
}

static bool pull_tails(duet_windows *windows)
{
    int64_t count = 0;
    bool any = false;
    for (int64_t w = windows->tasks / WORD_BITS; w >= 0; w--) {
        while (windows->queued_tails[w] != 0 && !duet_windows_is_over(windows)) {
            int bit = WORD_BITS - 1 - __builtin_clzll(windows->queued_tails[w]);
            int32_t task = windows->network->order[w * WORD_BITS + bit];
            windows->queued_tails[w] &= ~(UINT64_C(1) << bit);
            any = true;
            if (pull_tail(windows, task)) {
                count = add_raised(windows, "tails", count, task);
            }
        }
    }
    duet_windows_write_raised(windows, "tails", count);
    return any;
}

void duet_windows_pull(duet_windows *windows, int32_t task, bool forward)
{
    int32_t place = windows->place[task];
    uint64_t *word = &(forward ? windows->queued_starts : windows->queued_tails)[place / WORD_BITS];
    uint64_t bit = UINT64_C(1) << (place % WORD_BITS);
    if ((*word & bit) == 0 || duet_windows_is_over(windows)) {
        return;
    }
    *word &= ~bit;
    if (forward ? pull_start(windows, task) : pull_tail(windows, task)) {
        windows->raised[0] = task;
        duet_windows_write_raised(windows, forward ? "heads" : "tails", 1);
    }
}

void duet_windows_empty_queues(duet_windows *windows)
{
    for (int64_t w = 0; w <= windows->tasks / WORD_BITS; w++) {
        windows->queued_starts[w] = 0;
        windows->queued_tails[w] = 0;
    }
}

void duet_windows_propagate(duet_windows *windows)
{
    bool any = true;
    while (any && !duet_windows_is_over(windows)) {
        any = pull_starts(windows);
        any = pull_tails(windows) || any;
    }
}

static void forget_twins(duet_windows *windows)
{
    for (int64_t j = 0; j < windows->tasks; j++) {
        windows->twin_before[j] = windows->twin_after[j] = -1;
    }
}

void duet_windows_give(duet_windows *windows, const duet_given *given)
{
    windows->given = *given;
    if (given->released) {
        forget_twins(windows);
    }
}

void duet_windows_disable_dominance(duet_windows *windows)
{
    windows->without_dominance = true;
    forget_twins(windows);
}

// What is known of a task before anything is concluded.
static duet_window first_window(const duet_windows *windows, int32_t task)
{
    const duet_given *given = &windows->given;
    duet_window window = {.start = given->start == NULL ? 0 : given->start[task],
                          .tail = given->tail == NULL ? 0 : given->tail[task]};
    for (size_t t = 0; t < windows->types; t++) {
        if (duet_allowed(windows->instance, (size_t)windows->network->kind[task], t)) {
            window.types |= UINT64_C(1) << t;
        }
    }
    return window;
}

void duet_windows_reset(duet_windows *windows, int64_t guess)
{
    windows->guess = guess;
    windows->refuted = false;
    windows->undos = 0;
    windows->depth = 0;
    windows->drawn[0] = windows->drawn[1] = 0;
    windows->all_drawn = false;
    windows->state = ++windows->states;
    windows->proof.length = 0;
    windows->proof.lost = false;
    duet_windows_empty_queues(windows);
    duet_windows_write_twins(windows);
    for (int32_t j = 0; j < windows->tasks; j++) {
        windows->window[j] = first_window(windows, j);
        tighten(windows, j);
        mark(windows, windows->queued_starts, j);
        mark(windows, windows->queued_tails, j);
    }
    duet_windows_propagate(windows);
}
