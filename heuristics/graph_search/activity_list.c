// SPDX-License-Identifier: Apache-2.0
// A schedule as a list of tasks, and how it is read; activity_list.h has the method.
#include "heuristics/graph_search/activity_list.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "heuristics/graph_search/settled.h"
#include "heuristics/graph_search/tuning.h"

static int32_t processors_of(const duet_activity_list *list)
{
    return list->model->begin[list->model->types];
}

// All checkpoints together, two copies of each, take about six entries a task.
static void choose_stride(duet_activity_list *list)
{
    int32_t processors = processors_of(list);
    list->stride =
        duet_max(processors / DUET_ACTIVITY_CHECKPOINT_ENTRIES, DUET_ACTIVITY_LEAST_STRIDE);
    list->checkpoints = list->model->tasks / list->stride + 1;
}

duet_code duet_activity_list_create(const duet_graph_search_model *model, duet_activity_list *list,
                                    duet_error *error)
{
    *list = (duet_activity_list){.model = model};
    choose_stride(list);
    size_t tasks = (size_t)model->tasks;
    size_t processors = (size_t)processors_of(list);
    size_t saves = 2 * (size_t)list->checkpoints;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(list->task, tasks),
                                       DUET_ARENA_ARRAY(list->place, tasks),
                                       DUET_ARENA_ARRAY(list->type, tasks),
                                       DUET_ARENA_ARRAY(list->end, tasks + 1),
                                       DUET_ARENA_ARRAY(list->free_at, processors),
                                       DUET_ARENA_ARRAY(list->saved, saves * processors),
                                       DUET_ARENA_ARRAY(list->reached_then, saves),
                                       DUET_ARENA_ARRAY(list->current, (size_t)list->checkpoints),
                                       DUET_ARENA_ARRAY(list->end_before, tasks),
                                       DUET_ARENA_ARRAY(list->host, tasks),
                                       DUET_ARENA_ARRAY(list->host_before, tasks),
                                       DUET_ARENA_ARRAY(list->pin, tasks)};
    const size_t count = sizeof arrays / sizeof *arrays;
    const size_t of_costs = 3; // The last ones.
    bool costs = duet_graph_search_model_has_costs(model);
    return duet_arena_create(&list->arena, arrays, costs ? count : count - of_costs, error);
}

void duet_activity_list_free(duet_activity_list *list)
{
    duet_arena_free(&list->arena);
    *list = (duet_activity_list){.model = NULL};
}

void duet_activity_list_set(duet_activity_list *list, const int32_t *task, const uint8_t *type)
{
    size_t tasks = (size_t)list->model->tasks;
    memcpy(list->task, task, tasks * sizeof *task);
    memcpy(list->type, type, tasks * sizeof *type);
    for (int32_t i = 0; i < list->model->tasks; i++) {
        list->place[task[i]] = i;
    }
}

void duet_activity_list_pin(duet_activity_list *list, const int32_t *host)
{
    list->pinned = host != NULL;
    if (host != NULL) {
        memcpy(list->pin, host, (size_t)list->model->tasks * sizeof *host);
    }
}

// --- reading -------------------------------------------------------------------------------------

static void save(duet_activity_list *list, int32_t checkpoint)
{
    unsigned other = 1U - list->current[checkpoint];
    memcpy(duet_activity_list_saved(list, checkpoint, other), list->free_at,
           (size_t)processors_of(list) * sizeof *list->free_at);
    list->reached_then[2 * (size_t)checkpoint + other] = list->reached;
}

static void load(duet_activity_list *list, int32_t checkpoint)
{
    unsigned which = list->current[checkpoint];
    memcpy(list->free_at, duet_activity_list_saved(list, checkpoint, which),
           (size_t)processors_of(list) * sizeof *list->free_at);
    list->reached = list->reached_then[2 * (size_t)checkpoint + which];
}

// When the predecessors of a task have ended. Most tasks have few: these are looked at without a
// branch.
static inline int64_t ready_at(const duet_activity_list *list,
                               const duet_graph_search_model_task *row)
{
    int64_t ready = 0;
    for (int i = 0; i < DUET_GRAPH_SEARCH_MODEL_FEW; i++) {
        int64_t end = list->end[row->before[i]];
        ready = duet_max(end, ready);
    }
    for (int32_t at = row->more_at; at < row->more_end; at++) {
        int64_t end = list->end[list->model->before[at]];
        ready = duet_max(end, ready);
    }
    return ready;
}

// Best fit among few processors, in any order and without a branch: the one that is free last by
// `ready`, else the one that is free first. Returns the end.
static inline int64_t place_among_few(int64_t *free_at, int32_t count, int64_t ready, int64_t time)
{
    static const uint64_t late = UINT64_C(1) << 63; // behind all that are free in time
    uint64_t least = UINT64_MAX;
    int32_t best = 0;
    for (int32_t i = 0; i < count; i++) {
        int64_t waits = ready - free_at[i];
        uint64_t negative = (uint64_t)(waits >> 63);
        uint64_t key = ((uint64_t)waits ^ negative) | (negative & late);
        best = key < least ? i : best;
        least = duet_min(key, least);
    }
    int64_t start = duet_max(free_at[best], ready);
    free_at[best] = start + time;
    return start + time;
}

// The same among many, which are sorted.
static inline int64_t place_among_many(int64_t *free_at, int32_t count, int64_t ready, int64_t time)
{
    int32_t i = 0;
    while (i + 1 < count && free_at[i + 1] <= ready) {
        i++;
    }
    int64_t start = duet_max(free_at[i], ready);
    int64_t end = start + time;
    while (i + 1 < count && free_at[i + 1] < end) {
        free_at[i] = free_at[i + 1];
        i++;
    }
    free_at[i] = end;
    return end;
}

// Puts a task on a processor of its type where data take no time: returns its end.
static inline int64_t place_free(duet_activity_list *list, int32_t task, size_t type)
{
    const duet_graph_search_model *model = list->model;
    int64_t ready = ready_at(list, &model->row[task]);
    int64_t time = duet_graph_search_model_time(model, task, type);
    int64_t *free_at = list->free_at + model->begin[type];
    int32_t count = model->begin[type + 1] - model->begin[type];
    return count <= DUET_ACTIVITY_FEW ? place_among_few(free_at, count, ready, time)
                                      : place_among_many(free_at, count, ready, time);
}

// When the data of a task are on a processor of a type.
static int64_t data_at(const duet_activity_list *list, int32_t task, size_t type, int32_t processor,
                       int32_t *last)
{
    const duet_graph_search_model *model = list->model;
    int64_t ready = 0;
    *last = -1;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int32_t before = model->before[at];
        int64_t there = list->end[before];
        if (list->host[before] != processor) {
            there += duet_graph_search_model_cost(model, model->before_table[at],
                                                  list->type[before], type);
        }
        if (there > ready) {
            ready = there;
            *last = before;
        }
    }
    return ready;
}

static int64_t start_on(const duet_activity_list *list, int32_t task, size_t type,
                        int32_t processor)
{
    int32_t last;
    int64_t there = data_at(list, task, type, processor, &last);
    return duet_max(list->free_at[processor], there);
}

// When, and where, a task starts first on a type. Only on the processor that has run the
// predecessor whose data come last may they be there earlier than elsewhere.
static int64_t first_start(const duet_activity_list *list, int32_t task, size_t type, int32_t *host)
{
    const duet_graph_search_model *model = list->model;
    int32_t last;
    int64_t elsewhere = data_at(list, task, type, -1, &last);
    int32_t best = -1;
    int64_t best_start = 0;
    for (int32_t p = model->begin[type]; p < model->begin[type + 1]; p++) {
        int64_t start = duet_max(list->free_at[p], elsewhere);
        if (best < 0 || start < best_start ||
            (start == best_start && list->free_at[p] > list->free_at[best])) {
            best = p;
            best_start = start;
        }
    }
    if (last >= 0 && list->type[last] == type) {
        int32_t p = list->host[last];
        int64_t start = start_on(list, task, type, p);
        if (start < best_start) {
            best = p;
            best_start = start;
        }
    }
    *host = best;
    return best_start;
}

// Puts a task on a processor where data take time: returns its end.
static int64_t place_costly(duet_activity_list *list, int32_t task, size_t type)
{
    int32_t p = list->pinned ? list->pin[task] : -1;
    int64_t start = p >= 0 ? start_on(list, task, type, p) : first_start(list, task, type, &p);
    int64_t end = start + duet_graph_search_model_time(list->model, task, type);
    list->host[task] = p;
    list->free_at[p] = end;
    return end;
}

// The processors' work so far, idle time within included, by the types' weights.
static double weigh(const duet_activity_list *list, const int64_t *free_at)
{
    const duet_graph_search_model *model = list->model;
    double sum = 0;
    for (size_t t = 0; t < model->types; t++) {
        int64_t work = 0;
        for (int32_t p = model->begin[t]; p < model->begin[t + 1]; p++) {
            work += free_at[p];
        }
        sum += model->weight[t] * (double)work;
    }
    return sum;
}

// Whether the processors have more to do than before by too much.
static bool is_too_heavy(const duet_activity_list *list, int32_t checkpoint, double most)
{
    const int64_t *before = duet_activity_list_saved(list, checkpoint, list->current[checkpoint]);
    return weigh(list, list->free_at) - weigh(list, before) > most;
}

// Where the processors' work is looked at again. Near the end of the list it says little: whatever
// they do, they will be idle.
static int32_t next_look(const duet_activity_list *list, int32_t position)
{
    int64_t next = position + (int64_t)(position - list->begin);
    int64_t last = list->model->tasks - DUET_ACTIVITY_BUSY_TASKS * (int64_t)processors_of(list);
    return next <= last ? (int32_t)next : INT32_MAX;
}

// Places the task of a position, and keeps what was there before. Returns its end.
static inline int64_t place_at(duet_activity_list *list, int32_t position, bool costly)
{
    int32_t task = list->task[position];
    size_t type = list->type[task];
    list->end_before[position] = list->end[task];
    if (costly) {
        list->host_before[position] = list->host[task];
        return place_costly(list, task, type);
    }
    return place_free(list, task, type);
}

// Reads from a checkpoint on. `costly` is a constant where it is called, so that each case is
// compiled by itself.
static inline bool read_on(duet_activity_list *list, bool costly,
                           const duet_activity_limits *limits)
{
    const duet_graph_search_model *model = list->model;
    int32_t stride = list->stride;
    int32_t next = list->begin; // where the next checkpoint is
    int64_t target = list->target;
    int64_t cost = list->reached.cost;
    int64_t makespan = list->reached.makespan;
    int32_t area_from = limits->area_from;
    int32_t position = list->begin;
    bool within = cost <= limits->cost;
    duet_settling settling = {.looked = list->begin, .last = limits->last, .next = limits->last};
    list->settled = false;
    for (; position < model->tasks && within; position++) {
        if (position == next) {
            list->reached = (duet_activity_reached){cost, makespan};
            if (position > settling.next &&
                duet_activity_list_has_settled(list, position, &settling)) {
                list->settled = true;
                break;
            }
            if (position > list->begin) {
                save(list, position / stride);
            }
            if (position >= area_from) {
                if (is_too_heavy(list, position / stride, limits->area)) {
                    within = false;
                    break;
                }
                area_from = next_look(list, position);
            }
            next += stride;
        }
        int32_t task = list->task[position];
        int64_t end = place_at(list, position, costly);
        list->end[task] = end;
        makespan = duet_max(end, makespan);
        int64_t late = end + model->row[task].tail - target;
        cost += duet_max(late, 0);
        within = cost <= limits->cost;
    }
    list->until = position;
    list->reached = (duet_activity_reached){cost, makespan};
    return within;
}

bool duet_activity_list_try(duet_activity_list *list, int32_t from,
                            const duet_activity_limits *limits)
{
    int32_t checkpoint = from / list->stride;
    duet_activity_reached whole = list->reached;
    list->begin = checkpoint * list->stride;
    load(list, checkpoint);
    bool within = list->host == NULL ? read_on(list, false, limits) : read_on(list, true, limits);
    if (list->settled) {
        list->reached = duet_activity_list_carry_on(list, whole);
        within = list->reached.cost <= limits->cost;
    }
    return within;
}

// A whole reading sets all checkpoints but the first, whose processors are free from 0 on.
void duet_activity_list_read(duet_activity_list *list, int64_t target)
{
    // No sum of costs comes near: the limit keeps it from wrapping.
    duet_activity_limits limits = {
        .cost = INT64_MAX / 2, .last = INT32_MAX, .area_from = INT32_MAX};
    list->target = target;
    if (duet_activity_list_try(list, 0, &limits)) {
        duet_activity_list_keep(list);
        return;
    }
    // Costs that do not fit are cut: nothing is late.
    duet_activity_list_restore(list);
    list->target = INT64_MAX / 2;
    duet_activity_list_try(list, 0, &limits);
    duet_activity_list_keep(list);
}

void duet_activity_list_keep(duet_activity_list *list)
{
    for (int32_t at = list->begin + list->stride; at < list->until; at += list->stride) {
        list->current[at / list->stride] ^= 1U;
    }
    bool same =
        list->before.cost == list->after.cost && list->before.makespan == list->after.makespan;
    for (int32_t at = list->until; at < list->model->tasks && list->settled && !same;
         at += list->stride) {
        int32_t checkpoint = at / list->stride;
        size_t entry = 2 * (size_t)checkpoint + list->current[checkpoint];
        list->reached_then[entry] = duet_activity_list_carry_on(list, list->reached_then[entry]);
    }
}

void duet_activity_list_restore(duet_activity_list *list)
{
    for (int32_t position = list->begin; position < list->until; position++) {
        list->end[list->task[position]] = list->end_before[position];
    }
    for (int32_t position = list->begin; position < list->until && list->host != NULL; position++) {
        list->host[list->task[position]] = list->host_before[position];
    }
}

// --- changing ------------------------------------------------------------------------------------

void duet_activity_list_shift(duet_activity_list *list, int32_t from, int32_t to)
{
    int32_t task = list->task[from];
    for (; from < to; from++) {
        list->task[from] = list->task[from + 1];
        list->place[list->task[from]] = from;
    }
    for (; from > to; from--) {
        list->task[from] = list->task[from - 1];
        list->place[list->task[from]] = from;
    }
    list->task[to] = task;
    list->place[task] = to;
}

int32_t duet_activity_list_earliest(const duet_activity_list *list, int32_t position)
{
    const duet_graph_search_model *model = list->model;
    int32_t task = list->task[position];
    int32_t last = -1;
    for (int32_t at = model->before_at[task]; at < model->before_at[task + 1]; at++) {
        int32_t place = list->place[model->before[at]];
        last = duet_max(place, last);
    }
    return last + 1;
}

int32_t duet_activity_list_latest(const duet_activity_list *list, int32_t position)
{
    const duet_graph_search_model *model = list->model;
    int32_t task = list->task[position];
    int32_t first = model->tasks;
    for (int32_t at = model->behind_at[task]; at < model->behind_at[task + 1]; at++) {
        int32_t place = list->place[model->behind[at]];
        first = duet_min(place, first);
    }
    return first - 1;
}

int duet_activity_by_start(const void *left, const void *right)
{
    const duet_activity_start *a = left;
    const duet_activity_start *b = right;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

static void set_order(duet_activity_list *list, const duet_activity_start *order)
{
    for (int32_t i = 0; i < list->model->tasks; i++) {
        list->task[i] = order[i].task;
        list->place[order[i].task] = i;
    }
}

static int by_place(const void *left, const void *right)
{
    const duet_activity_start *a = left;
    const duet_activity_start *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

void duet_activity_list_sort(duet_activity_list *list, int64_t *keys)
{
    duet_activity_start *order = (duet_activity_start *)keys;
    size_t tasks = (size_t)list->model->tasks;
    for (int32_t i = 0; i < list->model->tasks; i++) {
        int32_t task = list->task[i];
        int64_t time = duet_graph_search_model_time(list->model, task, list->type[task]);
        order[i] = (duet_activity_start){list->end[task] - time, i, task};
    }
    qsort(order, tasks, sizeof *order, duet_activity_by_start);
    int64_t cost = list->reached.cost;
    set_order(list, order);
    duet_activity_list_read(list, list->target);
    if (list->reached.cost > cost) {
        qsort(order, tasks, sizeof *order, by_place);
        set_order(list, order);
        duet_activity_list_read(list, list->target);
    }
}

// --- writing -------------------------------------------------------------------------------------

// The same processor as best fit takes of those of a type without costs, by its number.
static int32_t find_processor(const duet_activity_list *list, size_t type, int64_t start)
{
    const duet_graph_search_model *model = list->model;
    int32_t best = -1;
    for (int32_t p = model->begin[type]; p < model->begin[type + 1]; p++) {
        if (list->free_at[p] <= start && (best < 0 || list->free_at[p] > list->free_at[best])) {
            best = p;
        }
    }
    DUET_ASSERT(best >= 0);
    return best;
}

int64_t duet_activity_list_write(duet_activity_list *list, const int32_t *task, const uint8_t *type,
                                 duet_placement *placement)
{
    const duet_graph_search_model *model = list->model;
    duet_activity_list_set(list, task, type);
    duet_activity_list_read(list, list->target);
    memset(list->free_at, 0, (size_t)processors_of(list) * sizeof *list->free_at);
    for (int32_t i = 0; i < model->tasks; i++) {
        int32_t j = task[i];
        size_t t = type[j];
        int64_t start = list->end[j] - duet_graph_search_model_time(model, j, t);
        int32_t p = list->host != NULL ? list->host[j] : find_processor(list, t, start);
        list->free_at[p] = list->end[j];
        placement[j] = (duet_placement){start, p - model->begin[t], (int32_t)t};
    }
    return list->reached.makespan;
}
