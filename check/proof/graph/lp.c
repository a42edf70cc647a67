// SPDX-License-Identifier: Apache-2.0
// A linear program's dual as a proof: multipliers of the inequalities that every schedule within
// the guess satisfies, whose sum is a contradiction. docs/theory/graphs.md has the inequality.
// Includes no solver header: this is what an outsider trusts.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/system/memory.h"
#include "core/system/try.h"

enum {
    OVERLAP = 8,   // units of work of an interval
    STRETCH = 1024 // intervals for which they are spent at once
};

typedef struct lp_check {
    duet_proof_graph_state *state;
    const duet_proof_graph_multipliers *given;
    // Per task, what its start and its end pass on; they must be equal.
    int64_t *in, *out;
    // Per task and type, what rows between two tasks and crossings add; NULL: nothing.
    duet_int128 *mixed;
    int64_t total;       // of all multipliers
    duet_int128 proven;  // the left side
    duet_int128 allowed; // the multiplier of the guess, on the right
} lp_check;

static duet_code wrong(duet_error *error, const char *why)
{
    return duet_error_set(error, DUET_E_INPUT, "%s", why);
}

static duet_code check_index(const duet_indexed_price *entry, int64_t below, const char *what,
                             duet_error *error)
{
    if (entry->at < 0 || entry->at >= below) {
        return duet_error_set(error, DUET_E_INPUT, "%s %" PRId64 ": expected one below %" PRId64,
                              what, entry->at, below);
    }
    return DUET_OK;
}

static duet_code add_edges(lp_check *check, duet_error *error)
{
    const duet_graph *graph = check->state->graph;
    for (size_t i = 0; i < check->given->edges; i++) {
        const duet_indexed_price *entry = &check->given->edge[i];
        DUET_TRY(check_index(entry, graph == NULL ? 0 : graph->edges, "edge", error));
        DUET_TRY(duet_proof_graph_count_price(&check->total, entry->price, error));
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without a graph no index is one
        check->out[graph->tail[entry->at]] += entry->price;
        check->in[graph->head[entry->at]] += entry->price;
    }
    return DUET_OK;
}

// Multipliers of starts (`tails`: of tails).
static duet_code add_ends(lp_check *check, const duet_indexed_price *list, size_t count, bool tails,
                          duet_error *error)
{
    for (size_t i = 0; i < count; i++) {
        DUET_TRY(check_index(&list[i], check->state->tasks, "task", error));
        DUET_TRY(duet_proof_graph_count_price(&check->total, list[i].price, error));
        const duet_task_window *window = &check->state->window[list[i].at];
        int64_t *passes = tails ? check->out : check->in;
        passes[list[i].at] += list[i].price;
        check->proven += (duet_int128)list[i].price * (tails ? window->tail : window->start);
        check->allowed += tails ? list[i].price : 0;
    }
    return DUET_OK;
}

static duet_code add_intervals(lp_check *check, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < check->given->intervals && code == DUET_OK; i++) {
        const duet_priced_interval *interval = &check->given->interval[i];
        int64_t guess = check->state->guess;
        if (interval->from > guess || interval->back > guess - interval->from) {
            return wrong(error, "an interval that is empty: expected it to end after it begins");
        }
        int64_t supply = duet_proof_graph_supply(check->state, &interval->prices);
        code = duet_proof_graph_count_price(&check->total, supply, error);
        check->proven += (duet_int128)supply * (interval->from + interval->back);
        check->allowed += supply;
    }
    return code;
}

// Multipliers of rows between two tasks.
static duet_code add_rows(lp_check *check, duet_error *error)
{
    duet_proof_graph_state *state = check->state;
    const duet_proof_graph_multipliers *given = check->given;
    if (given->rows == 0) {
        return DUET_OK;
    }
    for (size_t r = 0; r < given->rows; r++) {
        DUET_TRY(duet_proof_graph_count_price(&check->total, given->row[r].price, error));
    }
    DUET_TRY(
        duet_proof_graph_mix(state, given->row, given->rows, given->mixed, &check->mixed, error));
    for (size_t r = 0; r < given->rows; r++) {
        const duet_mixed_row *row = &given->row[r];
        check->proven += (duet_int128)row->price * row->length;
        if (row->from < state->tasks) {
            check->out[row->from] += row->price;
        }
        if (row->to < state->tasks) {
            check->in[row->to] += row->price;
        } else {
            check->allowed += row->price;
        }
    }
    return DUET_OK;
}

// Whether an edge's data are on their way as long as a crossing says: on a type that is left to the
// head, beside that of the crossing, they do not arrive sooner.
static bool holds(const duet_proof_graph_state *state, const duet_crossing *crossing)
{
    const duet_graph *graph = state->graph;
    int64_t head = graph->head[crossing->edge];
    for (size_t t = 0; t < state->instance->types; t++) {
        if (t != (size_t)crossing->type && duet_proof_graph_has_mode(state, head, t) &&
            duet_graph_cost(graph, crossing->edge, (size_t)crossing->type, t) < crossing->cost) {
            return false;
        }
    }
    return true;
}

static duet_code add_crossing(lp_check *check, const duet_crossing *crossing, duet_error *error)
{
    const duet_graph *graph = check->state->graph;
    size_t types = check->state->instance->types;
    if (graph == NULL || graph->transfer == NULL || crossing->edge >= graph->edges ||
        crossing->type >= (int64_t)types || crossing->cost >= DUET_PROOF_GRAPH_MAX_PRICE ||
        !holds(check->state, crossing)) {
        return duet_error_set(error, DUET_E_INPUT,
                              "edge %" PRId64 " from type %" PRId64 ": expected data that take at "
                              "least %" PRId64 " ticks to every other type",
                              crossing->edge, crossing->type, crossing->cost);
    }
    int32_t from = graph->tail[crossing->edge];
    int32_t to = graph->head[crossing->edge];
    duet_int128 cost = (duet_int128)crossing->price * crossing->cost;
    DUET_TRY(duet_proof_graph_count_price(&check->total, crossing->price, error));
    check->out[from] += crossing->price;
    check->in[to] += crossing->price;
    check->mixed[(size_t)from * types + (size_t)crossing->type] += cost;
    check->mixed[(size_t)to * types + (size_t)crossing->type] -= cost;
    return DUET_OK;
}

// Multipliers of edges whose data take time.
static duet_code add_crossings(lp_check *check, duet_error *error)
{
    size_t room = (size_t)check->state->tasks * check->state->instance->types;
    if (check->given->crossings > 0 && check->mixed == NULL) {
        duet_code fits =
            duet_memory_check(room, sizeof *check->mixed,
                              check->state->watch->context->memory_limit, "what edges add", error);
        if (fits != DUET_OK) {
            return fits;
        }
        check->mixed = duet_alloc(room, sizeof *check->mixed, error);
        DUET_NEED(check->mixed);
    }
    for (size_t i = 0; i < check->given->crossings; i++) {
        DUET_TRY(add_crossing(check, &check->given->crossing[i], error));
    }
    return DUET_OK;
}

// What passes through a task takes at least its time; its work inside of intervals has their price,
// and rows between two tasks, and crossings, have theirs for what it adds.
static duet_int128 least_cost(const lp_check *check, int64_t task)
{
    const duet_proof_graph_state *state = check->state;
    bool found = false;
    duet_int128 least = 0;
    for (size_t t = 0; t < state->instance->types; t++) {
        if (!duet_proof_graph_has_mode(state, task, t)) {
            continue;
        }
        duet_int128 cost = (duet_int128)check->in[task] * duet_proof_graph_time(state, task, t);
        for (size_t i = 0; i < check->given->intervals; i++) {
            int64_t price = check->given->interval[i].prices.price[t];
            if (i % STRETCH == STRETCH - 1) {
                (void)duet_watch_spend(state->watch, (int64_t)OVERLAP * STRETCH);
            }
            if (price > 0) {
                cost += (duet_int128)price *
                        duet_proof_graph_overlap(state, task, t, &check->given->interval[i]);
            }
        }
        cost += check->mixed == NULL ? 0 : check->mixed[(size_t)task * state->instance->types + t];
        least = !found || cost < least ? cost : least;
        found = true;
    }
    return least;
}

static duet_code compare(lp_check *check, duet_error *error)
{
    duet_proof_graph_state *state = check->state;
    int64_t few =
        (int64_t)(check->given->intervals % STRETCH) + 1; // the others are spent one by one
    for (int64_t j = 0; j < state->tasks; j++) {
        if (check->in[j] != check->out[j]) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "task %" PRId64
                                  ": expected as much flow into it as out of it, found %" PRId64
                                  " and %" PRId64,
                                  j, check->in[j], check->out[j]);
        }
        check->proven += least_cost(check, j);
        if (duet_watch_spend(state->watch, OVERLAP * few * (int64_t)state->instance->types)) {
            return duet_check_stopped(state->watch, error);
        }
    }
    if (check->proven <= check->allowed * state->guess) {
        return wrong(error, "the multipliers prove no contradiction: expected what they demand to "
                            "exceed what the guess allows");
    }
    state->closed = true;
    return DUET_OK;
}

duet_code duet_proof_graph_lp(duet_proof_graph_state *state,
                              const duet_proof_graph_multipliers *multipliers, duet_error *error)
{
    lp_check check = {
        .state = state, .given = multipliers, .in = state->flow, .out = state->flow + state->tasks};
    if (state->closed) {
        return DUET_OK;
    }
    for (int64_t j = 0; j < 2 * state->tasks; j++) {
        state->flow[j] = 0;
    }
    duet_code code = add_edges(&check, error);
    DUET_THEN(code, add_ends(&check, multipliers->start, multipliers->starts, false, error));
    DUET_THEN(code, add_ends(&check, multipliers->tail, multipliers->tails, true, error));
    DUET_THEN(code, add_intervals(&check, error));
    DUET_THEN(code, add_rows(&check, error));
    DUET_THEN(code, add_crossings(&check, error));
    DUET_THEN(code, compare(&check, error));
    duet_free(check.mixed);
    return code;
}
