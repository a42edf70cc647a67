// SPDX-License-Identifier: Apache-2.0
// The schedule of an allocation, and when it is given up; allocation.h has the method.
#include "heuristics/graph_search/allocation.h"

#include <string.h>

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"

typedef duet_graph_allocation_entry entry;

static bool earlier(const void *none, entry a, entry b)
{
    (void)none;
    return a.end != b.end ? a.end < b.end : a.task < b.task;
}

DUET_HEAP(running, entry, void, earlier)

duet_code duet_graph_allocation_create(const duet_graph_search_model *model,
                                       duet_graph_allocation *allocation, duet_error *error)
{
    enum { OWN = 6 }; // arrays beside the sets of the types
    size_t tasks = (size_t)model->tasks;
    size_t words = duet_least_set_words(tasks);
    uint64_t *ready[DUET_MAX_TYPES];
    *allocation = (duet_graph_allocation){.model = model};
    duet_arena_array arrays[OWN + DUET_MAX_TYPES] = {
        DUET_ARENA_ARRAY(allocation->type, tasks),
        DUET_ARENA_ARRAY(allocation->time, tasks),
        DUET_ARENA_ARRAY(allocation->level, tasks),
        DUET_ARENA_ARRAY(allocation->start, tasks),
        DUET_ARENA_ARRAY(allocation->left, tasks),
        DUET_ARENA_ARRAY(allocation->running, (size_t)model->begin[model->types])};
    for (size_t t = 0; t < model->types; t++) {
        arrays[OWN + t] = (duet_arena_array)DUET_ARENA_ARRAY(ready[t], words);
    }
    DUET_TRY(duet_graph_level_order_create(model->tasks, &allocation->levels, error));
    DUET_TRY(duet_arena_create(&allocation->arena, arrays, OWN + model->types, error));
    for (size_t t = 0; t < model->types; t++) {
        duet_least_set_begin(&allocation->ready[t], tasks, ready[t]);
    }
    return DUET_OK;
}

void duet_graph_allocation_free(duet_graph_allocation *allocation)
{
    duet_graph_level_order_free(&allocation->levels);
    duet_arena_free(&allocation->arena);
    *allocation = (duet_graph_allocation){.model = NULL};
}

void duet_graph_allocation_set_model(duet_graph_allocation *allocation,
                                     const duet_graph_search_model *model, const int32_t *order)
{
    allocation->model = model;
    allocation->order = order;
    allocation->backwards = model->mirrored;
}

void duet_graph_allocation_set(duet_graph_allocation *allocation, const uint8_t *type)
{
    const duet_graph_search_model *model = allocation->model;
    memcpy(allocation->type, type, (size_t)model->tasks * sizeof *type);
    memset(allocation->work, 0, sizeof allocation->work);
    for (int32_t j = 0; j < model->tasks; j++) {
        allocation->time[j] = duet_graph_search_model_time(model, j, type[j]);
        allocation->work[type[j]] += allocation->time[j];
    }
}

void duet_graph_allocation_move(duet_graph_allocation *allocation, int32_t task, size_t type)
{
    allocation->work[allocation->type[task]] -= allocation->time[task];
    allocation->type[task] = (uint8_t)type;
    allocation->time[task] = duet_graph_search_model_time(allocation->model, task, type);
    allocation->work[type] += allocation->time[task];
}

// --- evaluation ----------------------------------------------------------------------------------

// An evaluation under way.
typedef struct evaluation {
    duet_graph_allocation *a;
    int64_t most; // The makespan above which it is rejected.
    int64_t now;
    // Per type.
    int32_t idle[DUET_MAX_TYPES];    // Processors that are idle.
    int64_t spent[DUET_MAX_TYPES];   // Work of all tasks and idle time so far.
    int64_t offered[DUET_MAX_TYPES]; // What processors have until `most`; -1: too large a number.
} evaluation;

// Bottom levels; false if one is above the limit.
static bool find_levels(duet_graph_allocation *a, int64_t most)
{
    const duet_graph_search_model *model = a->model;
    int32_t tasks = model->tasks;
    for (int32_t i = 0; i < tasks; i++) {
        int32_t task = a->order[a->backwards ? i : tasks - 1 - i];
        int64_t behind = 0;
        for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
            int64_t level = a->level[model->behind[at]];
            behind = duet_max(level, behind);
        }
        a->level[task] = behind + a->time[task];
        if (a->level[task] > most) {
            return false;
        }
    }
    return true;
}

// Processors, and what they offer; false if the work of a type is more.
static bool begin(evaluation *e)
{
    const duet_graph_allocation *a = e->a;
    const duet_graph_search_model *model = a->model;
    for (size_t t = 0; t < model->types; t++) {
        int32_t processors = model->begin[t + 1] - model->begin[t];
        bool fits = processors <= DUET_ALLOCATION_MOST / duet_max(e->most, 1);
        e->idle[t] = processors;
        e->spent[t] = a->work[t];
        e->offered[t] = fits ? processors * e->most : -1;
        if (fits && e->spent[t] > e->offered[t]) {
            return false;
        }
    }
    return true;
}

static void reveal(duet_graph_allocation *a, int32_t task)
{
    duet_least_set_add(&a->ready[a->type[task]], a->levels.rank[task]);
}

static void reveal_sources(duet_graph_allocation *a)
{
    const duet_graph_search_model *model = a->model;
    a->running_count = 0;
    for (size_t t = 0; t < model->types; t++) {
        duet_least_set_clear(&a->ready[t]);
    }
    for (int32_t j = 0; j < model->tasks; j++) {
        a->left[j] = model->before_at[j + 1] - model->before_at[j];
        if (a->left[j] == 0) {
            reveal(a, j);
        }
    }
}

// Idle processors start what is ready; false if a task starts too late for what is behind it.
static bool serve(evaluation *e, size_t type)
{
    duet_graph_allocation *a = e->a;
    while (e->idle[type] > 0 && !duet_least_set_is_empty(&a->ready[type])) {
        int32_t task = a->levels.task[duet_least_set_take(&a->ready[type])];
        if (a->level[task] > e->most - e->now) {
            return false;
        }
        e->idle[type]--;
        a->start[task] = e->now;
        a->placed++;
        running_push(NULL, a->running, &a->running_count,
                     (entry){.end = e->now + a->time[task], .task = task});
    }
    return true;
}

// Goes on to a time; false if what is idle until then leaves too little for the work.
static bool go_on(evaluation *e, int64_t time)
{
    bool within = time <= e->most;
    for (size_t t = 0; t < e->a->model->types && within; t++) {
        if (e->idle[t] > 0 && e->offered[t] >= 0) {
            e->spent[t] += e->idle[t] * (time - e->now);
            within = e->spent[t] <= e->offered[t];
        }
    }
    e->now = time;
    return within;
}

static void complete(evaluation *e)
{
    duet_graph_allocation *a = e->a;
    const duet_graph_search_model *model = a->model;
    int32_t task = running_pop(NULL, a->running, &a->running_count).task;
    e->idle[a->type[task]]++;
    for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
        int32_t next = model->behind[at];
        if (--a->left[next] == 0) {
            reveal(a, next);
        }
    }
}

int64_t duet_graph_allocation_evaluate(duet_graph_allocation *allocation, int64_t most)
{
    duet_graph_allocation *a = allocation;
    evaluation e = {.a = a, .most = most};
    DUET_ASSERT(most <= DUET_ALLOCATION_MOST);
    a->placed = 0;
    if (!begin(&e) || !find_levels(a, most)) {
        return INT64_MAX;
    }
    duet_graph_level_order_update(&a->levels, a->level);
    reveal_sources(a);
    for (;;) {
        for (size_t t = 0; t < a->model->types; t++) {
            if (!serve(&e, t)) {
                return INT64_MAX;
            }
        }
        if (a->running_count == 0) {
            break;
        }
        if (!go_on(&e, a->running[0].end)) {
            return INT64_MAX;
        }
        while (a->running_count > 0 && a->running[0].end == e.now) {
            complete(&e);
        }
    }
    DUET_ASSERT(a->placed == a->model->tasks);
    return e.now;
}
