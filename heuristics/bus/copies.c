// SPDX-License-Identifier: Apache-2.0
// Where the copies of data are on a machine with a bus, and the transfers that make them.
//
// Method: a task's data are brought to its node in the order of its accesses, each from the node
//         where a copy can be had first, over the links of that route (links.h). A node that is
//         full gives up the copy that was used longest ago, after its last use; the last copy there
//         is goes back to node 0 first.
// Cost:   O(nodes) an access beside the links; O(data) where memory is short.
// Memory: O(data x nodes + transfers).
#include "heuristics/bus/carried.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static int64_t *there(const duet_copies *c, int32_t datum, size_t node)
{
    return &c->there[(size_t)datum * c->bus->nodes + node];
}

static int64_t *used(const duet_copies *c, int32_t datum, size_t node)
{
    return &c->used[(size_t)datum * c->bus->nodes + node];
}

duet_code duet_copies_create(duet_copies *copies, const duet_bus *bus,
                             const duet_instance *instance, duet_error *error)
{
    *copies = (duet_copies){.bus = bus, .instance = instance};
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(copies->there, bus->data * bus->nodes),
                                       DUET_ARENA_ARRAY(copies->used, bus->data * bus->nodes),
                                       DUET_ARENA_ARRAY(copies->bytes, bus->nodes)};
    DUET_TRY(duet_arena_create(&copies->arena, arrays, 3, error));
    for (size_t i = 0; i < bus->data * bus->nodes; i++) {
        copies->there[i] = DUET_FORBIDDEN;
    }
    for (size_t i = 0; i < bus->data; i++) {
        for (size_t node = 0; node < bus->nodes; node++) {
            bool copied = node < 64 && (bus->datum[i].copies >> node & 1) != 0;
            if (copied || bus->datum[i].home == (int64_t)node) {
                *there(copies, (int32_t)i, node) = 0;
                copies->bytes[node] += bus->datum[i].bytes;
            }
        }
    }
    return DUET_OK;
}

void duet_copies_free(duet_copies *copies)
{
    for (size_t i = 0; i < DUET_MAX_LINKS; i++) {
        duet_free(copies->links[i].busy);
    }
    duet_arena_free(&copies->arena);
}

// --- transfers -----------------------------------------------------------------------------------

typedef struct transfer {
    uint64_t route;
    int64_t start;
    int64_t ticks;
} transfer;

// The transfer that brings a copy first, not before `ready`. Whether there is a copy to bring.
static bool find(const duet_copies *c, int32_t datum, size_t node, int64_t ready, transfer *best)
{
    bool found = false;
    for (size_t from = 0; from < c->bus->nodes; from++) {
        int64_t copied = *there(c, datum, from);
        if (copied == DUET_FORBIDDEN || from == node) {
            continue;
        }
        transfer way = {.route = c->bus->route[from * c->bus->nodes + node]};
        way.ticks = duet_bus_ticks(c->bus, c->instance, datum, from, node);
        way.start = duet_links_find(c->links, way.route, duet_max(copied, ready), way.ticks);
        if (!found || way.start + way.ticks < best->start + best->ticks) {
            *best = way;
            found = true;
        }
    }
    return found;
}

duet_copies_arrival duet_copies_look(const duet_copies *copies, int64_t task, size_t node)
{
    const duet_copies *c = copies;
    duet_copies_arrival arrival = {.at = 0};
    int64_t ready = c->now; // the transfers of this look follow one another
    for (int64_t i = c->bus->use_at[task]; i < c->bus->use_at[task + 1]; i++) {
        const duet_bus_use *use = &c->bus->use[i];
        int64_t copied = *there(c, use->datum, node);
        transfer way;
        if ((use->mode & DUET_BUS_READS) == 0) {
            continue;
        }
        if (copied != DUET_FORBIDDEN) {
            arrival.at = duet_max(arrival.at, copied);
        } else if (find(c, use->datum, node, ready, &way)) {
            ready = way.start + way.ticks;
            arrival.at = duet_max(arrival.at, ready);
            arrival.carried += way.ticks;
        }
    }
    return arrival;
}

static duet_code carry(duet_copies *c, int32_t datum, size_t node, int64_t ready, int64_t *end,
                       duet_error *error)
{
    transfer way;
    if (!find(c, datum, node, ready, &way)) {
        return DUET_OK; // nobody has written it
    }
    DUET_TRY(duet_links_take(c->links, way.route, way.start, way.ticks, error));
    *end = way.start + way.ticks;
    c->moved += c->bus->datum[datum].bytes;
    c->transfers++;
    return DUET_OK;
}

// --- memory --------------------------------------------------------------------------------------

static bool uses(const duet_copies *c, int64_t task, int32_t datum)
{
    for (int64_t i = c->bus->use_at[task]; i < c->bus->use_at[task + 1]; i++) {
        if (c->bus->use[i].datum == datum) {
            return true;
        }
    }
    return false;
}

bool duet_copies_fit(const duet_copies *copies, int64_t task, size_t node)
{
    const duet_bus *bus = copies->bus;
    int64_t bytes = 0;
    for (int64_t i = bus->use_at[task]; i < bus->use_at[task + 1]; i++) {
        bytes += bus->datum[bus->use[i].datum].bytes;
    }
    return bus->capacity[node] == 0 || bytes <= bus->capacity[node];
}

static bool is_last_copy(const duet_copies *c, int32_t datum, size_t node)
{
    for (size_t i = 0; i < c->bus->nodes; i++) {
        if (i != node && *there(c, datum, i) != DUET_FORBIDDEN) {
            return false;
        }
    }
    return true;
}

// The copy on a node that was used longest ago and that the task does not need; -1: none.
static int32_t oldest(const duet_copies *c, int64_t task, size_t node)
{
    int32_t found = -1;
    for (size_t i = 0; i < c->bus->data; i++) {
        int32_t datum = (int32_t)i;
        if (*there(c, datum, node) != DUET_FORBIDDEN && c->bus->datum[i].bytes > 0 &&
            !uses(c, task, datum) && (found < 0 || *used(c, datum, node) < *used(c, found, node))) {
            found = datum;
        }
    }
    return found;
}

static duet_code evict(duet_copies *c, int32_t datum, size_t node, int64_t *ready,
                       duet_error *error)
{
    int64_t gone = duet_max(*used(c, datum, node), *there(c, datum, node));
    if (node != 0 && is_last_copy(c, datum, node)) {
        DUET_TRY(carry(c, datum, 0, gone, &gone, error));
        *there(c, datum, 0) = gone;
        c->bytes[0] += c->bus->datum[datum].bytes;
    }
    *there(c, datum, node) = DUET_FORBIDDEN;
    c->bytes[node] -= c->bus->datum[datum].bytes;
    c->evictions++;
    *ready = duet_max(*ready, gone);
    return DUET_OK;
}

// Takes memory for a copy; `*ready`: from when on it is there. Main memory is not given up.
static duet_code allocate(duet_copies *c, int64_t task, int32_t datum, size_t node, int64_t *ready,
                          duet_error *error)
{
    int64_t size = c->bus->datum[datum].bytes;
    while (node != 0 && c->bus->capacity[node] > 0 &&
           c->bytes[node] + size > c->bus->capacity[node]) {
        int32_t old = oldest(c, task, node);
        if (old < 0) {
            break;
        }
        DUET_TRY(evict(c, old, node, ready, error));
    }
    c->bytes[node] += size;
    return DUET_OK;
}

duet_code duet_copies_bring(duet_copies *copies, int64_t task, size_t node, int64_t *at,
                            duet_error *error)
{
    duet_copies *c = copies;
    *at = 0;
    if (!duet_copies_fit(c, task, node)) {
        char id[64];
        duet_instance_task_id(c->instance, task, id, sizeof id);
        return duet_error_set(error, DUET_E_INFEASIBLE,
                              "task '%s' reads and writes more than fits into the %lld bytes of "
                              "node %zu, where it runs",
                              id, (long long)c->bus->capacity[node], node);
    }
    for (int64_t i = c->bus->use_at[task]; i < c->bus->use_at[task + 1]; i++) {
        const duet_bus_use *use = &c->bus->use[i];
        int64_t *copied = there(c, use->datum, node);
        int64_t ready = c->now;
        if (*copied == DUET_FORBIDDEN) {
            DUET_TRY(allocate(c, task, use->datum, node, &ready, error));
            *copied = ready;
            if ((use->mode & DUET_BUS_READS) != 0) {
                DUET_TRY(carry(c, use->datum, node, ready, copied, error));
            }
        }
        *at = duet_max(*at, *copied);
    }
    return DUET_OK;
}

void duet_copies_end(duet_copies *copies, int64_t task, size_t node, int64_t end)
{
    duet_copies *c = copies;
    for (int64_t i = c->bus->use_at[task]; i < c->bus->use_at[task + 1]; i++) {
        const duet_bus_use *use = &c->bus->use[i];
        *used(c, use->datum, node) = duet_max(*used(c, use->datum, node), end);
        if ((use->mode & DUET_BUS_WRITES) == 0) {
            continue;
        }
        for (size_t other = 0; other < c->bus->nodes; other++) {
            int64_t *copy = there(c, use->datum, other);
            if (other != node && *copy != DUET_FORBIDDEN) {
                *copy = DUET_FORBIDDEN;
                c->bytes[other] -= c->bus->datum[use->datum].bytes;
            }
        }
        *there(c, use->datum, node) = end;
    }
}
