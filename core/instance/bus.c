// SPDX-License-Identifier: Apache-2.0
#include "core/instance/bus.h"

#include <string.h>

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "core/system/vec.h"

int64_t duet_bus_ticks(const duet_bus *bus, const duet_instance *instance, int32_t datum,
                       size_t from, size_t to)
{
    const duet_bus_size *size = &bus->datum[datum];
    int64_t latency = 0;
    int64_t slowest = 0;
    for (size_t i = 0; i < bus->links; i++) {
        const duet_bus_link *link = &bus->link[i];
        if ((bus->route[from * bus->nodes + to] >> i & 1) == 0) {
            continue;
        }
        latency += link->latency;
        if (link->bytes > 0) {
            duet_int128 ticks = (duet_int128)size->bytes * link->ticks;
            int64_t taken = (int64_t)((ticks + link->bytes - 1) / link->bytes);
            slowest = duet_max(taken, slowest);
        }
    }
    if (size->table >= 0) {
        const int64_t *cost = instance->graph->cost + (size_t)size->table * bus->types * bus->types;
        slowest = duet_max(
            slowest, cost[(size_t)bus->type_of[from] * bus->types + (size_t)bus->type_of[to]]);
    }
    return latency + slowest;
}

// --- what a machine must be ----------------------------------------------------------------------

static duet_code check_links(const duet_bus_desc *desc, duet_error *error)
{
    if (desc->links > DUET_MAX_LINKS) {
        return duet_error_set(error, DUET_E_INPUT, "%zu links: expected at most %d", desc->links,
                              DUET_MAX_LINKS);
    }
    for (size_t i = 0; i < desc->links; i++) {
        const duet_bus_link *link = &desc->link[i];
        if (link->latency < 0 || link->latency > DUET_MAX_WORK / DUET_MAX_LINKS ||
            link->bytes < 0 || (link->bytes > 0 && link->ticks <= 0)) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "link %zu: expected a latency of at least 0, and bytes above 0 "
                                  "in ticks above 0",
                                  i);
        }
        if (link->bytes == 0 && desc->data > 0) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "link %zu: expected a bandwidth, since the data have sizes", i);
        }
    }
    return DUET_OK;
}

static duet_code check_accesses(const duet_instance *instance, const duet_bus_desc *desc,
                                duet_error *error)
{
    for (size_t i = 0; i < desc->data; i++) {
        if (desc->datum[i].size < 0 || desc->datum[i].home < -1 ||
            (desc->datum[i].home >= 0 && (size_t)desc->datum[i].home >= desc->nodes)) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "data %zu: expected a size of at least 0 and a node", i);
        }
        if (desc->copies != NULL &&
            (desc->nodes > 64 || (desc->copies[i] & ~(UINT64_MAX >> (64 - desc->nodes))) != 0)) {
            return duet_error_set(error, DUET_E_INPUT, "data %zu: a node with a copy is not there",
                                  i);
        }
    }
    for (size_t i = 0; i < desc->accesses; i++) {
        const duet_bus_access *access = &desc->access[i];
        if (access->task < 0 || access->task >= duet_instance_tasks(instance) ||
            access->datum < 0 || (size_t)access->datum >= desc->data ||
            (access->mode & (DUET_BUS_READS | DUET_BUS_WRITES)) == 0) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "access %zu: expected a task, its data, and to read or write", i);
        }
    }
    return DUET_OK;
}

static duet_code check_desc(const duet_instance *instance, const duet_bus_desc *desc,
                            size_t processors, duet_error *error)
{
    if (instance->moldable != NULL) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "a machine with a bus runs sequential tasks, not moldable ones");
    }
    if (!instance->has_platform || desc->nodes == 0 || desc->nodes > INT32_MAX) {
        return duet_error_set(error, DUET_E_INPUT,
                              "a machine with a bus: expected a platform and memory nodes");
    }
    for (size_t i = 0; i < processors; i++) {
        if (desc->node_of[i] < 0 || (size_t)desc->node_of[i] >= desc->nodes) {
            return duet_error_set(error, DUET_E_INPUT, "processor %zu has no memory node", i);
        }
    }
    for (size_t i = 0; i < desc->nodes * desc->nodes && desc->routes != NULL; i++) {
        bool needed = i / desc->nodes != i % desc->nodes;
        if (needed && (desc->links < 64 ? desc->routes[i] >> desc->links : 0) != 0) {
            return duet_error_set(error, DUET_E_INPUT, "a route has links that are not there");
        }
        if (needed && desc->routes[i] == 0) {
            return duet_error_set(error, DUET_E_INPUT, "no route leads from node %zu to node %zu",
                                  i / desc->nodes, i % desc->nodes);
        }
    }
    DUET_TRY(check_links(desc, error));
    return check_accesses(instance, desc, error);
}

// --- data of edges -------------------------------------------------------------------------------

// What the edges of a task carry is one piece of data where they cost the same.
typedef struct derived {
    duet_bus_datum *datum;
    int32_t *table;
    size_t data;
    duet_bus_access *access;
    size_t accesses;
} derived;

static duet_code derive_edge(const duet_graph *graph, int32_t edge, size_t first, derived *made,
                             duet_error *error)
{
    int32_t table = (int32_t)graph->transfer[edge];
    size_t at = first;
    while (at < made->data && made->table[at] != table) {
        at++;
    }
    if (at == made->data) {
        duet_bus_access writes = {graph->tail[edge], (int32_t)at, DUET_BUS_WRITES};
        size_t data = made->data;
        DUET_TRY(duet_vec_push(made->table, data, error, table));
        DUET_TRY(duet_vec_push(made->datum, made->data, error, (duet_bus_datum){0, -1}));
        DUET_TRY(duet_vec_push(made->access, made->accesses, error, writes));
    }
    duet_bus_access reads = {graph->head[edge], (int32_t)at, DUET_BUS_READS};
    return duet_vec_push(made->access, made->accesses, error, reads);
}

static bool carries(const duet_graph *graph, int32_t edge)
{
    const int64_t *costs = duet_graph_costs(graph, edge);
    for (size_t i = 0; i < graph->types * graph->types; i++) {
        if (costs[i] > 0) {
            return true;
        }
    }
    return false;
}

static duet_code derive(const duet_graph *graph, derived *made, duet_error *error)
{
    if (graph == NULL || graph->transfer == NULL) {
        return DUET_OK;
    }
    for (int64_t task = 0; task < graph->tasks; task++) {
        size_t first = made->data;
        for (int64_t i = graph->leave_at[task]; i < graph->leave_at[task + 1]; i++) {
            if (carries(graph, graph->leaving[i])) {
                DUET_TRY(derive_edge(graph, graph->leaving[i], first, made, error));
            }
        }
    }
    return DUET_OK;
}

// --- making it -----------------------------------------------------------------------------------

static void fill_uses(duet_bus *bus, const duet_bus_access *access, size_t accesses)
{
    for (size_t i = 0; i < accesses; i++) {
        bus->use_at[access[i].task + 1]++;
    }
    for (int64_t task = 0; task < bus->tasks; task++) {
        bus->use_at[task + 1] += bus->use_at[task];
    }
    for (size_t i = accesses; i-- > 0;) { // from behind, so that the order stays
        int64_t at = --bus->use_at[access[i].task + 1];
        bus->use[at] = (duet_bus_use){access[i].datum, access[i].mode};
    }
    // Each entry is now where its row begins: one to the left.
    memmove(bus->use_at, bus->use_at + 1, (size_t)bus->tasks * sizeof *bus->use_at);
    bus->use_at[bus->tasks] = (int64_t)accesses;
}

static void fill(duet_bus *bus, const duet_instance *instance, const duet_bus_desc *desc,
                 const derived *made)
{
    bool known = desc->data > 0;
    for (size_t i = 0; i < bus->nodes; i++) {
        bus->capacity[i] = desc->capacity == NULL ? 0 : desc->capacity[i];
        bus->type_of[i] = 0;
    }
    for (size_t type = bus->types; type-- > 0;) {
        for (size_t i = bus->first_of[type + 1]; i-- > bus->first_of[type];) {
            bus->node_of[i] = desc->node_of[i];
            bus->type_of[desc->node_of[i]] = (int32_t)type;
        }
    }
    for (size_t i = 0; i < bus->links; i++) {
        bus->link[i] = desc->link[i];
    }
    uint64_t all = bus->links == 0 ? 0 : UINT64_MAX >> (64 - bus->links);
    for (size_t i = 0; i < bus->nodes * bus->nodes; i++) {
        bus->route[i] = desc->routes == NULL ? all : desc->routes[i];
    }
    for (size_t i = 0; i < bus->data; i++) {
        uint64_t copies = known && desc->copies != NULL ? desc->copies[i] : 0;
        bus->datum[i] = known
                            ? (duet_bus_size){desc->datum[i].size, -1, desc->datum[i].home, copies}
                            : (duet_bus_size){0, made->table == NULL ? -1 : made->table[i], -1, 0};
    }
    fill_uses(bus, known ? desc->access : made->access, known ? desc->accesses : made->accesses);
    (void)instance;
}

static duet_code check_lengths(const duet_bus *bus, const duet_instance *instance,
                               duet_error *error)
{
    duet_int128 total = 0;
    int64_t uses = bus->use_at[bus->tasks];
    for (size_t i = 0; i < bus->links; i++) {
        for (int64_t k = 0; k < uses; k++) {
            duet_int128 bytes = bus->datum[bus->use[k].datum].bytes;
            total += bus->link[i].latency + 1;
            total += bus->link[i].bytes > 0 ? bytes * bus->link[i].ticks / bus->link[i].bytes : 0;
            if (total > DUET_MAX_WORK / 4) {
                return duet_error_set(error, DUET_E_INPUT,
                                      "the transfers take too long in sum: expected less than "
                                      "2^60 ticks");
            }
        }
    }
    (void)instance;
    return DUET_OK;
}

static duet_code make(const duet_instance *instance, const duet_bus_desc *desc, const derived *made,
                      duet_bus *bus, duet_error *error)
{
    bool known = desc->data > 0;
    size_t accesses = known ? desc->accesses : made->accesses;
    bus->data = known ? desc->data : made->data;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(bus->capacity, bus->nodes),
                                       DUET_ARENA_ARRAY(bus->type_of, bus->nodes),
                                       DUET_ARENA_ARRAY(bus->node_of, bus->processors),
                                       DUET_ARENA_ARRAY(bus->link, bus->links),
                                       DUET_ARENA_ARRAY(bus->route, bus->nodes * bus->nodes),
                                       DUET_ARENA_ARRAY(bus->datum, bus->data),
                                       DUET_ARENA_ARRAY(bus->use_at, (size_t)bus->tasks + 1),
                                       DUET_ARENA_ARRAY(bus->use, accesses)};
    DUET_TRY(duet_arena_create(&bus->arena, arrays, sizeof arrays / sizeof *arrays, error));
    fill(bus, instance, desc, made);
    return check_lengths(bus, instance, error);
}

duet_code duet_bus_create(const duet_instance *instance, const duet_bus_desc *desc, duet_bus **out,
                          duet_error *error)
{
    *out = NULL;
    duet_bus_desc given = {.struct_size = sizeof given};
    DUET_TRY(duet_struct_take(&given, sizeof given, DUET_SIZE_UNTIL(duet_bus_desc, access), desc,
                              "duet_bus_desc", error));
    duet_bus *bus = duet_alloc(1, sizeof *bus, error);
    DUET_NEED(bus);
    bus->tasks = duet_instance_tasks(instance);
    bus->types = instance->types;
    bus->nodes = given.nodes;
    bus->links = given.links;
    for (size_t type = 0; type < bus->types; type++) {
        bus->first_of[type] = bus->processors;
        bus->processors += (size_t)instance->processors[type];
    }
    bus->first_of[bus->types] = bus->processors;
    derived made = {.data = 0};
    duet_code code = check_desc(instance, &given, bus->processors, error);
    if (code == DUET_OK && given.data == 0) {
        code = derive(instance->graph, &made, error);
    }
    DUET_THEN(code, make(instance, &given, &made, bus, error));
    duet_free(made.datum);
    duet_free(made.table);
    duet_free(made.access);
    if (code != DUET_OK) {
        duet_bus_free(bus);
        return code;
    }
    *out = bus;
    return DUET_OK;
}

void duet_bus_free(duet_bus *bus)
{
    if (bus != NULL) {
        duet_arena_free(&bus->arena);
        duet_free(bus);
    }
}
