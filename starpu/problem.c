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
    int64_t *releases;
    duet_busy *busy;
    size_t busy_count;
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
    free(p->releases);
    free(p->busy);
    free(p->edges);
    free(p->sizes);
    free(p->costs);
}

static bool make_room(const duet_starpu_snapshot *s, problem *p)
{
    p->names = calloc(s->types + 1, sizeof *p->names);
    p->platform = calloc(s->types + 1, sizeof *p->platform);
    p->times = calloc(s->tasks * s->types + 1, sizeof *p->times);
    p->releases = calloc(s->tasks + 1, sizeof *p->releases);
    p->busy = calloc(s->worker_at[s->types] + 1, sizeof *p->busy);
    p->edges = calloc(s->edges + 1, sizeof *p->edges);
    p->sizes = calloc(s->edges + 1, sizeof *p->sizes);
    return p->names != NULL && p->platform != NULL && p->times != NULL && p->releases != NULL &&
           p->busy != NULL && p->edges != NULL && p->sizes != NULL;
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

// What has begun.
static void fill_begun(const duet_starpu_snapshot *s, problem *p)
{
    for (size_t i = 0; i < s->tasks; i++) {
        p->releases[i] = s->release[i] > 0 ? ticks_of(s->release[i]) : 0;
    }
    for (size_t t = 0; t < s->types; t++) {
        for (size_t i = s->worker_at[t]; i < s->worker_at[t + 1]; i++) {
            double busy = s->busy[s->worker[i]];
            if (busy > 0) {
                p->busy[p->busy_count++] =
                    (duet_busy){t, (int64_t)(i - s->worker_at[t]), ticks_of(busy)};
            }
        }
    }
}

duet_code duet_starpu_snapshot_instance(const duet_starpu_snapshot *snapshot, bool costs,
                                        duet_instance **out, duet_error *error)
{
    const duet_starpu_snapshot *s = snapshot;
    problem p = {.tables = 0};
    duet_code code;
    if (!make_room(s, &p) || !fill_edges(s, costs, &p)) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory");
    } else {
        fill_types(s, &p);
        fill_begun(s, &p);
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .name = "starpu",
                                         .time_unit = "us",
                                         .decimals = 3,
                                         .types = s->types,
                                         .platform = p.platform,
                                         .kinds = s->tasks,
                                         .times = p.times,
                                         .releases = p.releases,
                                         .busy_count = p.busy_count,
                                         .busy = p.busy,
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

// Bits of the nodes that have a piece of data.
static uint64_t find_copies(starpu_data_handle_t handle, size_t nodes)
{
    uint64_t copies = 0;
    for (size_t node = 0; node < nodes && node < 64; node++) {
        int valid = 0;
        starpu_data_query_status(handle, (int)node, NULL, &valid, NULL);
        copies |= (uint64_t)(valid != 0) << node;
    }
    return copies;
}

typedef struct machine {
    numbered *data;
    size_t count;
    duet_bus_datum *datum;
    uint64_t *copies;
    duet_bus_access *access;
    int32_t *node_of;
    duet_bus_link *link; // 0: all transfers; the others: how fast
    size_t links;
    uint64_t *route;
} machine;

// Pairs of nodes that differ by no more than this part are equally fast.
static const double NEARLY_AS_FAST = 0.05;

static bool fill_machine(const duet_starpu_snapshot *s, size_t nodes, machine *m)
{
    m->data = number_data(s, &m->count);
    m->datum = calloc(m->count + 1, sizeof *m->datum);
    m->copies = calloc(m->count + 1, sizeof *m->copies);
    m->access = calloc(s->access_at[s->tasks] + 1, sizeof *m->access);
    m->node_of = calloc(s->worker_at[s->types] + 1, sizeof *m->node_of);
    if (m->data == NULL || m->datum == NULL || m->copies == NULL || m->access == NULL ||
        m->node_of == NULL) {
        return false;
    }
    for (size_t i = 0; i < m->count; i++) {
        m->datum[i] = (duet_bus_datum){(int64_t)m->data[i].size, -1};
        m->copies[i] = find_copies(m->data[i].handle, nodes);
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

// How fast a pair of nodes is, which StarPU has measured; pairs that are nearly as fast have one.
static size_t speed_of(machine *m, unsigned from, unsigned to)
{
    double bandwidth = starpu_transfer_bandwidth(from, to); // bytes in a us
    double latency = starpu_transfer_latency(from, to);
    duet_bus_link link = {0, 1000000, 1};
    if (bandwidth >= 0.001 && bandwidth <= 1e9) {
        link.latency = isfinite(latency) && latency > 0 ? ticks_of(latency) : 0;
        link.bytes = (int64_t)llround(bandwidth * 1000);
        link.ticks = 1000000;
    }
    for (size_t i = 1; i < m->links; i++) {
        double ratio = (double)link.bytes * (double)m->link[i].ticks /
                       ((double)m->link[i].bytes * (double)link.ticks);
        if (fabs(ratio - 1) <= NEARLY_AS_FAST || m->links == DUET_MAX_LINKS) {
            return i;
        }
    }
    m->link[m->links] = link;
    return m->links++;
}

// StarPU says how fast each pair of nodes is on its own, and not which of them share a link. That
// all of them do is what plans are made for: link 0 is as fast as whoever uses it.
static bool fill_links(size_t nodes, machine *m)
{
    m->link = calloc(DUET_MAX_LINKS, sizeof *m->link);
    m->route = calloc(nodes * nodes, sizeof *m->route);
    if (m->link == NULL || m->route == NULL) {
        return false;
    }
    m->link[0] = (duet_bus_link){0, INT64_C(1000000000), 1};
    m->links = 1;
    for (unsigned from = 0; from < nodes; from++) {
        for (unsigned to = 0; to < nodes; to++) {
            size_t speed = from == to ? 0 : speed_of(m, from, to);
            m->route[from * nodes + to] = UINT64_C(1) | UINT64_C(1) << speed;
        }
    }
    return true;
}

duet_code duet_starpu_snapshot_bus(const duet_starpu_snapshot *snapshot,
                                   const duet_instance *instance, duet_bus **out, duet_error *error)
{
    const duet_starpu_snapshot *s = snapshot;
    size_t nodes = starpu_memory_nodes_get_count();
    machine m = {.count = 0};
    duet_code code;
    if (!fill_machine(s, nodes, &m) || !fill_links(nodes, &m)) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory");
    } else {
        const duet_bus_desc desc = {.struct_size = sizeof desc,
                                    .nodes = nodes,
                                    .node_of = m.node_of,
                                    .links = m.links,
                                    .link = m.link,
                                    .routes = m.route,
                                    .data = m.count,
                                    .datum = m.datum,
                                    .copies = nodes > 64 ? NULL : m.copies,
                                    .accesses = m.count == 0 ? 0 : s->access_at[s->tasks],
                                    .access = m.access};
        code = duet_bus_create(instance, &desc, out, error);
    }
    free(m.data);
    free(m.datum);
    free(m.copies);
    free(m.access);
    free(m.node_of);
    free(m.link);
    free(m.route);
    return code;
}
