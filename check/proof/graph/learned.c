// SPDX-License-Identifier: Apache-2.0
// What a search that learns has found out, and by which arguments: facts about the order of tasks
// and their processors beside the windows of a state, and rules, each of which a state may
// contradict. docs/theory/graphs.md has the arguments. Includes no solver header: this is what an
// outsider trusts.
#include "check/proof/graph/graph.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { UNKNOWN, YES, NO, TASK = 4 };

// --- facts ---------------------------------------------------------------------------------------

duet_code duet_learned_init(duet_learned *learned, duet_proof_graph_state *state, duet_error *error)
{
    *learned = (duet_learned){.state = state};
    int64_t processors = 0;
    for (size_t t = 0; t < state->instance->types; t++) {
        learned->first[t] = processors;
        processors += duet_min(state->instance->processors[t], state->tasks);
    }
    learned->first[state->instance->types] = processors;
    uint64_t tasks = (uint64_t)state->tasks;
    uint64_t edges = state->graph == NULL ? 0 : (uint64_t)state->graph->edges;
    uint64_t facts = tasks * (tasks + (uint64_t)processors) + edges;
    DUET_TRY(duet_memory_check(facts + 8 * tasks, 1, state->watch->context->memory_limit,
                               "the facts of a proof", error));
    learned->at_facts = (size_t)(tasks * tasks);
    learned->same_facts = learned->at_facts + (size_t)(tasks * (uint64_t)processors);
    learned->fact = duet_alloc((size_t)facts, 1, error);
    learned->rank = duet_alloc((size_t)tasks, sizeof *learned->rank, error);
    learned->nogood = duet_alloc(1, sizeof *learned->nogood, error);
    return learned->fact == NULL || learned->rank == NULL || learned->nogood == NULL ? DUET_E_MEMORY
                                                                                     : DUET_OK;
}

void duet_learned_free(duet_learned *learned)
{
    duet_free(learned->rank);
    duet_free(learned->fact);
    duet_free(learned->change);
    duet_free(learned->literal);
    duet_free(learned->nogood);
    *learned = (duet_learned){.state = NULL};
}

size_t duet_learned_order(const duet_learned *learned, int64_t before, int64_t after)
{
    return (size_t)(before * learned->state->tasks + after);
}

size_t duet_learned_at(const duet_learned *learned, int64_t task, int64_t type, int64_t processor)
{
    int64_t processors = learned->first[learned->state->instance->types];
    return learned->at_facts + (size_t)(task * processors + learned->first[type] + processor);
}

size_t duet_learned_same(const duet_learned *learned, int64_t edge)
{
    return learned->same_facts + (size_t)edge;
}

duet_learned_literal duet_learned_not(duet_learned_literal literal)
{
    literal.negated = literal.kind != DUET_LEARNED_TASK && !literal.negated;
    literal.what.claim = duet_task_claim_not(literal.what.claim);
    return literal;
}

duet_code duet_learned_take(duet_learned *learned, const duet_learned_literal *literal,
                            duet_error *error)
{
    if (literal->kind == DUET_LEARNED_TASK) {
        return duet_proof_graph_take(learned->state, &literal->what, error);
    }
    unsigned char *fact = &learned->fact[(size_t)literal->at];
    unsigned char value = literal->negated ? NO : YES;
    if (*fact == value) {
        return DUET_OK;
    }
    if (*fact != UNKNOWN) {
        learned->state->closed = true;
        return DUET_OK;
    }
    if (learned->marks > 0) {
        DUET_TRY(duet_vec_push(learned->change, learned->changes, error,
                               (duet_learned_change){(size_t)literal->at, *fact}));
    }
    *fact = value;
    return DUET_OK;
}

duet_code duet_learned_mark(duet_learned *learned, size_t *mark, duet_error *error)
{
    duet_code code = duet_proof_graph_mark(learned->state, error);
    *mark = learned->changes;
    learned->marks += code == DUET_OK ? 1 : 0;
    return code;
}

void duet_learned_take_back(duet_learned *learned, size_t mark)
{
    while (learned->changes > mark) {
        const duet_learned_change *change = &learned->change[--learned->changes];
        learned->fact[change->at] = change->before;
    }
    learned->marks--;
    duet_proof_graph_take_back(learned->state);
}

// --- rules ---------------------------------------------------------------------------------------

static bool is_alone(const duet_proof_graph_state *state, int64_t task, int64_t type)
{
    return state->window[task].modes == UINT64_C(1) << type;
}

static bool is_at(const duet_learned *learned, int64_t task, int64_t type, int64_t processor)
{
    return learned->fact[duet_learned_at(learned, task, type, processor)] == YES;
}

static int64_t count_of(const duet_learned *learned, size_t type)
{
    return learned->first[type + 1] - learned->first[type];
}

// Two processors, one of a type that it is not on, or none of its type.
static bool refutes_task(const duet_learned *learned, int64_t task)
{
    const duet_proof_graph_state *state = learned->state;
    int64_t places = 0;
    bool none = false;
    for (size_t t = 0; t < state->instance->types; t++) {
        bool left = duet_proof_graph_has_mode(state, task, t);
        int64_t excluded = 0;
        (void)duet_watch_spend(state->watch, TASK * (1 + count_of(learned, t)));
        for (int64_t p = 0; p < count_of(learned, t); p++) {
            unsigned char fact = learned->fact[duet_learned_at(learned, task, (int64_t)t, p)];
            places += fact == YES ? (left ? 1 : 2) : 0;
            excluded += fact == NO ? 1 : 0;
        }
        none = none || (is_alone(state, task, (int64_t)t) && excluded == count_of(learned, t));
    }
    return places > 1 || none;
}

// The least time at which a task may end on a type, and the latest at which it may start.
static int64_t least_end(const duet_proof_graph_state *state, int64_t task, size_t type)
{
    int64_t time = duet_proof_graph_time(state, task, type);
    return duet_proof_graph_first_start(&state->window[task], time) + time;
}

static int64_t last_start(const duet_proof_graph_state *state, int64_t task, size_t type)
{
    int64_t time = duet_proof_graph_time(state, task, type);
    return state->guess - duet_proof_graph_least_rest(&state->window[task], time);
}

static bool refutes_edge(const duet_learned *learned, int64_t edge)
{
    const duet_proof_graph_state *state = learned->state;
    const duet_graph *graph = state->graph;
    int64_t from = graph->tail[edge];
    int64_t to = graph->head[edge];
    bool apart = learned->fact[duet_learned_same(learned, edge)] == NO;
    size_t types = state->instance->types;
    (void)duet_watch_spend(state->watch, TASK * (int64_t)(types * types));
    for (size_t t = 0; t < types; t++) {
        for (size_t u = 0; u < types; u++) {
            bool moves = t != u || (apart && state->instance->processors[t] > 1);
            int64_t cost = moves ? duet_graph_cost(graph, edge, t, u) : 0;
            if (duet_proof_graph_has_mode(state, from, t) &&
                duet_proof_graph_has_mode(state, to, u) &&
                cost <= last_start(state, to, u) - least_end(state, from, t)) {
                return false;
            }
        }
    }
    return true;
}

static bool refutes_order(const duet_learned *learned, int64_t before, int64_t after)
{
    const duet_proof_graph_state *state = learned->state;
    if (learned->fact[duet_learned_order(learned, before, after)] != YES) {
        return false;
    }
    bool back = learned->fact[duet_learned_order(learned, after, before)] == YES;
    return state->window[before].end > state->guess - state->window[after].rest ||
           (back && (duet_proof_graph_shortest(state, before) > 0 ||
                     duet_proof_graph_shortest(state, after) > 0));
}

static bool overlap(const duet_learned *learned, int64_t task, int64_t other)
{
    return learned->fact[duet_learned_order(learned, task, other)] == NO &&
           learned->fact[duet_learned_order(learned, other, task)] == NO;
}

static bool refutes_forbidden(const duet_learned *learned, const duet_learned_rule *rule)
{
    const duet_proof_graph_state *state = learned->state;
    if ((int64_t)rule->count <= state->instance->processors[rule->type]) {
        return false;
    }
    (void)duet_watch_spend(state->watch, TASK * (int64_t)(rule->count * rule->count));
    for (size_t a = 0; a < rule->count; a++) {
        if (!is_alone(state, rule->tasks[a], rule->type)) {
            return false;
        }
        for (size_t b = 0; b < a; b++) {
            if (!overlap(learned, rule->tasks[a], rule->tasks[b])) {
                return false;
            }
        }
    }
    return true;
}

static bool refutes_same(const duet_learned *learned, int64_t edge)
{
    const duet_graph *graph = learned->state->graph;
    unsigned char same = learned->fact[duet_learned_same(learned, edge)];
    bool refuted = false;
    for (size_t t = 0; t < learned->state->instance->types; t++) {
        (void)duet_watch_spend(learned->state->watch, TASK * (1 + count_of(learned, t)));
        for (int64_t p = 0; p < count_of(learned, t); p++) {
            size_t from = duet_learned_at(learned, graph->tail[edge], (int64_t)t, p);
            size_t to = duet_learned_at(learned, graph->head[edge], (int64_t)t, p);
            unsigned char a = learned->fact[from];
            unsigned char b = learned->fact[to];
            bool differ = (a == YES && b == NO) || (a == NO && b == YES);
            refuted = refuted || (same == YES && differ) || (same == NO && a == YES && b == YES);
        }
    }
    return refuted;
}

static bool refutes_number(const duet_learned *learned, const duet_learned_rule *rule)
{
    const duet_proof_graph_state *state = learned->state;
    bool refuted = rule->processor > 0 && is_at(learned, rule->task, rule->type, rule->processor);
    (void)duet_watch_spend(state->watch, TASK * state->tasks);
    for (int64_t i = 0; i < state->tasks && refuted; i++) {
        size_t at = duet_learned_at(learned, i, rule->type, rule->processor - 1);
        refuted = learned->rank[i] >= learned->rank[rule->task] || learned->fact[at] == NO ||
                  !duet_proof_graph_has_mode(state, i, (size_t)rule->type);
    }
    return refuted;
}

// How much of a task's time on a type must be in the interval.
static int64_t work_in(const duet_proof_graph_state *state, const duet_learned_rule *rule,
                       int64_t task, size_t type)
{
    int64_t time = duet_proof_graph_time(state, task, type);
    int64_t least = duet_min(time, rule->to - rule->from);
    least = duet_min(least, least_end(state, task, type) - rule->from);
    least = duet_min(least, rule->to - last_start(state, task, type));
    return duet_max(least, 0);
}

// What a tick of all processors is worth, of which no more are at work than there are tasks; -1 if
// that is too much.
static int64_t supply_of(const duet_learned *learned, const duet_learned_rule *rule)
{
    int64_t supply = 0;
    for (size_t t = 0; t < learned->state->instance->types && supply >= 0; t++) {
        duet_int128 price = (duet_int128)rule->prices.price[t] * count_of(learned, t);
        bool large = price >= DUET_PROOF_GRAPH_MAX_PRICE - supply;
        supply = large ? -1 : supply + (int64_t)price;
    }
    return supply;
}

static bool refutes_overload(const duet_learned *learned, const duet_learned_rule *rule)
{
    const duet_proof_graph_state *state = learned->state;
    int64_t supply = supply_of(learned, rule);
    duet_int128 demand = 0;
    size_t types = state->instance->types;
    if (supply <= 0 || rule->to <= rule->from) {
        return false;
    }
    (void)duet_watch_spend(state->watch, TASK * state->tasks * (int64_t)types);
    for (int64_t j = 0; j < state->tasks; j++) {
        duet_int128 least = -1;
        for (size_t t = 0; t < types; t++) {
            if (duet_proof_graph_has_mode(state, j, t)) {
                duet_int128 work = (duet_int128)rule->prices.price[t] * work_in(state, rule, j, t);
                least = least < 0 || work < least ? work : least;
            }
        }
        demand += least;
    }
    return demand > (duet_int128)(rule->to - rule->from) * supply;
}

static bool refutes_load(const duet_learned *learned, const duet_learned_rule *rule)
{
    const duet_proof_graph_state *state = learned->state;
    duet_int128 demand = 0;
    if (rule->to <= rule->from) {
        return false;
    }
    (void)duet_watch_spend(state->watch, TASK * state->tasks);
    for (int64_t j = 0; j < state->tasks; j++) {
        bool counts = is_at(learned, j, rule->type, rule->processor);
        if (counts && !duet_proof_graph_has_mode(state, j, (size_t)rule->type)) {
            return true;
        }
        demand += counts ? work_in(state, rule, j, (size_t)rule->type) : 0;
    }
    return demand > rule->to - rule->from;
}

static bool is_false(const duet_learned *learned, const duet_learned_literal *literal)
{
    if (literal->kind != DUET_LEARNED_TASK) {
        return learned->fact[(size_t)literal->at] == (literal->negated ? YES : NO);
    }
    const duet_proof_graph_state *state = learned->state;
    const duet_task_window *window = &state->window[literal->what.task];
    int64_t value = literal->what.value;
    switch (literal->what.claim) {
    case DUET_TASK_ON:
        return (window->modes >> value & 1U) == 0;
    case DUET_TASK_OFF:
        return is_alone(state, literal->what.task, value);
    case DUET_TASK_START_BY:
        return window->start > value;
    case DUET_TASK_START_AFTER:
        return state->guess - window->rest <= value;
    case DUET_TASK_END_BY:
        return window->end > value;
    default: // it ends after the value
        return state->guess - window->tail <= value;
    }
}

static bool refutes_nogood(const duet_learned *learned, int64_t number)
{
    size_t end = learned->nogood[number + 1];
    bool refuted = true;
    for (size_t i = learned->nogood[number]; i < end && refuted; i++) {
        refuted = is_false(learned, &learned->literal[i]);
    }
    (void)duet_watch_spend(learned->state->watch, TASK);
    return refuted;
}

bool duet_learned_refutes(const duet_learned *learned, const duet_learned_rule *rule)
{
    const duet_proof_graph_state *state = learned->state;
    if (state->closed) {
        return true;
    }
    switch (rule->kind) {
    case DUET_RULE_TASK:
        return refutes_task(learned, rule->task);
    case DUET_RULE_EDGE:
        return refutes_edge(learned, rule->task);
    case DUET_RULE_ORDER:
        return refutes_order(learned, rule->task, rule->other);
    case DUET_RULE_TWIN:
        return state->twin_before[rule->task] >= 0 &&
               state->window[state->twin_before[rule->task]].start >
                   state->guess - state->window[rule->task].rest;
    case DUET_RULE_FORBIDDEN:
        return refutes_forbidden(learned, rule);
    case DUET_RULE_SHARE:
        return is_at(learned, rule->task, rule->type, rule->processor) &&
               is_at(learned, rule->other, rule->type, rule->processor) &&
               overlap(learned, rule->task, rule->other);
    case DUET_RULE_SAME:
        return refutes_same(learned, rule->task);
    case DUET_RULE_NUMBER:
        return refutes_number(learned, rule);
    case DUET_RULE_OVERLOAD:
        return refutes_overload(learned, rule);
    case DUET_RULE_LOAD:
        return refutes_load(learned, rule);
    default: // a nogood
        return refutes_nogood(learned, rule->task);
    }
}
