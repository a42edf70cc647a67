// SPDX-License-Identifier: Apache-2.0
// The variables of the learning search; see learn_state.h.
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "solvers/graph/learn/learn_state.h"
#include "solvers/graph/propagate/reachable.h"

static bool is_allowed(const duet_learn *s, int32_t task, size_t type)
{
    return duet_allowed(s->instance, (size_t)s->network.kind[task], type);
}

static bool share_type(const duet_learn *s, int32_t i, int32_t j)
{
    bool share = false;
    for (size_t t = 0; t < s->types && !share; t++) {
        for (size_t u = 0; u < s->types && !share; u++) {
            bool one = t == u || (s->sizes != NULL && s->sizes->base[t] == s->sizes->base[u]);
            share = one && is_allowed(s, i, t) && is_allowed(s, j, u);
        }
    }
    return share;
}

static bool is_ordered(const duet_learn *s, int32_t i, int32_t j)
{
    size_t tasks = (size_t)s->tasks;
    return s->reaches[(size_t)i * tasks + (size_t)j] || s->reaches[(size_t)j * tasks + (size_t)i];
}

// --- sizes ---------------------------------------------------------------------------------------

// Processors beyond the tasks change nothing.
static void count_processors(duet_learn *s)
{
    for (size_t t = 0; t < s->types; t++) {
        int64_t count = s->instance->processors[t];
        bool capped = s->sizes == NULL; // else each type is one of a size
        s->begin[t + 1] = s->begin[t] + (capped ? (int32_t)duet_min(count, s->tasks) : 1);
    }
    s->processors = s->begin[s->types];
}

// Types with data that take time between two of their processors.
static void find_placed(duet_learn *s)
{
    const duet_graph *graph = s->network.graph;
    for (int64_t e = 0; e < graph->edges && graph->transfer != NULL; e++) {
        for (size_t t = 0; t < s->types; t++) {
            if (duet_learn_count(s, t) > 1 && duet_graph_cost(graph, e, t, t) > 0) {
                s->placed |= UINT64_C(1) << t;
            }
        }
    }
}

// Whether times, costs and their sums stay far below 2^63.
static bool are_times_small(const duet_learn *s)
{
    const duet_graph *graph = s->network.graph;
    int64_t most = s->best.makespan;
    for (size_t i = 0; i < graph->tables * s->types * s->types; i++) {
        most = duet_max(graph->cost[i], most);
    }
    for (size_t i = 0; i < s->instance->kinds; i++) {
        for (size_t t = 0; t < s->types; t++) {
            most = duet_allowed(s->instance, i, t) ? duet_max(duet_time(s->instance, i, t), most)
                                                   : most;
        }
    }
    static const int64_t large = INT64_C(1) << 60;
    return most < large / (s->tasks + s->processors + 1);
}

// Literals of the clauses that state that one of two tasks on a processor is first.
static int64_t count_literals(const duet_learn *s)
{
    int64_t pairs = (int64_t)s->tasks * s->tasks / 2;
    int64_t literals = pairs * 2;
    for (size_t t = 0; t < s->types; t++) {
        int64_t count = duet_learn_count(s, t);
        literals += duet_learn_is_placed(s, t) ? pairs * count * 4 + s->tasks * count * count : 0;
        literals += count == 1 || s->sizes != NULL ? pairs * 4 : 0;
    }
    return literals;
}

// --- variables -----------------------------------------------------------------------------------

static size_t count_variables(const duet_learn *s)
{
    size_t tasks = (size_t)s->tasks;
    size_t variables = 1 + tasks * (2 + s->types * (s->sizes != NULL ? 2 : 1));
    for (size_t t = 0; t < s->types; t++) {
        variables += duet_learn_is_placed(s, t) ? tasks * (size_t)duet_learn_count(s, t) : 0;
    }
    variables += s->placed != 0 ? (size_t)s->network.edges : 0;
    for (int32_t i = 0; i < s->tasks; i++) {
        for (int32_t j = 0; j < i; j++) {
            variables += is_ordered(s, i, j) ? 0 : 2;
        }
    }
    return variables;
}

// A topological order in which tasks that are alike follow each other.
static void sort_tasks(duet_learn *s, const duet_reachable *before)
{
    for (int32_t j = 0; j < s->tasks; j++) {
        int32_t at = j;
        for (; at > 0; at--) {
            int32_t other = s->order[at - 1];
            if (before->at[other + 1] - before->at[other] <= before->at[j + 1] - before->at[j]) {
                break;
            }
            s->order[at] = other;
        }
        s->order[at] = j;
    }
}

static duet_code find_reachable(duet_learn *s, duet_error *error)
{
    duet_reachable before = {.at = NULL};
    duet_reachable after = {.at = NULL};
    duet_code code = duet_reachable_create(&s->network, &before, &after, error);
    for (int32_t j = 0; code == DUET_OK && j < s->tasks; j++) {
        DUET_ASSERT(after.task != NULL); // few tasks have few pairs
        for (int64_t i = after.at[j]; i < after.at[j + 1]; i++) {
            s->reaches[(size_t)j * (size_t)s->tasks + (size_t)after.task[i]] = true;
        }
    }
    if (code == DUET_OK) {
        sort_tasks(s, &before);
    }
    duet_reachable_free(&before);
    duet_reachable_free(&after);
    return code;
}

static duet_code allocate(duet_learn *s, duet_error *error)
{
    size_t tasks = (size_t)s->tasks;
    size_t processors = (size_t)s->processors;
    size_t rows = s->types + processors + 1;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(s->start, tasks),
                                       DUET_ARENA_ARRAY(s->end, tasks),
                                       DUET_ARENA_ARRAY(s->on, tasks * s->types),
                                       DUET_ARENA_ARRAY(s->wide, tasks * s->types),
                                       DUET_ARENA_ARRAY(s->at, tasks * processors),
                                       DUET_ARENA_ARRAY(s->before, tasks * tasks),
                                       DUET_ARENA_ARRAY(s->reaches, tasks * tasks),
                                       DUET_ARENA_ARRAY(s->twin, tasks),
                                       DUET_ARENA_ARRAY(s->order, tasks),
                                       DUET_ARENA_ARRAY(s->row, rows),
                                       DUET_ARENA_ARRAY(s->price, (s->types + 1) * s->types),
                                       DUET_ARENA_ARRAY(s->changed, tasks),
                                       DUET_ARENA_ARRAY(s->job, tasks),
                                       DUET_ARENA_ARRAY(s->option, tasks * s->types),
                                       DUET_ARENA_ARRAY(s->by_start, tasks),
                                       DUET_ARENA_ARRAY(s->by_end, tasks),
                                       DUET_ARENA_ARRAY(s->by_late, tasks * rows),
                                       DUET_ARENA_ARRAY(s->by_gain, tasks * rows),
                                       DUET_ARENA_ARRAY(s->key, tasks),
                                       DUET_ARENA_ARRAY(s->job_of, tasks),
                                       DUET_ARENA_ARRAY(s->live, tasks),
                                       DUET_ARENA_ARRAY(s->several, tasks),
                                       DUET_ARENA_ARRAY(s->moved, tasks),
                                       DUET_ARENA_ARRAY(s->beginning, tasks),
                                       DUET_ARENA_ARRAY(s->ending, tasks),
                                       DUET_ARENA_ARRAY(s->ramp, tasks),
                                       DUET_ARENA_ARRAY(s->active, tasks),
                                       DUET_ARENA_ARRAY(s->gain, tasks),
                                       DUET_ARENA_ARRAY(s->bend, tasks),
                                       DUET_ARENA_ARRAY(s->share, tasks),
                                       DUET_ARENA_ARRAY(s->sorted, tasks),
                                       DUET_ARENA_ARRAY(s->best.placement, tasks),
                                       DUET_ARENA_ARRAY(s->running, tasks),
                                       DUET_ARENA_ARRAY(s->as, tasks)};
    return duet_arena_create(&s->arena, arrays, sizeof arrays / sizeof *arrays, error);
}

// A statement.
static int32_t state(duet_learn *s, duet_learn_subject subject, int32_t a, int32_t b)
{
    int32_t variable = duet_learn_variable(&s->engine, 0, 1);
    s->meaning[variable] = (duet_learn_meaning){subject, a, b};
    return variable;
}

static void make_times(duet_learn *s, int32_t task)
{
    int64_t least = s->network.shortest[s->network.kind[task]];
    int64_t guess = s->best.makespan - 1;
    s->start[task] = duet_learn_variable(&s->engine, 0, guess - least);
    s->end[task] = duet_learn_variable(&s->engine, least, guess);
    s->meaning[s->start[task]] = (duet_learn_meaning){DUET_LEARN_SAYS_START, task, 0};
    s->meaning[s->end[task]] = (duet_learn_meaning){DUET_LEARN_SAYS_END, task, 0};
    s->twin[task] = -1;
}

// One statement for each type; of two types the second is where the first is not.
static void make_types(duet_learn *s, int32_t task)
{
    duet_learn_literal *on = s->on + (size_t)task * s->types;
    int64_t allowed = 0;
    size_t first = SIZE_MAX;
    for (size_t t = 0; t < s->types; t++) {
        allowed += is_allowed(s, task, t) ? 1 : 0;
    }
    for (size_t t = 0; t < s->types; t++) {
        if (!is_allowed(s, task, t)) {
            on[t] = duet_learn_not(duet_learn_yes(0));
        } else if (allowed == 1) {
            on[t] = duet_learn_yes(0);
        } else if (allowed == 2 && first != SIZE_MAX) {
            on[t] = duet_learn_not(on[first]);
        } else {
            first = t;
            on[t] = duet_learn_yes(state(s, DUET_LEARN_SAYS_ON, task, (int32_t)t));
        }
    }
}

// A statement for each size from which on several are allowed, but for the least one of all.
static void make_sizes(duet_learn *s, int32_t task)
{
    const duet_learn_literal *on = s->on + (size_t)task * s->types;
    duet_learn_literal *wide = s->wide + (size_t)task * s->types;
    for (size_t t = s->types; t-- > 0;) {
        bool last = t + 1 == s->types || s->sizes->base[t + 1] != s->sizes->base[t];
        if (last) {
            wide[t] = on[t];
        } else if (!is_allowed(s, task, t)) {
            wide[t] = wide[t + 1];
        } else if (duet_learn_fails(&s->engine, wide[t + 1])) {
            wide[t] = on[t];
        } else {
            wide[t] = duet_learn_yes(state(s, DUET_LEARN_SAYS_WIDE, task, (int32_t)t));
        }
    }
}

static void make_processors(duet_learn *s, int32_t task)
{
    int32_t *at = s->at + (size_t)task * (size_t)s->processors;
    for (size_t t = 0; t < s->types; t++) {
        for (int32_t p = s->begin[t]; p < s->begin[t + 1]; p++) {
            bool has = duet_learn_is_placed(s, t) && is_allowed(s, task, t);
            at[p] = has ? state(s, DUET_LEARN_SAYS_AT, task, p) : -1;
        }
    }
}

static void make_orders(duet_learn *s)
{
    size_t tasks = (size_t)s->tasks;
    for (int32_t i = 0; i < s->tasks; i++) {
        for (int32_t j = 0; j < s->tasks; j++) {
            bool open = i != j && !is_ordered(s, i, j) && share_type(s, i, j);
            s->before[(size_t)i * tasks + (size_t)j] =
                open ? state(s, DUET_LEARN_SAYS_ORDER, i, j) : -1;
        }
    }
}

// Each task's own sides: bounds of its start and its end, types, processors.
static void map_sides(duet_learn *s)
{
    for (int32_t k = 0; k < s->engine.most_sides; k++) {
        s->task_of[k] = -1;
    }
    for (int32_t j = 0; j < s->tasks; j++) {
        s->task_of[2 * (size_t)s->start[j]] = j;
        s->task_of[2 * (size_t)s->end[j] + 1] = j;
        for (size_t t = 0; t < s->types; t++) {
            int32_t side = duet_learn_on(s, j, t).side;
            s->task_of[side] = side > 1 ? j : -1;
            s->task_of[side ^ 1] = side > 1 ? j : -1;
        }
        for (int32_t p = 0; p < s->processors; p++) {
            if (duet_learn_at(s, j, p) >= 0) {
                s->task_of[2 * (size_t)duet_learn_at(s, j, p)] = j;
                s->task_of[2 * (size_t)duet_learn_at(s, j, p) + 1] = j;
            }
        }
    }
}

duet_code duet_learn_make_variables(duet_learn *s, bool *fits, duet_error *error)
{
    count_processors(s);
    find_placed(s);
    *fits = are_times_small(s) && count_literals(s) <= DUET_LEARN_LITERALS;
    if (!*fits) {
        return DUET_OK;
    }
    duet_code code = allocate(s, error);
    DUET_THEN(code, find_reachable(s, error));
    DUET_THEN(code, duet_learn_engine_create(&s->engine, count_variables(s), error));
    size_t variables = (size_t)s->engine.most_sides / 2;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(s->meaning, variables),
                                       DUET_ARENA_ARRAY(s->task_of, 2 * variables),
                                       DUET_ARENA_ARRAY(s->value, variables)};
    DUET_THEN(code,
              duet_arena_create(&s->by_variable, arrays, sizeof arrays / sizeof *arrays, error));
    if (code != DUET_OK) {
        return code;
    }
    duet_learn_variable(&s->engine, 1, 1); // what is always true
    for (int32_t j = 0; j < s->tasks; j++) {
        make_times(s, j);
        make_types(s, j);
        make_processors(s, j);
        if (s->sizes != NULL) {
            make_sizes(s, j);
        }
    }
    make_orders(s);
    map_sides(s);
    return DUET_OK;
}
