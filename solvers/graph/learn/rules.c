// SPDX-License-Identifier: Apache-2.0
// What the learning search knows of every schedule; see learn_state.h.
// Method:    times of tasks, edges with what their data take, orders of tasks that share a
//            processor, which of equal processors has the first number, and tasks that are alike.
// Guarantee: if there is a schedule within the guess, one satisfies all of this: take it, exchange
//            tasks that are alike until they start in the order of their numbers, and number the
//            processors of each type in the order of their first tasks in the topological order.
// Cost:      O(tasks^2 processors).
// Memory:    that of the clauses.
// Reference: docs/theory/graphs.md.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/graph/learn/learn_state.h"
#include "solvers/graph/propagate/twins.h"

static void add(duet_learn *s, const duet_learn_literal *literal, size_t count,
                const duet_learn_rule *rule)
{
    duet_learn_add_clause(&s->engine, literal, count, rule);
}

static duet_learn_literal no(int32_t variable)
{
    return duet_learn_not(duet_learn_yes(variable));
}

duet_learn_rule duet_learn_forbid(duet_learn *s, size_t type, const int32_t *task, size_t count)
{
    duet_error ignored = DUET_ERROR_INIT;
    duet_learn_rule rule = {.kind = DUET_LEARN_BY_NONE};
    s->engine.explains = s->engine.explains && s->crowds < DUET_LEARN_LOGGED &&
                         duet_vec_reserve(s->crowd, s->crowds + count, &ignored) == DUET_OK;
    if (s->engine.explains) {
        rule = (duet_learn_rule){
            (int64_t)s->crowds, (int64_t)count, DUET_LEARN_BY_FORBIDDEN, (int32_t)type, 0, 0};
        for (size_t i = 0; i < count; i++) {
            s->crowd[s->crowds++] = task[i];
        }
    }
    return rule;
}

// --- one task ------------------------------------------------------------------------------------

static void state_times(duet_learn *s, int32_t j)
{
    int64_t least = s->network.shortest[s->network.kind[j]];
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_TASK, .a = j};
    int64_t most = 0;
    for (size_t t = 0; t < s->types; t++) {
        most = duet_learn_allows(s, j, t) ? duet_max(duet_learn_time(s, j, t), most) : most;
    }
    duet_learn_add_difference(&s->engine, s->start[j], s->end[j], least, NULL, 0, &rule);
    duet_learn_add_difference(&s->engine, s->end[j], s->start[j], -most, NULL, 0, &rule);
    for (size_t t = 0; t < s->types; t++) {
        if (duet_learn_allows(s, j, t)) {
            duet_learn_literal on = duet_learn_on(s, j, t);
            int64_t time = duet_learn_time(s, j, t);
            if (time > least) {
                duet_learn_add_difference(&s->engine, s->start[j], s->end[j], time, &on, 1, &rule);
            }
            if (time < most) {
                duet_learn_add_difference(&s->engine, s->end[j], s->start[j], -time, &on, 1, &rule);
            }
        }
    }
}

static void state_types(duet_learn *s, int32_t j)
{
    const duet_learn_literal *on = s->on + (size_t)j * s->types;
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_TASK, .a = j};
    add(s, on, s->types, &rule);
    for (size_t t = 0; t < s->types; t++) {
        for (size_t u = 0; u < t; u++) {
            add(s, (duet_learn_literal[]){duet_learn_not(on[t]), duet_learn_not(on[u])}, 2, &rule);
        }
    }
}

// It takes at least some size if it takes that one or at least the next.
static void state_sizes(duet_learn *s, int32_t j)
{
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_NONE};
    for (size_t t = 0; t + 1 < s->types; t++) {
        duet_learn_literal on = duet_learn_on(s, j, t);
        duet_learn_literal wide = duet_learn_wide(s, j, t);
        duet_learn_literal more = duet_learn_wide(s, j, t + 1);
        bool both = s->sizes->base[t] == s->sizes->base[t + 1] &&
                    duet_allowed(s->instance, (size_t)s->network.kind[j], t);
        if (both && wide.side != on.side) {
            add(s, (duet_learn_literal[]){duet_learn_not(on), wide}, 2, &rule);
            add(s, (duet_learn_literal[]){duet_learn_not(more), wide}, 2, &rule);
            add(s, (duet_learn_literal[]){duet_learn_not(wide), on, more}, 3, &rule);
        }
    }
}

// It is on one processor of each type that it is on.
static void state_processors(duet_learn *s, int32_t j)
{
    const int32_t *at = s->at + (size_t)j * (size_t)s->processors;
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_TASK, .a = j};
    for (size_t t = 0; t < s->types; t++) {
        if (!duet_learn_is_placed(s, t) || at[s->begin[t]] < 0) {
            continue;
        }
        duet_learn_list *some = &s->why;
        some->count = 0;
        duet_learn_push(&s->engine, some, duet_learn_not(duet_learn_on(s, j, t)));
        for (int32_t p = s->begin[t]; p < s->begin[t + 1]; p++) {
            duet_learn_push(&s->engine, some, duet_learn_yes(at[p]));
            add(s, (duet_learn_literal[]){no(at[p]), duet_learn_on(s, j, t)}, 2, &rule);
            for (int32_t q = s->begin[t]; q < p; q++) {
                add(s, (duet_learn_literal[]){no(at[p]), no(at[q])}, 2, &rule);
            }
        }
        add(s, some->literal, some->count, &rule);
    }
}

// --- two tasks -----------------------------------------------------------------------------------

// Whether one of two tasks takes time wherever it runs.
static bool takes_time(const duet_learn *s, int32_t i, int32_t j)
{
    const int64_t *shortest = s->network.shortest;
    return shortest[s->network.kind[i]] > 0 || shortest[s->network.kind[j]] > 0;
}

// Two moldable tasks that are too large for a cluster together are one after the other.
static void state_wide_order(duet_learn *s, int32_t i, int32_t j)
{
    const duet_learn_sizes *z = s->sizes;
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_NONE};
    for (size_t t = 0; t < s->types; t++) {
        size_t u = 0;
        while (u < s->types &&
               (z->base[u] != z->base[t] || z->size[u] + z->size[t] <= z->processors[z->base[t]])) {
            u++;
        }
        // With the next smaller size it is the same.
        bool again = t > 0 && u < s->types && z->base[t - 1] == z->base[t] &&
                     z->size[u] + z->size[t - 1] > z->processors[z->base[t]];
        if (u < s->types && !again) {
            add(s,
                (duet_learn_literal[]){duet_learn_not(duet_learn_wide(s, i, t)),
                                       duet_learn_not(duet_learn_wide(s, j, u)),
                                       duet_learn_yes(duet_learn_order(s, i, j)),
                                       duet_learn_yes(duet_learn_order(s, j, i))},
                4, &rule);
        }
    }
}

// Two tasks on the same processor are one after the other.
static void state_order(duet_learn *s, int32_t i, int32_t j)
{
    duet_learn_literal first = duet_learn_yes(duet_learn_order(s, i, j));
    duet_learn_literal second = duet_learn_yes(duet_learn_order(s, j, i));
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_ORDER, .a = i, .b = j};
    const duet_learn_rule back = {.kind = DUET_LEARN_BY_ORDER, .a = j, .b = i};
    duet_learn_add_difference(&s->engine, s->end[i], s->start[j], 0, &first, 1, &rule);
    duet_learn_add_difference(&s->engine, s->end[j], s->start[i], 0, &second, 1, &back);
    if (takes_time(s, i, j)) {
        add(s, (duet_learn_literal[]){duet_learn_not(first), duet_learn_not(second)}, 2, &rule);
    }
    if (s->sizes != NULL) {
        state_wide_order(s, i, j);
        return;
    }
    for (size_t t = 0; t < s->types; t++) {
        if (duet_learn_count(s, t) == 1) {
            duet_learn_rule forbidden = duet_learn_forbid(s, t, (int32_t[]){i, j}, 2);
            add(s,
                (duet_learn_literal[]){duet_learn_not(duet_learn_on(s, i, t)),
                                       duet_learn_not(duet_learn_on(s, j, t)), first, second},
                4, &forbidden);
        }
        for (int32_t p = s->begin[t]; p < s->begin[t + 1] && duet_learn_is_placed(s, t); p++) {
            int32_t a = duet_learn_at(s, i, p);
            int32_t b = duet_learn_at(s, j, p);
            if (a >= 0 && b >= 0) {
                const duet_learn_rule share = {.kind = DUET_LEARN_BY_SHARE, .a = i, .b = j, .c = p};
                add(s, (duet_learn_literal[]){no(a), no(b), first, second}, 4, &share);
            }
        }
    }
}

// Whether the data of an edge take time between two processors of one type on which both may be.
static bool may_part(const duet_learn *s, int64_t edge, size_t type)
{
    const duet_graph *graph = s->network.graph;
    return duet_learn_is_placed(s, type) && duet_graph_cost(graph, edge, type, type) > 0 &&
           duet_learn_allows(s, graph->tail[edge], type) &&
           duet_learn_allows(s, graph->head[edge], type);
}

// A statement that both ends of an edge are on the same processor; -1: it is not asked for.
static int32_t state_same(duet_learn *s, int64_t edge)
{
    const duet_graph *graph = s->network.graph;
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_SAME, .a = (int32_t)edge};
    int32_t same = -1;
    for (size_t t = 0; t < s->types; t++) {
        if (!may_part(s, edge, t)) {
            continue;
        }
        if (same < 0) {
            same = duet_learn_variable(&s->engine, 0, 1);
            s->meaning[same] = (duet_learn_meaning){DUET_LEARN_SAYS_SAME, (int32_t)edge, 0};
        }
        for (int32_t p = s->begin[t]; p < s->begin[t + 1]; p++) {
            int32_t a = duet_learn_at(s, graph->tail[edge], p);
            int32_t b = duet_learn_at(s, graph->head[edge], p);
            add(s, (duet_learn_literal[]){no(same), no(a), duet_learn_yes(b)}, 3, &rule);
            add(s, (duet_learn_literal[]){no(same), no(b), duet_learn_yes(a)}, 3, &rule);
            add(s, (duet_learn_literal[]){duet_learn_yes(same), no(a), no(b)}, 3, &rule);
        }
    }
    return same;
}

static void state_edge(duet_learn *s, int64_t edge)
{
    const duet_graph *graph = s->network.graph;
    int32_t i = graph->tail[edge];
    int32_t j = graph->head[edge];
    const duet_learn_rule rule = {.kind = DUET_LEARN_BY_EDGE, .a = (int32_t)edge};
    duet_learn_add_difference(&s->engine, s->end[i], s->start[j], 0, NULL, 0, &rule);
    if (graph->transfer == NULL) {
        return;
    }
    int32_t same = state_same(s, edge);
    for (size_t t = 0; t < s->types; t++) {
        for (size_t u = 0; u < s->types; u++) {
            duet_learn_literal both[] = {duet_learn_on(s, i, t), duet_learn_on(s, j, u),
                                         duet_learn_not(duet_learn_yes(duet_max(same, 0)))};
            int64_t cost = duet_graph_cost(graph, edge, t, u);
            bool apart = t != u || may_part(s, edge, t);
            if (cost > 0 && apart) {
                duet_learn_add_difference(&s->engine, s->end[i], s->start[j], cost, both,
                                          t == u ? 3 : 2, &rule);
            }
        }
    }
}

// --- more tasks ----------------------------------------------------------------------------------

// Of three tasks on two processors two are one after the other.
static void state_triple(duet_learn *s, const int32_t *task, size_t type)
{
    duet_learn_list *some = &s->why;
    duet_learn_rule rule = duet_learn_forbid(s, type, task, 3);
    some->count = 0;
    for (size_t a = 0; a < 3; a++) {
        duet_learn_push(&s->engine, some, duet_learn_not(duet_learn_on(s, task[a], type)));
        for (size_t b = 0; b < 3; b++) {
            if (a != b) {
                int32_t order = duet_learn_order(s, task[a], task[b]);
                duet_learn_push(&s->engine, some, duet_learn_yes(order));
            }
        }
    }
    add(s, some->literal, some->count, &rule);
}

static bool may_overlap(const duet_learn *s, int32_t i, int32_t j, size_t type)
{
    return duet_learn_order(s, i, j) >= 0 && duet_learn_allows(s, i, type) &&
           duet_learn_allows(s, j, type);
}

static void state_triples(duet_learn *s, size_t type)
{
    int64_t count = 0;
    for (int32_t pass = 0; pass < 2 && count <= DUET_LEARN_TRIPLES; pass++) {
        for (int32_t i = 0; i < s->tasks; i++) {
            for (int32_t j = 0; j < i; j++) {
                for (int32_t k = 0; k < j && may_overlap(s, i, j, type); k++) {
                    if (may_overlap(s, i, k, type) && may_overlap(s, j, k, type)) {
                        count++;
                        if (pass > 0) {
                            state_triple(s, (int32_t[]){i, j, k}, type);
                        }
                    }
                }
            }
        }
    }
}

// A processor has a task only if the one with the next lower number has one before it in the order.
static void number_processors(duet_learn *s, size_t type)
{
    for (int32_t i = 0; i < s->tasks; i++) {
        int32_t task = s->order[i];
        for (int32_t p = s->begin[type] + 1; p < s->begin[type + 1]; p++) {
            if (duet_learn_at(s, task, p) < 0) {
                continue;
            }
            duet_learn_list *some = &s->why;
            some->count = 0;
            duet_learn_push(&s->engine, some, no(duet_learn_at(s, task, p)));
            for (int32_t k = 0; k < i; k++) {
                int32_t other = duet_learn_at(s, s->order[k], p - 1);
                if (other >= 0) {
                    duet_learn_push(&s->engine, some, duet_learn_yes(other));
                }
            }
            const duet_learn_rule rule = {.kind = DUET_LEARN_BY_NUMBER, .a = task, .b = p};
            add(s, some->literal, some->count, &rule);
        }
    }
}

static duet_code order_twins(duet_learn *s, duet_error *error)
{
    int32_t *twin = duet_alloc_raw((size_t)s->tasks, sizeof *twin, error);
    duet_code code = twin == NULL ? DUET_E_MEMORY : duet_find_twins(&s->network, twin, error);
    for (int32_t j = 0; code == DUET_OK && j < s->tasks; j++) {
        if (twin[j] >= 0) {
            const duet_learn_rule rule = {.kind = DUET_LEARN_BY_TWIN, .a = j, .b = twin[j]};
            s->twin[j] = twin[j];
            duet_learn_add_difference(&s->engine, s->start[twin[j]], s->start[j], 0, NULL, 0,
                                      &rule);
        }
    }
    duet_free(twin);
    return code;
}

static void state_all(duet_learn *s)
{
    for (int32_t j = 0; j < s->tasks; j++) {
        state_types(s, j);
        state_times(s, j);
        state_processors(s, j);
        if (s->sizes != NULL) {
            state_sizes(s, j);
        }
    }
    for (int64_t e = 0; e < s->network.edges; e++) {
        state_edge(s, e);
    }
    for (int32_t i = 0; i < s->tasks; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (duet_learn_order(s, i, j) >= 0) {
                state_order(s, i, j);
            }
        }
    }
    for (size_t t = 0; t < s->types && s->sizes == NULL; t++) {
        if (duet_learn_is_placed(s, t)) {
            number_processors(s, t);
        } else if (duet_learn_count(s, t) == 2) {
            state_triples(s, t);
        }
    }
}

duet_code duet_learn_state_rules(duet_learn *s, duet_error *error)
{
    state_all(s);
    duet_code code = order_twins(s, error);
    DUET_THEN(code, duet_learn_sort_arcs(&s->engine, error));
    if (code == DUET_OK && s->engine.no_memory) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory for the rules of a task graph");
    }
    for (size_t i = 0; code == DUET_OK && i < s->engine.arcs && !s->engine.contradiction; i++) {
        s->engine.contradiction = !duet_learn_follow(&s->engine, i);
    }
    return code;
}
