// SPDX-License-Identifier: Apache-2.0
// A machine with a bus from StarPU's records.
#include "instances/formats/starpu/bus.h"

#include <inttypes.h>

#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/starpu/known.h"
#include "instances/formats/starpu/records.h"

typedef struct machine {
    const duet_instance *instance;
    const char *file;
    duet_error *error;
    duet_starpu_records records;
    duet_starpu_known known;
    int64_t *capacity;
    int32_t *node_of;
    duet_bus_link link[DUET_MAX_LINKS]; // 0: all transfers; the others: how fast
    size_t links;
    uint64_t *routes;
    duet_bus_datum *datum;
    duet_bus_access *access;
    size_t accesses;
} machine;

static duet_code fail(const machine *m, const char *what)
{
    return duet_error_set_at(m->error, DUET_E_INPUT, m->file, 0, 0, "%s", what);
}

// --- nodes ---------------------------------------------------------------------------------------

static duet_code seat_workers(machine *m, const duet_starpu_seat *seats)
{
    const duet_starpu_memory *memory = &m->records.memory;
    for (size_t i = 0; i < m->known.workers; i++) {
        const duet_starpu_number *worker = &m->known.worker[i];
        size_t at = 0;
        while (at < memory->worker_count && seats[at].worker != worker->number) {
            at++;
        }
        if (at == memory->worker_count) {
            return duet_error_set_at(m->error, DUET_E_INPUT, m->file, 0, 0,
                                     "no memory node has worker %" PRId64 "; expected the "
                                     "memory_workers that starpu_perfmodel_recdump prints",
                                     worker->number);
        }
        m->node_of[worker->means] = (int32_t)seats[at].node;
    }
    return DUET_OK;
}

static duet_code fill_nodes(machine *m)
{
    const duet_starpu_memory *memory = &m->records.memory;
    if (memory->node_count == 0 || memory->nodes[0].number != 0) {
        return fail(m, "no MemoryNode 0, which is main memory, before the others; expected the "
                       "memory_workers that starpu_perfmodel_recdump prints");
    }
    m->capacity = duet_alloc(memory->node_count, sizeof *m->capacity, m->error);
    m->node_of = duet_alloc(m->known.workers, sizeof *m->node_of, m->error);
    duet_starpu_seat *seats = duet_starpu_seats(memory, m->error);
    bool room = m->capacity != NULL && m->node_of != NULL && seats != NULL;
    for (size_t i = 0; room && i < memory->node_count; i++) {
        m->capacity[i] = memory->nodes[i].size;
    }
    duet_code code = room ? seat_workers(m, seats) : DUET_E_MEMORY;
    duet_free(seats);
    return code;
}

// --- links ---------------------------------------------------------------------------------------

// How fast a pair of nodes is. Pairs whose bandwidths differ by no more than a twentieth have one
// speed, as all have for which there is no link left.
static size_t speed_of(machine *m, const duet_starpu_link *pair)
{
    enum { thousandths = 3, nearly = 20 };
    int decimals = m->instance->decimals;
    duet_uint128 off;
    duet_bus_link link = {0, 0, 1000};
    if (pair->bandwidth.forbidden ||
        !duet_decimal_round(pair->bandwidth.value, pair->bandwidth.tail, thousandths, &link.bytes,
                            &off) ||
        link.bytes <= 0) {
        return 0;
    }
    if (pair->latency.forbidden || !duet_decimal_round(pair->latency.value, pair->latency.tail,
                                                       decimals, &link.latency, &off)) {
        link.latency = 0;
    }
    for (int i = 0; i < decimals; i++) {
        link.ticks *= 10;
    }
    for (size_t i = 1; i < m->links; i++) {
        int64_t least = duet_min(link.bytes, m->link[i].bytes);
        int64_t most = link.bytes + m->link[i].bytes - least;
        if (most - least <= most / nearly || m->links == DUET_MAX_LINKS) {
            return i;
        }
    }
    m->link[m->links] = link;
    return m->links++;
}

static size_t find_node(const duet_starpu_memory *memory, int64_t number)
{
    size_t node = 0;
    while (node < memory->node_count && memory->nodes[node].number != number) {
        node++;
    }
    return node;
}

static duet_code fill_links(machine *m)
{
    const duet_starpu_memory *memory = &m->records.memory;
    size_t nodes = memory->node_count;
    if (memory->link_count == 0 && nodes > 1) {
        return fail(m, "no memory_performance; expected it, as the starpu_perfmodel_recdump of "
                       "StarPU 1.4 prints it");
    }
    m->routes = duet_alloc(nodes * nodes, sizeof *m->routes, m->error);
    DUET_NEED(m->routes);
    m->link[0] = (duet_bus_link){0, INT64_C(1000000000), 1};
    m->links = 1;
    for (size_t i = 0; i < nodes * nodes; i++) {
        m->routes[i] = 1;
    }
    for (size_t i = 0; i < memory->link_count; i++) {
        size_t from = find_node(memory, memory->links[i].from);
        size_t to = find_node(memory, memory->links[i].to);
        if (from < nodes && to < nodes && from != to) {
            m->routes[from * nodes + to] |= UINT64_C(1) << speed_of(m, &memory->links[i]);
        }
    }
    return DUET_OK;
}

// --- data ----------------------------------------------------------------------------------------

static void add_accesses(machine *m, const duet_starpu_task *task, int64_t number)
{
    for (size_t i = 0; i < task->accesses; i++) {
        const duet_starpu_access *access = &m->records.accesses[task->first_access + i];
        unsigned mode =
            (access->reads ? DUET_BUS_READS : 0U) | (access->writes ? DUET_BUS_WRITES : 0U);
        duet_bus_datum *datum = &m->datum[access->handle];
        datum->size = duet_max(datum->size, access->bytes);
        if (mode != 0) {
            m->access[m->accesses++] = (duet_bus_access){number, (int32_t)access->handle, mode};
        }
    }
}

static duet_code fill_data(machine *m)
{
    const duet_starpu_records *records = &m->records;
    m->datum = duet_alloc(records->handle_names.count, sizeof *m->datum, m->error);
    m->access = duet_alloc(records->access_count, sizeof *m->access, m->error);
    DUET_NEED(m->datum != NULL && m->access != NULL);
    for (size_t i = 0; i < records->task_count; i++) {
        int64_t number = duet_starpu_find_number(m->known.order, m->known.orders,
                                                 records->tasks[i].submit_order);
        if (number >= 0) {
            add_accesses(m, &records->tasks[i], number);
        }
    }
    return m->accesses > 0 ? DUET_OK
                           : fail(m, "no task of the instance has Handles, Modes and Sizes; "
                                     "expected them, as StarPU's tasks.rec has them");
}

// -------------------------------------------------------------------------------------------------

static duet_code make(machine *m, duet_bus **out)
{
    DUET_TRY(duet_starpu_list_known(m->instance, &m->known, m->error));
    DUET_TRY(fill_nodes(m));
    DUET_TRY(fill_links(m));
    DUET_TRY(fill_data(m));
    const duet_bus_desc desc = {.struct_size = sizeof desc,
                                .nodes = m->records.memory.node_count,
                                .capacity = m->capacity,
                                .node_of = m->node_of,
                                .links = m->links,
                                .link = m->link,
                                .routes = m->routes,
                                .data = m->records.handle_names.count,
                                .datum = m->datum,
                                .accesses = m->accesses,
                                .access = m->access};
    return duet_bus_create(m->instance, &desc, out, m->error);
}

duet_code duet_starpu_read_bus(duet_input *input, const duet_instance *instance, duet_bus **out,
                               duet_error *error)
{
    machine m = {.instance = instance, .file = input->name, .error = error};
    if (!duet_starpu_is_origin(instance)) {
        return fail(&m, "records of StarPU's; expected the instance to be of them, too, whose "
                        "tasks have a SubmitOrder");
    }
    duet_code code = duet_starpu_collect(input, &m.records, error);
    DUET_THEN(code, make(&m, out));
    duet_starpu_free(&m.records);
    duet_starpu_free_known(&m.known);
    duet_free(m.capacity);
    duet_free(m.node_of);
    duet_free(m.routes);
    duet_free(m.datum);
    duet_free(m.access);
    return code;
}
