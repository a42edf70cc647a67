// SPDX-License-Identifier: Apache-2.0
// A window moves over a schedule; window_sweeps.h has the method. A sequence is what a processor
// runs in the schedule at the beginning of a sweep. Once a window is better, processors of one type
// may go on with each other's sequences.
#include "heuristics/graph_search/window_sweeps.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/arena.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/graph_search/tuning.h"
#include "heuristics/graph_search/window.h"

typedef struct sorted {
    int64_t start;
    int64_t end;
    int32_t place; // in a topological order
    int32_t task;
} sorted;

struct duet_graph_search_window_sweeps {
    const duet_graph_search_model *model;
    duet_graph_search_window window;

    // The schedule.
    duet_placement *placement;
    duet_arena arena;     // It holds the arrays.
    int32_t *order;       // the tasks by their starts
    int32_t *place;       // the position of a task in that order
    int32_t *sequence_of; // the sequence of a task
    int32_t *next;        // the next task of its sequence; -1: it is the last
    int64_t *end;         // the end of a task before or in the window
    int64_t *tail;        // the time behind a task's end in the schedule at first
    sorted *sorted;

    // The window.
    int32_t first;      // the position of its first task
    int32_t *head;      // the first task of a sequence behind the window; -1: there is no such task
    int32_t *runs_on;   // the processor that goes on with a sequence
    int64_t *before;    // when a processor is free before the window
    int64_t *behind;    // when a processor is free behind it
    int64_t *wait;      // the time that a sequence needs behind the window
    int32_t *sequences; // the sequences of each type, the shortest first
    int32_t *freed;     // the processors of each type, the one that is free first comes first
    bool gained;        // this sweep has improved a window

    int64_t work;
};

duet_code duet_graph_search_window_sweeps_create(const duet_graph_search_model *model,
                                                 duet_graph_search_window_sweeps **out,
                                                 duet_error *error)
{
    size_t tasks = (size_t)model->tasks;
    size_t processors = (size_t)model->begin[model->types];
    *out = NULL;
    duet_graph_search_window_sweeps *w = duet_alloc(1, sizeof *w, error);
    DUET_NEED(w);
    w->model = model;
    duet_code code = duet_graph_search_window_create(model, &w->window, error);
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(w->order, tasks),
                                       DUET_ARENA_ARRAY(w->place, tasks),
                                       DUET_ARENA_ARRAY(w->sequence_of, tasks),
                                       DUET_ARENA_ARRAY(w->next, tasks),
                                       DUET_ARENA_ARRAY(w->end, tasks),
                                       DUET_ARENA_ARRAY(w->tail, tasks),
                                       DUET_ARENA_ARRAY(w->sorted, tasks),
                                       DUET_ARENA_ARRAY(w->head, processors),
                                       DUET_ARENA_ARRAY(w->runs_on, processors),
                                       DUET_ARENA_ARRAY(w->before, processors),
                                       DUET_ARENA_ARRAY(w->behind, processors),
                                       DUET_ARENA_ARRAY(w->wait, processors),
                                       DUET_ARENA_ARRAY(w->sequences, processors),
                                       DUET_ARENA_ARRAY(w->freed, processors)};
    DUET_THEN(code, duet_arena_create(&w->arena, arrays, sizeof arrays / sizeof *arrays, error));
    if (code != DUET_OK) {
        duet_graph_search_window_sweeps_free(w);
        return code;
    }
    *out = w;
    return DUET_OK;
}

void duet_graph_search_window_sweeps_free(duet_graph_search_window_sweeps *sweeps)
{
    if (sweeps == NULL) {
        return;
    }
    duet_graph_search_window_free(&sweeps->window);
    duet_arena_free(&sweeps->arena);
    duet_free(sweeps);
}

int64_t duet_graph_search_window_sweeps_work(const duet_graph_search_window_sweeps *sweeps)
{
    return sweeps->work;
}

static int64_t time_of(const duet_graph_search_window_sweeps *w, int32_t task)
{
    return duet_graph_search_model_time(w->model, task, (size_t)w->placement[task].type);
}

static int32_t processor_of(const duet_graph_search_window_sweeps *w, int32_t task)
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
static int64_t find_ends(duet_graph_search_window_sweeps *w)
{
    int64_t makespan = 0;
    for (int32_t j = 0; j < w->model->tasks; j++) {
        w->end[j] = w->placement[j].start + time_of(w, j);
        makespan = duet_max(makespan, w->end[j]);
    }
    return makespan;
}

static void sort_by_start(duet_graph_search_window_sweeps *w, const int32_t *topological)
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

// From the last task to the first: sequences, and how long the schedule goes on behind each
// task. Leaves the first task of each sequence in `head`.
static void find_sequences(duet_graph_search_window_sweeps *w)
{
    const duet_graph_search_model *model = w->model;
    for (int32_t p = 0; p < model->begin[model->types]; p++) {
        w->head[p] = -1;
        w->runs_on[p] = p;
        w->sequences[p] = p;
        w->freed[p] = p;
        w->before[p] = 0;
        w->behind[p] = 0;
    }
    for (int32_t i = model->tasks; i-- > 0;) {
        int32_t j = w->order[i];
        int32_t sequence = processor_of(w, j);
        int32_t next = w->head[sequence];
        int64_t tail = next >= 0 ? w->tail[next] + time_of(w, next) : 0;
        for (int32_t at = model->behind_at[j]; at < model->behind_at[j + 1]; at++) {
            int32_t k = model->behind[at];
            tail = duet_max(tail, w->tail[k] + time_of(w, k));
        }
        w->tail[j] = tail;
        w->sequence_of[j] = sequence;
        w->next[j] = next;
        w->head[sequence] = j;
    }
}

// Places a task on a processor as the next there.
static void put(duet_graph_search_window_sweeps *w, int32_t task, int32_t processor, size_t type)
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

// --- the window moves -------------------------------------------------------------------------

// Takes tasks in at the end of the window, each where its sequence goes on.
static void take_in(duet_graph_search_window_sweeps *w, int32_t count)
{
    for (; count > 0 && w->first + w->window.count < w->model->tasks; count--) {
        int32_t j = w->order[w->first + w->window.count++];
        w->head[w->sequence_of[j]] = w->next[j];
        put(w, j, w->runs_on[w->sequence_of[j]], (size_t)w->placement[j].type);
    }
}

// Leaves tasks behind at the beginning of the window.
static void leave(duet_graph_search_window_sweeps *w, int32_t count)
{
    for (; count > 0 && w->window.count > 0; count--) {
        int32_t j = w->order[w->first++];
        w->before[processor_of(w, j)] = w->end[j];
        w->window.count--;
    }
}

// Sorts sequences or processors of a type by a key, least first. Most are where they belong, but
// for the first time in a sweep.
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

// What the window knows of one of its tasks.
static void set_task(duet_graph_search_window_sweeps *w, int32_t i)
{
    const duet_graph_search_model *model = w->model;
    duet_graph_search_window *window = &w->window;
    int32_t j = w->order[w->first + i];
    window->task[i] = j;
    window->before[i] = 0;
    window->ready[i] = 0;
    window->rest[i] = 0;
    for (int32_t at = model->before_at[j]; at < model->before_at[j + 1]; at++) {
        int32_t k = model->before[at];
        if (w->place[k] < w->first) {
            window->ready[i] = duet_max(window->ready[i], w->end[k]);
        } else {
            window->before[i] |= UINT32_C(1) << (w->place[k] - w->first);
        }
    }
    for (int32_t at = model->behind_at[j]; at < model->behind_at[j + 1]; at++) {
        int32_t k = model->behind[at];
        if (w->place[k] >= w->first + window->count) {
            window->rest[i] = duet_max(window->rest[i], w->tail[k] + time_of(w, k));
        }
    }
    window->cost += duet_graph_search_window_late(window, w->end[j] + window->rest[i]);
}

// Processors are sorted by when they are free, sequences by how long they are. Adds the cost
// of the sequences as they are.
static void set_processors(duet_graph_search_window_sweeps *w)
{
    const duet_graph_search_model *model = w->model;
    duet_graph_search_window *window = &w->window;
    for (int32_t r = 0; r < model->begin[model->types]; r++) {
        int32_t head = w->head[r];
        w->wait[r] = head >= 0 ? w->tail[head] + time_of(w, head) : 0;
        window->cost +=
            w->wait[r] > 0
                ? duet_graph_search_window_late(window, w->behind[w->runs_on[r]] + w->wait[r])
                : 0;
    }
    for (size_t t = 0; t < model->types; t++) {
        int32_t begin = model->begin[t];
        int32_t count = model->begin[t + 1] - begin;
        sort_by(w->sequences + begin, count, w->wait);
        sort_by(w->freed + begin, count, w->before);
        for (int32_t i = 0; i < count; i++) {
            window->free_at[begin + i] = w->before[w->freed[begin + i]];
            window->wait[begin + i] = w->wait[w->sequences[begin + count - 1 - i]];
        }
    }
}

// Best fit, as place() of window.c has it.
static int32_t find_processor(const duet_graph_search_window_sweeps *w, size_t type, int64_t ready)
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

// Places the window's tasks on the processors that they had where this was found: none was ready
// before the start of the one before.
static void place_window(duet_graph_search_window_sweeps *w)
{
    const duet_graph_search_model *model = w->model;
    const duet_graph_search_window *window = &w->window;
    int64_t ready = 0;
    memcpy(w->behind, w->before, (size_t)model->begin[model->types] * sizeof *w->behind);
    for (int32_t i = 0; i < window->count; i++) {
        int32_t number = window->order[i];
        size_t type = window->type[number];
        int32_t j = window->task[number];
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

// Takes over what the window has found: the sequences behind it are given to the processors anew.
static void take_over(duet_graph_search_window_sweeps *w)
{
    const duet_graph_search_model *model = w->model;
    place_window(w);
    for (size_t t = 0; t < model->types; t++) {
        int32_t begin = model->begin[t];
        int32_t count = model->begin[t + 1] - begin;
        sort_by(w->freed + begin, count, w->behind);
        for (int32_t i = 0; i < count; i++) {
            w->runs_on[w->sequences[begin + count - 1 - i]] = w->freed[begin + i];
        }
    }
}

static void solve(duet_graph_search_window_sweeps *w)
{
    int64_t processors = w->model->begin[w->model->types];
    w->work += DUET_SWEEP_TASKS + processors / DUET_SWEEP_PROCESSORS_A_TASK;
    w->window.cost = 0;
    for (int32_t i = 0; i < w->window.count; i++) {
        set_task(w, i);
    }
    set_processors(w);
    if (w->window.cost > 0) {
        int64_t nodes = w->window.nodes;
        duet_graph_search_window_solve(&w->window);
        w->work += (1 + processors / DUET_SWEEP_PROCESSORS_A_TASK) * (w->window.nodes - nodes);
        if (w->window.improved) {
            take_over(w);
            w->gained = true;
        }
    }
}

// --- sweeps --------------------------------------------------------------------------------------

static bool goes_on(const duet_graph_search_window_sweeps *w, const duet_context *context,
                    int64_t work)
{
    return w->work < work && !duet_context_stop(context);
}

// The window moves to the end in any case: only then is all placed.
static void sweep(duet_graph_search_window_sweeps *w, const duet_context *context, int64_t work,
                  int32_t shift)
{
    enum { step = DUET_SWEEP_TASKS / 2 };
    w->first = 0;
    w->window.count = 0;
    w->gained = false;
    take_in(w, shift);
    leave(w, shift);
    take_in(w, DUET_SWEEP_TASKS);
    while (w->window.count > 0) {
        if (goes_on(w, context, work)) {
            solve(w);
        }
        leave(w, step);
        take_in(w, step);
    }
    w->work += w->model->tasks;
}

int64_t duet_graph_search_window_sweeps_run(duet_graph_search_window_sweeps *sweeps,
                                            const duet_context *context, const int32_t *order,
                                            int64_t work, int64_t shortest,
                                            duet_placement *placement)
{
    duet_graph_search_window_sweeps *w = sweeps;
    int64_t until = w->work + work;
    int32_t in_vain = 0;
    w->placement = placement;
    w->window.most_nodes = DUET_SWEEP_NODES;
    int64_t makespan = find_ends(w);
    for (int32_t i = 0; in_vain < 2 && makespan > shortest && goes_on(w, context, until); i++) {
        w->window.most = makespan;
        w->window.target = w->window.most - w->window.most / DUET_ANNEAL_TARGET_SHARE - 1;
        sort_by_start(w, order);
        find_sequences(w);
        sweep(w, context, until, i % 2);
        in_vain = w->gained ? 0 : in_vain + 1;
        makespan = find_ends(w);
        DUET_ASSERT(makespan <= w->window.most);
    }
    return makespan;
}
