// SPDX-License-Identifier: Apache-2.0
// States of the annealing of independent moldable tasks, and their schedules.
#include <string.h>

#include "core/heap.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/moldable/plan.h"
#include "solvers/moldable/anneal.h"

static bool ends_earlier(const void *unused, duet_anneal_running a, duet_anneal_running b)
{
    (void)unused;
    return a.end < b.end;
}
DUET_HEAP(ends, duet_anneal_running, void, ends_earlier)

duet_code duet_anneal_create(duet_anneal *a, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(a->instance);
    a->tasks = (int32_t)tasks;
    a->kind = duet_kinds_of_tasks(a->instance, error);
    a->monotone = duet_alloc_raw(a->instance->kinds, sizeof *a->monotone, error);
    for (size_t i = 0; a->monotone != NULL && i < a->instance->kinds; i++) {
        a->monotone[i] = duet_moldable_is_monotone(a->instance, i);
    }
    a->run = duet_alloc_raw(tasks, sizeof *a->run, error);
    a->waiting = duet_alloc_raw(tasks, sizeof *a->waiting, error);
    a->list = duet_alloc_raw(tasks, sizeof *a->list, error);
    duet_code code = duet_moldable_choices_create(tasks, &a->now, error);
    DUET_THEN(code, duet_moldable_choices_create(tasks, &a->best, error));
    bool all = a->kind != NULL && a->monotone != NULL && a->run != NULL && a->waiting != NULL &&
               a->list != NULL;
    return all ? code : DUET_E_MEMORY;
}

void duet_anneal_free(duet_anneal *a)
{
    duet_moldable_choices_free(&a->now);
    duet_moldable_choices_free(&a->best);
    duet_free(a->kind);
    duet_free(a->monotone);
    duet_free(a->run);
    duet_free(a->waiting);
    duet_free(a->list);
}

void duet_anneal_set(const duet_anneal *a, duet_moldable_choice *choice, int32_t task, size_t type,
                     int64_t size)
{
    choice->type = (int32_t)type;
    choice->size = (int32_t)size;
    choice->time = duet_moldable_time(a->instance, (size_t)a->kind[task], type, size);
}

int64_t duet_anneal_least_size(const duet_anneal *a, int32_t task, size_t type)
{
    size_t kind = (size_t)a->kind[task];
    duet_time_table table = duet_table_of(a->instance, kind, type);
    return duet_cheapest_size(table, a->monotone[kind], a->due);
}

// Starts what fits, in order, and adds to the worth. Returns how many still wait.
static int32_t start_waiting(duet_anneal *a, int64_t now, int32_t waiting, size_t *runs,
                             duet_anneal_worth *worth)
{
    int32_t kept = 0;
    int64_t idle = 0; // of all types
    for (size_t t = 0; t < a->instance->types; t++) {
        idle += a->idle[t];
    }
    int32_t at = 0;
    for (; at < waiting && idle > 0; at++) {
        const duet_moldable_choice *c = &a->now.choice[a->waiting[at]];
        if (c->size <= a->idle[c->type]) {
            a->idle[c->type] -= c->size;
            idle -= c->size;
            int64_t end = now + c->time;
            worth->makespan = duet_max(end, worth->makespan);
            worth->late += end > a->due ? (double)c->size * (double)(end - a->due) : 0.0;
            ends_push(NULL, a->run, runs, (duet_anneal_running){end, c->type, c->size});
        } else {
            a->waiting[kept++] = a->waiting[at];
        }
    }
    memmove(a->waiting + kept, a->waiting + at, (size_t)(waiting - at) * sizeof *a->waiting);
    return kept + waiting - at;
}

duet_anneal_worth duet_anneal_evaluate(duet_anneal *a, double limit)
{
    duet_anneal_worth worth = {.makespan = 0};
    int32_t waiting = a->tasks;
    size_t runs = 0;
    int64_t now = 0;
    memcpy(a->waiting, a->now.order, (size_t)a->tasks * sizeof *a->waiting);
    memcpy(a->idle, a->instance->processors, a->instance->types * sizeof *a->idle);
    while (waiting > 0 && worth.late <= limit) {
        waiting = start_waiting(a, now, waiting, &runs, &worth);
        if (waiting > 0) {
            now = a->run[0].end;
            while (runs > 0 && a->run[0].end == now) {
                duet_anneal_running ended = ends_pop(NULL, a->run, &runs);
                a->idle[ended.type] += ended.size;
            }
        }
    }
    return worth;
}

void duet_anneal_keep_best(duet_anneal *a)
{
    if (a->now_worth.makespan < a->best_makespan) {
        a->best_makespan = a->now_worth.makespan;
        duet_moldable_choices_copy(&a->best, &a->now, a->tasks);
    }
}

duet_code duet_anneal_write(const duet_anneal *a, duet_solution *solution, duet_error *error)
{
    size_t tasks = (size_t)a->tasks;
    duet_plan plan;
    duet_rigid_task *list = duet_alloc_raw(tasks, sizeof *list, error);
    duet_code code = duet_plan_create(tasks, &plan, error);
    code = list == NULL ? DUET_E_MEMORY : code;
    for (size_t t = 0; t < a->instance->types && code == DUET_OK; t++) {
        size_t count = 0;
        for (size_t i = 0; i < tasks; i++) {
            int32_t task = a->best.order[i];
            const duet_moldable_choice *c = &a->best.choice[task];
            if ((size_t)c->type == t) {
                list[count++] = (duet_rigid_task){c->time, (size_t)task, c->size};
            }
        }
        if (count > 0) {
            code = duet_rigid_list(list, count, (int32_t)t, (size_t)a->instance->processors[t],
                                   &plan, error);
        }
    }
    DUET_THEN(code, duet_plan_write(&plan, solution, error));
    duet_free(list);
    duet_plan_free(&plan);
    return code;
}
