// SPDX-License-Identifier: Apache-2.0
// What a task runtime said of an instance that was written and is read again: the order in which it
// submits the tasks of each kind, and its workers. Whoever changes the file between may take kinds
// away or add some: tasks of which nothing is said are none of the runtime's.
#include <inttypes.h>
#include <string.h>

#include "core/instance/builder/builder_state.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

void duet_builder_free_told(duet_builder *builder)
{
    duet_names_free(&builder->told.kinds);
    duet_free(builder->told.first);
    duet_free(builder->told.order);
    duet_free(builder->told.worker);
}

duet_code duet_builder_begin_orders(duet_builder *builder, const char *kind, duet_error *error)
{
    duet_builder_told *told = &builder->told;
    size_t before = told->kinds.count;
    uint32_t number;
    told->given = true;
    DUET_TRY(duet_names_add(&told->kinds, 0, kind, &number, error));
    if (number < before) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "the submit_order of \"%.60s\" is given twice; expected once",
                                 kind);
    }
    DUET_TRY(duet_vec_grow(told->first, before, error));
    told->first[before] = told->orders;
    return DUET_OK;
}

duet_code duet_builder_add_order(duet_builder *builder, int64_t order, duet_error *error)
{
    return duet_vec_push(builder->told.order, builder->told.orders, error, order);
}

void duet_builder_begin_workers(duet_builder *builder)
{
    duet_builder_told *told = &builder->told;
    if (told->types < DUET_MAX_TYPES) {
        told->worker_first[told->types] = told->workers;
    }
    told->types++;
}

duet_code duet_builder_add_worker(duet_builder *builder, int64_t worker, duet_error *error)
{
    return duet_vec_push(builder->told.worker, builder->told.workers, error, worker);
}

void duet_builder_set_dependent(duet_builder *builder)
{
    builder->told.dependent = true;
}

// The tasks of a kind, of which the file may say nothing: it says something of the `known` names.
static duet_code take_orders(duet_builder *builder, size_t known, size_t kind, int64_t *order,
                             duet_error *error)
{
    duet_builder_told *told = &builder->told;
    const duet_instance *instance = builder->instance;
    const char *id = instance->ids + instance->id_at[kind];
    uint32_t number;
    DUET_TRY(duet_names_add(&told->kinds, 0, id, &number, error));
    if (number >= known) {
        return DUET_OK;
    }
    size_t end = number + 1 < known ? told->first[number + 1] : told->orders;
    int64_t tasks = duet_count(instance, kind);
    if ((int64_t)(end - told->first[number]) != tasks) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "the submit_order of \"%.60s\" has %zu numbers; expected %" PRId64
                                 ", one for each task",
                                 id, end - told->first[number], tasks);
    }
    memcpy(order + instance->first[kind], told->order + told->first[number],
           (size_t)tasks * sizeof *order);
    return DUET_OK;
}

// Workers of a type are those with numbers below those of the type that comes next.
static void rank_types(const duet_builder *builder, duet_origin *origin)
{
    const duet_builder_told *told = &builder->told;
    size_t types = builder->instance->types;
    for (size_t t = 0; t < types; t++) {
        origin->worker_rank[t] = t == 0 ? types - 1 : t - 1; // StarPU numbers CPUs last
    }
    for (size_t t = 0; t < types && origin->worker != NULL; t++) {
        origin->worker_rank[t] = 0;
        for (size_t other = 0; other < types; other++) {
            bool none = origin->worker_first[t] == origin->worker_first[t + 1];
            bool empty = origin->worker_first[other] == origin->worker_first[other + 1];
            int64_t own = none ? INT64_MAX : told->worker[told->worker_first[t]];
            int64_t its = empty ? INT64_MAX : told->worker[told->worker_first[other]];
            origin->worker_rank[t] += its < own || (its == own && other < t);
        }
    }
}

static duet_code take_workers(duet_builder *builder, duet_origin *origin, duet_error *error)
{
    const duet_builder_told *told = &builder->told;
    size_t types = builder->instance->types;
    if (told->types == types && told->workers > 0) {
        origin->worker = duet_alloc(told->workers, sizeof *origin->worker, error);
        origin->node = duet_alloc(told->workers, sizeof *origin->node, error);
        DUET_NEED(origin->worker != NULL && origin->node != NULL);
        memcpy(origin->worker_first, told->worker_first, types * sizeof *origin->worker_first);
        origin->worker_first[types] = told->workers;
        for (size_t i = 0; i < told->workers; i++) {
            origin->worker[i] = told->worker[i];
            origin->node[i] = -1;
        }
    }
    rank_types(builder, origin);
    return DUET_OK;
}

duet_code duet_builder_take_told(duet_builder *builder, duet_error *error)
{
    const duet_instance *instance = builder->instance;
    if (!builder->told.given) {
        return DUET_OK;
    }
    duet_origin *origin = duet_alloc(1, sizeof *origin, error);
    DUET_NEED(origin);
    duet_builder_set_origin(builder, origin);
    origin->dependent = builder->told.dependent || builder->dropped > 0;
    origin->submit_order = duet_alloc((size_t)duet_tasks(instance), sizeof(int64_t), error);
    DUET_NEED(origin->submit_order);
    DUET_TRY(take_workers(builder, origin, error));
    size_t known = builder->told.kinds.count;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        DUET_TRY(take_orders(builder, known, kind, origin->submit_order, error));
    }
    return DUET_OK;
}

void duet_builder_set_origin(duet_builder *builder, duet_origin *origin)
{
    duet_origin_free(builder->instance->origin);
    builder->instance->origin = origin;
}
