// SPDX-License-Identifier: Apache-2.0
#include "heuristics/graph_search/stretches.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "heuristics/graph_search/stretch.h"

// Tasks of a stretch, and its nodes at most.
enum { TASKS = 6, NODES = 2000 };
// The work of a node: one, and one for so many processors.
enum { PROCESSORS = 16 };
// The target is that much below the makespan: one in so many.
enum { BELOW = 200 };

typedef struct sorted {
    int64_t start;
    int64_t end;
    int32_t place; // in a topological order
    int32_t task;
} sorted;

struct duet_graph_search_stretches {
    const duet_graph_search_model *model;
    duet_graph_search_stretch stretch;

    // The schedule. A row is what a processor runs in it, at first.
    duet_placement *placement;
    int32_t *order; // of the tasks, by starts
    int32_t *place; // of a task in that order
    int32_t *row;   // of a task
    int32_t *next;  // the next task in its row; -1: there is none
    int64_t *end;   // of a task: before the stretch, and in it
    int64_t *tail;  // time behind its end, on the rows: behind the stretch
    sorted *sorted;

    // The stretch goes over the schedule.
    int32_t first;    // of its tasks, in the order
    int32_t *head;    // of a row: its first task behind the stretch; -1: there is none
    int32_t *runs_on; // of a row: the processor that goes on with it
    int64_t *before;  // of a processor: when it is free before the stretch,
    int64_t *behind;  // and behind
    int64_t *wait;    // of a row: how long the schedule goes on with it
    int32_t *rows;    // of a type, the one with the shortest wait first
    int32_t *freed;   // processors of a type, the one that is free first first
    bool gained;      // some stretch of the sweep has become better

    int64_t work;
};

duet_code duet_graph_search_stretches_create(const duet_graph_search_model *model,
                                             duet_graph_search_stretches **out, duet_error *error)
{
    size_t tasks = (size_t)model->tasks;
    size_t processors = (size_t)model->begin[model->types];
    *out = NULL;
    duet_graph_search_stretches *w = duet_alloc(1, sizeof *w, error);
    if (w == NULL) {
        return DUET_E_MEMORY;
    }
    w->model = model;
    duet_code code = duet_graph_search_stretch_create(model, &w->stretch, error);
    w->order = duet_alloc_raw(tasks, sizeof *w->order, error);
    w->place = duet_alloc_raw(tasks, sizeof *w->place, error);
    w->row = duet_alloc_raw(tasks, sizeof *w->row, error);
    w->next = duet_alloc_raw(tasks, sizeof *w->next, error);
    w->end = duet_alloc_raw(tasks, sizeof *w->end, error);
    w->tail = duet_alloc_raw(tasks, sizeof *w->tail, error);
    w->sorted = duet_alloc_raw(tasks, sizeof *w->sorted, error);
    w->head = duet_alloc_raw(processors, sizeof *w->head, error);
    w->runs_on = duet_alloc_raw(processors, sizeof *w->runs_on, error);
    w->before = duet_alloc_raw(processors, sizeof *w->before, error);
    w->behind = duet_alloc_raw(processors, sizeof *w->behind, error);
    w->wait = duet_alloc_raw(processors, sizeof *w->wait, error);
    w->rows = duet_alloc_raw(processors, sizeof *w->rows, error);
    w->freed = duet_alloc_raw(processors, sizeof *w->freed, error);
    bool whole = w->order != NULL && w->place != NULL && w->row != NULL && w->next != NULL &&
                 w->end != NULL && w->tail != NULL && w->sorted != NULL && w->head != NULL &&
                 w->runs_on != NULL && w->before != NULL && w->behind != NULL && w->wait != NULL &&
                 w->rows != NULL && w->freed != NULL;
    if (code != DUET_OK || !whole) {
        duet_graph_search_stretches_free(w);
        return DUET_E_MEMORY;
    }
    *out = w;
    return DUET_OK;
}

void duet_graph_search_stretches_free(duet_graph_search_stretches *stretches)
{
    if (stretches == NULL) {
        return;
    }
    duet_graph_search_stretch_free(&stretches->stretch);
    duet_free(stretches->order);
    duet_free(stretches->place);
    duet_free(stretches->row);
    duet_free(stretches->next);
    duet_free(stretches->end);
    duet_free(stretches->tail);
    duet_free(stretches->sorted);
    duet_free(stretches->head);
    duet_free(stretches->runs_on);
    duet_free(stretches->before);
    duet_free(stretches->behind);
    duet_free(stretches->wait);
    duet_free(stretches->rows);
    duet_free(stretches->freed);
    duet_free(stretches);
}

int64_t duet_graph_search_stretches_work(const duet_graph_search_stretches *stretches)
{
    return stretches->work;
}

static int64_t time_of(const duet_graph_search_stretches *w, int32_t task)
{
    return duet_graph_search_model_time(w->model, task, (size_t)w->placement[task].type);
}

static int32_t processor_of(const duet_graph_search_stretches *w, int32_t task)
{
    int32_t processor = w->model->begin[w->placement[task].type] + w->placement[task].processor;
    DUET_ASSERT(processor < w->model->begin[w->placement[task].type + 1]);
    return processor;
}

// --- the schedule --------------------------------------------------------------------------------

// A task that takes no time may be where and when another one starts: it is before that.
static int by_start(const void *left, const void *right)
{
    const sorted *a = left;
    const sorted *b = right;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->end != b->end) {
        return a->end < b->end ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

// Sets the ends of tasks, and returns the last.
static int64_t find_ends(duet_graph_search_stretches *w)
{
    int64_t makespan = 0;
    for (int32_t j = 0; j < w->model->tasks; j++) {
        w->end[j] = w->placement[j].start + time_of(w, j);
        makespan = duet_max(makespan, w->end[j]);
    }
    return makespan;
}

static void sort_by_start(duet_graph_search_stretches *w, const int32_t *topological)
{
    for (int32_t i = 0; i < w->model->tasks; i++) {
        int32_t j = topological[i];
        w->sorted[i] = (sorted){w->placement[j].start, w->end[j], i, j};
    }
    qsort(w->sorted, (size_t)w->model->tasks, sizeof *w->sorted, by_start);
    for (int32_t i = 0; i < w->model->tasks; i++) {
        w->order[i] = w->sorted[i].task;
        w->place[w->sorted[i].task] = i;
    }
}

// From the last task to the first: rows, and how long the schedule goes on behind each task. Leaves
// the first task of each row in `head`.
static void find_rows(duet_graph_search_stretches *w)
{
    const duet_graph_search_model *model = w->model;
    for (int32_t p = 0; p < model->begin[model->types]; p++) {
        w->head[p] = -1;
        w->runs_on[p] = p;
        w->rows[p] = p;
        w->freed[p] = p;
        w->before[p] = 0;
        w->behind[p] = 0;
    }
    for (int32_t i = model->tasks; i-- > 0;) {
        int32_t j = w->order[i];
        int32_t row = processor_of(w, j);
        int32_t next = w->head[row];
        int64_t tail = next >= 0 ? w->tail[next] + time_of(w, next) : 0;
        for (int32_t at = model->behind_at[j]; at < model->behind_at[j + 1]; at++) {
            int32_t k = model->behind[at];
            tail = duet_max(tail, w->tail[k] + time_of(w, k));
        }
        w->tail[j] = tail;
        w->row[j] = row;
        w->next[j] = next;
        w->head[row] = j;
    }
}

// Places a task on a processor as the next there.
static void put(duet_graph_search_stretches *w, int32_t task, int32_t processor, size_t type)
{
    const duet_graph_search_model *model = w->model;
    int64_t start = w->behind[processor];
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        start = duet_max(start, w->end[model->before[at]]);
    }
    w->placement[task] = (duet_placement){start, processor - model->begin[type], (int32_t)type};
    w->end[task] = start + duet_graph_search_model_time(model, task, type);
    w->behind[processor] = w->end[task];
}

// --- the stretch goes on -------------------------------------------------------------------------

// Takes tasks in at the end of the stretch, each where its row goes on.
static void take_in(duet_graph_search_stretches *w, int32_t count)
{
    for (; count > 0 && w->first + w->stretch.count < w->model->tasks; count--) {
        int32_t j = w->order[w->first + w->stretch.count++];
        w->head[w->row[j]] = w->next[j];
        put(w, j, w->runs_on[w->row[j]], (size_t)w->placement[j].type);
    }
}

// Leaves tasks behind at the beginning of the stretch.
static void leave(duet_graph_search_stretches *w, int32_t count)
{
    for (; count > 0 && w->stretch.count > 0; count--) {
        int32_t j = w->order[w->first++];
        w->before[processor_of(w, j)] = w->end[j];
        w->stretch.count--;
    }
}

// Sorts rows or processors of a type by a key, least first. Most are where they belong, but for the
// first time in a sweep.
static void sort_by(int32_t *sorted_by, int32_t count, const int64_t *key)
{
    for (int32_t i = 1; i < count; i++) {
        int32_t moved = sorted_by[i];
        int32_t at = i;
        for (; at > 0 && key[sorted_by[at - 1]] > key[moved]; at--) {
            sorted_by[at] = sorted_by[at - 1];
        }
        sorted_by[at] = moved;
    }
}

// What the stretch knows of one of its tasks.
static void set_task(duet_graph_search_stretches *w, int32_t i)
{
    const duet_graph_search_model *model = w->model;
    duet_graph_search_stretch *stretch = &w->stretch;
    int32_t j = w->order[w->first + i];
    stretch->task[i] = j;
    stretch->before[i] = 0;
    stretch->ready[i] = 0;
    stretch->rest[i] = 0;
    for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
        int32_t k = model->before[at];
        if (w->place[k] < w->first) {
            stretch->ready[i] = duet_max(stretch->ready[i], w->end[k]);
        } else {
            stretch->before[i] |= UINT32_C(1) << (w->place[k] - w->first);
        }
    }
    for (int32_t at = model->behind_at[j]; at < model->behind_at[j + 1]; at++) {
        int32_t k = model->behind[at];
        if (w->place[k] >= w->first + stretch->count) {
            stretch->rest[i] = duet_max(stretch->rest[i], w->tail[k] + time_of(w, k));
        }
    }
    stretch->cost += duet_graph_search_stretch_late(stretch, w->end[j] + stretch->rest[i]);
}

// Processors are sorted by when they are free, rows by how long they are: the cost of the stretch
// as it is.
static void set_processors(duet_graph_search_stretches *w)
{
    const duet_graph_search_model *model = w->model;
    duet_graph_search_stretch *stretch = &w->stretch;
    for (int32_t r = 0; r < model->begin[model->types]; r++) {
        int32_t head = w->head[r];
        w->wait[r] = head >= 0 ? w->tail[head] + time_of(w, head) : 0;
        stretch->cost +=
            w->wait[r] > 0
                ? duet_graph_search_stretch_late(stretch, w->behind[w->runs_on[r]] + w->wait[r])
                : 0;
    }
    for (size_t t = 0; t < model->types; t++) {
        int32_t begin = model->begin[t];
        int32_t count = model->begin[t + 1] - begin;
        sort_by(w->rows + begin, count, w->wait);
        sort_by(w->freed + begin, count, w->before);
        for (int32_t i = 0; i < count; i++) {
            stretch->free_at[begin + i] = w->before[w->freed[begin + i]];
            stretch->wait[begin + i] = w->wait[w->rows[begin + count - 1 - i]];
        }
    }
}

// Best fit, as place() of stretch.c has it.
static int32_t find_processor(const duet_graph_search_stretches *w, size_t type, int64_t ready)
{
    int32_t best = w->model->begin[type];
    for (int32_t p = best + 1; p < w->model->begin[type + 1]; p++) {
        int64_t last = w->behind[best];
        bool in_time = w->behind[p] <= ready;
        bool better = in_time ? last > ready || w->behind[p] > last : w->behind[p] < last;
        best = better ? p : best;
    }
    return best;
}

// Places the stretch's tasks on the processors that they had where this was found: none was ready
// before the start of the one before.
static void place_stretch(duet_graph_search_stretches *w)
{
    const duet_graph_search_model *model = w->model;
    const duet_graph_search_stretch *stretch = &w->stretch;
    int64_t ready = 0;
    memcpy(w->behind, w->before, (size_t)model->begin[model->types] * sizeof *w->behind);
    for (int32_t i = 0; i < stretch->count; i++) {
        int32_t number = stretch->sequence[i];
        size_t type = stretch->type[number];
        int32_t j = stretch->task[number];
        for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
            ready = duet_max(ready, w->end[model->before[at]]);
        }
        int32_t processor = find_processor(w, type, ready);
        ready = duet_max(ready, w->behind[processor]);
        put(w, j, processor, type);
        w->order[w->first + i] = j;
        w->place[j] = w->first + i;
    }
}

// Takes over what the stretch has found: the rows behind it are given to the processors anew.
static void take_over(duet_graph_search_stretches *w)
{
    const duet_graph_search_model *model = w->model;
    place_stretch(w);
    for (size_t t = 0; t < model->types; t++) {
        int32_t begin = model->begin[t];
        int32_t count = model->begin[t + 1] - begin;
        sort_by(w->freed + begin, count, w->behind);
        for (int32_t i = 0; i < count; i++) {
            w->runs_on[w->rows[begin + count - 1 - i]] = w->freed[begin + i];
        }
    }
}

static void solve(duet_graph_search_stretches *w)
{
    int64_t processors = w->model->begin[w->model->types];
    w->work += TASKS + processors / PROCESSORS;
    w->stretch.cost = 0;
    for (int32_t i = 0; i < w->stretch.count; i++) {
        set_task(w, i);
    }
    set_processors(w);
    if (w->stretch.cost > 0) {
        int64_t nodes = w->stretch.nodes;
        duet_graph_search_stretch_solve(&w->stretch);
        w->work += (1 + processors / PROCESSORS) * (w->stretch.nodes - nodes);
        if (w->stretch.improved) {
            take_over(w);
            w->gained = true;
        }
    }
}

// --- sweeps --------------------------------------------------------------------------------------

static bool goes_on(const duet_graph_search_stretches *w, const duet_context *context, int64_t work)
{
    return w->work < work && !duet_context_stop(context);
}

// The stretch goes on to the end in any case: only then is all placed.
static void sweep(duet_graph_search_stretches *w, const duet_context *context, int64_t work,
                  int32_t shift)
{
    enum { step = TASKS / 2 };
    w->first = 0;
    w->stretch.count = 0;
    w->gained = false;
    take_in(w, shift);
    leave(w, shift);
    take_in(w, TASKS);
    while (w->stretch.count > 0) {
        if (goes_on(w, context, work)) {
            solve(w);
        }
        leave(w, step);
        take_in(w, step);
    }
    w->work += w->model->tasks;
}

int64_t duet_graph_search_stretches_run(duet_graph_search_stretches *stretches,
                                        const duet_context *context, const int32_t *order,
                                        int64_t work, int64_t shortest, duet_placement *placement)
{
    duet_graph_search_stretches *w = stretches;
    int64_t until = w->work + work;
    int32_t in_vain = 0;
    w->placement = placement;
    w->stretch.most_nodes = NODES;
    int64_t makespan = find_ends(w);
    for (int32_t i = 0; in_vain < 2 && makespan > shortest && goes_on(w, context, until); i++) {
        w->stretch.most = makespan;
        w->stretch.target = w->stretch.most - w->stretch.most / BELOW - 1;
        sort_by_start(w, order);
        find_rows(w);
        sweep(w, context, until, i % 2);
        in_vain = w->gained ? 0 : in_vain + 1;
        makespan = find_ends(w);
        DUET_ASSERT(makespan <= w->stretch.most);
    }
    return makespan;
}
