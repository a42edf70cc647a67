// SPDX-License-Identifier: Apache-2.0
// Energetic reasoning on the windows of a task graph.
// Method:    prices of the types turn work of either type into one number. Of an interval, the
//            least overlap of each task is priced by its cheapest mode; of a task, all ancestors
//            that start at some time or later must run between that time and its start. A few
//            vectors of prices are tried: each type alone, those of the area bound, and those at
//            which tasks cost the same on either type.
// Cost:      O(ancestors x candidates) a task; O(points^2 x tasks x candidates) for intervals.
// Memory:    the transitive closure, where it has at most 2^24 pairs.
// Reference: Erschler, Lopez, "Energy-based approach for task scheduling under time and resources
//            constraints", PMS 1990; Baptiste, Le Pape, Nuijten, "Satisfiability tests and
//            time-bound adjustments for cumulative scheduling problems", Annals of Operations
//            Research 92, 1999.
#include "solvers/graph/energy.h"

#include <stdlib.h>

#include "core/memory.h"
#include "solvers/graph/energy_prices.h"

enum { MAX_CLOSED = 8000 }; // tasks: beyond, the transitive closure is not computed

duet_code duet_energy_create(duet_energy *energy, duet_windows *windows,
                             const duet_context *context, duet_error *error)
{
    *energy = (duet_energy){.windows = windows};
    size_t tasks = (size_t)windows->tasks;
    energy->price =
        duet_alloc((DUET_MAX_CANDIDATES + 1) * windows->types, sizeof *energy->price, error);
    energy->cost = duet_alloc_raw(tasks * DUET_MAX_CANDIDATES, sizeof *energy->cost, error);
    energy->share = duet_alloc(DUET_MAX_CANDIDATES * windows->types, sizeof *energy->share, error);
    energy->froms = duet_alloc_raw(tasks + 1, sizeof *energy->froms, error);
    energy->backs = duet_alloc_raw(tasks + 1, sizeof *energy->backs, error);
    if (energy->price == NULL || energy->cost == NULL || energy->share == NULL ||
        energy->froms == NULL || energy->backs == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_energy_choose_prices(energy, context, error);
    for (size_t k = 0; code == DUET_OK && k < energy->candidates; k++) {
        for (size_t t = 0; t < windows->types; t++) {
            energy->share[t * DUET_MAX_CANDIDATES + k] =
                (double)energy->price[k * windows->types + t] / (double)energy->supply[k];
        }
    }
    if (code == DUET_OK && windows->tasks <= MAX_CLOSED) {
        code = duet_reachable_create(windows->network, &energy->before, &energy->after, error);
    }
    return code;
}

void duet_energy_free(duet_energy *energy)
{
    duet_free(energy->price);
    duet_free(energy->cost);
    duet_free(energy->share);
    duet_free(energy->froms);
    duet_free(energy->backs);
    duet_reachable_free(&energy->before);
    duet_reachable_free(&energy->after);
    *energy = (duet_energy){.windows = NULL};
}

// --- delays -----------------------------------------------------------------------------------

// What the work of every task is worth over its modes with each candidate, in ticks of all
// processors.
static void refresh_costs(duet_energy *energy)
{
    const duet_windows *windows = energy->windows;
    size_t candidates = energy->candidates;
    for (int32_t j = 0; j < windows->tasks; j++) {
        double *cost = energy->cost + (size_t)j * DUET_MAX_CANDIDATES;
        bool found = false;
        for (size_t t = 0; t < windows->types; t++) {
            if (!duet_windows_has(windows, j, t)) {
                continue;
            }
            const double *share = energy->share + t * DUET_MAX_CANDIDATES;
            double time = (double)duet_windows_time(windows, j, t);
            for (size_t k = 0; k < candidates; k++) {
                double own = share[k] * time;
                cost[k] = found && cost[k] < own ? cost[k] : own;
            }
            found = true;
        }
    }
}

static int64_t own_time(const duet_windows *windows, int32_t task, bool before)
{
    return before ? windows->window[task].start : windows->window[task].tail;
}

// Sorts what a task reaches by falling start or tail. It mostly is.
static void sort_reachable(const duet_windows *windows, int32_t *task, int64_t count, bool before)
{
    for (int64_t i = 1; i < count; i++) {
        int32_t moved = task[i];
        int64_t time = own_time(windows, moved, before);
        int64_t at = i;
        for (; at > 0 && own_time(windows, task[at - 1], before) < time; at--) {
            task[at] = task[at - 1];
        }
        task[at] = moved;
    }
}

// The candidate and the time from which the work delays most.
typedef struct delay {
    double time;
    int64_t from;
    size_t candidate;
} delay;

// The candidate whose delay is the longest, and that delay.
static delay find_delay(const duet_energy *energy, const int32_t *task, int64_t count, bool before)
{
    double sum[DUET_MAX_CANDIDATES] = {0};
    double most[DUET_MAX_CANDIDATES] = {0};
    size_t candidates = energy->candidates;
    for (int64_t i = 0; i < count; i++) {
        const double *cost = energy->cost + (size_t)task[i] * DUET_MAX_CANDIDATES;
        double from = (double)own_time(energy->windows, task[i], before);
        for (size_t k = 0; k < candidates; k++) {
            sum[k] += cost[k];
            most[k] = from + sum[k] > most[k] ? from + sum[k] : most[k];
        }
    }
    delay best = {.time = 0};
    for (size_t k = 0; k < energy->candidates; k++) {
        best = most[k] > best.time ? (delay){.time = most[k], .candidate = k} : best;
    }
    return best;
}

// The time from which on the candidate's delay is that long.
static int64_t begin_of_delay(const duet_energy *energy, const delay *found, const int32_t *task,
                              int64_t count, bool before)
{
    double sum = 0;
    double most = 0;
    int64_t begin = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t from = own_time(energy->windows, task[i], before);
        sum += energy->cost[(size_t)task[i] * DUET_MAX_CANDIDATES + found->candidate];
        if ((double)from + sum > most) {
            most = (double)from + sum;
            begin = from;
        }
    }
    return begin;
}

// What the prices of a task's work are at least.
static duet_int128 least_price(const duet_windows *windows, int32_t task, const int64_t *price)
{
    duet_int128 least = -1;
    for (size_t t = 0; t < windows->types; t++) {
        if (duet_windows_has(windows, task, t)) {
            duet_int128 cost = (duet_int128)price[t] * duet_windows_time(windows, task, t);
            least = least < 0 || cost < least ? cost : least;
        }
    }
    return least;
}

// The same delay in integers, with all tasks that it may count.
static int64_t prove_delay(const duet_energy *energy, const delay *found, const int32_t *task,
                           int64_t count, bool before)
{
    const duet_windows *windows = energy->windows;
    const int64_t *price = energy->price + found->candidate * windows->types;
    duet_int128 work = 0;
    for (int64_t i = 0; i < count && own_time(windows, task[i], before) >= found->from; i++) {
        work += least_price(windows, task[i], price);
    }
    int64_t supply = energy->supply[found->candidate];
    duet_int128 time = found->from + (work + supply - 1) / supply;
    return time > windows->guess ? windows->guess + 1 : (int64_t)time;
}

// Raises the start, or the tail, of a task. Whether it was raised.
static bool delay_task(duet_energy *energy, int32_t task, bool before)
{
    duet_windows *windows = energy->windows;
    const duet_reachable *reachable = before ? &energy->before : &energy->after;
    int32_t *list = reachable->task + reachable->at[task];
    int64_t count = reachable->at[task + 1] - reachable->at[task];
    sort_reachable(windows, list, count, before);
    delay found = find_delay(energy, list, count, before);
    windows->work += count * (int64_t)energy->candidates;
    int64_t own = own_time(windows, task, before);
    if (found.time <= (double)own) {
        return false;
    }
    found.from = begin_of_delay(energy, &found, list, count, before);
    int64_t time = prove_delay(energy, &found, list, count, before);
    if (time <= own) {
        return false;
    }
    duet_area_line line = {found.from, 0, energy->price + found.candidate * windows->types};
    duet_windows_write_delay(windows, task, &line, before);
    if (before) {
        duet_windows_raise_start(windows, task, time);
    } else {
        duet_windows_raise_tail(windows, task, time);
    }
    return true;
}

bool duet_energy_delay(duet_energy *energy)
{
    duet_windows *windows = energy->windows;
    bool raised = false;
    if (energy->after.task == NULL) {
        return false;
    }
    refresh_costs(energy);
    for (int64_t i = 0; i < windows->tasks && !windows->refuted; i++) {
        raised = delay_task(energy, windows->network->order[i], true) || raised;
    }
    duet_windows_propagate(windows);
    for (int64_t i = windows->tasks; i-- > 0 && !windows->refuted;) {
        raised = delay_task(energy, windows->network->order[i], false) || raised;
    }
    duet_windows_propagate(windows);
    return raised;
}

// --- intervals --------------------------------------------------------------------------------

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Leaves at most `points` of the values, sorted and each once, at equal distances. How many.
static size_t choose_points(int64_t *values, size_t count, size_t points)
{
    qsort(values, count, sizeof *values, by_value);
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        if (distinct == 0 || values[distinct - 1] != values[i]) {
            values[distinct++] = values[i];
        }
    }
    size_t chosen = distinct < points ? distinct : points;
    for (size_t i = 0; i < chosen; i++) {
        values[i] = values[i * distinct / chosen];
    }
    return chosen;
}

// How much of a task's time on a type is in an interval wherever it runs.
static int64_t overlap(const duet_windows *windows, int32_t task, size_t type, int64_t from,
                       int64_t back)
{
    const duet_window *window = &windows->window[task];
    int64_t time = duet_windows_time(windows, task, type);
    int64_t first = window->start > window->end - time ? window->start : window->end - time;
    int64_t rest = window->rest > window->tail + time ? window->rest : window->tail + time;
    int64_t least = windows->guess - from - back;
    least = time < least ? time : least;
    least = first + time - from < least ? first + time - from : least;
    least = rest - back < least ? rest - back : least;
    return least > 0 ? least : 0;
}

// Adds what the work of a task in an interval is worth with each candidate.
static void add_demand(const duet_energy *energy, int32_t task, int64_t from, int64_t back,
                       double *demand)
{
    const duet_windows *windows = energy->windows;
    double least[DUET_MAX_CANDIDATES];
    size_t candidates = energy->candidates;
    bool found = false;
    for (size_t t = 0; t < windows->types; t++) {
        if (!duet_windows_has(windows, task, t)) {
            continue;
        }
        double work = (double)overlap(windows, task, t, from, back);
        const double *share = energy->share + t * DUET_MAX_CANDIDATES;
        if (work == 0) { // it costs nothing there
            return;
        }
        for (size_t k = 0; k < candidates; k++) {
            double own = share[k] * work;
            least[k] = found && least[k] < own ? least[k] : own;
        }
        found = true;
    }
    for (size_t k = 0; k < candidates && found; k++) {
        demand[k] += least[k];
    }
}

// Whether the work in an interval is too much, in integers.
static bool prove_overload(const duet_energy *energy, int64_t from, int64_t back, size_t candidate)
{
    const duet_windows *windows = energy->windows;
    const int64_t *price = energy->price + candidate * windows->types;
    duet_int128 demand = 0;
    for (int32_t j = 0; j < windows->tasks; j++) {
        duet_int128 least = -1;
        for (size_t t = 0; t < windows->types; t++) {
            if (duet_windows_has(windows, j, t)) {
                duet_int128 cost = (duet_int128)price[t] * overlap(windows, j, t, from, back);
                least = least < 0 || cost < least ? cost : least;
            }
        }
        demand += least;
    }
    return demand > (duet_int128)(windows->guess - from - back) * energy->supply[candidate];
}

// Whether an interval refutes the guess.
static bool try_interval(duet_energy *energy, int64_t from, int64_t back)
{
    duet_windows *windows = energy->windows;
    double demand[DUET_MAX_CANDIDATES] = {0};
    for (int32_t j = 0; j < windows->tasks; j++) {
        add_demand(energy, j, from, back, demand);
    }
    windows->work += 4 * windows->tasks;
    double length = (double)(windows->guess - from - back);
    for (size_t k = 0; k < energy->candidates; k++) {
        if (demand[k] > length && prove_overload(energy, from, back, k)) {
            duet_area_line line = {from, back, energy->price + k * windows->types};
            duet_windows_write_energy(windows, &line);
            windows->refuted = true;
            return true;
        }
    }
    return false;
}

void duet_energy_overload(duet_energy *energy, size_t points)
{
    const duet_windows *windows = energy->windows;
    size_t tasks = (size_t)windows->tasks;
    if (windows->refuted || windows->no_memory) {
        return;
    }
    for (size_t j = 0; j < tasks; j++) {
        energy->froms[j] = windows->window[j].start;
        energy->backs[j] = windows->window[j].tail;
    }
    size_t froms = choose_points(energy->froms, tasks, points);
    size_t backs = choose_points(energy->backs, tasks, points);
    for (size_t i = 0; i < froms; i++) {
        for (size_t b = 0; b < backs; b++) {
            int64_t length = windows->guess - energy->froms[i] - energy->backs[b];
            if (length > 0 && try_interval(energy, energy->froms[i], energy->backs[b])) {
                return;
            }
        }
    }
}
