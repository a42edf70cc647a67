// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/longest_first.h"

#include "core/instance/order.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/engine/processors.h"

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
    duet_free(allocation->share);
    allocation->share = NULL;
}

// Whether every task has a type that may run it: what a schedule asks of its allocation.
static bool is_complete(const duet_instance *instance, const duet_allocation *allocation)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t tasks = 0;
        for (size_t t = 0; t < instance->types; t++) {
            int64_t share = allocation->share[i * instance->types + t];
            if (share < 0 || (share > 0 && !duet_allowed(instance, i, t))) {
                return false;
            }
            tasks += share;
        }
        if (tasks != duet_count(instance, i)) {
            return false;
        }
    }
    return true;
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

// The index of the first task of a kind that is allocated to `type`.
static int64_t first_task(const duet_instance *instance, const duet_allocation *allocation,
                          size_t kind, size_t type)
{
    int64_t first = instance->first[kind];
    for (size_t t = 0; t < type; t++) {
        first += allocation->share[kind * instance->types + t];
    }
    return first;
}

// Where the tasks of a type are written: as runs or as placements of `solution`.
typedef struct placer {
    const duet_instance *instance;
    const duet_allocation *allocation;
    duet_solution *solution;
    duet_processors *processors;
    int64_t *given; // by processor; NULL where tasks are placed one by one
} placer;

static void place(const placer *p, size_t kind, int64_t first, int64_t count)
{
    int64_t time = duet_time(p->instance, kind, (size_t)p->processors->type);
    if (p->given != NULL) {
        duet_processors_start_many(p->processors, time, first, count, p->given, p->solution);
        return;
    }
    for (int64_t j = first; j < first + count; j++) {
        duet_processors_start(p->processors, time, &p->solution->placement[j]);
    }
}

static void place_type(const placer *p, const duet_ordered *items, size_t count)
{
    const duet_instance *instance = p->instance;
    size_t type = (size_t)p->processors->type;
    size_t last = p->allocation->last[type];
    for (size_t at = 0; at < count; at++) {
        size_t kind = items[at].kind;
        int64_t share = p->allocation->share[kind * instance->types + type] - (kind == last);
        if (share > 0) {
            place(p, kind, first_task(instance, p->allocation, kind, type), share);
        }
    }
    if (last != SIZE_MAX) {
        int64_t share = p->allocation->share[last * instance->types + type];
        place(p, last, first_task(instance, p->allocation, last, type) + share - 1, 1);
    }
}

// At most one run per kind and processor, and one for the task that goes last.
static int64_t most_runs(const duet_instance *instance, const duet_allocation *allocation,
                         const duet_all_processors *all)
{
    int64_t most = 0;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t processors = (int64_t)all->of[t].count;
        for (size_t i = 0; i < instance->kinds; i++) {
            int64_t share = allocation->share[i * instance->types + t];
            most += duet_min(share, processors);
        }
        most += allocation->last[t] != SIZE_MAX;
    }
    return most;
}

// Makes room for runs where there are much fewer of them than tasks, else for placements.
static duet_code choose_form(const duet_instance *instance, const duet_all_processors *all,
                             placer *p, duet_error *error)
{
    int64_t most = most_runs(instance, p->allocation, all);
    if (most > duet_tasks(instance) / DUET_TASKS_PER_RUN) {
        return duet_solution_hold_placements(p->solution, error);
    }
    size_t widest = 0;
    for (size_t t = 0; t < all->types; t++) {
        widest = duet_max(all->of[t].count, widest);
    }
    p->given = duet_alloc(widest, sizeof *p->given, error);
    return p->given == NULL ? DUET_E_MEMORY
                            : duet_solution_hold_runs(p->solution, (size_t)most, error);
}

static duet_code schedule(const duet_instance *instance, placer *p, duet_all_processors *all,
                          duet_ordered *items, duet_error *error)
{
    duet_code code = choose_form(instance, all, p, error);
    for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
        size_t count;
        code = order_kinds(instance, p->allocation, t, items, &count, error);
        if (code == DUET_OK) {
            p->processors = &all->of[t];
            place_type(p, items, count);
        }
    }
    duet_solution_sort_runs(p->solution);
    duet_free(p->given);
    return code;
}

duet_code duet_schedule_longest_first(const duet_instance *instance,
                                      const duet_allocation *allocation, duet_solution *solution,
                                      duet_error *error)
{
    DUET_ASSERT(is_complete(instance, allocation));
    duet_ordered *items = duet_alloc(instance->kinds, sizeof *items, error);
    DUET_NEED(items);
    duet_all_processors all;
    duet_code code = duet_all_processors_create(instance, &all, error);
    if (code == DUET_OK) {
        placer p = {.instance = instance, .allocation = allocation, .solution = solution};
        code = schedule(instance, &p, &all, items, error);
        duet_all_processors_free(&all);
    }
    duet_free(items);
    return code;
}
