// SPDX-License-Identifier: Apache-2.0
// What the processors' time in an interval proves about the tasks that must run in it: priced work
// of more than they have refutes the guess; work that must be done before a task delays it.
// Includes no solver header: this is what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"

enum {
    TYPE = 8,      // units of work of a type, or of an edge
    STRETCH = 1024 // tasks for which they are spent at once
};

int64_t duet_proof_graph_supply(const duet_proof_graph_state *state,
                                const duet_proof_graph_prices *prices)
{
    duet_int128 supply = 0; // below 2^100: prices below 2^63, processors below 2^31, 64 types
    for (size_t t = 0; t < state->instance->types; t++) {
        supply += (duet_int128)prices->price[t] * state->instance->processors[t];
    }
    return supply < DUET_PROOF_GRAPH_MAX_PRICE ? (int64_t)supply : -1;
}

duet_code duet_proof_graph_count_price(int64_t *total, duet_int128 price, duet_error *error)
{
    if (price < 0 || price >= DUET_PROOF_GRAPH_MAX_PRICE - *total) {
        return duet_error_set(error, DUET_E_INPUT, "%s",
                              "prices of 2^60 or more in sum: expected smaller ones");
    }
    *total += (int64_t)price;
    return DUET_OK;
}

static duet_code check_prices(const duet_proof_graph_state *state,
                              const duet_priced_interval *interval, int64_t *supply,
                              duet_error *error)
{
    *supply = duet_proof_graph_supply(state, &interval->prices);
    if (*supply <= 0) {
        return duet_error_set(error, DUET_E_INPUT,
                              "prices of the types: expected their sum over the processors to be "
                              "above 0 and below 2^60");
    }
    if (interval->from > state->guess || interval->back > state->guess - interval->from) {
        return duet_error_set(error, DUET_E_INPUT,
                              "an interval from %" PRId64 " to %" PRId64
                              " before the end: expected one within the %" PRId64 " ticks",
                              interval->from, interval->back, state->guess);
    }
    return DUET_OK;
}

int64_t duet_proof_graph_overlap(const duet_proof_graph_state *state, int64_t task, size_t type,
                                 const duet_priced_interval *interval)
{
    const duet_task_window *window = &state->window[task];
    int64_t time = duet_proof_graph_time(state, task, type);
    int64_t first = duet_proof_graph_first_start(window, time);
    int64_t rest = duet_proof_graph_least_rest(window, time);
    int64_t overlap = state->guess - interval->from - interval->back;
    overlap = duet_min(time, overlap);
    // The earliest start leaves least after `from`, the latest start least before the other end.
    overlap = duet_min(first + time - interval->from, overlap);
    overlap = duet_min(rest - interval->back, overlap);
    return duet_max(overlap, 0);
}

// The least price of a task's work: of all of it, or of what cannot leave the interval.
static duet_int128 least_price(const duet_proof_graph_state *state, int64_t task,
                               const duet_priced_interval *interval, bool all)
{
    bool found = false;
    duet_int128 least = 0;
    for (size_t t = 0; t < state->instance->types; t++) {
        if (duet_proof_graph_has_mode(state, task, t)) {
            int64_t work = all ? duet_proof_graph_time(state, task, t)
                               : duet_proof_graph_overlap(state, task, t, interval);
            duet_int128 price = (duet_int128)interval->prices.price[t] * work;
            least = !found || price < least ? price : least;
            found = true;
        }
    }
    return least;
}

duet_code duet_proof_graph_energy(duet_proof_graph_state *state,
                                  const duet_priced_interval *interval, duet_error *error)
{
    int64_t supply;
    if (state->closed) {
        return DUET_OK;
    }
    DUET_TRY(check_prices(state, interval, &supply, error));
    duet_int128 demand = 0;
    for (int64_t j = 0; j < state->tasks;) {
        int64_t end = state->tasks - j < STRETCH ? state->tasks : j + STRETCH;
        if (duet_watch_spend(state->watch, TYPE * (end - j) * (int64_t)state->instance->types)) {
            return duet_check_stopped(state->watch, error);
        }
        for (; j < end; j++) {
            demand += least_price(state, j, interval, false);
        }
    }
    duet_int128 length = state->guess - interval->from - interval->back;
    if (demand <= length * supply) {
        return duet_error_set(error, DUET_E_INPUT,
                              "the work fits into the interval: expected it to exceed what the "
                              "processors have there");
    }
    state->closed = true;
    return DUET_OK;
}

// The work of the tasks that must run between `from` and `back` before a task (`forward`: or after
// it, seen from the end), by one walk through them in topological order, and whether there are any.
// level[i] is the least time between such a task and the one asked for.
static duet_int128 ordered_work(duet_proof_graph_state *state, int64_t task,
                                const duet_priced_interval *interval, bool before, bool *any)
{
    const duet_graph *graph = state->graph;
    const int64_t *at = before ? graph->enter_at : graph->leave_at;
    const int32_t *row = before ? graph->entering : graph->leaving;
    const int32_t *other = before ? graph->tail : graph->head;
    int32_t step = before ? -1 : 1;
    duet_int128 work = 0;
    int64_t found = 0; // marked tasks that the walk has not met
    (void)duet_watch_spend(state->watch, state->tasks);
    for (int64_t place = state->place[task], i = task;; i = state->order[place]) {
        if (i == task || state->marked[i]) {
            if (duet_watch_spend(state->watch, TYPE * (at[i + 1] - at[i] + 1))) {
                return 0;
            }
            const duet_task_window *window = &state->window[i];
            int64_t level = 0;
            if (i != task) {
                int64_t own = before ? window->start : window->tail;
                if (own >= interval->from && state->level[i] >= interval->back) {
                    work += least_price(state, i, interval, true);
                    *any = true;
                }
                level = state->level[i] + duet_proof_graph_shortest(state, i);
                level = duet_min(level, state->guess);
                state->marked[i] = false;
                found--;
            }
            for (int64_t e = at[i]; e < at[i + 1]; e++) {
                int32_t k = other[row[e]];
                found += state->marked[k] ? 0 : 1;
                state->level[k] =
                    !state->marked[k] || level > state->level[k] ? level : state->level[k];
                state->marked[k] = true;
            }
        }
        if (found == 0) {
            return work;
        }
        place += step;
    }
}

// The earliest start of a task after its ancestors, or its least tail before its descendants.
static duet_code delay(duet_proof_graph_state *state, int64_t task,
                       const duet_priced_interval *interval, bool before, int64_t *time,
                       duet_error *error)
{
    int64_t supply;
    *time = 0;
    if (state->closed) {
        return DUET_OK;
    }
    duet_code code = check_prices(state, interval, &supply, error);
    if (code == DUET_OK && state->graph != NULL) {
        bool any = false;
        duet_int128 work = ordered_work(state, task, interval, before, &any);
        code = duet_check_stopped(state->watch, error);
        DUET_ASSERT(supply > 0);
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): otherwise the prices are refused
        duet_int128 whole = (work + supply - 1) / supply;
        duet_int128 delayed = any ? interval->from + interval->back + whole : 0;
        *time = delayed > state->guess ? state->guess + 1 : (int64_t)delayed;
    }
    return code;
}

duet_code duet_proof_graph_ancestors(duet_proof_graph_state *state, int64_t task,
                                     const duet_priced_interval *interval, duet_error *error)
{
    int64_t start;
    DUET_TRY(delay(state, task, interval, true, &start, error));
    return duet_proof_graph_raise_start(state, task, start, error);
}

duet_code duet_proof_graph_descendants(duet_proof_graph_state *state, int64_t task,
                                       const duet_priced_interval *interval, duet_error *error)
{
    int64_t tail;
    DUET_TRY(delay(state, task, interval, false, &tail, error));
    return duet_proof_graph_raise_tail(state, task, tail, error);
}
