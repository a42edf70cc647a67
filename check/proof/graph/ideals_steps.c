// SPDX-License-Identifier: Apache-2.0
// The states of a dynamic program over the ideals of a task graph; see ideals.h. Includes no solver
// header: this is what an outsider trusts.
#include "check/proof/graph/ideals.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// --- the graph -----------------------------------------------------------------------------------

static bool has(const duet_proof_ideal *set, int32_t task)
{
    return (set->word[task / 64] >> (task % 64) & 1U) != 0;
}

static void add(duet_proof_ideal *set, int32_t task)
{
    set->word[task / 64] |= UINT64_C(1) << (task % 64);
}

// The sum of two times, cut.
static int64_t sum(const duet_proof_ideals *p, int64_t a, int64_t b)
{
    uint64_t both = (uint64_t)a + (uint64_t)b;
    return both < (uint64_t)p->never ? (int64_t)both : p->never;
}

static bool allows(const duet_proof_ideals *p, int32_t task, int32_t type)
{
    return duet_allowed(p->state->instance, (size_t)p->state->kind[task], (size_t)type);
}

static int64_t time_of(const duet_proof_ideals *p, int32_t task, int32_t type)
{
    return duet_min(duet_proof_graph_time(p->state, task, (size_t)type), p->never);
}

static int64_t cost_of(const duet_proof_ideals *p, int32_t edge, int32_t from, int32_t to)
{
    return duet_min(duet_graph_cost(p->state->graph, edge, (size_t)from, (size_t)to), p->never);
}

static int32_t edges_of(const duet_proof_ideals *p)
{
    return p->state->graph == NULL ? 0 : (int32_t)p->state->graph->edges;
}

static bool has_costs(const duet_proof_ideals *p)
{
    const duet_graph *graph = p->state->graph;
    bool found = false;
    for (int32_t e = 0; e < edges_of(p) && graph->transfer != NULL && !found; e++) {
        const int64_t *costs = duet_graph_costs(graph, e);
        for (int32_t i = 0; i < p->types * p->types; i++) {
            found = found || costs[i] > 0;
        }
    }
    return found;
}

static duet_code number_slots(duet_proof_ideals *p, duet_error *error)
{
    int64_t slots = 0;
    for (int32_t t = 0; t < p->types; t++) {
        p->begin[t] = (int32_t)slots;
        slots += duet_min(p->state->instance->processors[t], (int64_t)p->tasks);
        if (slots > DUET_PROOF_IDEAL_SLOTS) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "ideals of more than %d processors: expected fewer",
                                  DUET_PROOF_IDEAL_SLOTS);
        }
    }
    p->begin[p->types] = (int32_t)slots;
    p->slots = (int32_t)slots;
    return DUET_OK;
}

// One column if data take no time; else one per type, or per processor of a type that is placed.
static void number_columns(duet_proof_ideals *p)
{
    for (int32_t e = 0; e < edges_of(p); e++) {
        for (int32_t t = 0; t < p->types; t++) {
            bool several = p->begin[t + 1] - p->begin[t] > 1;
            p->placed[t] = p->placed[t] || (several && cost_of(p, e, t, t) > 0);
        }
    }
    bool costly = has_costs(p);
    p->columns = costly ? 0 : 1;
    p->type_at[0] = -1;
    for (int32_t t = 0; t < p->types; t++) {
        for (int32_t i = p->begin[t]; i < p->begin[t + 1]; i++) {
            p->type_of[i] = t;
            if (costly && (i == p->begin[t] || p->placed[t])) {
                p->type_at[p->columns++] = t;
            }
            p->column_of[i] = p->columns - 1;
        }
    }
}

// From the start of a task on a type to the end of all, and how long its data may take.
static void measure_on(duet_proof_ideals *p, int32_t task, int32_t type)
{
    const duet_graph *graph = p->state->graph;
    int64_t behind = 0;
    int64_t sent = 0;
    for (int64_t i = graph == NULL ? 0 : graph->leave_at[task];
         graph != NULL && i < graph->leave_at[task + 1]; i++) {
        int32_t edge = graph->leaving[i];
        int32_t head = graph->head[edge];
        int64_t least = p->never;
        for (int32_t u = 0; u < p->types; u++) {
            if (allows(p, head, u)) {
                int64_t cost = cost_of(p, edge, type, u);
                sent = duet_max(u != type || p->placed[u] ? cost : 0, sent);
                least = duet_min(sum(p, u == type ? 0 : cost, p->tail[head * p->types + u]), least);
            }
        }
        behind = duet_max(least, behind);
    }
    p->tail[task * p->types + type] = sum(p, time_of(p, task, type), behind);
    p->sent[task * p->types + type] = sent;
    p->behind[task] = duet_min(behind, p->behind[task]);
}

static void measure(duet_proof_ideals *p)
{
    for (int32_t e = 0; e < edges_of(p); e++) {
        add(&p->enters[p->state->graph->head[e]], p->state->graph->tail[e]);
    }
    for (int32_t i = p->tasks; i-- > 0;) {
        int32_t task = p->state->order[i];
        bool found = false;
        p->behind[task] = p->never;
        p->needs[task] = p->enters[task];
        if (p->state->twin_before[task] >= 0) {
            add(&p->needs[task], p->state->twin_before[task]);
        }
        for (int32_t t = 0; t < p->types; t++) {
            if (allows(p, task, t)) {
                measure_on(p, task, t);
                duet_int128 work = p->prices.price[t];
                work *=
                    duet_proof_graph_time(p->state, task, (size_t)t); // all times are at most 2^62
                p->least[task] = found ? duet_min(work, p->least[task]) : work;
                found = true;
            }
        }
    }
    for (int32_t j = 0; j < p->tasks; j++) {
        int32_t at = j;
        for (; at > 0 && p->behind[p->urgent[at - 1]] < p->behind[j]; at--) {
            p->urgent[at] = p->urgent[at - 1];
        }
        p->urgent[at] = j;
    }
}

// --- states --------------------------------------------------------------------------------------

void duet_proof_ideals_list_waiting(const duet_proof_ideals *p, duet_proof_ideals_state *of)
{
    of->waits = 0;
    for (int32_t j = 0; j < p->tasks; j++) {
        uint64_t met = 0;
        for (int32_t i = 0; i < p->words; i++) {
            met |= p->enters[j].word[i] & of->done.word[i];
        }
        of->at[j] = -1;
        if (met != 0 && !has(&of->done, j)) {
            of->at[j] = of->waits;
            of->wait[of->waits++] = j;
        }
    }
}

// Where the times of the data of a task that waits are; NULL: it waits for none.
static int64_t *data_of(const duet_proof_ideals *p, const duet_proof_ideals_state *of, int32_t task)
{
    return of->at[task] < 0 ? NULL : &of->time[p->slots + of->at[task] * p->columns];
}

size_t duet_proof_ideals_times(const duet_proof_ideals *p, const duet_proof_ideals_state *of)
{
    return (size_t)p->slots + (size_t)of->waits * (size_t)p->columns;
}

// By the time at which two processors of a type are idle, then by the data there.
static int compare_slots(const duet_proof_ideals *p, const duet_proof_ideals_state *of, int32_t a,
                         int32_t b)
{
    int64_t left = of->time[a];
    int64_t right = of->time[b];
    const int64_t *data = of->time + p->slots;
    bool apart = p->column_of[a] != p->column_of[b];
    for (int32_t i = 0; i < of->waits && left == right && apart; i++) {
        left = data[i * p->columns + p->column_of[a]];
        right = data[i * p->columns + p->column_of[b]];
    }
    return left < right ? -1 : left > right;
}

static int64_t start_on(const duet_proof_ideals *p, const duet_proof_ideals_state *of, int32_t task,
                        int32_t slot)
{
    const int64_t *data = data_of(p, of, task);
    return duet_max(of->time[slot], data == NULL ? 0 : data[p->column_of[slot]]);
}

// What the processors can do from now on until so much before the end.
static duet_int128 room_before(const duet_proof_ideals *p, const duet_proof_ideals_state *of,
                               int64_t behind)
{
    duet_int128 room = 0;
    for (int32_t s = 0; s < p->slots; s++) {
        int64_t left = p->never - 1 - behind - of->time[s];
        room += (duet_int128)p->prices.price[p->type_of[s]] * duet_max(left, 0);
    }
    return room;
}

// Whether the tasks that have as much behind them as one, or more, have the time for their work,
// and each its path.
static bool may_end(const duet_proof_ideals *p, const duet_proof_ideals_state *of)
{
    duet_int128 work = 0;
    for (int32_t i = 0; i < p->tasks; i++) {
        int32_t j = p->urgent[i];
        if (has(&of->done, j)) {
            continue;
        }
        int64_t least = p->never;
        for (int32_t t = 0; t < p->types; t++) {
            int32_t end = allows(p, j, t) ? p->begin[t + 1] : 0;
            for (int32_t s = p->begin[t]; s < end && (s == p->begin[t] || p->placed[t]); s++) {
                least = duet_min(sum(p, start_on(p, of, j, s), p->tail[j * p->types + t]), least);
            }
        }
        work += p->least[j];
        bool last = i + 1 == p->tasks || p->behind[p->urgent[i + 1]] < p->behind[j];
        if (least == p->never || (last && work > room_before(p, of, p->behind[j]))) {
            return false;
        }
    }
    return true;
}

// --- steps ---------------------------------------------------------------------------------------

// Adds how a task may come next. Returns when it can be done first, with its data sent.
static int64_t add_steps(duet_proof_ideals *p, int32_t task, int32_t *count)
{
    int64_t done = INT64_MAX;
    for (int32_t t = 0; t < p->types; t++) {
        int32_t end = !allows(p, task, t) ? 0 : p->placed[t] ? p->begin[t + 1] : p->begin[t] + 1;
        for (int32_t s = p->begin[t]; s < end; s++) {
            if (s > p->begin[t] && compare_slots(p, &p->from, s - 1, s) == 0) {
                continue;
            }
            int64_t start = start_on(p, &p->from, task, s);
            int64_t time = time_of(p, task, t);
            p->step[(*count)++] = (duet_proof_ideals_step){task, s, start};
            if (time > 0) {
                int64_t sent = sum(p, sum(p, start, time), p->sent[task * p->types + t]);
                done = duet_min(sent, done);
            }
        }
    }
    return done;
}

// Lists how a state may go on, and returns the number of ways.
int32_t duet_proof_ideals_list_steps(duet_proof_ideals *p)
{
    int32_t count = 0;
    int32_t kept = 0;
    int64_t done = INT64_MAX;
    for (int32_t j = 0; j < p->tasks; j++) {
        uint64_t lacks = has(&p->from.done, j) ? 1 : 0;
        for (int32_t i = 0; i < p->words; i++) {
            lacks |= p->needs[j].word[i] & ~p->from.done.word[i];
        }
        if (lacks == 0) {
            done = duet_min(add_steps(p, j, &count), done);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        if (p->step[i].start < done) {
            p->step[kept++] = p->step[i];
        }
    }
    return kept;
}

// When data are where they may be read, after a task on a processor that ends at `end`.
static void send_data(duet_proof_ideals *p, const duet_proof_ideals_step *now, int64_t end)
{
    const duet_graph *graph = p->state->graph;
    int32_t own = p->type_of[now->slot];
    size_t bytes = (size_t)p->columns * sizeof *p->to.time;
    for (int32_t i = 0; i < p->to.waits; i++) {
        const int64_t *old = data_of(p, &p->from, p->to.wait[i]);
        int64_t *data = &p->to.time[p->slots + i * p->columns];
        if (old != NULL) {
            memcpy(data, old, bytes);
        } else {
            memset(data, 0, bytes);
        }
    }
    for (int64_t i = graph == NULL ? 0 : graph->leave_at[now->task];
         graph != NULL && i < graph->leave_at[now->task + 1]; i++) {
        int32_t edge = graph->leaving[i];
        int64_t *data = data_of(p, &p->to, graph->head[edge]);
        for (int32_t c = 0; c < p->columns; c++) {
            int32_t type = p->type_at[c] < 0 ? own : p->type_at[c];
            bool here = type == own && (!p->placed[own] || c == p->column_of[now->slot]);
            int64_t arrival = sum(p, end, here ? 0 : cost_of(p, edge, own, type));
            data[c] = duet_max(arrival, data[c]);
        }
    }
}

// Data count as there when a processor is idle to read them, at once where the task may not run.
static void raise_data(duet_proof_ideals *p)
{
    int64_t idle[DUET_PROOF_IDEAL_SLOTS];
    for (int32_t s = p->slots; s-- > 0;) {
        bool last = s + 1 == p->slots || p->column_of[s] != p->column_of[s + 1];
        int32_t c = p->column_of[s];
        idle[c] = last ? p->to.time[s] : duet_min(p->to.time[s], idle[c]);
    }
    for (int32_t i = 0; i < p->to.waits; i++) {
        int64_t *data = &p->to.time[p->slots + i * p->columns];
        for (int32_t c = 0; c < p->columns; c++) {
            bool reads = p->type_at[c] < 0 || allows(p, p->to.wait[i], p->type_at[c]);
            data[c] = reads ? duet_max(idle[c], data[c]) : 0;
        }
    }
}

static void exchange(duet_proof_ideals *p, int32_t a, int32_t b)
{
    int64_t idle = p->to.time[a];
    p->to.time[a] = p->to.time[b];
    p->to.time[b] = idle;
    for (int32_t i = 0; i < p->to.waits; i++) {
        int64_t *data = &p->to.time[p->slots + i * p->columns];
        int64_t old = data[p->column_of[a]];
        data[p->column_of[a]] = data[p->column_of[b]];
        data[p->column_of[b]] = old;
    }
}

// Makes the state after a step, with the processors of each type sorted. Returns whether all may
// still end within the guess.
bool duet_proof_ideals_append(duet_proof_ideals *p, const duet_proof_ideals_step *now)
{
    int32_t type = p->type_of[now->slot];
    if (sum(p, now->start, p->tail[now->task * p->types + type]) == p->never) {
        return false;
    }
    int64_t end = sum(p, now->start, time_of(p, now->task, type));
    p->to.done = p->from.done;
    add(&p->to.done, now->task);
    duet_proof_ideals_list_waiting(p, &p->to);
    for (int32_t s = 0; s < p->slots; s++) {
        p->to.time[s] = s == now->slot ? end : duet_max(p->from.time[s], now->start);
    }
    send_data(p, now, end);
    raise_data(p);
    for (int32_t t = 0; t < p->types; t++) {
        for (int32_t s = p->begin[t] + 1; s < p->begin[t + 1]; s++) {
            for (int32_t i = s; i > p->begin[t] && compare_slots(p, &p->to, i, i - 1) < 0; i--) {
                exchange(p, i, i - 1);
            }
        }
    }
    return may_end(p, &p->to);
}

// --- the whole
// ------------------------------------------------------------------------------------

static duet_code check_size(duet_proof_ideals *p, duet_error *error)
{
    if (p->state->is_part || p->state->tasks > DUET_PROOF_IDEAL_TASKS) {
        return duet_error_set(error, DUET_E_INPUT, "%s",
                              p->state->is_part ? "ideals of a part: expected those of the graph"
                                                : "ideals of more than 256 tasks: expected fewer");
    }
    if (duet_proof_graph_supply(p->state, &p->prices) < 0) {
        return duet_error_set(error, DUET_E_INPUT,
                              "prices of the types: expected a sum over the processors below 2^60");
    }
    p->tasks = (int32_t)p->state->tasks;
    p->types = (int32_t)p->state->instance->types;
    p->words = (p->tasks + 63) / 64;
    p->never = p->state->guess + 1;
    return number_slots(p, error);
}

duet_code duet_proof_ideals_measure(duet_proof_ideals *p, duet_error *error)
{
    DUET_TRY(check_size(p, error));
    number_columns(p);
    size_t tasks = (size_t)p->tasks;
    size_t pairs = tasks * (size_t)p->types;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(p->enters, tasks),
        DUET_ARENA_ARRAY(p->needs, tasks),
        DUET_ARENA_ARRAY(p->tail, pairs),
        DUET_ARENA_ARRAY(p->sent, pairs),
        DUET_ARENA_ARRAY(p->behind, tasks),
        DUET_ARENA_ARRAY(p->least, tasks),
        DUET_ARENA_ARRAY(p->urgent, tasks),
        DUET_ARENA_ARRAY(p->step, tasks * (size_t)p->slots),
        DUET_ARENA_ARRAY(p->to.time, (size_t)p->slots + tasks * (size_t)p->columns)};
    DUET_TRY(duet_memory_check(tasks * 64 * (size_t)p->types + 16 * tasks * DUET_PROOF_IDEAL_SLOTS,
                               1, p->state->watch->context->memory_limit, "ideals", error));
    DUET_TRY(duet_arena_create(&p->arena, arrays, sizeof arrays / sizeof *arrays, error));
    measure(p);
    return DUET_OK;
}
