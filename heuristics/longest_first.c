// SPDX-License-Identifier: Apache-2.0
#include "heuristics/longest_first.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/order.h"
#include "heuristics/pool.h"

duet_code duet_allocation_create(const duet_instance *instance, duet_allocation *allocation,
                                 duet_error *error)
{
    allocation->share =
        duet_alloc(instance->kinds, instance->types * sizeof *allocation->share, error);
    for (size_t t = 0; t < DUET_MAX_TYPES; t++) {
        allocation->last[t] = SIZE_MAX;
    }
    return allocation->share == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_allocation_free(duet_allocation *allocation)
{
    free(allocation->share);
    allocation->share = NULL;
}

// The kinds with tasks on a type, longest first, into `items`.
static duet_code order_kinds(const duet_instance *instance, const duet_allocation *allocation,
                             size_t type, duet_ordered *items, size_t *used, duet_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (allocation->share[i * instance->types + type] > 0) {
            items[count++] = (duet_ordered){(uint64_t)duet_time(instance, i, type), i};
        }
    }
    *used = count;
    return duet_order_by_key(items, count, error);
}

// The index of the first task of a kind that is dealt to `type`.
static int64_t first_task(const duet_instance *instance, const duet_allocation *allocation,
                          size_t kind, size_t type)
{
    int64_t first = instance->first[kind];
    for (size_t t = 0; t < type; t++) {
        first += allocation->share[kind * instance->types + t];
    }
    return first;
}

static void place_type(const duet_instance *instance, const duet_allocation *allocation,
                       size_t type, const duet_ordered *items, size_t count, duet_pool *pool,
                       duet_solution *solution)
{
    size_t last = allocation->last[type];
    for (size_t at = 0; at < count; at++) {
        size_t kind = items[at].kind;
        int64_t time = duet_time(instance, kind, type);
        int64_t begin = first_task(instance, allocation, kind, type);
        int64_t end = begin + allocation->share[kind * instance->types + type] - (kind == last);
        for (int64_t j = begin; j < end; j++) {
            duet_pool_place(pool, time, &solution->placement[j]);
        }
    }
    if (last != SIZE_MAX) {
        int64_t task = first_task(instance, allocation, last, type) +
                       allocation->share[last * instance->types + type] - 1;
        duet_pool_place(pool, duet_time(instance, last, type), &solution->placement[task]);
    }
}

duet_code duet_schedule_longest_first(const duet_instance *instance,
                                      const duet_allocation *allocation, duet_solution *solution,
                                      duet_error *error)
{
    duet_ordered *items = duet_alloc(instance->kinds, sizeof *items, error);
    if (items == NULL) {
        return DUET_E_MEMORY;
    }
    duet_pools pools;
    duet_code code = duet_pools_create(instance, &pools, error);
    if (code == DUET_OK) {
        for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
            size_t count;
            code = order_kinds(instance, allocation, t, items, &count, error);
            if (code == DUET_OK) {
                place_type(instance, allocation, t, items, count, &pools.pool[t], solution);
            }
        }
        duet_pools_free(&pools);
    }
    free(items);
    return code;
}
