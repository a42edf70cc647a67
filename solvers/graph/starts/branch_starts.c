// SPDX-License-Identifier: Apache-2.0
// The children of a node, and the search; see branch_starts.h.
#include "solvers/graph/starts/branch_starts.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "solvers/graph/starts/state.h"

// --- children ------------------------------------------------------------------------------------

// A task that may come next.
typedef struct child {
    int64_t start;
    int64_t end;
    int32_t task;
    int32_t host;
    uint8_t type;
} child;

static int64_t data_at(const duet_start_search *s, int32_t task, size_t type, int32_t processor)
{
    const duet_graph_search_model *model = s->model;
    int64_t ready = 0;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int32_t before = model->before[at];
        int64_t there = s->end[before];
        if (model->before_table != NULL && s->host[before] != processor) {
            there +=
                duet_graph_search_model_cost(model, model->before_table[at], s->type[before], type);
        }
        ready = duet_max(ready, there);
    }
    return ready;
}

// If no data take time: the processor of a type that is free last by `ready`, else the one that is
// free first. No other one leads to less.
static int32_t best_fit(const duet_start_search *s, size_t type, int64_t ready)
{
    int32_t best = s->model->begin[type];
    for (int32_t p = best + 1; p < s->model->begin[type + 1]; p++) {
        int64_t own = s->free_at[p];
        int64_t other = s->free_at[best];
        bool better = other > ready ? own < other : own > other && own <= ready;
        best = better ? p : best;
    }
    return best;
}

// Whether a processor of the type with a lower number has run nothing either.
static bool is_fresh_twin(const duet_start_search *s, size_t type, int32_t processor)
{
    for (int32_t p = s->model->begin[type]; p < processor && !s->used[processor]; p++) {
        if (!s->used[p]) {
            return true;
        }
    }
    return false;
}

// The children of a node.
typedef struct children {
    child *list;
    size_t count;
    int64_t earliest; // The earliest end of any.
} children;

static void add_child(const duet_start_search *s, children *c, const child *added)
{
    c->earliest = duet_min(added->end, c->earliest);
    if (added->end + s->tail[added->task] < s->upper) {
        c->list[c->count++] = *added;
    }
}

// Tasks may start later than they could, as the order of starts asks: a node that is left because
// of another one relies on that.
static void add_on_type(const duet_start_search *s, int32_t task, size_t type, int64_t last,
                        children *c)
{
    int64_t ready = duet_max(data_at(s, task, type, -1), duet_max(last, s->from[task]));
    int32_t p = best_fit(s, type, ready);
    int64_t start = duet_max(s->free_at[p], ready);
    int64_t end = start + duet_graph_search_model_time(s->model, task, type);
    add_child(s, c, &(child){start, end, task, p, (uint8_t)type});
}

// If data take time each processor is another case.
static void add_on_processors(const duet_start_search *s, int32_t task, size_t type, int64_t last,
                              children *c)
{
    for (int32_t p = s->model->begin[type]; p < s->model->begin[type + 1]; p++) {
        if (!is_fresh_twin(s, type, p)) {
            int64_t ready = duet_max(data_at(s, task, type, p), duet_max(last, s->from[task]));
            int64_t start = duet_max(s->free_at[p], ready);
            int64_t end = start + duet_graph_search_model_time(s->model, task, type);
            add_child(s, c, &(child){start, end, task, p, (uint8_t)type});
        }
    }
}

static bool may_start(const duet_start_search *s, int32_t task)
{
    return (s->started & duet_task_bit(task)) == 0 && (s->before[task] & ~s->started) == 0 &&
           (s->twin[task] < 0 || (s->started & duet_task_bit(s->twin[task])) != 0);
}

static void list_children(const duet_start_search *s, int64_t last, children *c)
{
    c->count = 0;
    c->earliest = INT64_MAX;
    for (int32_t j = 0; j < s->model->tasks; j++) {
        for (size_t t = 0; t < s->model->types && may_start(s, j); t++) {
            if ((s->types[j] >> t & 1U) == 0) {
                continue;
            }
            if (!s->costly) {
                add_on_type(s, j, t, last, c);
            } else {
                add_on_processors(s, j, t, last, c);
            }
        }
    }
}

// Early starts first, then those that end early with what is behind them.
static void sort_children(const duet_start_search *s, children *c)
{
    for (size_t i = 1; i < c->count; i++) {
        child moved = c->list[i];
        int64_t through = moved.end + s->tail[moved.task];
        size_t at = i;
        for (; at > 0; at--) {
            const child *other = &c->list[at - 1];
            int64_t others = other->end + s->tail[other->task];
            if (other->start < moved.start || (other->start == moved.start && others >= through)) {
                break;
            }
            c->list[at] = *other;
        }
        c->list[at] = moved;
    }
}

// --- the search ----------------------------------------------------------------------------------

static void keep_schedule(duet_start_search *s)
{
    const duet_graph_search_model *model = s->model;
    s->upper = 0;
    for (int32_t j = 0; j < model->tasks; j++) {
        size_t t = s->type[j];
        s->best[j] = (duet_placement){s->end[j] - duet_graph_search_model_time(model, j, t),
                                      s->host[j] - model->begin[t], (int32_t)t};
        s->upper = duet_max(s->upper, s->end[j]);
    }
}

static bool is_over(duet_start_search *s)
{
    if (--s->nodes < 0 || (s->nodes % DUET_STARTS_GLANCE == 0 && duet_context_stop(s->context))) {
        s->stopped = true;
    }
    return s->stopped || s->code != DUET_OK || s->upper <= s->lower;
}

static void descend(duet_start_search *s, int32_t left, int64_t last, child *room);

static void enter(duet_start_search *s, const child *next, int32_t left, child *room)
{
    int64_t free_at = s->free_at[next->host];
    bool used = s->used[next->host];
    s->started |= duet_task_bit(next->task);
    s->end[next->task] = next->end;
    s->host[next->task] = next->host;
    s->type[next->task] = next->type;
    s->free_at[next->host] = next->end;
    s->used[next->host] = true;
    descend(s, left - 1, next->start, room);
    s->started &= ~duet_task_bit(next->task);
    s->free_at[next->host] = free_at;
    s->used[next->host] = used;
}

// `room` is for the children of this node and those below.
static void descend(duet_start_search *s, int32_t left, int64_t last, child *room)
{
    if (left == 0) {
        keep_schedule(s);
        return;
    }
    if (is_over(s) || duet_start_search_leads_nowhere(s, last)) {
        return;
    }
    children c = {.list = room};
    list_children(s, last, &c);
    sort_children(s, &c);
    for (size_t i = 0; i < c.count && !s->stopped && s->code == DUET_OK; i++) {
        const child *next = &c.list[i];
        // The best schedule may have become shorter. Another task could run before this one starts.
        if (next->end + s->tail[next->task] >= s->upper ||
            (!s->costly && next->start > c.earliest)) {
            continue;
        }
        enter(s, next, left, room + c.count);
    }
}

static duet_code run(duet_start_search *s, duet_error *error)
{
    const duet_graph_search_model *model = s->model;
    size_t processors = (size_t)model->begin[model->types];
    size_t tasks = (size_t)model->tasks;
    child *room = NULL;
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(s->free_at, processors), DUET_ARENA_ARRAY(s->used, processors),
        DUET_ARENA_ARRAY(s->holder, processors),
        DUET_ARENA_ARRAY(room, tasks * tasks * (processors + model->types))};
    duet_code code = duet_arena_create(&s->arena, arrays, sizeof arrays / sizeof *arrays, error);
    s->costly = duet_graph_search_model_has_costs(model);
    DUET_THEN(code,
              duet_seen_states_create(duet_start_search_longest(processors), &s->seen, error));
    bool none = s->upper <= s->lower;
    if (code == DUET_OK && !none) {
        code = duet_start_search_describe(s, &none, error);
    }
    if (code == DUET_OK && !none) {
        descend(s, model->tasks, 0, room);
    }
    duet_seen_states_free(s->seen);
    duet_arena_free(&s->arena);
    return code;
}

duet_code duet_branch_starts(const duet_instance *instance, const duet_context *context,
                             int64_t lower, int64_t nodes, duet_solution *solution, int64_t *spent,
                             bool *proven, duet_error *error)
{
    DUET_ASSERT(duet_tasks(instance) <= DUET_BRANCH_STARTS_TASKS);
    duet_graph_search_model model;
    duet_start_search s = {.instance = instance,
                           .context = context,
                           .model = &model,
                           .lower = lower,
                           .nodes = nodes,
                           .upper = duet_solution_measure(solution, instance)};
    duet_placement best[DUET_BRANCH_STARTS_TASKS];
    int64_t before = s.upper;
    s.best = best;
    *proven = false;
    *spent = 0;
    duet_code code = duet_graph_search_model_create(instance, context, &model, error);
    if (code == DUET_OK) {
        code = run(&s, error);
        duet_graph_search_model_free(&model);
    }
    if (code == DUET_OK && s.upper < before) {
        code = duet_solution_hold_placements(solution, error);
    }
    if (code == DUET_OK && s.upper < before) {
        memcpy(solution->placement, best, (size_t)solution->tasks * sizeof *best);
        solution->aborted_count = 0;
        solution->makespan = s.upper;
    }
    *spent = nodes - duet_max(s.nodes, 0);
    *proven = code == DUET_OK && !s.stopped;
    return code;
}
