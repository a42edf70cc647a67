// SPDX-License-Identifier: Apache-2.0
// A state of the search over ideals, and how a task is appended; see state.h.
#include "solvers/graph/ideals/state.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/graph_search/model.h"
#include "solvers/graph/propagate/twins.h"

enum { PRICE = 1000 }; // Prices of types are at most this.

static void add_task(duet_ideal *set, int32_t task)
{
    set->word[task / 64] |= UINT64_C(1) << (task % 64);
}

// --- the graph -----------------------------------------------------------------------------------

static bool parts(const duet_ideals_graph *g, size_t type)
{
    const duet_graph *graph = g->network.graph;
    bool found = false;
    for (size_t i = 0; i < graph->tables && graph->transfer != NULL && !found; i++) {
        found = graph->cost[(i * graph->types + type) * graph->types + type] > 0;
    }
    return found && g->begin[type + 1] - g->begin[type] > 1;
}

static void number_columns(duet_ideals_graph *g)
{
    g->columns = g->network.graph->transfer == NULL ? 1 : 0;
    g->type_at[0] = -1;
    for (int32_t t = 0; t < g->types; t++) {
        g->placed[t] = g->network.graph->transfer != NULL && parts(g, (size_t)t);
        for (int32_t p = g->begin[t]; p < g->begin[t + 1]; p++) {
            g->type_of[p] = t;
            if (g->network.graph->transfer != NULL && (p == g->begin[t] || g->placed[t])) {
                g->type_at[g->columns++] = t;
            }
            g->column_of[p] = g->columns - 1;
        }
    }
}

static bool number_slots(duet_ideals_graph *g)
{
    int64_t slots = 0;
    for (int32_t t = 0; t < g->types; t++) {
        g->begin[t] = (int32_t)slots;
        slots += duet_min(g->instance->processors[t], (int64_t)g->tasks);
        if (slots > DUET_IDEALS_SLOTS) {
            return false;
        }
    }
    g->begin[g->types] = (int32_t)slots;
    g->slots = (int32_t)slots;
    return true;
}

// Work at these prices, and what all processors could do, stay below 2^62.
static duet_code choose_prices(duet_ideals_graph *g, const duet_context *context, int64_t most,
                               duet_error *error)
{
    duet_graph_search_model model;
    duet_int128 all = 1 + (duet_int128)most * g->slots;
    double largest = 0;
    duet_code code = duet_graph_search_model_create(g->instance, context, &model, error);
    if (code != DUET_OK) {
        return code;
    }
    for (int32_t t = 0; t < g->types; t++) {
        largest = g->begin[t] < g->begin[t + 1] ? duet_max(model.weight[t], largest) : largest;
        for (int32_t j = 0; j < g->tasks; j++) {
            all += duet_ideals_allows(g, j, t) ? duet_ideals_time(g, j, t) : 0;
        }
    }
    duet_int128 room = (INT64_C(1) << 62) / all;
    double scale = (double)duet_min(room, (duet_int128)PRICE);
    for (int32_t t = 0; t < g->types && largest > 0; t++) {
        g->price[t] =
            g->begin[t] < g->begin[t + 1] ? (int64_t)(scale * model.weight[t] / largest) : 0;
    }
    duet_graph_search_model_free(&model);
    return DUET_OK;
}

// The least time from the start of a task on a type to the end of all, behind it.
static void measure_tail(duet_ideals_graph *g, int32_t task, int32_t type)
{
    const duet_graph *graph = g->network.graph;
    int64_t behind = 0;
    int64_t sent = 0;
    for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
        int32_t edge = graph->leaving[i];
        int64_t least = INT64_MAX;
        for (int32_t u = 0; u < g->types; u++) {
            int64_t cost = duet_graph_cost(graph, edge, (size_t)type, (size_t)u);
            if (duet_ideals_allows(g, graph->head[edge], u)) {
                int64_t tail = g->tail[graph->head[edge] * g->types + u];
                least = duet_min((u == type ? 0 : cost) + tail, least);
                sent = duet_max(u == type && !g->placed[u] ? 0 : cost, sent);
            }
        }
        behind = duet_max(least, behind);
    }
    g->tail[task * g->types + type] = duet_ideals_time(g, task, type) + behind;
    g->sent[task * g->types + type] = sent;
}

static void measure(duet_ideals_graph *g)
{
    const duet_graph *graph = g->network.graph;
    for (int64_t e = 0; e < g->network.edges; e++) {
        add_task(&g->enters[graph->head[e]], graph->tail[e]);
        add_task(&g->before[graph->head[e]], graph->tail[e]);
    }
    for (int32_t i = g->tasks; i-- > 0;) {
        int32_t task = g->network.order[i];
        g->least[task] = INT64_MAX;
        for (int32_t t = 0; t < g->types; t++) {
            if (duet_ideals_allows(g, task, t)) {
                measure_tail(g, task, t);
                g->least[task] =
                    duet_min(g->price[t] * duet_ideals_time(g, task, t), g->least[task]);
            }
        }
    }
}

// Tasks by what is behind them, the most first.
static void sort_tasks(duet_ideals_graph *g)
{
    for (int32_t j = 0; j < g->tasks; j++) {
        int32_t at = j;
        g->behind[j] = INT64_MAX;
        for (int32_t t = 0; t < g->types; t++) {
            if (duet_ideals_allows(g, j, t)) {
                int64_t behind = g->tail[j * g->types + t] - duet_ideals_time(g, j, t);
                g->behind[j] = duet_min(behind, g->behind[j]);
            }
        }
        for (; at > 0 && g->behind[g->urgent[at - 1]] < g->behind[j]; at--) {
            g->urgent[at] = g->urgent[at - 1];
        }
        g->urgent[at] = j;
    }
}

static duet_code order_twins(duet_ideals_graph *g, duet_error *error)
{
    int32_t *twin = duet_alloc_raw((size_t)g->tasks, sizeof *twin, error);
    duet_code code = twin == NULL ? DUET_E_MEMORY : duet_find_twins(&g->network, twin, error);
    for (int32_t j = 0; code == DUET_OK && j < g->tasks; j++) {
        if (twin[j] >= 0) {
            add_task(&g->before[j], twin[j]);
        }
    }
    duet_free(twin);
    return code;
}

duet_code duet_ideals_graph_create(const duet_instance *instance, const duet_context *context,
                                   int64_t most, duet_ideals_graph *g, bool *fits,
                                   duet_error *error)
{
    *g = (duet_ideals_graph){
        .instance = instance, .types = (int32_t)instance->types, .tasks = DUET_IDEALS_TASKS};
    *fits = duet_tasks(instance) >= 1 && duet_tasks(instance) <= DUET_IDEALS_TASKS;
    if (*fits) {
        g->tasks = (int32_t)duet_tasks(instance);
        *fits = number_slots(g);
    }
    if (!*fits) {
        return DUET_OK;
    }
    size_t tasks = (size_t)g->tasks;
    size_t pairs = tasks * (size_t)g->types;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(g->enters, tasks), DUET_ARENA_ARRAY(g->before, tasks),
        DUET_ARENA_ARRAY(g->least, tasks),  DUET_ARENA_ARRAY(g->tail, pairs),
        DUET_ARENA_ARRAY(g->sent, pairs),   DUET_ARENA_ARRAY(g->behind, tasks),
        DUET_ARENA_ARRAY(g->urgent, tasks)};
    duet_code code = duet_network_create(instance, &g->network, error);
    DUET_THEN(code, duet_arena_create(&g->arena, arrays, sizeof arrays / sizeof *arrays, error));
    if (code == DUET_OK) {
        number_columns(g);
        code = choose_prices(g, context, most, error);
    }
    if (code == DUET_OK) {
        measure(g);
        sort_tasks(g);
        code = order_twins(g, error);
    }
    return code;
}

void duet_ideals_graph_free(duet_ideals_graph *g)
{
    duet_network_free(&g->network);
    duet_arena_free(&g->arena);
}

// --- states --------------------------------------------------------------------------------------

void duet_ideals_begin(duet_ideals_state *state)
{
    state->done = (duet_ideal){.word = {0}};
    state->waits = 0;
    memset(state->idle, 0, sizeof state->idle);
}

void duet_ideals_list_waiting(const duet_ideals_graph *g, duet_ideals_state *state)
{
    state->waits = 0;
    for (int32_t j = 0; j < g->tasks; j++) {
        if (!duet_ideal_has(&state->done, j) && duet_ideals_meet(&g->enters[j], &state->done)) {
            state->wait[state->waits++] = j;
        }
    }
}

// Whether two slots of a type are the same to all that comes: < 0: the first is idle earlier.
static int compare_slots(const duet_ideals_graph *g, const duet_ideals_state *state, int32_t a,
                         int32_t b)
{
    if (state->idle[a] != state->idle[b]) {
        return state->idle[a] < state->idle[b] ? -1 : 1;
    }
    const int64_t *one = state->ready + g->column_of[a];
    const int64_t *other = state->ready + g->column_of[b];
    for (int32_t i = 0; i < state->waits && one != other; i++) {
        int32_t at = i * g->columns;
        if (one[at] != other[at]) {
            return one[at] < other[at] ? -1 : 1;
        }
    }
    return 0;
}

// --- steps ---------------------------------------------------------------------------------------

// Adds the ways to append a task, of which `ready` are the columns; NULL: it waits for nothing.
// Returns the earliest time at which one of them is done, with data sent, if it takes time.
static int64_t add_steps(const duet_ideals_graph *g, const duet_ideals_state *state, int32_t task,
                         const int64_t *ready, duet_ideals_step *step, int32_t *count)
{
    int64_t done = INT64_MAX;
    for (int32_t t = 0; t < g->types; t++) {
        if (!duet_ideals_allows(g, task, t)) {
            continue;
        }
        int32_t end = g->placed[t] ? g->begin[t + 1] : g->begin[t] + 1;
        for (int32_t p = g->begin[t]; p < end; p++) {
            if (p > g->begin[t] && compare_slots(g, state, p - 1, p) == 0) {
                continue;
            }
            int64_t time = duet_ideals_time(g, task, t);
            int64_t start = duet_max(state->idle[p], ready != NULL ? ready[g->column_of[p]] : 0);
            step[(*count)++] = (duet_ideals_step){task, p, start};
            if (time > 0) {
                done = duet_min(start + time + g->sent[task * g->types + t], done);
            }
        }
    }
    return done;
}

int32_t duet_ideals_list_steps(const duet_ideals_graph *g, const duet_ideals_state *state,
                               duet_ideals_step *step)
{
    int32_t count = 0;
    int32_t next = 0;
    int64_t done = INT64_MAX;
    for (int32_t j = 0; j < g->tasks; j++) {
        const int64_t *ready = NULL;
        if (next < state->waits && state->wait[next] == j) {
            ready = state->ready + (size_t)next++ * (size_t)g->columns;
        }
        if (!duet_ideal_has(&state->done, j) && duet_ideal_is_subset(&g->before[j], &state->done)) {
            done = duet_min(add_steps(g, state, j, ready, step, &count), done);
        }
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (step[i].start < done) {
            step[kept++] = step[i];
        }
    }
    return kept;
}

// --- appending -----------------------------------------------------------------------------------

// When data are where they may be read, by those of the state before.
static void send_data(const duet_ideals_graph *g, const duet_ideals_state *state,
                      const duet_ideals_step *step, int64_t end, duet_ideals_state *to)
{
    const duet_graph *graph = g->network.graph;
    size_t columns = (size_t)g->columns;
    int32_t at[DUET_IDEALS_TASKS];
    int32_t old = 0;
    for (int32_t i = 0; i < to->waits; i++) {
        int64_t *ready = to->ready + (size_t)i * columns;
        at[to->wait[i]] = i;
        while (old < state->waits && state->wait[old] < to->wait[i]) {
            old++;
        }
        if (old < state->waits && state->wait[old] == to->wait[i]) {
            memcpy(ready, state->ready + (size_t)old * columns, columns * sizeof *ready);
        } else {
            memset(ready, 0, columns * sizeof *ready);
        }
    }
    size_t own = (size_t)g->type_of[step->slot];
    for (int64_t i = graph->leave_at[step->task]; i < graph->leave_at[step->task + 1]; i++) {
        int32_t edge = graph->leaving[i];
        int64_t *ready = to->ready + (size_t)at[graph->head[edge]] * columns;
        for (size_t c = 0; c < columns; c++) {
            size_t type = g->type_at[c] < 0 ? own : (size_t)g->type_at[c];
            bool here = type == own && (!g->placed[own] || (int32_t)c == g->column_of[step->slot]);
            int64_t cost = here ? 0 : duet_graph_cost(graph, edge, own, type);
            ready[c] = duet_max(end + cost, ready[c]);
        }
    }
}

// No data need be there before a processor is idle to read them, and none where the task is not.
static void raise_data(const duet_ideals_graph *g, duet_ideals_state *to)
{
    int64_t idle[DUET_IDEALS_SLOTS];
    for (int32_t c = 0; c < g->columns; c++) {
        idle[c] = INT64_MAX;
    }
    for (int32_t p = 0; p < g->slots; p++) {
        idle[g->column_of[p]] = duet_min(to->idle[p], idle[g->column_of[p]]);
    }
    for (int32_t i = 0; i < to->waits; i++) {
        for (int32_t c = 0; c < g->columns; c++) {
            int64_t *ready = &to->ready[i * g->columns + c];
            bool reads = g->type_at[c] < 0 || duet_ideals_allows(g, to->wait[i], g->type_at[c]);
            *ready = reads ? duet_max(idle[c], *ready) : 0;
        }
    }
}

static void sort_slots(const duet_ideals_graph *g, duet_ideals_state *to, int32_t *from)
{
    int64_t moved[DUET_IDEALS_SLOTS];
    for (int32_t p = 0; p < g->slots; p++) {
        int32_t at = p;
        for (; at > g->begin[g->type_of[p]] && compare_slots(g, to, p, from[at - 1]) < 0; at--) {
            from[at] = from[at - 1];
        }
        from[at] = p;
    }
    for (int32_t p = 0; p < g->slots; p++) {
        moved[p] = to->idle[from[p]];
    }
    memcpy(to->idle, moved, (size_t)g->slots * sizeof *moved);
    for (int32_t i = 0; i < to->waits && g->columns > 1; i++) {
        int64_t *ready = to->ready + (size_t)i * (size_t)g->columns;
        for (int32_t p = 0; p < g->slots; p++) {
            moved[g->column_of[p]] = ready[g->column_of[from[p]]];
        }
        memcpy(ready, moved, (size_t)g->columns * sizeof *moved);
    }
}

// The least end of all, if a task comes when `ready` says; NULL: at any time.
static int64_t end_by(const duet_ideals_graph *g, const duet_ideals_state *state, int32_t task,
                      const int64_t *ready)
{
    int64_t least = INT64_MAX;
    for (int32_t t = 0; t < g->types; t++) {
        if (!duet_ideals_allows(g, task, t)) {
            continue;
        }
        int32_t end = g->placed[t] && ready != NULL ? g->begin[t + 1] : g->begin[t] + 1;
        for (int32_t p = g->begin[t]; p < end; p++) {
            int64_t start = duet_max(state->idle[p], ready != NULL ? ready[g->column_of[p]] : 0);
            least = duet_min(start + g->tail[task * g->types + t], least);
        }
    }
    return least;
}

// Whether what must end early enough for the tasks behind it has the work that it takes.
static bool has_room(const duet_ideals_graph *g, const duet_ideals_state *state, int64_t guess)
{
    int64_t work = 0;
    bool fits = true;
    for (int32_t i = 0; i < g->tasks && fits; i++) {
        int32_t task = g->urgent[i];
        if (duet_ideal_has(&state->done, task)) {
            continue;
        }
        int64_t end = guess - g->behind[task];
        work += g->least[task];
        if (i + 1 < g->tasks && g->behind[g->urgent[i + 1]] == g->behind[task]) {
            continue; // together with the next one
        }
        int64_t room = 0;
        for (int32_t p = 0; p < g->slots; p++) {
            int64_t left = end - state->idle[p];
            room += left > 0 ? g->price[g->type_of[p]] * left : 0;
        }
        fits = work <= room;
    }
    return fits;
}

// Whether all other tasks may end by the guess, as far as paths and work tell.
static bool may_end(const duet_ideals_graph *g, const duet_ideals_state *state, int64_t guess)
{
    bool ends = has_room(g, state, guess);
    int32_t next = 0;
    for (int32_t j = 0; j < g->tasks && ends; j++) {
        if (next < state->waits && state->wait[next] == j) {
            const int64_t *ready = state->ready + (size_t)next++ * (size_t)g->columns;
            ends = end_by(g, state, j, ready) <= guess;
        } else if (!duet_ideal_has(&state->done, j)) {
            ends = end_by(g, state, j, NULL) <= guess;
        }
    }
    return ends;
}

bool duet_ideals_append(const duet_ideals_graph *g, const duet_ideals_state *state,
                        const duet_ideals_step *step, int64_t guess, duet_ideals_state *to,
                        int32_t *from)
{
    int32_t type = g->type_of[step->slot];
    int64_t end = step->start + duet_ideals_time(g, step->task, type);
    if (step->start + g->tail[step->task * g->types + type] > guess) {
        return false;
    }
    to->done = state->done;
    add_task(&to->done, step->task);
    for (int32_t p = 0; p < g->slots; p++) {
        to->idle[p] = duet_max(state->idle[p], step->start);
    }
    to->idle[step->slot] = end;
    duet_ideals_list_waiting(g, to);
    send_data(g, state, step, end, to);
    raise_data(g, to);
    sort_slots(g, to, from);
    return may_end(g, to, guess);
}
