// SPDX-License-Identifier: Apache-2.0
// What may be assumed of a schedule within the guess without loss, if there is one: of all of them
// take those whose starts have the least sum, and of these one in which twins start in the order of
// their indices. docs/theory/graphs.md has the argument. Includes no solver header: this is what an
// outsider trusts.
#include "check/proof/graph/graph.h"
#include "core/number/minmax.h"

#include <inttypes.h>

enum { TASK = 8 }; // units of work

// Whether the neighbours of two tasks on one side are the same, at the same costs. No edge is there
// twice, so that it is enough to find each neighbour of the one at the other.
static bool same_neighbours(const duet_proof_graph_state *state, int64_t first, int64_t second,
                            bool before)
{
    const duet_graph *graph = state->graph;
    const int64_t *at = before ? graph->enter_at : graph->leave_at;
    const int32_t *row = before ? graph->entering : graph->leaving;
    const int32_t *other = before ? graph->tail : graph->head;
    if (at[first + 1] - at[first] != at[second + 1] - at[second]) {
        return false;
    }
    (void)duet_watch_spend(state->watch, TASK * (at[first + 1] - at[first]));
    for (int64_t i = at[first]; i < at[first + 1]; i++) {
        state->level[other[row[i]]] = row[i] + INT64_C(1);
    }
    bool same = true;
    for (int64_t i = at[second]; i < at[second + 1]; i++) {
        int64_t edge = state->level[other[row[i]]] - 1;
        same = same && edge >= 0 &&
               (graph->transfer == NULL || graph->transfer[edge] == graph->transfer[row[i]]);
    }
    for (int64_t i = at[first]; i < at[first + 1]; i++) {
        state->level[other[row[i]]] = 0;
    }
    return same;
}

static bool same_times(const duet_proof_graph_state *state, int64_t first, int64_t second)
{
    for (size_t t = 0; t < state->instance->types; t++) {
        if (duet_proof_graph_time(state, first, t) != duet_proof_graph_time(state, second, t)) {
            return false;
        }
    }
    return true;
}

duet_code duet_proof_graph_twins(duet_proof_graph_state *state, int64_t first, int64_t second,
                                 duet_error *error)
{
    if (first >= second || state->depth > 0 || state->is_part) {
        return duet_error_set(error, DUET_E_INPUT,
                              "twins %" PRId64 " and %" PRId64
                              ": expected rising numbers, before any supposition, and in no part",
                              first, second);
    }
    if (duet_watch_spend(state->watch, TASK + (state->graph == NULL ? 0 : state->tasks))) {
        return duet_check_stopped(state->watch, error);
    }
    for (int64_t j = 0; j < state->tasks && state->graph != NULL; j++) {
        state->level[j] = 0;
    }
    if (!same_times(state, first, second) ||
        (state->graph != NULL && (!same_neighbours(state, first, second, true) ||
                                  !same_neighbours(state, first, second, false)))) {
        return duet_error_set(error, DUET_E_INPUT,
                              "tasks %" PRId64 " and %" PRId64
                              ": expected the same times, predecessors and successors",
                              first, second);
    }
    state->twin_before[second] = (int32_t)first;
    state->twin_after[first] = (int32_t)second;
    return DUET_OK;
}

// The least time of at least `from` in an interval; INT64_MAX if the interval has none.
static int64_t next_in(int64_t from, int64_t first, int64_t last)
{
    int64_t next = duet_max(first, from);
    return next <= last ? next : INT64_MAX;
}

// The next time at which data of an edge may arrive that were under way.
static int64_t next_journey(const duet_proof_graph_state *state, int32_t edge, int64_t from)
{
    const duet_graph *graph = state->graph;
    const duet_task_window *window = &state->window[graph->tail[edge]];
    int64_t last = state->guess - window->tail;
    int64_t next = INT64_MAX;
    for (size_t t = 0; t < state->instance->types && graph->transfer != NULL; t++) {
        for (size_t u = 0; u < state->instance->types; u++) {
            if ((window->modes >> t & 1U) != 0 &&
                (state->window[graph->head[edge]].modes >> u & 1U) != 0) {
                int64_t cost = duet_graph_cost(graph, edge, t, u);
                int64_t arrival = next_in(from, window->end + cost, last + cost);
                next = cost > 0 ? duet_min(next, arrival) : next;
            }
        }
    }
    return next;
}

static int64_t next_end(const duet_proof_graph_state *state, int64_t task, int64_t from)
{
    const duet_task_window *window = &state->window[task];
    return next_in(from, window->end, state->guess - window->tail);
}

// The next time at which anything ends that takes time, or data arrive that were under way. Tasks
// without a time that start together at any other time could all start earlier.
static int64_t next_event(const duet_proof_graph_state *state, int64_t task, int64_t from)
{
    int64_t next = INT64_MAX;
    int64_t types = (int64_t)state->instance->types;
    for (int64_t i = 0; i < state->tasks && !duet_watch_spend(state->watch, types); i++) {
        if (i != task && duet_proof_graph_longest(state, i) > 0) {
            next = duet_min(next, next_end(state, i, from));
        }
    }
    for (int64_t e = 0; state->graph != NULL && e < state->graph->edges &&
                        !duet_watch_spend(state->watch, types * types);
         e++) {
        if (state->graph->tail[e] != task) {
            next = duet_min(next, next_journey(state, (int32_t)e, from));
        }
    }
    return next;
}

// Whether a task may start at its window's start because it is released there. Where some take no
// time, one that is released may be the reason of others at any time.
static bool starts_at_release(const duet_proof_graph_state *state, int64_t task)
{
    int64_t released = state->release == NULL ? 0 : state->release[task];
    return state->window[task].start <= released || (state->release != NULL && state->timeless);
}

duet_code duet_proof_graph_shift(duet_proof_graph_state *state, int64_t task, duet_error *error)
{
    const duet_graph *graph = state->graph;
    if (state->closed || starts_at_release(state, task)) {
        return DUET_OK;
    }
    int64_t from = state->window[task].start;
    int64_t next = INT64_MAX;
    if (duet_watch_spend(state->watch, 4 * state->tasks)) {
        return duet_check_stopped(state->watch, error);
    }
    for (int64_t i = 0; i < state->tasks; i++) {
        if (i != task && (state->window[i].modes & state->window[task].modes) != 0) {
            next = duet_min(next, next_end(state, i, from));
        }
    }
    for (int64_t i = graph == NULL ? 0 : graph->enter_at[task];
         graph != NULL && i < graph->enter_at[task + 1] &&
         !duet_watch_spend(state->watch,
                           (int64_t)(state->instance->types * state->instance->types));
         i++) {
        int32_t edge = graph->entering[i];
        next = duet_min(next, next_journey(state, edge, from));
        next = duet_min(next, next_end(state, graph->tail[edge], from));
    }
    if (state->timeless && next < INT64_MAX) {
        next = next_event(state, task, next);
    }
    return duet_proof_graph_raise_start(state, task, next, error);
}
