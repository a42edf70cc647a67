// SPDX-License-Identifier: Apache-2.0
#include "heuristics/moldable/plan.h"

#include <stdlib.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

duet_code duet_plan_create(size_t tasks, duet_plan *plan, duet_error *error)
{
    *plan = (duet_plan){.tasks = tasks};
    plan->task = duet_alloc_raw(tasks, sizeof *plan->task, error);
    DUET_NEED(plan->task);
    duet_plan_clear(plan);
    return DUET_OK;
}

void duet_plan_free(duet_plan *plan)
{
    duet_free(plan->task);
    duet_free(plan->processor);
    *plan = (duet_plan){.task = NULL};
}

void duet_plan_clear(duet_plan *plan)
{
    plan->used = 0;
    for (size_t j = 0; j < plan->tasks; j++) {
        plan->task[j] = (duet_planned){.first = SIZE_MAX, .type = -1};
    }
}

int64_t duet_plan_makespan(const duet_plan *plan)
{
    int64_t makespan = 0;
    for (size_t j = 0; j < plan->tasks; j++) {
        const duet_planned *task = &plan->task[j];
        bool last = task->first != SIZE_MAX && task->start + task->time > makespan;
        makespan = last ? task->start + task->time : makespan;
    }
    return makespan;
}

int32_t *duet_plan_add(duet_plan *plan, size_t task, int32_t size, duet_error *error)
{
    size_t needed = plan->used + (size_t)size;
    if (duet_vec_reserve(plan->processor, needed, error) != DUET_OK) {
        return NULL;
    }
    int32_t *set = plan->processor + plan->used;
    plan->task[task].first = plan->used;
    plan->task[task].size = size;
    plan->used = needed;
    return set;
}

// A task by its start.
typedef struct entry {
    int64_t start;
    size_t task;
} entry;

static int by_start(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    int order = duet_order(a->start, b->start);
    return order != 0 ? order : duet_order((duet_int128)a->task, (duet_int128)b->task);
}

static void shift(duet_plan *plan, const entry *order, size_t count, int64_t *release)
{
    for (size_t i = 0; i < count; i++) {
        duet_planned *task = &plan->task[order[i].task];
        const int32_t *set = duet_plan_set(plan, order[i].task);
        int64_t start = 0;
        for (int32_t p = 0; p < task->size; p++) {
            start = duet_max(release[set[p]], start);
        }
        DUET_ASSERT(start <= task->start);
        task->start = start;
        for (int32_t p = 0; p < task->size; p++) {
            release[set[p]] = start + task->time;
        }
    }
}

duet_code duet_plan_shift_left(duet_plan *plan, int32_t type, size_t processors, duet_error *error)
{
    entry *order = duet_alloc_raw(plan->tasks, sizeof *order, error);
    int64_t *release = duet_alloc(processors, sizeof *release, error);
    duet_code code = order == NULL || release == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        size_t count = 0;
        for (size_t j = 0; j < plan->tasks; j++) {
            if (plan->task[j].type == type) {
                order[count++] = (entry){plan->task[j].start, j};
            }
        }
        qsort(order, count, sizeof *order, by_start);
        shift(plan, order, count, release);
    }
    duet_free(order);
    duet_free(release);
    return code;
}

// Ascending processors as ranges. Returns how many these are.
static size_t make_ranges(const int32_t *set, int32_t size, int32_t type,
                          duet_processor_range *range)
{
    size_t count = 0;
    for (int32_t p = 0; p < size; p++) {
        if (count > 0 && range[count - 1].last + 1 == set[p]) {
            range[count - 1].last++;
        } else {
            range[count++] = (duet_processor_range){type, set[p], set[p]};
        }
    }
    return count;
}

// For the sets of all tasks, so that none is lost for want of memory when others are written.
static duet_code make_room(const duet_plan *plan, duet_processor_range *range,
                           duet_solution *solution, duet_error *error)
{
    size_t ranges = 0;
    for (size_t j = 0; j < plan->tasks; j++) {
        const duet_planned *task = &plan->task[j];
        ranges += make_ranges(duet_plan_set(plan, j), task->size, task->type, range);
    }
    return duet_vec_reserve(solution->range, ranges, error);
}

duet_code duet_plan_write(const duet_plan *plan, duet_solution *solution, duet_error *error)
{
    int32_t widest = 1;
    for (size_t j = 0; j < plan->tasks; j++) {
        DUET_ASSERT(plan->task[j].first < SIZE_MAX);
        widest = duet_max(plan->task[j].size, widest);
    }
    duet_processor_range *range = duet_alloc_raw((size_t)widest, sizeof *range, error);
    duet_code code = range == NULL ? DUET_E_MEMORY : make_room(plan, range, solution, error);
    DUET_THEN(code, duet_solution_hold_sets(solution, error));
    for (size_t j = 0; j < plan->tasks && code == DUET_OK; j++) { // from here on nothing fails
        const duet_planned *task = &plan->task[j];
        size_t count = make_ranges(duet_plan_set(plan, j), task->size, task->type, range);
        code = duet_solution_place_set(solution, (int64_t)j, task->start,
                                       (duet_processor_set){range, count}, error);
    }
    duet_free(range);
    return code;
}
