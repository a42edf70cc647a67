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
    enum { OWN = 11 }; // arrays beside the sets of the types
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
        DUET_ARENA_ARRAY(allocation->kept_time, tasks),
        DUET_ARENA_ARRAY(allocation->kept_level, tasks),
        DUET_ARENA_ARRAY(allocation->kept_head, tasks),
        DUET_ARENA_ARRAY(allocation->place, tasks),
        DUET_ARENA_ARRAY(allocation->waits, tasks),
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

// The task at a place of the topological order, from its beginning.
static int32_t task_at(const duet_graph_allocation *a, int32_t place)
{
    return a->order[a->backwards ? a->model->tasks - 1 - place : place];
}

void duet_graph_allocation_set_model(duet_graph_allocation *allocation,
                                     const duet_graph_search_model *model, const int32_t *order)
{
    allocation->model = model;
    allocation->order = order;
    allocation->backwards = model->mirrored;
    allocation->kept = false;
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t task = task_at(allocation, i);
        allocation->place[task] = i;
        allocation->waits[task] = model->before_at[task + 1] - model->before_at[task];
    }
}

void duet_graph_allocation_set(duet_graph_allocation *allocation, const uint8_t *type)
{
    const duet_graph_search_model *model = allocation->model;
    memcpy(allocation->type, type, (size_t)model->tasks * sizeof *type);
    memset(allocation->work, 0, sizeof allocation->work);
    allocation->kept = false;
    for (int32_t j = 0; j < model->tasks; j++) {
        allocation->time[j] = duet_graph_search_model_time(model, j, type[j]);
        allocation->work[type[j]] += allocation->time[j];
    }
}

static void note_moved(duet_graph_allocation *a, int32_t task)
{
    int32_t at = 0;
    while (at < a->moved_count && at < DUET_ALLOCATION_MOVED && a->moved[at] != task) {
        at++;
    }
    if (at == a->moved_count && at < DUET_ALLOCATION_MOVED) {
        a->moved[at] = task;
        a->moved_count++;
    }
    a->kept = a->kept && at < DUET_ALLOCATION_MOVED;
}

void duet_graph_allocation_move(duet_graph_allocation *allocation, int32_t task, size_t type)
{
    note_moved(allocation, task);
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
    entry alone[DUET_MAX_TYPES];     // What runs where there is one processor; INT64_MAX: nothing.
    int64_t offered[DUET_MAX_TYPES]; // What processors have until `most`; -1: too large a number.
} evaluation;

// Forgets the moved tasks that are back.
static void forget_back(duet_graph_allocation *a)
{
    int32_t count = 0;
    for (int32_t i = 0; i < a->moved_count; i++) {
        int32_t task = a->moved[i];
        a->moved[count] = task;
        count += a->time[task] != a->kept_time[task] ? 1 : 0;
    }
    a->moved_count = count;
}

// Whether a path through a moved task is too long.
static bool has_long_path(const duet_graph_allocation *a, int64_t most)
{
    int64_t saved = 0;
    bool found = false;
    for (int32_t i = 0; i < a->moved_count; i++) {
        int64_t less = a->kept_time[a->moved[i]] - a->time[a->moved[i]];
        saved += duet_max(less, INT64_C(0));
    }
    for (int32_t i = 0; i < a->moved_count && !found; i++) {
        int32_t task = a->moved[i];
        int64_t more = a->time[task] - a->kept_time[task];
        found = more > 0 && a->kept_head[task] + a->kept_level[task] + more - saved > most;
    }
    return found;
}

// Bottom levels; false if one is above the limit. Tasks behind all that were moved keep theirs.
static bool find_levels(duet_graph_allocation *a, int64_t most)
{
    const duet_graph_search_model *model = a->model;
    int32_t last = a->kept ? -1 : model->tasks - 1;
    if (a->kept) {
        if (has_long_path(a, most)) {
            return false;
        }
        for (int32_t i = 0; i < a->moved_count; i++) {
            last = duet_max(last, a->place[a->moved[i]]);
        }
        memcpy(a->level, a->kept_level, (size_t)model->tasks * sizeof *a->level);
    }
    a->looked = last + 1;
    for (int32_t i = last; i >= 0; i--) {
        int32_t task = task_at(a, i);
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

void duet_graph_allocation_keep(duet_graph_allocation *allocation)
{
    duet_graph_allocation *a = allocation;
    const duet_graph_search_model *model = a->model;
    size_t tasks = (size_t)model->tasks;
    memcpy(a->kept_time, a->time, tasks * sizeof *a->time);
    memcpy(a->kept_level, a->level, tasks * sizeof *a->level);
    memset(a->kept_head, 0, tasks * sizeof *a->kept_head);
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t task = task_at(a, i);
        int64_t end = a->kept_head[task] + a->time[task];
        for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
            int64_t *head = &a->kept_head[model->behind[at]];
            *head = duet_max(*head, end);
        }
    }
    a->moved_count = 0;
    a->kept = true;
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
        e->alone[t].end = INT64_MAX;
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
    memcpy(a->left, a->waits, (size_t)model->tasks * sizeof *a->left);
    for (int32_t j = 0; j < model->tasks; j++) {
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
        entry runs = {.end = e->now + a->time[task], .task = task};
        if (a->model->begin[type + 1] - a->model->begin[type] == 1) {
            e->alone[type] = runs;
        } else {
            running_push(NULL, a->running, &a->running_count, runs);
        }
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

static void complete(evaluation *e, int32_t task)
{
    duet_graph_allocation *a = e->a;
    const duet_graph_search_model *model = a->model;
    e->idle[a->type[task]]++;
    for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
        int32_t next = model->behind[at];
        if (--a->left[next] == 0) {
            reveal(a, next);
        }
    }
}

// When the next task ends; INT64_MAX: none runs.
static int64_t next_end(const evaluation *e)
{
    int64_t end = e->a->running_count > 0 ? e->a->running[0].end : INT64_MAX;
    for (size_t t = 0; t < e->a->model->types; t++) {
        end = duet_min(end, e->alone[t].end);
    }
    return end;
}

// Completes all tasks that end now.
static void complete_all(evaluation *e)
{
    duet_graph_allocation *a = e->a;
    for (size_t t = 0; t < a->model->types; t++) {
        if (e->alone[t].end == e->now) {
            e->alone[t].end = INT64_MAX;
            complete(e, e->alone[t].task);
        }
    }
    while (a->running_count > 0 && a->running[0].end == e->now) {
        complete(e, running_pop(NULL, a->running, &a->running_count).task);
    }
}

int64_t duet_graph_allocation_evaluate(duet_graph_allocation *allocation, int64_t most)
{
    duet_graph_allocation *a = allocation;
    evaluation e = {.a = a, .most = most};
    DUET_ASSERT(most <= DUET_ALLOCATION_MOST);
    a->placed = 0;
    a->looked = 0;
    if (a->kept) {
        forget_back(a);
    }
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
        int64_t end = next_end(&e);
        if (end == INT64_MAX) {
            break;
        }
        if (!go_on(&e, end)) {
            return INT64_MAX;
        }
        complete_all(&e);
    }
    DUET_ASSERT(a->placed == a->model->tasks);
    return e.now;
}
