// SPDX-License-Identifier: Apache-2.0
// Delays: what the work before or after a task says of its start or tail. Only tasks whose
// ancestors, or descendants, have changed since they were last asked are asked again. Several
// threads find those of tasks of which none is before another, with the same result.
#include "core/number/minmax.h"
#include "core/system/threads.h"
#include "solvers/graph/propagate/energy.h"

#include <string.h>

// What the work of every task is worth over its types with each candidate, in ticks of all
// processors.
static void refresh_costs(duet_energy *energy)
{
    const duet_windows *windows = energy->windows;
    size_t candidates = energy->candidates;
    for (int32_t j = 0; j < windows->tasks; j++) {
        double *cost = energy->cost + (size_t)j * DUET_ENERGY_CANDIDATES;
        bool found = false;
        for (size_t t = 0; t < windows->types; t++) {
            if (!duet_windows_has(windows, j, t)) {
                continue;
            }
            const double *share = energy->share + t * DUET_ENERGY_CANDIDATES;
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

// Sorts by falling start or tail, those of equal ones as they stand, by merging runs that double.
static void merge_reachable(const duet_windows *windows, int32_t *task, int32_t *room,
                            int64_t count, bool before)
{
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t begin = 0; begin + run < count; begin += 2 * run) {
            int64_t end = duet_min(begin + 2 * run, count);
            int64_t left = 0;
            int64_t at = begin + run;
            memcpy(room, task + begin, (size_t)run * sizeof *room);
            for (int64_t i = begin; left < run; i++) {
                bool right = at < end && own_time(windows, task[at], before) >
                                             own_time(windows, room[left], before);
                task[i] = right ? task[at++] : room[left++];
            }
        }
    }
}

// Sorts what a task reaches by falling start or tail. It mostly is, but for the first time.
static void sort_reachable(const duet_windows *windows, int32_t *task, int32_t *room, int64_t count,
                           bool before)
{
    int64_t steps = DUET_ENERGY_SORT_STEPS * count;
    for (int64_t i = 1; i < count; i++) {
        int32_t moved = task[i];
        int64_t time = own_time(windows, moved, before);
        int64_t at = i;
        for (; at > 0 && own_time(windows, task[at - 1], before) < time; at--) {
            task[at] = task[at - 1];
        }
        task[at] = moved;
        steps -= i - at;
        if (steps < 0) {
            merge_reachable(windows, task, room, count, before);
            return;
        }
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
    double sum[DUET_ENERGY_CANDIDATES] = {0};
    double most[DUET_ENERGY_CANDIDATES] = {0};
    size_t candidates = energy->candidates;
    for (int64_t i = 0; i < count; i++) {
        const double *cost = energy->cost + (size_t)task[i] * DUET_ENERGY_CANDIDATES;
        double from = (double)own_time(energy->windows, task[i], before);
        for (size_t k = 0; k < candidates; k++) {
            sum[k] += cost[k];
            most[k] = duet_max(from + sum[k], most[k]);
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
        sum += energy->cost[(size_t)task[i] * DUET_ENERGY_CANDIDATES + found->candidate];
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

// The tasks that one reaches.
static int64_t reached(const duet_energy *energy, int32_t task, bool before, int32_t **list)
{
    const duet_reachable *reachable = before ? &energy->before : &energy->after;
    *list = reachable->task + reachable->at[task];
    return reachable->at[task + 1] - reachable->at[task];
}

// Finds the delay of a task, which nothing else reads.
static void find(const duet_energy *energy, duet_energy_found *found, int32_t *room, bool before)
{
    const duet_windows *windows = energy->windows;
    int32_t *list;
    int64_t count = reached(energy, found->task, before, &list);
    sort_reachable(windows, list, room, count, before);
    delay best = find_delay(energy, list, count, before);
    found->time = 0;
    if (best.time > (double)own_time(windows, found->task, before)) {
        best.from = begin_of_delay(energy, &best, list, count, before);
        found->time = prove_delay(energy, &best, list, count, before);
        found->from = best.from;
        found->candidate = best.candidate;
    }
}

// Raises the start, or the tail, of a task. Whether it was raised.
static bool delay_task(duet_energy *energy, const duet_energy_found *found, bool before)
{
    duet_windows *windows = energy->windows;
    if (found->time <= own_time(windows, found->task, before)) {
        return false;
    }
    duet_area_line line = {found->from, 0, energy->price + found->candidate * windows->types};
    duet_windows_write_delay(windows, found->task, &line, before);
    if (before) {
        duet_windows_raise_start(windows, found->task, found->time);
    } else {
        duet_windows_raise_tail(windows, found->task, found->time);
    }
    return true;
}

// The tasks behind one (`before`), or before it, may have to be delayed.
static void touch(duet_energy *energy, int32_t task, bool before)
{
    const duet_reachable *reachable = before ? &energy->after : &energy->before;
    for (int64_t i = reachable->at[task]; i < reachable->at[task + 1]; i++) {
        energy->touched[reachable->task[i]] = true;
    }
    energy->windows->work += (reachable->at[task + 1] - reachable->at[task]) / 2;
}

// Finds the tasks of which something has changed that delays them, since this was last asked.
static void find_touched(duet_energy *energy, bool before)
{
    duet_windows *windows = energy->windows;
    bool all = !windows->all_drawn;
    for (int32_t j = 0; j < windows->tasks; j++) {
        energy->touched[j] = all;
        energy->seen[j] = false;
    }
    for (size_t i = windows->drawn[before]; i < windows->undos && !all; i++) {
        int32_t task = windows->undo[i].task;
        const duet_window *old = &windows->undo[i].window;
        const duet_window *window = &windows->window[task];
        bool moved = before ? old->start != window->start : old->tail != window->tail;
        if (!energy->seen[task] && (moved || old->types != window->types)) {
            energy->seen[task] = true;
            touch(energy, task, before);
        }
    }
    windows->drawn[before] = windows->undos;
}

// Whether a task of the batch is next to this one, which it may delay.
static bool waits_for_batch(const duet_energy *energy, int32_t task, bool before)
{
    const duet_graph *graph = energy->windows->network->graph;
    const int64_t *at = before ? graph->enter_at : graph->leave_at;
    const int32_t *edge = before ? graph->entering : graph->leaving;
    const int32_t *end = before ? graph->tail : graph->head;
    for (int64_t i = at[task]; i < at[task + 1]; i++) {
        if (energy->seen[end[edge[i]]]) {
            return true;
        }
    }
    return false;
}

// Gathers the next tasks that something has changed of, none of which is before another: how many.
static size_t gather_batch(duet_energy *energy, int64_t *at, bool before)
{
    const duet_windows *windows = energy->windows;
    size_t count = 0;
    for (; *at < windows->tasks && count < DUET_ENERGY_BATCH; ++*at) {
        int32_t task = energy->order[before ? *at : windows->tasks - 1 - *at];
        if (count > 0 && waits_for_batch(energy, task, before)) {
            break;
        }
        if (energy->touched[task]) {
            energy->seen[task] = true;
            energy->found[count++].task = task;
        }
    }
    for (size_t i = 0; i < count; i++) {
        energy->seen[energy->found[i].task] = false;
    }
    return count;
}

// Counts the operations of a batch. Whether threads share it; what they then do beside the one that
// has most is counted, too.
static bool count_batch(duet_energy *energy, size_t count, bool before)
{
    int64_t share[DUET_ENERGY_THREADS] = {0};
    int64_t most = 0;
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t *list;
        int64_t *own = &share[i % DUET_ENERGY_THREADS];
        int64_t work = reached(energy, energy->found[i].task, before, &list);
        work *= (int64_t)energy->candidates;
        *own += work;
        sum += work;
        most = duet_max(*own, most);
    }
    bool shared = count > 1 && sum >= DUET_ENERGY_BATCH_WORK;
    energy->windows->work += shared ? sum : 0;
    energy->windows->beside += shared ? sum - most : 0;
    return shared;
}

// Finds the delays of a batch, in several threads if there are any.
static void find_batch(const duet_energy *energy, int threads, size_t count, bool before)
{
#ifdef DUET_WITH_OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
#endif
    for (int t = 0; t < threads; t++) {
        for (size_t i = (size_t)t; i < count; i += (size_t)threads) {
            find(energy, &energy->found[i], energy->room + t * energy->windows->tasks, before);
        }
    }
}

// Delays the tasks of a batch, in their order. Whether any was raised.
static bool delay_batch(duet_energy *energy, int *threads, size_t count, bool before)
{
    duet_windows *windows = energy->windows;
    bool raised = false;
    bool shared = count_batch(energy, count, before);
    if (shared) {
        *threads = *threads > 0 ? *threads : duet_threads_startable(energy->threads);
        find_batch(energy, *threads, count, before);
    }
    for (size_t i = 0; i < count && !windows->refuted && !duet_energy_stops(energy); i++) {
        duet_energy_found *found = &energy->found[i];
        if (!shared) {
            int32_t *list;
            windows->work +=
                reached(energy, found->task, before, &list) * (int64_t)energy->candidates;
            find(energy, found, energy->room, before);
        }
        if (delay_task(energy, found, before)) {
            raised = true;
            touch(energy, found->task, before);
        }
    }
    return raised;
}

// Delays the tasks that something has changed of, in an order in which those found lie ahead.
static bool delay_touched(duet_energy *energy, bool before)
{
    duet_windows *windows = energy->windows;
    bool raised = false;
    int threads = 0;
    refresh_costs(energy);
    find_touched(energy, before);
    memset(energy->seen, 0, (size_t)windows->tasks * sizeof *energy->seen);
    for (int64_t at = 0; at < windows->tasks && !windows->refuted && !duet_energy_stops(energy);) {
        size_t count = gather_batch(energy, &at, before);
        raised = delay_batch(energy, &threads, count, before) || raised;
    }
    duet_windows_propagate(windows);
    return raised;
}

bool duet_energy_delay(duet_energy *energy)
{
    duet_windows *windows = energy->windows;
    if (energy->after.task == NULL || windows->refuted) {
        return false;
    }
    bool raised = delay_touched(energy, true);
    raised = delay_touched(energy, false) || raised;
    if (windows->depth == 0 && !raised && !windows->all_drawn) {
        windows->all_drawn = !duet_context_stop(energy->context);
    }
    return raised;
}
