// SPDX-License-Identifier: Apache-2.0
#include "heuristics/pool.h"

#include <stdlib.h>

#include "core/memory.h"

duet_code duet_pools_create(const duet_instance *instance, duet_pools *pools, duet_error *error)
{
    *pools = (duet_pools){.types = instance->types};
    for (size_t t = 0; t < instance->types; t++) {
        int64_t count = instance->processors[t];
        count = count < duet_tasks(instance) ? count : duet_tasks(instance);
        duet_pool *pool = &pools->pool[t];
        *pool = (duet_pool){duet_alloc((size_t)count, sizeof *pool->heap, error), (size_t)count,
                            (int32_t)t};
        if (pool->heap == NULL) {
            duet_pools_free(pools);
            return DUET_E_MEMORY;
        }
        for (size_t i = 0; i < pool->count; i++) {
            pool->heap[i].index = (int32_t)i; // equal loads in index order: a heap already
        }
    }
    return DUET_OK;
}

void duet_pools_free(duet_pools *pools)
{
    for (size_t t = 0; t < pools->types; t++) {
        free(pools->pool[t].heap);
        pools->pool[t].heap = NULL;
    }
}

static bool before(duet_processor a, duet_processor b)
{
    return a.load != b.load ? a.load < b.load : a.index < b.index;
}

static void sift_down(duet_pool *pool)
{
    duet_processor *heap = pool->heap;
    duet_processor moved = heap[0];
    size_t at = 0;
    for (size_t child = 1; child < pool->count; child = 2 * at + 1) {
        if (child + 1 < pool->count && before(heap[child + 1], heap[child])) {
            child++;
        }
        if (!before(heap[child], moved)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

int64_t duet_pool_place(duet_pool *pool, int64_t time, duet_placement *placement)
{
    duet_processor *least = &pool->heap[0];
    *placement = (duet_placement){least->load, least->index, pool->type};
    least->load += time;
    int64_t completion = least->load;
    sift_down(pool);
    return completion;
}

void duet_pool_place_kind(duet_pool *pool, const duet_instance *instance, size_t kind,
                          duet_solution *solution)
{
    int64_t time = duet_time(instance, kind, (size_t)pool->type);
    for (int64_t j = instance->first[kind]; j < instance->first[kind + 1]; j++) {
        duet_pool_place(pool, time, &solution->placement[j]);
    }
}
