// SPDX-License-Identifier: Apache-2.0
// The path, the points on it, and which tasks have a variable.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/chains/chains_state.h"
#include "lp/graph/chains/tuning.h"
#include "lp/graph/head_tail.h"

int64_t duet_chains_time(const duet_chains *c, int64_t task, size_t type)
{
    size_t kind = (size_t)c->network.kind[task];
    return duet_allowed(c->instance, kind, type) ? duet_time(c->instance, kind, type) : -1;
}

int64_t duet_chains_other(const duet_chains *c, int64_t task, const int64_t *weight)
{
    int64_t least = -1;
    for (size_t t = 0; t < c->instance->types; t++) {
        int64_t time = duet_chains_time(c, task, t);
        if (t != c->type && time >= 0 && (least < 0 || weight[t] * time < least)) {
            least = weight[t] * time;
        }
    }
    return least;
}

// The type on which all tasks together take longest: few of them will go there.
static void choose_type(duet_chains *c)
{
    duet_int128 most = -1;
    for (size_t t = 0; t < c->instance->types; t++) {
        duet_int128 work = 0;
        for (int64_t j = 0; j < c->tasks; j++) {
            work += duet_max(duet_chains_time(c, j, t), INT64_C(0));
        }
        if (c->instance->processors[t] > 0 && work > most) {
            most = work;
            c->type = t;
        }
    }
}

// --- the path ------------------------------------------------------------------------------------

// The longest path, every task taking its shortest time, into `spine`.
static duet_code find_path(duet_chains *c, duet_error *error)
{
    const duet_graph *graph = c->network.graph;
    int64_t *tail = duet_alloc((size_t)c->tasks, sizeof *tail, error);
    DUET_NEED(tail);
    duet_network_tails(&c->network, tail);
    int64_t next = -1;
    int64_t most = -1;
    for (int64_t j = 0; j < c->tasks; j++) {
        int64_t whole = tail[j] + c->network.shortest[c->network.kind[j]];
        if (whole > most) {
            most = whole;
            next = j;
        }
    }
    while (next >= 0) {
        int64_t j = next;
        c->spine[c->spines++] = (int32_t)j;
        next = -1;
        most = -1;
        for (int64_t e = graph->leave_at[j]; e < graph->leave_at[j + 1]; e++) {
            int32_t k = graph->head[graph->leaving[e]];
            int64_t whole = tail[k] + c->network.shortest[c->network.kind[k]];
            if (whole > most) {
                most = whole;
                next = k;
            }
        }
    }
    duet_free(tail);
    return DUET_OK;
}

// The kind of which the path has most tasks.
static int32_t main_kind(const duet_chains *c)
{
    int32_t best = c->network.kind[c->spine[0]];
    int32_t most = 0;
    for (int32_t i = 0; i < c->spines; i++) {
        int32_t kind = c->network.kind[c->spine[i]];
        int32_t count = 0;
        for (int32_t k = 0; k < c->spines; k++) {
            count += c->network.kind[c->spine[k]] == kind ? 1 : 0;
        }
        if (count > most) {
            most = count;
            best = kind;
        }
    }
    return best;
}

// Of a path that is too long the tasks of one kind; and of too many of these some that are evenly
// apart.
static void thin_path(duet_chains *c)
{
    if (c->spines <= DUET_CHAINS_SPINE) {
        return;
    }
    int32_t kind = main_kind(c);
    int32_t kept = 0;
    for (int32_t k = 0; k < c->spines; k++) {
        if (c->network.kind[c->spine[k]] == kind) {
            c->spine[kept++] = c->spine[k];
        }
    }
    c->spines = duet_max(kept, 1);
    for (int32_t k = 0; k < DUET_CHAINS_SPINE && c->spines > DUET_CHAINS_SPINE; k++) {
        c->spine[k] = c->spine[(int64_t)k * (c->spines - 1) / (DUET_CHAINS_SPINE - 1)];
    }
    c->spines = duet_min(c->spines, (int32_t)DUET_CHAINS_SPINE);
}

// Point 0 is the beginning; then come the start and the end of each task of the path; then the end.
static void find_points(duet_chains *c)
{
    const duet_graph *graph = c->network.graph;
    c->end = 2 * c->spines + 1;
    for (int64_t j = 0; j < c->tasks; j++) {
        c->from[j] = 0;
        c->to[j] = c->end;
    }
    for (int32_t k = 0; k < c->spines; k++) {
        c->from[c->spine[k]] = 2 * k + 1;
        c->to[c->spine[k]] = 2 * k + 2;
    }
    for (int64_t i = 0; i < c->tasks; i++) {
        int32_t j = c->network.order[i];
        for (int64_t e = graph->leave_at[j]; e < graph->leave_at[j + 1]; e++) {
            int32_t next = graph->head[graph->leaving[e]];
            c->from[next] = duet_max(c->from[next], c->from[j] + c->from[j] % 2);
        }
    }
    for (int64_t i = c->tasks; i-- > 0;) {
        int32_t j = c->network.order[i];
        for (int64_t e = graph->enter_at[j]; e < graph->enter_at[j + 1]; e++) {
            int32_t before = graph->tail[graph->entering[e]];
            int32_t until = c->to[j] - (c->to[j] % 2 == 0 ? 1 : 0);
            c->to[before] = duet_min(c->to[before], until);
        }
    }
}

// --- variables -----------------------------------------------------------------------------------

// How much time a kind's tasks save elsewhere by a tick on the type; below 0: it is no choice.
static double saving(const duet_chains *c, size_t kind)
{
    static const int64_t one[DUET_MAX_TYPES] = {[0 ... DUET_MAX_TYPES - 1] = 1};
    int64_t task = c->instance->first[kind];
    int64_t time = duet_chains_time(c, task, c->type);
    int64_t other = duet_chains_other(c, task, one);
    return time < 0 || other < 0 ? -1 : (double)other / (double)duet_max(time, INT64_C(1));
}

typedef struct ranked_kind {
    double saving;
    int32_t kind;
} ranked_kind;

static int compare_kinds(const void *left, const void *right)
{
    const ranked_kind *a = left;
    const ranked_kind *b = right;
    if (a->saving != b->saving) {
        return a->saving < b->saving ? 1 : -1;
    }
    return (a->kind > b->kind) - (a->kind < b->kind);
}

// Prices at which the best of what has no variable is worth as much on the type as elsewhere.
static void add_weights(duet_chains *c, int64_t here, int64_t elsewhere)
{
    int64_t *weight = c->weight[c->weights];
    duet_int128 capacity = 0;
    for (size_t t = 0; t < c->instance->types; t++) {
        weight[t] = t == c->type ? here : elsewhere;
        capacity += (duet_int128)weight[t] * c->instance->processors[t];
    }
    if (capacity > 0 && capacity < (INT64_C(1) << 40)) {
        c->capacity[c->weights++] = (int64_t)capacity;
    }
}

// Kinds whose tasks save most on the type have variables, until the type has no time for more. The
// kind that comes next says what the rest is worth.
static void choose_tasks(duet_chains *c, const ranked_kind *rank, size_t kinds, int64_t guess)
{
    enum { PRECISE = 1 << 20 };
    duet_int128 room = (duet_int128)guess * c->instance->processors[c->type];
    size_t i = 0;
    for (; i < kinds && rank[i].saving >= 0 && room > 0; i++) {
        size_t kind = (size_t)rank[i].kind;
        int64_t count = duet_count(c->instance, kind);
        if (c->models + (size_t)count > DUET_CHAINS_MODELLED) {
            break;
        }
        for (int64_t k = 0; k < count; k++) {
            int64_t task = c->instance->first[kind] + k;
            c->model[task] = (int32_t)c->models;
            c->modelled[c->models++] = (int32_t)task;
        }
        room -= (duet_int128)count * duet_time(c->instance, kind, c->type);
    }
    add_weights(c, 1, 0);
    add_weights(c, 0, 1);
    if (i < kinds && rank[i].saving > 0) {
        double share = rank[i].saving;
        double here = share <= 1 ? share * PRECISE : PRECISE;
        double elsewhere = share <= 1 ? PRECISE : PRECISE / share;
        add_weights(c, (int64_t)here + 1, (int64_t)elsewhere + 1);
    }
}

static duet_code make_variables(duet_chains *c, duet_error *error)
{
    size_t kinds = c->instance->kinds;
    ranked_kind *rank = duet_alloc(kinds, sizeof *rank, error);
    DUET_NEED(rank);
    for (int64_t j = 0; j < c->tasks; j++) {
        c->model[j] = -1;
    }
    for (size_t k = 0; k < kinds; k++) {
        rank[k] = (ranked_kind){saving(c, k), (int32_t)k};
    }
    qsort(rank, kinds, sizeof *rank, compare_kinds);
    choose_tasks(c, rank, kinds, (int64_t)c->unit);
    duet_free(rank);
    return DUET_OK;
}

// --- sets ----------------------------------------------------------------------------------------

typedef struct reach {
    uint64_t *bits; // of each variable's task: those that it precedes
    size_t words;
    int32_t *after; // of each: how many these are
    int32_t *next;  // of each: the next task in its set; -1: none
    int32_t *waiting;
    bool *seen;
} reach;

// The tasks with variables that one of them precedes.
static void look_behind(const duet_chains *c, reach *r, size_t model)
{
    const duet_graph *graph = c->network.graph;
    int64_t waiting = 0;
    memset(r->seen, 0, (size_t)c->tasks * sizeof *r->seen);
    r->waiting[waiting++] = c->modelled[model];
    while (waiting > 0) {
        int32_t j = r->waiting[--waiting];
        for (int64_t e = graph->leave_at[j]; e < graph->leave_at[j + 1]; e++) {
            int32_t next = graph->head[graph->leaving[e]];
            if (r->seen[next]) {
                continue;
            }
            r->seen[next] = true;
            r->waiting[waiting++] = next;
            if (c->model[next] >= 0) {
                size_t other = (size_t)c->model[next];
                r->bits[model * r->words + other / 64] |= UINT64_C(1) << other % 64;
                r->after[model]++;
            }
        }
    }
}

static bool on_path(const duet_chains *c, int32_t task)
{
    return c->from[task] % 2 == 1;
}

// Each task behind the one that precedes it and fewest others: the one most like it.
static void link_tasks(const duet_chains *c, reach *r, bool *is_first)
{
    for (int64_t i = 0; i < c->tasks; i++) {
        int32_t task = c->network.order[i];
        int32_t v = c->model[task];
        int32_t best = -1;
        if (v < 0 || on_path(c, task)) {
            continue;
        }
        for (size_t u = 0; u < c->models; u++) {
            bool precedes = (r->bits[u * r->words + (size_t)v / 64] >> v % 64 & 1U) != 0;
            if (precedes && r->next[u] < 0 && !on_path(c, c->modelled[u]) &&
                (best < 0 || r->after[u] < r->after[best])) {
                best = (int32_t)u;
            }
        }
        is_first[v] = best < 0;
        if (best >= 0) {
            r->next[best] = v;
        }
    }
}

static duet_code add_sets(duet_chains *c, const reach *r, const bool *is_first, duet_error *error)
{
    for (size_t u = 0; u < c->models; u++) {
        if (!is_first[u] || r->next[u] < 0) {
            continue;
        }
        duet_chains_set set = {.first = c->listeds};
        for (int32_t v = (int32_t)u; v >= 0; v = r->next[v]) {
            DUET_TRY(duet_vec_push(c->listed, c->listeds, error, c->modelled[v]));
            set.count++;
        }
        DUET_TRY(duet_vec_push(c->set, c->sets, error, set));
    }
    return DUET_OK;
}

static duet_code make_sets(duet_chains *c, duet_error *error)
{
    reach r = {.words = c->models / 64 + 1};
    bool *is_first = NULL;
    duet_arena arena = {NULL};
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(r.bits, c->models * r.words),
                                       DUET_ARENA_ARRAY(r.after, c->models),
                                       DUET_ARENA_ARRAY(r.next, c->models),
                                       DUET_ARENA_ARRAY(is_first, c->models),
                                       DUET_ARENA_ARRAY(r.waiting, (size_t)c->tasks + 1),
                                       DUET_ARENA_ARRAY(r.seen, (size_t)c->tasks)};
    DUET_TRY(duet_arena_create(&arena, arrays, sizeof arrays / sizeof *arrays, error));
    for (size_t u = 0; u < c->models && !duet_context_stop(c->context); u++) {
        r.next[u] = -1;
        look_behind(c, &r, u);
    }
    duet_code code = DUET_OK;
    if (!duet_context_stop(c->context)) {
        link_tasks(c, &r, is_first);
        code = add_sets(c, &r, is_first, error);
    }
    duet_arena_free(&arena);
    return code;
}

static duet_code make_room(duet_chains *c, duet_error *error)
{
    enum { POINTS = 2 * DUET_CHAINS_SPINE + 2 };
    size_t tasks = (size_t)c->tasks;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(c->spine, tasks),
                                       DUET_ARENA_ARRAY(c->from, tasks),
                                       DUET_ARENA_ARRAY(c->to, tasks),
                                       DUET_ARENA_ARRAY(c->model, tasks),
                                       DUET_ARENA_ARRAY(c->modelled, tasks),
                                       DUET_ARENA_ARRAY(c->cost, tasks),
                                       DUET_ARENA_ARRAY(c->reach, tasks),
                                       DUET_ARENA_ARRAY(c->before, tasks),
                                       DUET_ARENA_ARRAY(c->sum, (size_t)POINTS * POINTS),
                                       DUET_ARENA_ARRAY(c->priced, tasks * c->instance->types),
                                       DUET_ARENA_ARRAY(c->pass, POINTS),
                                       DUET_ARENA_ARRAY(c->modes, tasks)};
    return duet_arena_create(&c->arena, arrays, sizeof arrays / sizeof *arrays, error);
}

duet_code duet_chains_model(duet_chains *c, duet_error *error)
{
    DUET_TRY(make_room(c, error));
    choose_type(c);
    DUET_TRY(find_path(c, error));
    thin_path(c);
    find_points(c);
    DUET_TRY(make_variables(c, error));
    return make_sets(c, error);
}
