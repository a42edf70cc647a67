// SPDX-License-Identifier: Apache-2.0
// A snapshot as an instance, and the machine with its bus. A tick is a nanosecond.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "starpu/snapshot.h"

static int64_t ticks_of(double us)
{
    double ticks = us * 1000;
    return !(ticks >= 1) ? 1 : ticks > 1e15 ? INT64_C(1000000000000000) : (int64_t)llround(ticks);
}

// --- the instance --------------------------------------------------------------------------------

typedef struct problem {
    char (*names)[16];
    duet_type *platform;
    int64_t *times;
    duet_edge *edges;
    size_t *sizes; // of the tables of costs
    int64_t *costs;
    size_t tables;
} problem;

static void release(problem *p)
{
    free(p->names);
    free(p->platform);
    free(p->times);
    free(p->edges);
    free(p->sizes);
    free(p->costs);
}

static bool make_room(const duet_starpu_snapshot *s, problem *p)
{
    p->names = calloc(s->types + 1, sizeof *p->names);
    p->platform = calloc(s->types + 1, sizeof *p->platform);
    p->times = calloc(s->tasks * s->types + 1, sizeof *p->times);
    p->edges = calloc(s->edges + 1, sizeof *p->edges);
    p->sizes = calloc(s->edges + 1, sizeof *p->sizes);
    return p->names != NULL && p->platform != NULL && p->times != NULL && p->edges != NULL &&
           p->sizes != NULL;
}

static unsigned node_of(int worker)
{
    return starpu_worker_get_memory_node((unsigned)worker);
}

// From a worker of a type to another one of the other.
static int64_t cost_between(const duet_starpu_snapshot *s, size_t x, size_t y, size_t size)
{
    size_t other = x == y && s->worker_at[y + 1] - s->worker_at[y] > 1 ? 1 : 0;
    unsigned from = node_of(s->worker[s->worker_at[x]]);
    unsigned to = node_of(s->worker[s->worker_at[y] + other]);
    double bandwidth = starpu_transfer_bandwidth(from, to); // bytes in a us
    double latency = starpu_transfer_latency(from, to);
    if (from == to || size == 0 || !(bandwidth > 0)) {
        return 0;
    }
    return ticks_of((double)size / bandwidth + (isfinite(latency) ? latency : 0));
}

static size_t table_of(problem *p, size_t size)
{
    for (size_t i = 0; i < p->tables; i++) {
        if (p->sizes[i] == size) {
            return i;
        }
    }
    p->sizes[p->tables] = size;
    return p->tables++;
}

static bool fill_edges(const duet_starpu_snapshot *s, bool costs, problem *p)
{
    for (size_t i = 0; i < s->edges; i++) {
        size_t table = costs ? table_of(p, s->edge[i].size) : 0;
        p->edges[i] = (duet_edge){s->edge[i].from, s->edge[i].to, table};
    }
    p->costs = calloc(p->tables * s->types * s->types + 1, sizeof *p->costs);
    if (p->costs == NULL) {
        return false;
    }
    for (size_t i = 0; i < p->tables; i++) {
        for (size_t k = 0; k < s->types * s->types; k++) {
            p->costs[i * s->types * s->types + k] =
                cost_between(s, k / s->types, k % s->types, p->sizes[i]);
        }
    }
    return true;
}

static void fill_types(const duet_starpu_snapshot *s, problem *p)
{
    for (size_t t = 0; t < s->types; t++) {
        p->names[t][0] = 't';
        p->names[t][1] = (char)('0' + t / 10);
        p->names[t][2] = (char)('0' + t % 10);
        p->platform[t] = (duet_type){p->names[t], (int64_t)(s->worker_at[t + 1] - s->worker_at[t])};
    }
    for (size_t i = 0; i < s->tasks * s->types; i++) {
        p->times[i] = s->time[i] < 0 ? DUET_FORBIDDEN : ticks_of(s->time[i]);
    }
}

duet_code duet_starpu_snapshot_instance(const duet_starpu_snapshot *snapshot, bool costs,
                                        duet_instance **out, duet_error *error)
{
    const duet_starpu_snapshot *s = snapshot;
    problem p = {.tables = 0};
    duet_code code = duet_error_set(error, DUET_E_MEMORY, "out of memory");
    if (make_room(s, &p) && fill_edges(s, costs, &p)) {
        fill_types(s, &p);
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .name = "starpu",
                                         .time_unit = "us",
                                         .decimals = 3,
                                         .types = s->types,
                                         .platform = p.platform,
                                         .kinds = s->tasks,
                                         .times = p.times,
                                         .edges = s->edges,
                                         .edge = p.edges,
                                         .cost_tables = p.tables,
                                         .costs = p.costs};
        code = duet_instance_create(&desc, out, error);
    }
    release(&p);
    return code;
}

// --- the machine ---------------------------------------------------------------------------------

typedef struct numbered {
    starpu_data_handle_t handle;
    size_t size;
} numbered;

static int compare(const void *x, const void *y)
{
    const numbered *a = x;
    const numbered *b = y;
    uintptr_t p = (uintptr_t)a->handle;
    uintptr_t q = (uintptr_t)b->handle;
    return (p > q) - (p < q);
}

// All data, each once.
static numbered *number_data(const duet_starpu_snapshot *s, size_t *count)
{
    size_t accesses = s->access_at[s->tasks];
    numbered *data = calloc(accesses + 1, sizeof *data);
    *count = 0;
    if (data == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < accesses; i++) {
        data[i] = (numbered){s->access[i].handle, s->access[i].size};
    }
    qsort(data, accesses, sizeof *data, compare);
    for (size_t i = 0; i < accesses; i++) {
        if (*count == 0 || data[*count - 1].handle != data[i].handle) {
            data[(*count)++] = data[i];
        }
    }
    return data;
}

static int32_t find_home(starpu_data_handle_t handle, size_t nodes)
{
    for (size_t node = 0; node < nodes; node++) {
        int valid = 0;
        starpu_data_query_status(handle, (int)node, NULL, &valid, NULL);
        if (valid) {
            return (int32_t)node;
        }
    }
    return -1;
}

typedef struct machine {
    numbered *data;
    size_t count;
    duet_bus_datum *datum;
    duet_bus_access *access;
    int32_t *node_of;
} machine;

static bool fill_machine(const duet_starpu_snapshot *s, size_t nodes, machine *m)
{
    m->data = number_data(s, &m->count);
    m->datum = calloc(m->count + 1, sizeof *m->datum);
    m->access = calloc(s->access_at[s->tasks] + 1, sizeof *m->access);
    m->node_of = calloc(s->worker_at[s->types] + 1, sizeof *m->node_of);
    if (m->data == NULL || m->datum == NULL || m->access == NULL || m->node_of == NULL) {
        return false;
    }
    for (size_t i = 0; i < m->count; i++) {
        m->datum[i] =
            (duet_bus_datum){(int64_t)m->data[i].size, find_home(m->data[i].handle, nodes)};
    }
    for (size_t i = 0; i < s->tasks; i++) {
        for (size_t k = s->access_at[i]; k < s->access_at[i + 1]; k++) {
            const duet_starpu_access *a = &s->access[k];
            numbered key = {a->handle, 0};
            const numbered *found = bsearch(&key, m->data, m->count, sizeof key, compare);
            unsigned mode = (a->reads ? DUET_BUS_READS : 0U) | (a->writes ? DUET_BUS_WRITES : 0U);
            m->access[k] = (duet_bus_access){(int64_t)i, (int32_t)(found - m->data),
                                             mode == 0 ? DUET_BUS_READS : mode};
        }
    }
    for (size_t i = 0; i < s->worker_at[s->types]; i++) {
        m->node_of[i] = (int32_t)node_of(s->worker[i]);
    }
    return true;
}

// StarPU says how fast each pair of nodes is on its own, and not which of them share a link. All of
// them through one, of the best bandwidth that was measured, is what plans are made for.
static duet_bus_link shared_link(size_t nodes)
{
    double best = 0;
    double latency = 0;
    for (unsigned a = 0; a < nodes; a++) {
        for (unsigned b = 0; b < nodes; b++) {
            double bandwidth = a == b ? 0 : starpu_transfer_bandwidth(a, b);
            if (bandwidth > best) {
                best = bandwidth;
                latency = starpu_transfer_latency(a, b);
            }
        }
    }
    if (!(best >= 0.001) || best > 1e9) {
        return (duet_bus_link){0, 1000000, 1};
    }
    return (duet_bus_link){isfinite(latency) && latency > 0 ? ticks_of(latency) : 0,
                           (int64_t)llround(best * 1000), 1000000};
}

duet_code duet_starpu_snapshot_bus(const duet_starpu_snapshot *snapshot,
                                   const duet_instance *instance, duet_bus **out, duet_error *error)
{
    const duet_starpu_snapshot *s = snapshot;
    size_t nodes = starpu_memory_nodes_get_count();
    duet_bus_link link = shared_link(nodes);
    machine m = {.count = 0};
    duet_code code = duet_error_set(error, DUET_E_MEMORY, "out of memory");
    if (fill_machine(s, nodes, &m)) {
        const duet_bus_desc desc = {.struct_size = sizeof desc,
                                    .nodes = nodes,
                                    .node_of = m.node_of,
                                    .links = 1,
                                    .link = &link,
                                    .data = m.count,
                                    .datum = m.datum,
                                    .accesses = m.count == 0 ? 0 : s->access_at[s->tasks],
                                    .access = m.access};
        code = duet_bus_create(instance, &desc, out, error);
    }
    free(m.data);
    free(m.datum);
    free(m.access);
    free(m.node_of);
    return code;
}
