// SPDX-License-Identifier: Apache-2.0
#include "solvers/released/model.h"

#include <stdlib.h>

#include "core/instance/moldable.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static int by_availability(const void *left, const void *right)
{
    const duet_released_processor *a = left;
    const duet_released_processor *b = right;
    return 4 * duet_order(a->type, b->type) + 2 * duet_order(a->from, b->from) +
           duet_order(a->number, b->number);
}

// The most processors that a task may have on a type.
static int64_t largest_size(const duet_instance *instance, size_t type)
{
    int64_t largest = 1;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t sizes = duet_moldable_sizes(instance, i, type);
        largest = duet_max(sizes, largest);
    }
    return largest;
}

// How many processors of a type can be of use: those beyond are never better than these.
static size_t useful(const duet_instance *instance, size_t type)
{
    duet_int128 most = (duet_int128)duet_tasks(instance) * largest_size(instance, type);
    int64_t count = instance->processors[type];
    return (size_t)(most < count ? (int64_t)most : count);
}

// Those that are busy come after all that are not, by their ends.
static duet_code list_processors(duet_released_model *m, duet_error *error)
{
    const duet_instance *instance = m->instance;
    size_t at = 0;
    for (size_t t = 0; t < instance->types; t++) {
        size_t free_first = m->first[t + 1] - m->first[t]; // of each kind, at most
        size_t busy = (size_t)instance->busy_count[t];
        size_t rest = (size_t)instance->processors[t] - busy;
        size_t idle = duet_min(rest, free_first);
        duet_released_processor *list = duet_alloc(busy + idle, sizeof *list, error);
        DUET_NEED(list);
        for (size_t p = 0; p < busy + idle; p++) {
            int32_t number = (int32_t)(p < idle ? busy + p : p - idle);
            list[p] =
                (duet_released_processor){duet_busy_until(instance, t, number), (int32_t)t, number};
        }
        if (busy + idle > 0) {
            qsort(list, busy + idle, sizeof *list, by_availability);
        }
        for (size_t p = 0; p < free_first; p++) {
            m->processor[at++] = list[p];
        }
        duet_free(list);
    }
    return DUET_OK;
}

// The earliest start of a task of no predecessors: its release, and a processor where it may run.
static int64_t own_head(const duet_released_model *m, size_t task)
{
    int64_t earliest = INT64_MAX;
    for (size_t t = 0; t < m->instance->types; t++) {
        if (duet_allowed(m->instance, (size_t)m->kind[task], t) && m->first[t] < m->first[t + 1]) {
            earliest = duet_min(m->processor[m->first[t]].from, earliest);
        }
    }
    return duet_max(m->release[task], earliest);
}

static void find_heads(duet_released_model *m)
{
    const duet_graph *graph = m->graph;
    for (size_t i = 0; i < m->tasks; i++) {
        int32_t j = m->order[i];
        int64_t head = own_head(m, (size_t)j);
        for (int64_t at = graph == NULL ? 0 : graph->enter_at[j];
             graph != NULL && at < graph->enter_at[j + 1]; at++) {
            int32_t before = graph->tail[graph->entering[at]];
            head = duet_max(m->head[before] + m->shortest[before], head);
        }
        m->head[j] = head;
        m->begin = i == 0 ? head : duet_min(head, m->begin);
    }
    for (size_t i = m->tasks; i-- > 0 && graph != NULL;) {
        int32_t j = m->order[i];
        for (int64_t at = graph->leave_at[j]; at < graph->leave_at[j + 1]; at++) {
            int32_t behind = graph->head[graph->leaving[at]];
            m->tail[j] = duet_max(m->tail[behind] + m->shortest[behind], m->tail[j]);
        }
    }
}

duet_code duet_released_model_create(const duet_instance *instance, duet_released_model *model,
                                     duet_error *error)
{
    *model = (duet_released_model){
        .instance = instance, .graph = instance->graph, .tasks = (size_t)duet_tasks(instance)};
    duet_released_model *m = model;
    for (size_t t = 0; t < instance->types; t++) {
        m->first[t + 1] = m->first[t] + useful(instance, t);
    }
    m->processors = m->first[instance->types];
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(m->kind, m->tasks),          DUET_ARENA_ARRAY(m->release, m->tasks),
        DUET_ARENA_ARRAY(m->shortest, m->tasks),      DUET_ARENA_ARRAY(m->head, m->tasks),
        DUET_ARENA_ARRAY(m->tail, m->tasks),          DUET_ARENA_ARRAY(m->order, m->tasks),
        DUET_ARENA_ARRAY(m->processor, m->processors)};
    DUET_TRY(duet_arena_create(&m->arena, arrays, sizeof arrays / sizeof *arrays, error));
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t shortest = duet_shortest_time(instance, i);
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            m->kind[j] = (int32_t)i;
            m->release[j] = duet_release(instance, i);
            m->shortest[j] = shortest;
            m->order[j] = (int32_t)j;
        }
    }
    if (m->graph != NULL &&
        duet_graph_sort(m->graph, DUET_TOPOLOGICAL_SMALLEST, m->order, error) < 0) {
        return DUET_E_MEMORY;
    }
    DUET_TRY(list_processors(m, error));
    find_heads(m);
    return DUET_OK;
}

void duet_released_model_free(duet_released_model *model)
{
    duet_arena_free(&model->arena);
}
