// SPDX-License-Identifier: Apache-2.0
// The optimum of a small candidate, fast: it is asked a hundred thousand times a second.
//
// Method: depth first over assignments of tasks to processors, longest task first. Cut off are a
// load at or above the best makespan; all but one of equally loaded processors of a type; of equal
// tasks, all orders but that of ascending processors (together the two keep the lexicographically
// first of all equivalent assignments); and assignments that waste more work than there is room
// for, work being counted at one price of CPU time in GPU time, that of the lower bound.
#include "bench/search/search.h"
#include "core/number/minmax.h"

enum { MAX_LOADS = 2 * DUET_SEARCH_MAX_PROCESSORS };

// Prices of a tick on either type.
typedef struct prices {
    int64_t price[2];
} prices;

typedef struct packed_task {
    int64_t time[2];  // DUET_FORBIDDEN where it cannot run
    int64_t extra[2]; // what running there costs more than where it is cheapest
    int64_t shortest;
    bool repeats; // equal to the task before it
} packed_task;

typedef struct packing {
    int tasks;
    packed_task task[DUET_SEARCH_MAX_TASKS];
    int processors;
    int type[MAX_LOADS];
    int64_t load[MAX_LOADS];
    int64_t best;       // only shorter schedules count
    int64_t lower;      // a schedule that short ends the search
    int64_t tick_price; // of a tick of makespan on all processors
    int64_t cheapest;   // what all tasks cost at least
    int64_t effort;     // nodes left; negative: given up
} packing;

static int64_t cost(const duet_search_point *point, size_t kind, size_t type, const prices *at)
{
    return duet_search_runs(point, kind, type) ? at->price[type] * point->kind[kind].time[type]
                                               : INT64_MAX;
}

static int64_t cheapest_cost(const duet_search_point *point, size_t kind, const prices *at)
{
    int64_t cpu = cost(point, kind, 0, at);
    int64_t gpu = cost(point, kind, 1, at);
    return duet_min(cpu, gpu);
}

static int64_t tick_price_of(const duet_search_point *point, const prices *at)
{
    return at->price[0] * point->processors[0] + at->price[1] * point->processors[1];
}

// What the work costs at least, divided by the price of a tick of makespan, rounded up.
static int64_t area_at(const duet_search_point *point, const prices *at)
{
    int64_t work = 0;
    for (size_t i = 0; i < point->kinds; i++) {
        work += point->kind[i].count * cheapest_cost(point, i, at);
    }
    int64_t tick_price = tick_price_of(point, at);
    return tick_price == 0 ? 0 : (work + tick_price - 1) / tick_price;
}

// The area bound is attained at a price where some task costs the same on both types, or at a price
// of nothing for one type.
static int64_t best_area(const duet_search_point *point, prices *best)
{
    *best = (prices){{1, 1}};
    int64_t bound = area_at(point, best);
    for (size_t i = 0; i < point->kinds + 2; i++) {
        prices at = {{i == point->kinds, i == point->kinds + 1}};
        if (i < point->kinds) {
            if (!duet_search_runs(point, i, 0) || !duet_search_runs(point, i, 1)) {
                continue;
            }
            at = (prices){{point->kind[i].time[1], point->kind[i].time[0]}};
        }
        int64_t area = area_at(point, &at);
        if (area > bound) {
            bound = area;
            *best = at;
        }
    }
    return bound;
}

static int64_t shortest_time(const duet_search_point *point, size_t kind)
{
    static const prices unit = {{1, 1}};
    return cheapest_cost(point, kind, &unit);
}

// The longest task at its fastest, and on CPUs alone the area, which is least on one processor.
static int64_t moldable_bound(const duet_search_point *point)
{
    int64_t bound = 1;
    int64_t area = 0;
    for (size_t i = 0; i < point->kinds; i++) {
        int64_t table[DUET_SEARCH_MOLDABLE_PROCESSORS];
        int64_t gpu = duet_search_time(point, i, 1);
        int64_t shortest = gpu;
        if (duet_search_runs(point, i, 0)) {
            int64_t cpu = table[duet_search_table(point, i, table) - 1];
            shortest = duet_min(cpu, shortest);
            area += table[0] * point->kind[i].count;
        }
        bound = duet_max(shortest, bound);
    }
    int64_t share =
        point->processors[1] > 0 ? 0 : (area + point->processors[0] - 1) / point->processors[0];
    return duet_max(share, bound);
}

int64_t duet_search_lower_bound(const duet_search_point *point)
{
    if (point->moldable) {
        return moldable_bound(point);
    }
    prices at;
    int64_t bound = best_area(point, &at);
    for (size_t i = 0; i < point->kinds; i++) {
        int64_t shortest = shortest_time(point, i);
        bound = duet_max(shortest, bound);
    }
    return bound;
}

static int compare_tasks(const packed_task *a, const packed_task *b)
{
    if (a->shortest != b->shortest) {
        return a->shortest > b->shortest ? -1 : 1;
    }
    for (int t = 0; t < 2; t++) {
        if (a->time[t] != b->time[t]) {
            return a->time[t] > b->time[t] ? -1 : 1;
        }
    }
    return 0;
}

// Puts the tasks of a kind where they belong among those before.
static void insert(packing *state, const packed_task *task, int64_t count)
{
    int at = state->tasks;
    while (at > 0 && compare_tasks(task, &state->task[at - 1]) < 0) {
        state->task[at - 1 + count] = state->task[at - 1];
        at--;
    }
    for (int64_t c = 0; c < count; c++) {
        state->task[at + c] = *task;
    }
    state->tasks += (int)count;
}

static void begin(packing *state, const duet_search_point *point)
{
    prices at;
    best_area(point, &at);
    state->tick_price = tick_price_of(point, &at);
    state->tasks = 0;
    state->cheapest = 0;
    for (size_t i = 0; i < point->kinds; i++) {
        int64_t least = cheapest_cost(point, i, &at);
        packed_task task = {.shortest = shortest_time(point, i)};
        for (size_t t = 0; t < 2; t++) {
            task.time[t] = duet_search_time(point, i, t);
            task.extra[t] =
                task.time[t] == DUET_FORBIDDEN ? INT64_MAX : cost(point, i, t, &at) - least;
        }
        insert(state, &task, point->kind[i].count);
        state->cheapest += least * point->kind[i].count;
    }
    for (int j = 1; j < state->tasks; j++) {
        state->task[j].repeats = compare_tasks(&state->task[j], &state->task[j - 1]) == 0;
    }
    state->processors = 0;
    for (int t = 0; t < 2; t++) {
        for (int64_t i = 0; i < point->processors[t] && i < state->tasks; i++) {
            state->type[state->processors] = t;
            state->load[state->processors++] = 0;
        }
    }
}

static bool seen_before(const packing *state, int first, int processor)
{
    for (int other = first; other < processor; other++) {
        if (state->load[other] == state->load[processor] &&
            state->type[other] == state->type[processor]) {
            return true;
        }
    }
    return false;
}

// `first`: the processor of the task before, where that is equal to this one; `waste`: what the
// assignments so far cost more than the cheapest.
static void descend(packing *state, int index, int before, int64_t makespan, int64_t waste)
{
    if (index == state->tasks) {
        state->best = makespan;
        return;
    }
    const packed_task *task = &state->task[index];
    int first = task->repeats ? before : 0;
    for (int i = first; i < state->processors; i++) {
        int t = state->type[i];
        if (task->time[t] == DUET_FORBIDDEN || state->load[i] + task->time[t] >= state->best ||
            waste + task->extra[t] > state->tick_price * (state->best - 1) - state->cheapest ||
            seen_before(state, first, i)) {
            continue;
        }
        if (--state->effort < 0) {
            return;
        }
        state->load[i] += task->time[t];
        descend(state, index + 1, i, duet_max(state->load[i], makespan), waste + task->extra[t]);
        state->load[i] -= task->time[t];
        if (state->effort < 0 || state->best <= state->lower) {
            return;
        }
    }
}

int64_t duet_search_optimum(const duet_search_point *point, int64_t lower, int64_t limit,
                            int64_t effort)
{
    if (lower > limit) {
        return limit + 1;
    }
    packing state;
    begin(&state, point);
    state.best = limit + 1;
    state.lower = lower;
    state.effort = effort;
    descend(&state, 0, 0, 0, 0);
    return state.effort < 0 && state.best > lower ? -1 : state.best;
}
