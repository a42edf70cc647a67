// SPDX-License-Identifier: Apache-2.0
// Target-guided dispatches; dispatch.h has the method.
#include "heuristics/graph_search/dispatch.h"

#include "core/heap.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "heuristics/graph_search/tuning.h"

// An event that is the completion of its task has this type.
enum { COMPLETES = DUET_MAX_TYPES };

// A waiting task, or an event; the lowest key first.
struct duet_graph_search_dispatch_entry {
    double key;   // of a waiting task
    int64_t time; // of an event
    int32_t task;
    int32_t type; // of an event: where the task may start from then on
};

typedef struct duet_graph_search_dispatch_entry entry;

static bool before(const void *none, entry a, entry b)
{
    (void)none;
    return a.key != b.key ? a.key < b.key : a.task < b.task;
}

static bool earlier(const void *none, entry a, entry b)
{
    (void)none;
    return a.time != b.time ? a.time < b.time : a.task < b.task;
}

DUET_HEAP(waiting, entry, void, before)
DUET_HEAP(events, entry, void, earlier)

duet_code duet_graph_search_dispatcher_create(const duet_graph_search_model *model,
                                              duet_graph_search_dispatcher *dispatcher,
                                              duet_error *error)
{
    size_t tasks = (size_t)model->tasks;
    *dispatcher = (duet_graph_search_dispatcher){.tasks = model->tasks, .types = model->types};
    dispatcher->home = duet_alloc_raw(tasks, sizeof *dispatcher->home, error);
    dispatcher->left = duet_alloc_raw(tasks, sizeof *dispatcher->left, error);
    dispatcher->end = duet_alloc_raw(tasks, sizeof *dispatcher->end, error);
    dispatcher->order = duet_alloc_raw(tasks, sizeof *dispatcher->order, error);
    dispatcher->type = duet_alloc_raw(tasks, sizeof *dispatcher->type, error);
    if (dispatcher->home == NULL || dispatcher->left == NULL || dispatcher->end == NULL ||
        dispatcher->order == NULL || dispatcher->type == NULL) {
        return DUET_E_MEMORY;
    }
    for (int32_t j = 0; j < model->tasks; j++) {
        size_t home = SIZE_MAX;
        for (size_t t = 0; t < model->types; t++) {
            if (duet_graph_search_model_allows(model, j, t) &&
                (home == SIZE_MAX || duet_graph_search_model_time(model, j, t) <=
                                         duet_graph_search_model_time(model, j, home))) {
                home = t;
            }
        }
        DUET_ASSERT(home != SIZE_MAX);
        dispatcher->home[j] = (uint8_t)home;
    }
    return DUET_OK;
}

void duet_graph_search_dispatcher_free(duet_graph_search_dispatcher *dispatcher)
{
    duet_free(dispatcher->home);
    duet_free(dispatcher->left);
    duet_free(dispatcher->end);
    duet_free(dispatcher->order);
    duet_free(dispatcher->type);
    for (size_t t = 0; t < dispatcher->types; t++) {
        duet_free(dispatcher->at_home[t].entry);
        duet_free(dispatcher->away[t].entry);
    }
    duet_free(dispatcher->events.entry);
    *dispatcher = (duet_graph_search_dispatcher){.tasks = 0};
}

// --- one schedule --------------------------------------------------------------------------------

typedef struct dispatch {
    duet_graph_search_dispatcher *d;
    const duet_graph_search_model *model;
    const duet_graph_search_dispatch *how;
    duet_random *random;
    int64_t now;
    int64_t makespan;
    int32_t idle[DUET_MAX_TYPES];
    int32_t started;
    duet_code code; // the first failure stays
    duet_error *error;
} dispatch;

static bool has_room(dispatch *s, duet_graph_search_dispatch_heap *heap)
{
    if (s->code == DUET_OK) {
        s->code =
            duet_grow(&heap->entry, heap->count, &heap->capacity, sizeof *heap->entry, s->error);
    }
    return s->code == DUET_OK;
}

static double disturbed(dispatch *s, double key)
{
    return s->how->noise > 0 ? key * (1.0 + s->how->noise * duet_random_unit(s->random)) : key;
}

// How well the second best type runs a task, as a share: 1 is as well as its home.
static double ease_elsewhere(const dispatch *s, int32_t task)
{
    const duet_graph_search_model *model = s->model;
    size_t home = s->d->home[task];
    double least = 0;
    for (size_t t = 0; t < model->types; t++) {
        if (t != home && duet_graph_search_model_allows(model, task, t)) {
            double time = (double)duet_graph_search_model_time(model, task, t);
            double ease =
                time > 0 ? (double)duet_graph_search_model_time(model, task, home) / time : 1.0;
            least = duet_max(ease, least);
        }
    }
    return least;
}

static void wait_at_home(dispatch *s, int32_t task)
{
    duet_graph_search_dispatch_heap *heap = &s->d->at_home[s->d->home[task]];
    if (has_room(s, heap)) {
        double key = -disturbed(s, (double)s->how->priority[task]);
        if (s->how->penalty > 0) {
            key += s->how->penalty * (double)s->how->target * ease_elsewhere(s, task);
        }
        waiting_push(NULL, heap->entry, &heap->count, (entry){.key = key, .task = task});
    }
}

static void wait_away(dispatch *s, int32_t task, size_t type)
{
    duet_graph_search_dispatch_heap *heap = &s->d->away[type];
    if (has_room(s, heap)) {
        double home = (double)duet_graph_search_model_time(s->model, task, s->d->home[task]);
        double time = (double)duet_graph_search_model_time(s->model, task, type);
        double key = disturbed(s, home > 0 ? time / home : time + 1.0);
        double behind = (double)s->how->behind[task] / ((double)s->how->target + 1.0);
        key *= 1.0 + (s->how->longest_tail_first ? -DUET_DISPATCH_TIE : DUET_DISPATCH_TIE) * behind;
        waiting_push(NULL, heap->entry, &heap->count, (entry){.key = key, .task = task});
    }
}

static void join(dispatch *s, int32_t task, size_t type)
{
    if (type == s->d->home[task]) {
        wait_at_home(s, task);
    } else {
        wait_away(s, task, type);
    }
}

static void expect(dispatch *s, int64_t time, int32_t task, int32_t type)
{
    duet_graph_search_dispatch_heap *heap = &s->d->events;
    if (has_room(s, heap)) {
        events_push(NULL, heap->entry, &heap->count,
                    (entry){.time = time, .task = task, .type = type});
    }
}

// When the data of a task are on any processor of a type.
static int64_t data_at(const dispatch *s, int32_t task, size_t type)
{
    const duet_graph_search_model *model = s->model;
    int64_t ready = 0;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int32_t from = model->before[at];
        int64_t there =
            s->d->end[from] +
            duet_graph_search_model_cost(model, model->before_table[at], s->d->type[from], type);
        ready = duet_max(there, ready);
    }
    return ready;
}

// All predecessors of a task have ended.
static void reveal(dispatch *s, int32_t task)
{
    for (size_t t = 0; t < s->model->types; t++) {
        if (!duet_graph_search_model_allows(s->model, task, t)) {
            continue;
        }
        int64_t ready = duet_graph_search_model_has_costs(s->model) ? data_at(s, task, t) : s->now;
        if (ready > s->now) {
            expect(s, ready, task, (int32_t)t);
        } else {
            join(s, task, t);
        }
    }
}

static void start(dispatch *s, int32_t task, size_t type)
{
    duet_graph_search_dispatcher *d = s->d;
    s->idle[type]--;
    d->type[task] = (uint8_t)type;
    d->end[task] = s->now + duet_graph_search_model_time(s->model, task, type);
    d->order[s->started++] = task;
    s->makespan = duet_max(d->end[task], s->makespan);
    expect(s, d->end[task], task, COMPLETES);
}

static bool has_started(const dispatch *s, int32_t task)
{
    return s->d->end[task] >= 0;
}

// Whether a task that starts now on a type other than its home leaves time for what is behind it.
static bool is_in_time(const dispatch *s, int32_t task, size_t type)
{
    double ends = (double)s->now + (double)duet_graph_search_model_time(s->model, task, type);
    return ends + s->how->tail_weight * (double)s->how->behind[task] <= (double)s->how->target;
}

static void serve_home(dispatch *s, size_t type)
{
    duet_graph_search_dispatch_heap *heap = &s->d->at_home[type];
    while (s->idle[type] > 0 && heap->count > 0) {
        int32_t task = waiting_pop(NULL, heap->entry, &heap->count).task;
        if (!has_started(s, task)) {
            start(s, task, type);
        }
    }
}

// What is too late for this type now stays so.
static void serve_away(dispatch *s, size_t type)
{
    duet_graph_search_dispatch_heap *heap = &s->d->away[type];
    while (s->idle[type] > 0 && heap->count > 0) {
        int32_t task = waiting_pop(NULL, heap->entry, &heap->count).task;
        if (!has_started(s, task) && is_in_time(s, task, type)) {
            start(s, task, type);
        }
    }
}

static void serve(dispatch *s)
{
    for (size_t t = s->model->types; t-- > 0;) {
        serve_home(s, t);
    }
    for (size_t t = s->model->types; t-- > 0;) {
        serve_away(s, t);
    }
}

static void complete(dispatch *s, int32_t task)
{
    const duet_graph_search_model *model = s->model;
    s->idle[s->d->type[task]]++;
    for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
        int32_t next = model->behind[at];
        if (--s->d->left[next] == 0) {
            reveal(s, next);
        }
    }
}

static void begin(dispatch *s)
{
    duet_graph_search_dispatcher *d = s->d;
    d->events.count = 0;
    for (size_t t = 0; t < s->model->types; t++) {
        d->at_home[t].count = 0;
        d->away[t].count = 0;
        s->idle[t] = s->model->begin[t + 1] - s->model->begin[t];
    }
    for (int32_t j = 0; j < d->tasks; j++) {
        d->end[j] = -1;
        d->left[j] = s->model->before_at[j + 1] - s->model->before_at[j];
    }
    for (int32_t j = 0; j < d->tasks; j++) {
        if (d->left[j] == 0) {
            reveal(s, j);
        }
    }
    serve(s);
}

duet_code duet_graph_search_dispatch_run(duet_graph_search_dispatcher *dispatcher,
                                         const duet_graph_search_model *model,
                                         const duet_graph_search_dispatch *how, duet_random *random,
                                         int64_t *makespan, duet_error *error)
{
    dispatch s = {.d = dispatcher, .model = model, .how = how, .random = random, .error = error};
    duet_graph_search_dispatch_heap *heap = &dispatcher->events;
    begin(&s);
    while (heap->count > 0 && s.code == DUET_OK) {
        s.now = heap->entry[0].time;
        while (heap->count > 0 && heap->entry[0].time == s.now && s.code == DUET_OK) {
            entry event = events_pop(NULL, heap->entry, &heap->count);
            if (event.type == COMPLETES) {
                complete(&s, event.task);
            } else if (!has_started(&s, event.task)) {
                join(&s, event.task, (size_t)event.type);
            }
        }
        serve(&s);
    }
    DUET_ASSERT(s.code != DUET_OK || s.started == dispatcher->tasks);
    *makespan = s.makespan;
    return s.code;
}
