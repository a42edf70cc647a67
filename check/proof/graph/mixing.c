// SPDX-License-Identifier: Apache-2.0
// Mixing inequalities as part of a linear program's dual: from the end of a task to the start of
// another one it is at least as long as the longest path between them, and as much longer as some
// tasks on such paths take longer than they must. docs/theory/graphs.md has the inequality.
// Includes no solver header: this is what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A path that is longer than the guess is cut there, which says no more than is so.
static int64_t add(const duet_proof_graph_state *state, int64_t a, int64_t b)
{
    return a < state->guess + 1 - b ? a + b : state->guess + 1;
}

static bool is_outside(const duet_proof_graph_state *state, int64_t task)
{
    return task == state->tasks;
}

enum { EDGE = 4 }; // units of work

// --- longest paths -------------------------------------------------------------------------------

static int64_t edge_at(const duet_graph *graph, int64_t task, bool leaving, int64_t *end)
{
    const int64_t *at = leaving ? graph->leave_at : graph->enter_at;
    *end = at[task + 1];
    return at[task];
}

// From the end of a task to the start of each one behind it (`leaving`), or from the end of each
// one before it to its start: with the shortest times of those between; -1: no path. Of what is
// outside it is what is known of each task.
static void measure(const duet_proof_graph_state *state, int64_t from, bool leaving,
                    int64_t *length)
{
    const duet_graph *graph = state->graph;
    if (duet_watch_spend(state->watch, state->tasks)) {
        return;
    }
    for (int64_t j = 0; j < state->tasks; j++) {
        const duet_task_window *window = &state->window[j];
        length[j] = is_outside(state, from) ? (leaving ? window->start : window->tail) : -1;
    }
    if (is_outside(state, from) || graph == NULL) {
        return;
    }
    int64_t step = leaving ? 1 : -1;
    for (int64_t i = state->place[from]; i >= 0 && i < state->tasks; i += step) {
        int64_t task = state->order[i];
        if (task != from && length[task] < 0) {
            continue;
        }
        int64_t end;
        int64_t first = edge_at(graph, task, leaving, &end);
        if (duet_watch_spend(state->watch, EDGE * (end - first + 1))) {
            return;
        }
        int64_t reached =
            task == from ? 0 : add(state, length[task], duet_proof_graph_shortest(state, task));
        for (int64_t at = first; at < end; at++) {
            int64_t next =
                leaving ? graph->head[graph->leaving[at]] : graph->tail[graph->entering[at]];
            length[next] = duet_max(reached, length[next]);
        }
    }
}

// --- a row ---------------------------------------------------------------------------------------

static duet_code check_task(const duet_proof_graph_state *state, const duet_mixed_task *mixed,
                            duet_error *error)
{
    if (mixed->task < 0 || mixed->task >= state->tasks || mixed->type < 0 ||
        (uint64_t)mixed->type >= state->instance->types ||
        duet_proof_graph_time(state, mixed->task, (size_t)mixed->type) == DUET_FORBIDDEN) {
        return duet_error_set(error, DUET_E_INPUT,
                              "task %" PRId64 " on type %" PRId64
                              ": expected a task and a type that it may run on",
                              mixed->task, mixed->type);
    }
    return DUET_OK;
}

// The least time of a task that takes at least as long as on its type; negative: it does not any
// more.
static int64_t least_time(const duet_proof_graph_state *state, const duet_mixed_task *mixed)
{
    int64_t least = duet_proof_graph_time(state, mixed->task, (size_t)mixed->type);
    int64_t time = -1;
    for (size_t t = 0; t < state->instance->types; t++) {
        if (duet_proof_graph_has_mode(state, mixed->task, t)) {
            int64_t own = duet_proof_graph_time(state, mixed->task, t);
            time = own >= least && (time < 0 || own < time) ? own : time;
        }
    }
    return time;
}

// Paths of a row: from its first task on, and back from its second one.
typedef struct row_paths {
    int64_t from; // task of `before`; -1: none yet
    int64_t *before;
    int64_t *behind;
} row_paths;

// A row asks for no more than the longest path through each of its tasks, where that one and all
// tasks before it take so long; and for no more than there is without them.
static duet_code check_row(const duet_proof_graph_state *state, const duet_mixed_row *row,
                           const row_paths *paths, const duet_mixed_task *mixed, duet_error *error)
{
    int64_t without =
        is_outside(state, row->to) ? paths->behind[row->from] : paths->before[row->to];
    if (without < row->length) {
        return duet_error_set(error, DUET_E_INPUT,
                              "from %" PRId64 " to %" PRId64 ": expected a path of %" PRId64
                              " or more ticks",
                              row->from, row->to, row->length);
    }
    int64_t asked = row->length;
    for (size_t i = 0; i < row->tasks; i++) {
        DUET_TRY(check_task(state, &mixed[i], error));
        int64_t start = paths->before[mixed[i].task];
        int64_t rest = paths->behind[mixed[i].task];
        if (start < 0 || rest < 0) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "task %" PRId64 ": expected one between %" PRId64 " and %" PRId64,
                                  mixed[i].task, row->from, row->to);
        }
        int64_t time = least_time(state, &mixed[i]);
        int64_t longest = time < 0 ? state->guess + 1 : add(state, add(state, start, time), rest);
        if (asked > longest || mixed[i].more > longest - asked) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "task %" PRId64 ": expected it to add at most %" PRId64
                                  " ticks to those before it",
                                  mixed[i].task, longest > asked ? longest - asked : 0);
        }
        asked += mixed[i].more;
    }
    return DUET_OK;
}

static void add_costs(const duet_proof_graph_state *state, const duet_mixed_row *row,
                      const duet_mixed_task *mixed, duet_int128 *cost)
{
    size_t types = state->instance->types;
    for (size_t i = 0; i < row->tasks; i++) {
        int64_t least = duet_proof_graph_time(state, mixed[i].task, (size_t)mixed[i].type);
        for (size_t t = 0; t < types; t++) {
            if (duet_proof_graph_has_mode(state, mixed[i].task, t) &&
                duet_proof_graph_time(state, mixed[i].task, t) >= least) {
                cost[(size_t)mixed[i].task * types + t] += (duet_int128)row->price * mixed[i].more;
            }
        }
    }
}

static duet_code check_ends(const duet_proof_graph_state *state, const duet_mixed_row *row,
                            duet_error *error)
{
    bool both = is_outside(state, row->from) && is_outside(state, row->to);
    if (row->from < 0 || row->from > state->tasks || row->to < 0 || row->to > state->tasks ||
        row->from == row->to || both) {
        return duet_error_set(error, DUET_E_INPUT,
                              "from %" PRId64 " to %" PRId64
                              ": expected two tasks, or a task and %" PRId64,
                              row->from, row->to, state->tasks);
    }
    return DUET_OK;
}

duet_code duet_proof_graph_mix(const duet_proof_graph_state *state, const duet_mixed_row *rows,
                               size_t count, const duet_mixed_task *mixed, duet_int128 **cost,
                               duet_error *error)
{
    size_t tasks = (size_t)state->tasks;
    row_paths paths = {.from = -1};
    size_t each = state->instance->types * sizeof **cost + 2 * sizeof *paths.before;
    duet_code code = duet_memory_check(tasks, each, state->watch->context->memory_limit,
                                       "rows between two tasks", error);
    if (code != DUET_OK) {
        return code;
    }
    paths.before = duet_alloc_raw(2 * tasks, sizeof *paths.before, error);
    *cost = duet_alloc(tasks * state->instance->types, sizeof **cost, error);
    if (paths.before == NULL || *cost == NULL) {
        duet_free(paths.before);
        return DUET_E_MEMORY;
    }
    paths.behind = paths.before + state->tasks;
    size_t first = 0; // of a row's tasks
    for (size_t r = 0; r < count && code == DUET_OK; r++) {
        const duet_mixed_row *row = &rows[r];
        const duet_mixed_task *own = row->tasks > 0 ? &mixed[first] : NULL;
        code = check_ends(state, row, error);
        if (code == DUET_OK && row->from != paths.from) {
            paths.from = row->from;
            measure(state, row->from, true, paths.before);
        }
        if (code == DUET_OK) {
            measure(state, row->to, false, paths.behind);
            code = duet_check_stopped(state->watch, error);
        }
        DUET_THEN(code, check_row(state, row, &paths, own, error));
        if (code == DUET_OK) {
            add_costs(state, row, own, *cost);
        }
        first += row->tasks;
    }
    duet_free(paths.before);
    return code;
}
