// SPDX-License-Identifier: Apache-2.0
// What is known of the tasks of a graph while a proof is read. Includes no solver header: this is
// what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { TASK = 16, TYPE = 4 }; // units of work

static bool has_mode(const duet_task_window *window, size_t type)
{
    return (window->modes >> type & 1U) != 0;
}

int64_t duet_proof_graph_shortest(const duet_proof_graph_state *state, int64_t task)
{
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < state->instance->types; t++) {
        if (has_mode(&state->window[task], t) && duet_proof_graph_time(state, task, t) < least) {
            least = duet_proof_graph_time(state, task, t);
        }
    }
    DUET_ASSERT(least < INT64_MAX);
    return least;
}

int64_t duet_proof_graph_longest(const duet_proof_graph_state *state, int64_t task)
{
    int64_t most = 0;
    for (size_t t = 0; t < state->instance->types; t++) {
        if (has_mode(&state->window[task], t)) {
            most = duet_max(most, duet_proof_graph_time(state, task, t));
        }
    }
    return most;
}

// Whether a task can run on a type within its window and the guess.
static bool fits(const duet_proof_graph_state *state, const duet_task_window *window, int64_t time)
{
    int64_t first = duet_proof_graph_first_start(window, time);
    return time <= state->guess && first <= state->guess &&
           duet_max(window->rest, window->tail + time) <= state->guess - first;
}

// Draws the conclusions of a task's window for itself: which types are left, and what the times on
// these say about the other numbers. Fewer types give later numbers, which may exclude a type.
static void settle(duet_proof_graph_state *state, int64_t task)
{
    duet_task_window *window = &state->window[task];
    uint64_t before;
    do {
        before = window->modes;
        for (size_t t = 0; t < state->instance->types; t++) {
            if (has_mode(window, t) &&
                !fits(state, window, duet_proof_graph_time(state, task, t))) {
                window->modes &= ~(UINT64_C(1) << t);
            }
        }
        if (window->modes == 0) {
            state->closed = true;
            return;
        }
        int64_t shortest = duet_proof_graph_shortest(state, task);
        int64_t longest = duet_proof_graph_longest(state, task);
        window->end = duet_max(window->end, window->start + shortest);
        window->start = duet_max(window->start, window->end - longest);
        window->rest = duet_max(window->rest, window->tail + shortest);
        window->tail = duet_max(window->tail, window->rest - longest);
    } while (window->modes != before);
}

static duet_code alloc_tasks(duet_proof_graph_state *state, duet_error *error)
{
    size_t tasks = (size_t)state->tasks;
    state->place = duet_alloc(tasks, sizeof *state->place, error);
    state->window = duet_alloc(tasks, sizeof *state->window, error);
    state->level = duet_alloc(tasks, sizeof *state->level, error);
    state->flow = duet_alloc(2 * tasks, sizeof *state->flow, error);
    state->marked = duet_alloc(tasks, sizeof *state->marked, error);
    state->kind = duet_kinds_of_tasks(state->instance, error);
    state->twin_before = duet_alloc_raw(tasks, sizeof *state->twin_before, error);
    state->twin_after = duet_alloc_raw(tasks, sizeof *state->twin_after, error);
    bool done = state->twin_before != NULL && state->twin_after != NULL && state->place != NULL &&
                state->window != NULL && state->level != NULL && state->flow != NULL &&
                state->marked != NULL && state->kind != NULL;
    return done ? DUET_OK : DUET_E_MEMORY;
}

static duet_code make_order(duet_proof_graph_state *state, duet_error *error)
{
    if (state->graph != NULL) {
        state->order = duet_graph_order(state->graph, error);
    } else {
        state->order = duet_alloc((size_t)state->tasks, sizeof *state->order, error);
        for (int64_t j = 0; state->order != NULL && j < state->tasks; j++) {
            state->order[j] = (int32_t)j;
        }
    }
    DUET_NEED(state->order);
    for (int64_t i = 0; i < state->tasks; i++) {
        state->place[state->order[i]] = (int32_t)i;
    }
    return DUET_OK;
}

duet_code duet_proof_graph_state_init(duet_proof_graph_state *state, const duet_instance *instance,
                                      int64_t guess, duet_watch *watch, duet_error *error)
{
    *state = (duet_proof_graph_state){.watch = watch,
                                      .instance = instance,
                                      .graph = instance->graph,
                                      .guess = guess,
                                      .tasks = duet_tasks(instance)};
    enum { BYTES = 40 + 3 * 8 + 1 + 5 * 4 }; // a task
    DUET_TRY(duet_instance_ready(instance, error));
    if (state->tasks > DUET_MAX_GRAPH) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "a proof about %" PRId64 " tasks: expected at most %" PRId64,
                              state->tasks, DUET_MAX_GRAPH);
    }
    DUET_TRY(duet_memory_check((uint64_t)state->tasks, BYTES, watch->context->memory_limit,
                               "the proof", error));
    DUET_TRY(alloc_tasks(state, error));
    DUET_TRY(make_order(state, error));
    for (int64_t j = 0; j < state->tasks; j++) {
        state->twin_before[j] = state->twin_after[j] = -1;
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, (size_t)state->kind[j], t)) {
                state->window[j].modes |= UINT64_C(1) << t;
                state->timeless = state->timeless || duet_proof_graph_time(state, j, t) == 0;
            }
        }
        settle(state, j);
        DUET_TRY(duet_check_spend(watch, TASK + TYPE * (int64_t)instance->types, error));
    }
    return DUET_OK;
}

duet_code duet_proof_graph_check_memory(const duet_proof_graph_state *state, duet_error *error)
{
    // Growing takes the old room and the new one.
    size_t changes = 2 * duet_vec_bytes(state->change);
    size_t open = 2 * duet_vec_bytes(state->open);
    size_t limit = state->watch->context->memory_limit;
    if (changes > limit || open > limit - changes) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "suppositions take more than the %zu MiB of memory", limit >> 20);
    }
    return DUET_OK;
}

void duet_proof_graph_state_free(duet_proof_graph_state *state)
{
    duet_free(state->kind);
    duet_free(state->order);
    duet_free(state->place);
    duet_free(state->window);
    duet_free(state->twin_before);
    duet_free(state->twin_after);
    duet_free(state->change);
    duet_free(state->open);
    duet_free(state->level);
    duet_free(state->flow);
    duet_free(state->marked);
    *state = (duet_proof_graph_state){.instance = NULL};
}

// Remembers a window for the end of the supposition around the change.
static duet_code remember(duet_proof_graph_state *state, int64_t task, duet_error *error)
{
    if (state->depth == 0) {
        return DUET_OK;
    }
    return duet_vec_push(state->change, state->changes, error,
                         (duet_window_change){task, state->window[task]});
}

duet_code duet_proof_graph_raise_start(duet_proof_graph_state *state, int64_t task, int64_t start,
                                       duet_error *error)
{
    duet_code code = DUET_OK;
    if (!state->closed && start > state->window[task].start) {
        code = remember(state, task, error);
        if (code == DUET_OK) {
            state->window[task].start = start > state->guess ? state->guess + 1 : start;
            settle(state, task);
        }
    }
    return code;
}

duet_code duet_proof_graph_raise_tail(duet_proof_graph_state *state, int64_t task, int64_t tail,
                                      duet_error *error)
{
    duet_code code = DUET_OK;
    if (!state->closed && tail > state->window[task].tail) {
        code = remember(state, task, error);
        if (code == DUET_OK) {
            state->window[task].tail = tail > state->guess ? state->guess + 1 : tail;
            settle(state, task);
        }
    }
    return code;
}

duet_code duet_proof_graph_leave_modes(duet_proof_graph_state *state, int64_t task, uint64_t modes,
                                       duet_error *error)
{
    duet_code code = DUET_OK;
    if (!state->closed && (state->window[task].modes & ~modes) != 0) {
        code = remember(state, task, error);
        if (code == DUET_OK) {
            state->window[task].modes &= modes;
            settle(state, task);
        }
    }
    return code;
}

// Raises what follows the start of a task.
static duet_code raise_rest(duet_proof_graph_state *state, int64_t task, int64_t rest,
                            duet_error *error)
{
    duet_code code = DUET_OK;
    if (!state->closed && rest > state->window[task].rest) {
        code = remember(state, task, error);
        if (code == DUET_OK) {
            state->window[task].rest = rest;
            settle(state, task);
        }
    }
    return code;
}

// The least cost of an edge between a type and the modes of a task: none where that may run on the
// same processor.
static int64_t least_cost(const duet_proof_graph_state *state, int32_t edge, size_t type,
                          int64_t other, bool forward)
{
    const duet_task_window *window = &state->window[other];
    int64_t least = INT64_MAX;
    if (state->graph->transfer == NULL || has_mode(window, type)) {
        return 0;
    }
    for (size_t t = 0; t < state->instance->types; t++) {
        int64_t cost = forward ? duet_graph_cost(state->graph, edge, type, t)
                               : duet_graph_cost(state->graph, edge, t, type);
        if (has_mode(window, t) && cost < least) {
            least = cost;
        }
    }
    return least;
}

// The earliest time at which what a task leaves on an edge can be used at the other end; backward,
// the least time from the end of an edge's tail to the end of the schedule.
static int64_t passing(const duet_proof_graph_state *state, int32_t edge, bool forward)
{
    int64_t near = forward ? state->graph->tail[edge] : state->graph->head[edge];
    int64_t far = forward ? state->graph->head[edge] : state->graph->tail[edge];
    const duet_task_window *window = &state->window[near];
    int64_t begin = forward ? window->start : window->tail;
    int64_t end = forward ? window->end : window->rest;
    int64_t least = INT64_MAX;
    if (state->graph->transfer == NULL) {
        return end;
    }
    for (size_t t = 0; t < state->instance->types; t++) {
        if (has_mode(window, t)) {
            int64_t ends = duet_max(end, begin + duet_proof_graph_time(state, near, t));
            least = duet_min(ends + least_cost(state, edge, t, far, forward), least);
        }
    }
    return least;
}

// Of the edges of a task from `from` on, the end of a stretch for which work is spent; `end` where
// the watch says stop.
static int64_t next_stretch(const duet_proof_graph_state *state, int64_t from, int64_t end)
{
    enum { STRETCH = 1024 };
    int64_t types = state->graph->transfer == NULL ? 1 : (int64_t)state->instance->types;
    int64_t edges = duet_min(end - from, STRETCH);
    return duet_watch_spend(state->watch, TASK + 2 * edges * types * types) ? end : from + edges;
}

// The latest of these times over the edges that enter a task, or, backward, that leave it.
static int64_t path(const duet_proof_graph_state *state, int64_t task, bool forward)
{
    const duet_graph *graph = state->graph;
    int64_t longest = 0;
    if (graph == NULL) {
        return 0;
    }
    const int64_t *at = forward ? graph->enter_at : graph->leave_at;
    const int32_t *row = forward ? graph->entering : graph->leaving;
    for (int64_t i = at[task]; i < at[task + 1];) {
        int64_t end = next_stretch(state, i, at[task + 1]);
        for (; i < end && !state->watch->stopped; i++) {
            longest = duet_max(longest, passing(state, row[i], forward));
        }
        i = end;
    }
    return longest;
}

duet_code duet_proof_graph_path_start(duet_proof_graph_state *state, int64_t task,
                                      duet_error *error)
{
    if (state->closed) {
        return DUET_OK;
    }
    int64_t start = path(state, task, true);
    int32_t twin = state->twin_before[task];
    start = twin < 0 ? start : duet_max(start, state->window[twin].start);
    return duet_proof_graph_raise_start(state, task, start, error);
}

duet_code duet_proof_graph_path_tail(duet_proof_graph_state *state, int64_t task, duet_error *error)
{
    if (state->closed) {
        return DUET_OK;
    }
    int64_t tail = path(state, task, false);
    DUET_TRY(duet_proof_graph_raise_tail(state, task, tail, error));
    int32_t twin = state->twin_after[task];
    if (twin >= 0) {
        return raise_rest(state, task, state->window[twin].rest, error);
    }
    return DUET_OK;
}

duet_code duet_proof_graph_take(duet_proof_graph_state *state, const duet_supposition *what,
                                duet_error *error)
{
    if (state->closed) {
        return DUET_OK;
    }
    DUET_TRY(remember(state, what->task, error));
    duet_task_window *window = &state->window[what->task];
    int64_t after = what->value >= state->guess ? state->guess + 1 : what->value + 1;
    int64_t before = what->value >= state->guess ? 0 : state->guess - what->value;
    switch (what->claim) {
    case DUET_TASK_ON:
        window->modes &= UINT64_C(1) << what->value;
        break;
    case DUET_TASK_OFF:
        window->modes &= ~(UINT64_C(1) << what->value);
        break;
    case DUET_TASK_START_BY:
        window->rest = duet_max(window->rest, before);
        break;
    case DUET_TASK_START_AFTER:
        window->start = duet_max(window->start, after);
        break;
    case DUET_TASK_END_BY:
        window->tail = duet_max(window->tail, before);
        break;
    default: // it ends after the value
        window->end = duet_max(window->end, after);
    }
    settle(state, what->task);
    return DUET_OK;
}

static duet_code open_level(duet_proof_graph_state *state, const duet_supposition *what,
                            duet_error *error)
{
    return duet_vec_push(state->open, state->depth, error,
                         (duet_supposed){*what, state->changes, state->closed});
}

// Makes the state what it was before the last level.
static duet_supposed close_level(duet_proof_graph_state *state)
{
    duet_supposed last = state->open[--state->depth];
    while (state->changes > last.mark) {
        const duet_window_change *change = &state->change[--state->changes];
        state->window[change->task] = change->window;
    }
    state->closed = last.closed;
    return last;
}

duet_code duet_proof_graph_suppose(duet_proof_graph_state *state, const duet_supposition *what,
                                   duet_error *error)
{
    DUET_TRY(open_level(state, what, error));
    return duet_proof_graph_take(state, what, error);
}

duet_code duet_proof_graph_mark(duet_proof_graph_state *state, duet_error *error)
{
    return open_level(state, &(duet_supposition){DUET_TASK_ON, 0, 0}, error);
}

void duet_proof_graph_take_back(duet_proof_graph_state *state)
{
    DUET_ASSERT(state->depth > 0);
    (void)close_level(state);
}

duet_code duet_proof_graph_end(duet_proof_graph_state *state, duet_error *error)
{
    if (state->depth == 0 || !state->closed) {
        return duet_error_set(error, DUET_E_INPUT, "%s",
                              state->depth == 0 ? "'end' of no supposition"
                                                : "'end' of a supposition that is not refuted");
    }
    duet_supposed last = close_level(state);
    last.what.claim = duet_task_claim_not(last.what.claim);
    return duet_proof_graph_take(state, &last.what, error);
}
