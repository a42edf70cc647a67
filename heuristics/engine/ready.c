// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/ready.h"

#include "core/heap.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

static bool comes_first(const void *none, duet_ready_task a, duet_ready_task b)
{
    (void)none;
    return duet_ready_before(a, b);
}

DUET_HEAP(tasks, duet_ready_task, void, comes_first)

duet_code duet_ready_rank(duet_ready *ready, const duet_instance *instance, duet_kind_value *value,
                          duet_error *error)
{
    DUET_ASSERT(ready->count == 0 && ready->rank == NULL);
    duet_ordered *order = duet_order_by_value(instance, value, error);
    DUET_NEED(order);
    ready->rank = duet_alloc(instance->kinds, sizeof *ready->rank, error);
    for (size_t i = 0; ready->rank != NULL && i < instance->kinds; i++) {
        ready->rank[order[i].kind] = i;
    }
    duet_free(order);
    return ready->rank == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_ready_free(duet_ready *ready)
{
    duet_free(ready->heap);
    duet_free(ready->rank);
    *ready = (duet_ready){.count = 0};
}

duet_code duet_ready_put(duet_ready *ready, duet_ready_task task, duet_error *error)
{
    DUET_TRY(duet_vec_grow(ready->heap, ready->count, error));
    tasks_push(NULL, ready->heap, &ready->count, task);
    return DUET_OK;
}

duet_code duet_ready_add(duet_ready *ready, int64_t task, size_t kind, duet_error *error)
{
    size_t rank = ready->rank == NULL ? 0 : ready->rank[kind];
    rank = ready->place == NULL ? rank : (size_t)ready->place[task];
    return duet_ready_put(ready, (duet_ready_task){rank, task}, error);
}

int64_t duet_ready_take(duet_ready *ready)
{
    return tasks_pop(NULL, ready->heap, &ready->count).task;
}
