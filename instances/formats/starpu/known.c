// SPDX-License-Identifier: Apache-2.0
// StarPU's numbers of tasks and workers.
#include "instances/formats/starpu/known.h"

#include <stdlib.h>

#include "core/system/memory.h"
#include "core/system/try.h"

static int compare(const void *left, const void *right)
{
    const duet_starpu_number *a = left;
    const duet_starpu_number *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

int64_t duet_starpu_find_number(const duet_starpu_number *numbers, size_t count, int64_t number)
{
    const duet_starpu_number wanted = {number, 0};
    const duet_starpu_number *found =
        count == 0 ? NULL : bsearch(&wanted, numbers, count, sizeof *numbers, compare);
    return found == NULL ? -1 : found->means;
}

bool duet_starpu_is_origin(const duet_instance *instance)
{
    return instance->origin != NULL && instance->origin->submit_order != NULL;
}

static duet_code list_orders(const duet_instance *instance, duet_starpu_known *known,
                             duet_error *error)
{
    int64_t tasks = duet_tasks(instance);
    known->order = duet_alloc((size_t)tasks, sizeof *known->order, error);
    DUET_NEED(known->order);
    for (int64_t i = 0; i < tasks; i++) {
        if (instance->origin->submit_order[i] > 0) {
            known->order[known->orders++] =
                (duet_starpu_number){instance->origin->submit_order[i], i};
        }
    }
    qsort(known->order, known->orders, sizeof *known->order, compare);
    return DUET_OK;
}

// Workers as the file of the instance has them, or type by type.
static duet_code list_workers(const duet_instance *instance, duet_starpu_known *list,
                              duet_error *error)
{
    const duet_origin *origin = instance->origin;
    size_t total = (size_t)duet_all_counts(instance);
    size_t ranked[DUET_MAX_TYPES] = {0};
    bool known = origin->worker != NULL;
    list->worker = duet_alloc(total, sizeof *list->worker, error);
    DUET_NEED(list->worker);
    for (size_t type = 0; type < instance->types; type++) {
        ranked[origin->worker_rank[type]] = type;
        known = known && origin->worker_first[type + 1] - origin->worker_first[type] ==
                             (size_t)instance->processors[type];
    }
    int64_t number = 0;
    for (size_t rank = 0; rank < instance->types; rank++) {
        size_t type = ranked[rank];
        int64_t place = 0;
        for (size_t before = 0; before < type; before++) {
            place += instance->processors[before];
        }
        for (int64_t i = 0; i < instance->processors[type]; i++, number++) {
            int64_t worker =
                known ? origin->worker[origin->worker_first[type] + (size_t)i] : number;
            list->worker[list->workers++] = (duet_starpu_number){worker, place + i};
        }
    }
    qsort(list->worker, list->workers, sizeof *list->worker, compare);
    return DUET_OK;
}

duet_code duet_starpu_list_known(const duet_instance *instance, duet_starpu_known *known,
                                 duet_error *error)
{
    DUET_TRY(list_orders(instance, known, error));
    return list_workers(instance, known, error);
}

void duet_starpu_free_known(duet_starpu_known *known)
{
    duet_free(known->order);
    duet_free(known->worker);
}
