// SPDX-License-Identifier: Apache-2.0
// Moves of simulated annealing, and when they are accepted; anneal.h has the method.
#include "heuristics/graph_search/anneal.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "heuristics/graph_search/tuning.h"
#include "heuristics/improve/cooling.h"

duet_code duet_graph_search_annealer_create(const duet_graph_search_model *model, uint64_t seed,
                                            duet_graph_search_annealer *annealer, duet_error *error)
{
    size_t tasks = (size_t)model->tasks;
    *annealer = (duet_graph_search_annealer){.model = model, .best = INT64_MAX};
    duet_random_seed(&annealer->random, seed);
    duet_code code = duet_activity_list_create(model, &annealer->list, error);
    annealer->best_task = duet_alloc_raw(tasks, sizeof *annealer->best_task, error);
    annealer->best_type = duet_alloc_raw(tasks, sizeof *annealer->best_type, error);
    annealer->best_host = duet_alloc_raw(tasks, sizeof *annealer->best_host, error);
    annealer->tardy = duet_alloc_raw(tasks, sizeof *annealer->tardy, error);
    annealer->keys = duet_alloc_raw(2 * tasks, sizeof *annealer->keys, error);
    bool whole = annealer->best_task != NULL && annealer->best_type != NULL &&
                 annealer->best_host != NULL && annealer->tardy != NULL && annealer->keys != NULL;
    return code == DUET_OK && !whole ? DUET_E_MEMORY : code;
}

void duet_graph_search_annealer_free(duet_graph_search_annealer *annealer)
{
    duet_activity_list_free(&annealer->list);
    duet_free(annealer->best_task);
    duet_free(annealer->best_type);
    duet_free(annealer->best_host);
    duet_free(annealer->tardy);
    duet_free(annealer->keys);
}

// --- the schedule of the walk --------------------------------------------------------------------

static void keep_best(duet_graph_search_annealer *a)
{
    size_t tasks = (size_t)a->model->tasks;
    a->best = a->list.reached.makespan;
    memcpy(a->best_task, a->list.task, tasks * sizeof *a->best_task);
    memcpy(a->best_type, a->list.type, tasks * sizeof *a->best_type);
    if (a->list.host != NULL) {
        memcpy(a->best_host, a->list.host, tasks * sizeof *a->best_host);
    }
}

static void find_tardy(duet_graph_search_annealer *a)
{
    const duet_activity_list *list = &a->list;
    a->tardy_count = 0;
    for (int32_t i = 0; i < a->model->tasks; i++) {
        if (list->end[i] + a->model->tail[i] > list->target &&
            list->place[i] >= a->first_position) {
            a->tardy[a->tardy_count++] = i;
        }
    }
}

static void read_list(duet_graph_search_annealer *a, int64_t target)
{
    duet_activity_list_read(&a->list, target);
    a->work += a->model->tasks;
    if (a->list.reached.makespan < a->best) {
        keep_best(a);
    }
}

// The first position of the last tasks that all start in a last part of the schedule's time.
static void find_first(duet_graph_search_annealer *a, double part)
{
    const duet_activity_list *list = &a->list;
    int64_t from = (int64_t)((1.0 - part) * (double)list->reached.makespan);
    int32_t first = a->model->tasks;
    int32_t task;
    do {
        task = list->task[--first];
    } while (first > 0 &&
             list->end[task] - duet_graph_search_model_time(a->model, task, list->type[task]) >=
                 from);
    a->first_position = first;
}

void duet_graph_search_annealer_begin(duet_graph_search_annealer *annealer,
                                      const duet_graph_search_model *model, const int32_t *task,
                                      const uint8_t *type, const int32_t *host, double part)
{
    annealer->model = model;
    annealer->list.model = model;
    annealer->best = INT64_MAX;
    annealer->under_way = false;
    duet_activity_list_set(&annealer->list, task, type);
    duet_activity_list_pin(&annealer->list, host);
    read_list(annealer, 0);
    find_first(annealer, part);
}

void duet_graph_search_annealer_adopt(duet_graph_search_annealer *annealer,
                                      const duet_graph_search_annealer *from)
{
    duet_activity_list_set(&annealer->list, from->list.task, from->list.type);
    duet_activity_list_pin(&annealer->list, from->list.pinned ? from->list.pin : NULL);
    annealer->first_position = from->first_position;
    read_list(annealer, annealer->list.target);
}

// --- moves ---------------------------------------------------------------------------------------

// A change of the list: up to two tasks with other types, or processors, and up to two elsewhere.
typedef struct change {
    int32_t task[2];
    uint8_t old[2];
    int32_t old_pin[2];
    int32_t flips;
    int32_t from[2];
    int32_t to[2];
    int32_t shifts;
    int32_t first; // position that changed
    int32_t last;
} change;

static int32_t between(duet_graph_search_annealer *a, int32_t low, int32_t high)
{
    return low + duet_random_below(&a->random, high - low + 1);
}

static int32_t pick(duet_graph_search_annealer *a)
{
    if (a->tardy_count > 0 && duet_random_happens(&a->random, DUET_ANNEAL_TARDY_PERCENT)) {
        return a->tardy[duet_random_below(&a->random, a->tardy_count)];
    }
    return a->list.task[between(a, a->first_position, a->model->tasks - 1)];
}

static void flip(duet_graph_search_annealer *a, change *c, int32_t task, size_t type)
{
    int32_t place = a->list.place[task];
    c->task[c->flips] = task;
    c->old_pin[c->flips] = a->list.pinned ? a->list.pin[task] : -1;
    c->old[c->flips++] = a->list.type[task];
    a->list.type[task] = (uint8_t)type;
    c->first = duet_min(place, c->first);
    c->last = duet_max(place, c->last);
}

// A task near a position that can go from `from` to `to`; -1: none was found.
static int32_t find_partner(duet_graph_search_annealer *a, int32_t position, size_t from, size_t to)
{
    const duet_activity_list *list = &a->list;
    for (int i = 0; i < DUET_ANNEAL_TRIES; i++) {
        int32_t at = position + between(a, -DUET_ANNEAL_NEAR, DUET_ANNEAL_NEAR);
        if (at >= 0 && at < a->model->tasks && list->type[list->task[at]] == from &&
            duet_graph_search_model_allows(a->model, list->task[at], to)) {
            return list->task[at];
        }
    }
    return -1;
}

static void shift(duet_graph_search_annealer *a, change *c, int32_t from, int32_t to)
{
    int32_t first = duet_min(from, to);
    int32_t last = duet_max(from, to);
    c->from[c->shifts] = from;
    c->to[c->shifts++] = to;
    c->first = duet_min(first, c->first);
    c->last = duet_max(last, c->last);
    duet_activity_list_shift(&a->list, from, to);
}

static void propose_shift(duet_graph_search_annealer *a, change *c, int32_t task)
{
    int32_t from = a->list.place[task];
    int32_t low = duet_activity_list_earliest(&a->list, from);
    int32_t high = duet_activity_list_latest(&a->list, from);
    low = duet_max(low, from - DUET_ANNEAL_FARTHEST);
    high = duet_min(high, from + DUET_ANNEAL_FARTHEST);
    if (low < high) {
        int32_t to = between(a, low, high - 1);
        shift(a, c, from, to + (to >= from));
    }
}

static void propose_flip(duet_graph_search_annealer *a, change *c, int32_t task)
{
    size_t own = a->list.type[task];
    size_t other =
        duet_graph_search_model_other_type(a->model, &a->random, task, a->list.type[task]);
    if (other == own) {
        return;
    }
    flip(a, c, task, other);
    if (duet_random_happens(&a->random, DUET_ANNEAL_PAIR_PERCENT)) {
        int32_t partner = find_partner(a, a->list.place[task], other, own);
        if (partner >= 0 && partner != task) {
            flip(a, c, partner, own);
        }
    }
}

// --- moves of pinned tasks -----------------------------------------------------------------------

static size_t type_of(const duet_graph_search_annealer *a, int32_t processor)
{
    size_t t = 0;
    while (a->model->begin[t + 1] <= processor) {
        t++;
    }
    return t;
}

static void pin_to(duet_graph_search_annealer *a, change *c, int32_t task, int32_t processor)
{
    size_t type = type_of(a, processor);
    if (processor != a->list.pin[task] && duet_graph_search_model_allows(a->model, task, type)) {
        flip(a, c, task, type);
        a->list.pin[task] = processor;
    }
}

// A processor for a task: half of the time one that has, or needs, its data.
static int32_t draw_processor(duet_graph_search_annealer *a, int32_t task)
{
    const duet_graph_search_model *model = a->model;
    int32_t before = model->before_at[task + 1] - model->before_at[task];
    int32_t behind = model->behind_at[task + 1] - model->behind_at[task];
    if (before + behind > 0 && duet_random_happens(&a->random, DUET_ANNEAL_NEIGHBOUR_PERCENT)) {
        int32_t i = duet_random_below(&a->random, before + behind);
        return a->list.pin[i < before ? model->before[model->before_at[task] + i]
                                      : model->behind[model->behind_at[task] + i - before]];
    }
    size_t type = (size_t)duet_random_below(&a->random, (int32_t)model->types);
    bool empty = model->begin[type] == model->begin[type + 1];
    return empty ? a->list.pin[task] : between(a, model->begin[type], model->begin[type + 1] - 1);
}

// A task goes to another processor; mostly one that is near in the list comes from there.
static void propose_pin(duet_graph_search_annealer *a, change *c, int32_t task)
{
    const duet_activity_list *list = &a->list;
    int32_t own = list->pin[task];
    int32_t to = draw_processor(a, task);
    pin_to(a, c, task, to);
    bool pairs = c->flips > 0 && duet_random_happens(&a->random, DUET_ANNEAL_PAIR_PERCENT);
    for (int i = 0; i < DUET_ANNEAL_TRIES && pairs && c->flips == 1; i++) {
        int32_t at = list->place[task] + between(a, -DUET_ANNEAL_NEAR, DUET_ANNEAL_NEAR);
        if (at >= 0 && at < a->model->tasks && list->task[at] != task &&
            list->pin[list->task[at]] == to) {
            pin_to(a, c, list->task[at], own);
        }
    }
}

// Two tasks change processors.
static void exchange_pins(duet_graph_search_annealer *a, change *c, int32_t first, int32_t second)
{
    int32_t here = a->list.pin[first];
    int32_t there = a->list.pin[second];
    if (here != there) {
        pin_to(a, c, first, there);
        pin_to(a, c, second, here);
    }
}

// --- moves in the list ---------------------------------------------------------------------------

// Two tasks change places, and types where these are not the same.
static void propose_exchange(duet_graph_search_annealer *a, change *c, int32_t task)
{
    const duet_activity_list *list = &a->list;
    int32_t from = list->place[task];
    int32_t at = from + between(a, -DUET_ANNEAL_FARTHEST, DUET_ANNEAL_FARTHEST);
    if (at < 0 || at >= a->model->tasks || at == from) {
        return;
    }
    int32_t early = duet_min(from, at);
    int32_t late = duet_max(from, at);
    int32_t first = list->task[early];
    int32_t second = list->task[late];
    size_t type = list->type[first];
    size_t other = list->type[second];
    bool flips = type != other;
    if (flips && (!duet_graph_search_model_allows(a->model, first, other) ||
                  !duet_graph_search_model_allows(a->model, second, type))) {
        return;
    }
    if (duet_activity_list_earliest(list, late) > early ||
        duet_activity_list_latest(list, early) < late) {
        return;
    }
    shift(a, c, late, early);
    if (early + 1 < late) {
        shift(a, c, early + 1, late);
    }
    if (a->list.pinned) {
        exchange_pins(a, c, first, second);
    } else if (flips) {
        flip(a, c, first, other);
        flip(a, c, second, type);
    }
}

static void undo(duet_graph_search_annealer *a, const change *c)
{
    for (int32_t i = c->flips; i-- > 0;) {
        a->list.type[c->task[i]] = c->old[i];
        if (a->list.pinned) {
            a->list.pin[c->task[i]] = c->old_pin[i];
        }
    }
    for (int32_t i = c->shifts; i-- > 0;) {
        duet_activity_list_shift(&a->list, c->to[i], c->from[i]);
    }
}

static bool propose(duet_graph_search_annealer *a, double temperature, double area)
{
    change c = {.first = INT32_MAX, .last = -1};
    int32_t task = pick(a);
    int32_t roll = duet_random_percent(&a->random);
    if (roll < DUET_ANNEAL_FLIP_PERCENT && a->list.pinned) {
        propose_pin(a, &c, task);
    } else if (roll < DUET_ANNEAL_FLIP_PERCENT) {
        propose_flip(a, &c, task);
    } else if (roll < DUET_ANNEAL_FLIP_PERCENT + DUET_ANNEAL_EXCHANGE_PERCENT) {
        propose_exchange(a, &c, task);
    } else {
        propose_shift(a, &c, task);
    }
    a->moves++;
    if (c.last < 0) {
        return false;
    }
    int64_t room = INT64_MAX / 2 - a->list.reached.cost;
    double more = duet_cooling_threshold(temperature, &a->random);
    duet_activity_limits limits = {
        .cost = a->list.reached.cost + (more < (double)room ? (int64_t)more : room),
        .last = c.last,
        .area_from = area > 0 ? c.last + DUET_ANNEAL_AREA_POSITIONS : INT32_MAX,
        .area = area > 0 ? duet_cooling_threshold(area, &a->random) : 0};
    duet_activity_reached kept = a->list.reached;
    bool within = duet_activity_list_try(&a->list, c.first, &limits);
    a->work += a->list.until - a->list.begin;
    if (within) {
        duet_activity_list_keep(&a->list);
        if (a->list.reached.makespan < a->best) {
            keep_best(a);
        }
        return true;
    }
    duet_activity_list_restore(&a->list);
    a->list.reached = kept;
    undo(a, &c);
    return false;
}

// --- cooling -------------------------------------------------------------------------------------

// Every now and then: the list is sorted, the target follows the best schedule.
static void tidy(duet_graph_search_annealer *a, int64_t shortest)
{
    int64_t target = a->best - a->best / DUET_ANNEAL_TARGET_SHARE - 1;
    target = duet_max(target, shortest);
    if (a->moves >= a->next_sort) {
        a->next_sort = a->moves + DUET_ANNEAL_SORT_MOVES;
        duet_activity_list_sort(&a->list, a->keys);
        a->work += a->model->tasks;
        if (a->list.reached.makespan < a->best) {
            keep_best(a);
        }
    }
    if (target < a->list.target) {
        read_list(a, target);
    }
    find_tardy(a);
}

static void begin_run(duet_graph_search_annealer *a)
{
    a->under_way = true;
    a->first_work = a->work;
    a->first_ns = duet_clock_ns();
    a->next_sort = a->moves + DUET_ANNEAL_SORT_MOVES;
    read_list(a, a->best - a->best / DUET_ANNEAL_TARGET_SHARE - 1);
}

static double part_over(const duet_graph_search_annealer *a,
                        const duet_graph_search_cooling *cooling)
{
    return duet_graph_search_cooling_over(cooling, a->work - a->first_work, a->first_ns);
}

void duet_graph_search_annealer_run(duet_graph_search_annealer *annealer,
                                    const duet_context *context,
                                    const duet_graph_search_cooling *cooling)
{
    duet_graph_search_annealer *a = annealer;
    double weights = 0;
    for (size_t t = 0; t < a->model->types; t++) {
        weights += a->model->weight[t] * (a->model->begin[t + 1] - a->model->begin[t]);
    }
    if (!a->under_way) {
        begin_run(a);
    }
    int64_t begin = a->work;
    double over = part_over(a, cooling);
    while (over < 1.0 && a->best > cooling->shortest && !duet_context_stop(context)) {
        if (a->work - begin >= cooling->slice) {
            return;
        }
        tidy(a, cooling->shortest);
        double temperature =
            duet_cooling_temperature(cooling->hot * (double)a->best, cooling->cold, over);
        int64_t rest = cooling->slice - (a->work - begin);
        int64_t next = a->work + duet_min(rest, DUET_ANNEAL_LOOK_WORK);
        for (int i = 0; i < DUET_ANNEAL_LOOK_MOVES && a->work < next; i++) {
            propose(a, temperature, DUET_ANNEAL_AREA_SHARE * weights * temperature);
        }
        over = part_over(a, cooling);
    }
    a->under_way = false;
}
