// SPDX-License-Identifier: Apache-2.0
#include "solvers/graph/branch_starts.h"

#include <string.h>

#include "core/assert.h"
#include "core/fraction.h"
#include "core/memory.h"
#include "heuristics/graph_search/model.h"
#include "solvers/graph/seen_states.h"

enum { MOST_TASKS = DUET_BRANCH_STARTS_TASKS, THRESHOLDS = 6, GLANCE = 1024 };

typedef struct search {
    // Inputs.
    const duet_context *context;
    const duet_graph_model *model;
    int64_t lower;
    int64_t nodes; // left
    duet_placement *best;
    int64_t upper; // its makespan

    // The graph.
    int32_t order[MOST_TASKS]; // topological
    int64_t shortest[MOST_TASKS];
    int32_t twin[MOST_TASKS];    // a task that is alike and starts no later; -1: none
    uint64_t before[MOST_TASKS]; // sets of tasks
    uint64_t behind[MOST_TASKS];
    int64_t weight[DUET_MAX_TYPES]; // of work, in integers
    int64_t weighted[MOST_TASKS];   // the least weighted time of a task
    int64_t threshold[THRESHOLDS];  // of the time behind a task
    size_t thresholds;

    // The node.
    uint64_t started;
    int64_t end[MOST_TASKS];
    int32_t host[MOST_TASKS];
    uint8_t type[MOST_TASKS];
    int64_t *free_at; // processors
    bool *used;       // which of them have run a task

    duet_seen_states *seen; // NULL where data take time
    bool stopped;
    duet_code code;
} search;

// --- the graph -----------------------------------------------------------------------------------

static uint64_t bit(int32_t task)
{
    return UINT64_C(1) << task;
}

static bool are_alike(const search *s, int32_t a, int32_t b)
{
    const duet_graph_model *model = s->model;
    if (s->before[a] != s->before[b] || s->behind[a] != s->behind[b]) {
        return false;
    }
    for (size_t t = 0; t < model->types; t++) {
        if (duet_graph_model_time(model, a, t) != duet_graph_model_time(model, b, t)) {
            return false;
        }
    }
    // With costs their edges would have to be alike, too.
    return !duet_graph_model_has_costs(model) || (s->before[a] | s->behind[a]) == 0;
}

static void find_twins(search *s)
{
    for (int32_t j = 0; j < s->model->tasks; j++) {
        s->twin[j] = -1;
        for (int32_t i = 0; i < j; i++) {
            s->twin[j] = are_alike(s, i, j) ? i : s->twin[j];
        }
    }
}

static void describe_tasks(search *s)
{
    const duet_graph_model *model = s->model;
    for (int32_t j = 0; j < model->tasks; j++) {
        s->shortest[j] = INT64_MAX;
        s->weighted[j] = INT64_MAX;
        for (size_t t = 0; t < model->types; t++) {
            if (duet_graph_model_allows(model, j, t)) {
                int64_t time = duet_graph_model_time(model, j, t);
                duet_int128 product = (duet_int128)time * s->weight[t];
                DUET_ASSERT(product < INT64_MAX);
                s->shortest[j] = time < s->shortest[j] ? time : s->shortest[j];
                s->weighted[j] =
                    (int64_t)product < s->weighted[j] ? (int64_t)product : s->weighted[j];
            }
        }
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            s->before[j] |= bit(model->before[at]);
            s->behind[model->before[at]] |= bit(j);
        }
    }
}

// Weights of the types: any are valid, those of the area are the best. They leave room for the sums
// of weighted work.
static void weigh_types(search *s)
{
    enum { finest = 1000 };
    const duet_graph_model *model = s->model;
    double most = 0;
    for (size_t t = 0; t < model->types; t++) {
        most = model->weight[t] > most ? model->weight[t] : most;
    }
    duet_int128 longest = 1;
    for (int32_t j = 0; j < model->tasks; j++) {
        for (size_t t = 0; t < model->types; t++) {
            if (duet_graph_model_allows(model, j, t)) {
                longest += duet_graph_model_time(model, j, t);
            }
        }
    }
    duet_int128 room = INT64_MAX / longest;
    double scale = room < finest ? (double)room : finest;
    for (size_t t = 0; t < model->types; t++) {
        s->weight[t] = (int64_t)(scale * model->weight[t] / most);
    }
}

// Times behind tasks, spread evenly over those that there are.
static void choose_thresholds(search *s)
{
    const duet_graph_model *model = s->model;
    int64_t sorted[MOST_TASKS];
    for (int32_t j = 0; j < model->tasks; j++) {
        int32_t at = j;
        for (; at > 0 && sorted[at - 1] > model->tail[j]; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = model->tail[j];
    }
    for (size_t i = 0; i < THRESHOLDS && model->tasks > 0; i++) {
        int64_t value = sorted[i * (size_t)model->tasks / THRESHOLDS];
        if (s->thresholds == 0 || value > s->threshold[s->thresholds - 1]) {
            s->threshold[s->thresholds++] = value;
        }
    }
}

static void sort_topologically(search *s)
{
    uint64_t sorted = 0;
    for (int32_t count = 0; count < s->model->tasks;) {
        for (int32_t j = 0; j < s->model->tasks; j++) {
            if ((sorted & bit(j)) == 0 && (s->before[j] & ~sorted) == 0) {
                s->order[count++] = j;
                sorted |= bit(j);
            }
        }
    }
}

// --- nodes that lead to nothing better -----------------------------------------------------------

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// Whether some way through what has not started is too long.
static bool path_exceeds(const search *s, int64_t last)
{
    const duet_graph_model *model = s->model;
    int64_t end[MOST_TASKS];
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t j = s->order[i];
        if ((s->started & bit(j)) != 0) {
            end[j] = s->end[j];
            continue;
        }
        int64_t ready = last;
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            ready = later(ready, end[model->before[at]]);
        }
        end[j] = ready + s->shortest[j];
        if (end[j] + model->tail[j] >= s->upper) {
            return true;
        }
    }
    return false;
}

// Whether the work that has not started, and has at least so much behind it, does not fit.
static bool area_exceeds(const search *s, int64_t last, int64_t behind)
{
    const duet_graph_model *model = s->model;
    duet_int128 work = 0;
    for (int32_t j = 0; j < model->tasks; j++) {
        bool counts = (s->started & bit(j)) == 0 && model->tail[j] >= behind;
        work += counts ? s->weighted[j] : 0;
    }
    duet_int128 room = 0;
    int64_t limit = s->upper - 1 - behind;
    for (size_t t = 0; t < model->types; t++) {
        for (int32_t p = model->begin[t]; p < model->begin[t + 1]; p++) {
            int64_t from = later(s->free_at[p], last);
            room += from < limit ? (duet_int128)(limit - from) * s->weight[t] : 0;
        }
    }
    return work > room;
}

// What is free and there, no earlier than the next start, in an order that does not depend on how
// it came about: by type, sorted, and then the data that are still needed.
static bool was_seen(search *s, int64_t last)
{
    const duet_graph_model *model = s->model;
    int64_t *state = duet_seen_states_next(s->seen);
    size_t count = 0;
    for (size_t t = 0; t < model->types; t++) {
        size_t begin = count;
        for (int32_t p = model->begin[t]; p < model->begin[t + 1]; p++) {
            int64_t from = later(s->free_at[p], last);
            size_t at = count++;
            for (; at > begin && state[at - 1] > from; at--) {
                state[at] = state[at - 1];
            }
            state[at] = from;
        }
    }
    for (int32_t j = 0; j < model->tasks; j++) {
        if ((s->started & bit(j)) != 0 && (s->behind[j] & ~s->started) != 0) {
            state[count++] = later(s->end[j], last);
        }
    }
    return duet_seen_states_visit(s->seen, s->started, count);
}

static bool leads_nowhere(search *s, int64_t last)
{
    if (path_exceeds(s, last)) {
        return true;
    }
    for (size_t i = 0; i < s->thresholds; i++) {
        if (area_exceeds(s, last, s->threshold[i])) {
            return true;
        }
    }
    return s->seen != NULL && was_seen(s, last);
}

// --- children ------------------------------------------------------------------------------------

// A task that may come next.
typedef struct child {
    int64_t start;
    int64_t end;
    int32_t task;
    int32_t host;
    uint8_t type;
} child;

static int64_t data_at(const search *s, int32_t task, size_t type, int32_t processor)
{
    const duet_graph_model *model = s->model;
    int64_t ready = 0;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int32_t before = model->before[at];
        int64_t there = s->end[before];
        if (model->before_table != NULL && s->host[before] != processor) {
            there += duet_graph_model_cost(model, model->before_table[at], s->type[before], type);
        }
        ready = later(ready, there);
    }
    return ready;
}

// Where no data take time: the processor of a type that is free last by `ready`, else the one that
// is free first. No other one leads to less.
static int32_t best_fit(const search *s, size_t type, int64_t ready)
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
static bool is_fresh_twin(const search *s, size_t type, int32_t processor)
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
    int64_t earliest; // end of any
} children;

static void add_child(const search *s, children *c, const child *added)
{
    c->earliest = added->end < c->earliest ? added->end : c->earliest;
    if (added->end + s->model->tail[added->task] < s->upper) {
        c->list[c->count++] = *added;
    }
}

// Where no data take time tasks may start later than they could, as the order of starts asks: a
// node that is left because of another one relies on that.
static void add_on_type(const search *s, int32_t task, size_t type, int64_t last, children *c)
{
    int64_t ready = later(data_at(s, task, type, -1), last);
    int32_t p = best_fit(s, type, ready);
    int64_t start = later(s->free_at[p], ready);
    int64_t end = start + duet_graph_model_time(s->model, task, type);
    add_child(s, c, &(child){start, end, task, p, (uint8_t)type});
}

// Where they do, each processor is another case, and what could have started earlier has its place
// earlier in another sequence.
static void add_on_processors(const search *s, int32_t task, size_t type, int64_t last, children *c)
{
    for (int32_t p = s->model->begin[type]; p < s->model->begin[type + 1]; p++) {
        int64_t start = later(s->free_at[p], data_at(s, task, type, p));
        if (start >= last && !is_fresh_twin(s, type, p)) {
            int64_t end = start + duet_graph_model_time(s->model, task, type);
            add_child(s, c, &(child){start, end, task, p, (uint8_t)type});
        }
    }
}

static bool may_start(const search *s, int32_t task)
{
    return (s->started & bit(task)) == 0 && (s->before[task] & ~s->started) == 0 &&
           (s->twin[task] < 0 || (s->started & bit(s->twin[task])) != 0);
}

static void list_children(const search *s, int64_t last, children *c)
{
    c->count = 0;
    c->earliest = INT64_MAX;
    for (int32_t j = 0; j < s->model->tasks; j++) {
        for (size_t t = 0; t < s->model->types && may_start(s, j); t++) {
            if (!duet_graph_model_allows(s->model, j, t)) {
                continue;
            }
            if (s->seen != NULL) {
                add_on_type(s, j, t, last, c);
            } else {
                add_on_processors(s, j, t, last, c);
            }
        }
    }
}

// Early starts first, then those that end early with what is behind them.
static void sort_children(const search *s, children *c)
{
    for (size_t i = 1; i < c->count; i++) {
        child moved = c->list[i];
        int64_t through = moved.end + s->model->tail[moved.task];
        size_t at = i;
        for (; at > 0; at--) {
            const child *other = &c->list[at - 1];
            int64_t others = other->end + s->model->tail[other->task];
            if (other->start < moved.start || (other->start == moved.start && others >= through)) {
                break;
            }
            c->list[at] = *other;
        }
        c->list[at] = moved;
    }
}

// --- the search ----------------------------------------------------------------------------------

static void keep_schedule(search *s)
{
    const duet_graph_model *model = s->model;
    s->upper = 0;
    for (int32_t j = 0; j < model->tasks; j++) {
        size_t t = s->type[j];
        s->best[j] = (duet_placement){s->end[j] - duet_graph_model_time(model, j, t),
                                      s->host[j] - model->begin[t], (int32_t)t};
        s->upper = later(s->upper, s->end[j]);
    }
}

static bool is_over(search *s)
{
    if (--s->nodes < 0 || (s->nodes % GLANCE == 0 && duet_context_stop(s->context))) {
        s->stopped = true;
    }
    return s->stopped || s->code != DUET_OK || s->upper <= s->lower;
}

static void descend(search *s, int32_t left, int64_t last, child *room);

static void enter(search *s, const child *next, int32_t left, child *room)
{
    int64_t free_at = s->free_at[next->host];
    bool used = s->used[next->host];
    s->started |= bit(next->task);
    s->end[next->task] = next->end;
    s->host[next->task] = next->host;
    s->type[next->task] = next->type;
    s->free_at[next->host] = next->end;
    s->used[next->host] = true;
    descend(s, left - 1, next->start, room);
    s->started &= ~bit(next->task);
    s->free_at[next->host] = free_at;
    s->used[next->host] = used;
}

// `room` is for the children of this node and those below.
static void descend(search *s, int32_t left, int64_t last, child *room)
{
    if (left == 0) {
        keep_schedule(s);
        return;
    }
    if (is_over(s) || leads_nowhere(s, last)) {
        return;
    }
    children c = {.list = room};
    list_children(s, last, &c);
    sort_children(s, &c);
    for (size_t i = 0; i < c.count && !s->stopped && s->code == DUET_OK; i++) {
        const child *next = &c.list[i];
        // The best schedule may have become shorter. Another task could run before this one starts.
        if (next->end + s->model->tail[next->task] >= s->upper ||
            (s->seen != NULL && next->start > c.earliest)) {
            continue;
        }
        enter(s, next, left, room + c.count);
    }
}

static duet_code run(search *s, duet_error *error)
{
    const duet_graph_model *model = s->model;
    size_t processors = (size_t)model->begin[model->types];
    size_t tasks = (size_t)model->tasks;
    s->free_at = duet_alloc(processors, sizeof *s->free_at, error);
    s->used = duet_alloc(processors, sizeof *s->used, error);
    child *room = duet_alloc_raw(tasks * tasks * (processors + model->types), sizeof *room, error);
    duet_code code =
        s->free_at == NULL || s->used == NULL || room == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK && !duet_graph_model_has_costs(model)) {
        code = duet_seen_states_create(processors + tasks, &s->seen, error);
    }
    if (code == DUET_OK) {
        weigh_types(s);
        describe_tasks(s);
        find_twins(s);
        sort_topologically(s);
        choose_thresholds(s);
        descend(s, model->tasks, 0, room);
    }
    duet_seen_states_free(s->seen);
    duet_free(s->free_at);
    duet_free(s->used);
    duet_free(room);
    return code;
}

duet_code duet_branch_starts(const duet_instance *instance, const duet_context *context,
                             int64_t lower, int64_t nodes, duet_solution *solution, int64_t *spent,
                             bool *proven, duet_error *error)
{
    DUET_ASSERT(duet_tasks(instance) <= MOST_TASKS);
    duet_graph_model model;
    search s = {.context = context,
                .model = &model,
                .lower = lower,
                .nodes = nodes,
                .upper = duet_solution_measure(solution, instance)};
    duet_placement best[MOST_TASKS];
    int64_t before = s.upper;
    s.best = best;
    *proven = false;
    *spent = 0;
    duet_code code = duet_graph_model_create(instance, context, &model, error);
    if (code == DUET_OK) {
        code = run(&s, error);
        duet_graph_model_free(&model);
    }
    if (code == DUET_OK && s.upper < before) {
        code = duet_solution_hold_placements(solution, error);
    }
    if (code == DUET_OK && s.upper < before) {
        memcpy(solution->placement, best, (size_t)solution->tasks * sizeof *best);
        solution->aborted_count = 0;
        solution->makespan = s.upper;
    }
    *spent = nodes - (s.nodes < 0 ? 0 : s.nodes);
    *proven = code == DUET_OK && !s.stopped;
    return code;
}
