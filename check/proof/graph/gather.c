// SPDX-License-Identifier: Apache-2.0
// What data that take time prove about a task: if it starts early, what would come too late from
// elsewhere was made on its own processor, by tasks that ran there one after another. Includes no
// solver header: this is what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// A question: can `task` start by a time on a processor of `type`? Backward in time a start is an
// end, and what is before is behind.
typedef struct question {
    const duet_proof_graph_state *state;
    bool before;
    size_t type;
    int64_t by;
    // Of each task that must run on that processor: its latest start there.
    int64_t *latest;
    bool *gathered;
    duet_code code; // of what failed: there is no answer then
    duet_error *error;
} question;

enum { TYPE = 8 }; // units of work

// A task on the processor.
typedef struct visit {
    int64_t from;
    int64_t time;
} visit;

static int64_t first_on(const question *q, int64_t task, size_t type)
{
    const duet_task_window *window = &q->state->window[task];
    int64_t time = duet_proof_graph_time(q->state, task, type);
    return q->before ? duet_proof_graph_first_start(window, time)
                     : duet_proof_graph_least_rest(window, time) - time;
}

// The earliest time at which what a task leaves is there, if it ran on another processor.
static int64_t from_elsewhere(const question *q, int32_t edge, int64_t task)
{
    const duet_proof_graph_state *state = q->state;
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < state->instance->types; t++) {
        if (!duet_proof_graph_has_mode(state, task, t) ||
            (t == q->type && state->instance->processors[t] == 1)) {
            continue;
        }
        int64_t cost = q->before ? duet_graph_cost(state->graph, edge, t, q->type)
                                 : duet_graph_cost(state->graph, edge, q->type, t);
        int64_t there = first_on(q, task, t) + duet_proof_graph_time(state, task, t) + cost;
        least = duet_min(there, least);
    }
    return least;
}

// Gathers what a task on the processor needs from there. Whether that is possible.
static bool gather_for(question *q, int64_t task, int64_t by)
{
    const duet_graph *graph = q->state->graph;
    const int64_t *at = q->before ? graph->enter_at : graph->leave_at;
    const int32_t *row = q->before ? graph->entering : graph->leaving;
    const int32_t *other = q->before ? graph->tail : graph->head;
    for (int64_t i = at[task]; i < at[task + 1]; i++) {
        int32_t next = other[row[i]];
        if (duet_watch_spend(q->state->watch, TYPE * (int64_t)q->state->instance->types)) {
            return true;
        }
        if (from_elsewhere(q, row[i], next) <= by) {
            continue;
        }
        if (!duet_proof_graph_has_mode(q->state, next, q->type)) {
            return false;
        }
        int64_t latest = by - duet_proof_graph_time(q->state, next, q->type);
        q->latest[next] = q->gathered[next] && q->latest[next] < latest ? q->latest[next] : latest;
        q->gathered[next] = true;
    }
    return true;
}

static int by_falling_start(const void *a, const void *b)
{
    int64_t first = ((const visit *)a)->from;
    int64_t second = ((const visit *)b)->from;
    return first < second ? 1 : first > second ? -1 : 0;
}

// Whether tasks that have all ended by then fit one after another.
static bool fit(question *q, visit *list, size_t count)
{
    duet_int128 sum = 0;
    int64_t by = q->by;
    q->code =
        duet_check_sort(list, count, sizeof *list, by_falling_start, q->state->watch, q->error);
    for (size_t i = 0; i < count; i++) {
        sum += list[i].time;
        if (list[i].from + sum > by) {
            return false;
        }
    }
    return true;
}

// Whether the question's answer may be yes. `list` has room for all tasks.
static bool may_start(question *q, int64_t task, visit *list)
{
    const duet_proof_graph_state *state = q->state;
    size_t count = 0;
    bool possible = gather_for(q, task, q->by);
    int64_t step = q->before ? -1 : 1; // what a task needs comes behind it in this order
    for (int64_t i = state->place[task] + step; i >= 0 && i < state->tasks; i += step) {
        (void)duet_watch_spend(state->watch, 1);
        int32_t next = state->order[i];
        if (!q->gathered[next]) {
            continue;
        }
        q->gathered[next] = false;
        int64_t from = first_on(q, next, q->type);
        possible = possible && from <= q->latest[next] && gather_for(q, next, q->latest[next]);
        list[count++] = (visit){from, duet_proof_graph_time(state, next, q->type)};
    }
    return possible && fit(q, list, count);
}

static duet_code ask(const duet_proof_graph_state *state, int64_t task, int64_t by, question *q,
                     visit *list, duet_error *error)
{
    const duet_task_window *window = &state->window[task];
    for (size_t t = 0; t < state->instance->types; t++) {
        if (!duet_proof_graph_has_mode(state, task, t)) {
            continue;
        }
        int64_t time = duet_proof_graph_time(state, task, t);
        int64_t last =
            state->guess - (q->before ? duet_proof_graph_least_rest(window, time)
                                      : duet_proof_graph_first_start(window, time) + time);
        q->type = t;
        q->by = duet_min(by, last);
        bool may = may_start(q, task, list);
        if (q->code != DUET_OK || state->watch->stopped) {
            return q->code != DUET_OK ? q->code : duet_check_stopped(state->watch, error);
        }
        if (may) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "task %" PRId64 " may be %" PRId64 " ticks from the %s on type "
                                  "%zu: expected data to forbid it",
                                  task, q->by, q->before ? "start" : "end", t);
        }
    }
    return DUET_OK;
}

duet_code duet_proof_graph_gather(duet_proof_graph_state *state, int64_t task, int64_t by,
                                  bool before, duet_error *error)
{
    if (state->closed) {
        return DUET_OK;
    }
    if (state->graph == NULL || state->graph->transfer == NULL) {
        return duet_error_set(error, DUET_E_INPUT, "%s",
                              "data without a time: expected edges with costs");
    }
    question q = {.state = state,
                  .before = before,
                  .latest = state->level,
                  .gathered = state->marked,
                  .error = error};
    visit *list = duet_alloc_raw((size_t)state->tasks, sizeof *list, error);
    DUET_NEED(list);
    duet_code code = ask(state, task, by, &q, list, error);
    duet_free(list);
    if (code != DUET_OK) {
        return code;
    }
    int64_t after = by >= state->guess ? state->guess + 1 : by + 1;
    return before ? duet_proof_graph_raise_start(state, task, after, error)
                  : duet_proof_graph_raise_tail(state, task, after, error);
}
