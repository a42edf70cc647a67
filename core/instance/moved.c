// SPDX-License-Identifier: Apache-2.0
// Sequential tasks with releases and busy processors as a task graph without them.
#include "core/instance/moved.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/instance/graph.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// What the moved instance is made of.
typedef struct moving {
    const duet_instance *from;
    duet_moved *moved;
    duet_error *error;
    int64_t *time;
    int64_t *count;
    duet_edge *edge;
    int64_t *cost;    // tables: one of edges that cost nothing, those of the instance, the source's
    int64_t *release; // of the source's tables, rising
    size_t releases;
} moving;

static size_t types_of(const moving *m)
{
    return m->moved->classes + 1;
}

static size_t edges_of(const moving *m)
{
    return m->from->graph == NULL ? 0 : (size_t)m->from->graph->edges;
}

// The tables of the instance's edges, with the one of those that cost nothing.
static size_t tables_of(const moving *m)
{
    return m->from->graph == NULL ? 1 : m->from->graph->tables + 1;
}

// --- types ---------------------------------------------------------------------------------------

// Counts processors of a type whose classes begin at `first`, which stay in order.
static duet_code count_processors(moving *m, size_t first, const duet_moved_class *some)
{
    duet_moved *moved = m->moved;
    size_t at = first;
    while (at < moved->classes && moved->class[at].until < some->until) {
        at++;
    }
    if (at < moved->classes && moved->class[at].until == some->until) {
        moved->class[at].count += some->count;
        return DUET_OK;
    }
    if (moved->classes + 2 > DUET_MAX_TYPES) { // the source's is to come
        return duet_error_set(m->error, DUET_E_LIMIT,
                              "processors of a type that are busy until different times: expected "
                              "at most %d such types in all",
                              DUET_MAX_TYPES - 1);
    }
    for (size_t i = moved->classes++; i > at; i--) {
        moved->class[i] = moved->class[i - 1];
    }
    moved->class[at] = *some;
    return DUET_OK;
}

static duet_code make_classes(moving *m)
{
    for (size_t t = 0; t < m->from->types; t++) {
        int64_t listed = duet_min(m->from->busy_count[t], m->from->processors[t]);
        size_t first = m->moved->classes;
        for (int64_t p = 0; p < listed; p++) {
            const duet_moved_class one = {t, duet_busy_until(m->from, t, p), 1};
            DUET_TRY(count_processors(m, first, &one));
        }
        if (m->from->processors[t] > listed) {
            const duet_moved_class others = {t, 0, m->from->processors[t] - listed};
            DUET_TRY(count_processors(m, first, &others));
        }
    }
    return DUET_OK;
}

// --- costs ---------------------------------------------------------------------------------------

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static duet_code list_releases(moving *m)
{
    size_t kinds = m->from->kinds;
    m->release = duet_alloc(kinds, sizeof *m->release, m->error);
    DUET_NEED(m->release);
    for (size_t i = 0; i < kinds; i++) {
        m->release[i] = duet_release(m->from, i);
    }
    m->releases = duet_sort_distinct(m->release, kinds);
    return DUET_OK;
}

// Whether there are few enough costs. The product stays below 2^63: of tables there are at most as
// many as edges and tasks, which have 32 bits each.
static duet_code check_costs(const moving *m)
{
    enum { MOST_COSTS = 1 << 22 };
    size_t q = types_of(m);
    uint64_t costs = (uint64_t)(tables_of(m) + m->releases) * q * q;
    if (costs > MOST_COSTS) {
        return duet_error_set(m->error, DUET_E_LIMIT,
                              "costs of edges from the source: expected at most %d, found %" PRIu64,
                              MOST_COSTS, costs);
    }
    return DUET_OK;
}

static duet_code fill_costs(moving *m, size_t memory_limit)
{
    const duet_moved_class *class = m->moved->class;
    size_t classes = m->moved->classes;
    size_t q = types_of(m);
    size_t old = m->from->types;
    size_t tables = tables_of(m);
    DUET_TRY(duet_memory_check(tables + m->releases, q * q * sizeof *m->cost, memory_limit,
                               "the costs of edges from the source", m->error));
    m->cost = duet_alloc((tables + m->releases) * q * q, sizeof *m->cost, m->error);
    DUET_NEED(m->cost);
    for (size_t k = 1; k < tables; k++) {
        const int64_t *cost = m->from->graph->cost + (k - 1) * old * old;
        for (size_t a = 0; a < classes; a++) {
            for (size_t b = 0; b < classes; b++) {
                m->cost[(k * q + a) * q + b] = cost[class[a].type * old + class[b].type];
            }
        }
    }
    for (size_t k = 0; k < m->releases; k++) {
        for (size_t b = 0; b < classes; b++) {
            m->cost[((tables + k) * q + classes) * q + b] = duet_max(m->release[k], class[b].until);
        }
    }
    return DUET_OK;
}

static duet_code fill_edges(moving *m)
{
    const duet_graph *graph = m->from->graph;
    int64_t source = duet_tasks(m->from);
    size_t edges = edges_of(m);
    m->edge = duet_alloc(edges + (size_t)source, sizeof *m->edge, m->error);
    DUET_NEED(m->edge);
    for (size_t e = 0; e < edges; e++) {
        size_t table = graph->transfer == NULL ? 0 : graph->transfer[e] + (size_t)1;
        m->edge[e] = (duet_edge){graph->tail[e], graph->head[e], table};
    }
    for (size_t i = 0; i < m->from->kinds; i++) {
        int64_t release = duet_release(m->from, i);
        const int64_t *at = bsearch(&release, m->release, m->releases, sizeof *m->release, by_time);
        size_t table = tables_of(m) + (size_t)(at - m->release);
        for (int64_t j = m->from->first[i]; j < m->from->first[i + 1]; j++) {
            m->edge[edges + (size_t)j] = (duet_edge){source, j, table};
        }
    }
    return DUET_OK;
}

// --- the whole -----------------------------------------------------------------------------------

static duet_code fill_kinds(moving *m)
{
    size_t q = types_of(m);
    size_t kinds = m->from->kinds;
    m->time = duet_alloc((kinds + 1) * q, sizeof *m->time, m->error);
    DUET_NEED(m->time);
    m->count = duet_alloc(kinds + 1, sizeof *m->count, m->error);
    DUET_NEED(m->count);
    for (size_t i = 0; i <= kinds; i++) {
        m->count[i] = i < kinds ? duet_count(m->from, i) : 1;
        for (size_t t = 0; t < q; t++) {
            bool may = i < kinds && t + 1 < q;
            m->time[i * q + t] =
                may ? duet_time(m->from, i, m->moved->class[t].type) : DUET_FORBIDDEN;
        }
    }
    m->time[(kinds + 1) * q - 1] = DUET_MOVED_TICKS;
    return DUET_OK;
}

static duet_code create(moving *m)
{
    char name[DUET_MAX_TYPES][8];
    duet_type type[DUET_MAX_TYPES];
    size_t q = types_of(m);
    for (size_t t = 0; t < q; t++) {
        snprintf(name[t], sizeof name[t], "p%u", (unsigned)t);
        type[t] = (duet_type){name[t], t + 1 < q ? m->moved->class[t].count : 1};
    }
    const duet_instance_desc desc = {.struct_size = sizeof desc,
                                     .types = q,
                                     .platform = type,
                                     .kinds = m->from->kinds + 1,
                                     .counts = m->count,
                                     .times = m->time,
                                     .edges = edges_of(m) + (size_t)duet_tasks(m->from),
                                     .edge = m->edge,
                                     .cost_tables = tables_of(m) + m->releases,
                                     .costs = m->cost};
    return duet_instance_create(&desc, &m->moved->instance, m->error);
}

duet_moved_obstacle duet_moved_obstacle_of(const duet_instance *from)
{
    enum { ROOM = 4 };
    duet_moved moved = {.instance = NULL};
    moving m = {.from = from, .moved = &moved};
    int64_t tasks = duet_tasks(from);
    if (tasks == 0 || from->latest > DUET_MAX_WORK / ROOM / tasks ||
        from->work > DUET_MAX_WORK / ROOM) {
        return DUET_MOVED_TIMES;
    }
    if (make_classes(&m) != DUET_OK) {
        return DUET_MOVED_CLASSES;
    }
    duet_code code = list_releases(&m);
    DUET_THEN(code, check_costs(&m));
    duet_free(m.release);
    return code == DUET_OK ? DUET_MOVED_FREE : DUET_MOVED_COSTS;
}

duet_code duet_moved_create(const duet_instance *from, size_t memory_limit, duet_moved *moved,
                            duet_error *error)
{
    *moved = (duet_moved){.instance = NULL};
    moving m = {.from = from, .moved = moved, .error = error};
    enum { BYTES = sizeof(duet_edge) + 8 }; // of a task, besides its times
    duet_code code = duet_memory_check((uint64_t)duet_tasks(from), BYTES, memory_limit,
                                       "the edges from the source", error);
    DUET_THEN(code, make_classes(&m));
    DUET_THEN(code, list_releases(&m));
    DUET_THEN(code, check_costs(&m));
    DUET_THEN(code, fill_costs(&m, memory_limit));
    DUET_THEN(code, fill_edges(&m));
    DUET_THEN(code, fill_kinds(&m));
    DUET_THEN(code, create(&m));
    duet_free(m.time);
    duet_free(m.count);
    duet_free(m.edge);
    duet_free(m.cost);
    duet_free(m.release);
    return code;
}

void duet_moved_free(duet_moved *moved)
{
    duet_instance_free(moved->instance);
    moved->instance = NULL;
}
