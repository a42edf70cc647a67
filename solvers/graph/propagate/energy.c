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
#include "solvers/graph/propagate/energy.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "lp/graph/tuning.h"
#include "solvers/graph/propagate/energy_prices.h"

// Orders many tasks by the longest path of edges before each: those of one level can be asked at
// the same time. Few ones stay in the order of the network.
static void order_tasks(duet_energy *energy)
{
    const duet_network *network = energy->windows->network;
    const duet_graph *graph = network->graph;
    int64_t tasks = network->tasks;
    int64_t *level = energy->froms;
    int64_t *next = energy->backs; // Per level, the place of its next task.
    bool many = tasks > DUET_ENERGY_LEVELLED_TASKS;
    memset(next, 0, (size_t)(tasks + 1) * sizeof *next);
    for (int64_t i = 0; i < tasks; i++) {
        int32_t task = network->order[i];
        level[task] = many ? 0 : i;
        for (int64_t e = graph->enter_at[task]; e < graph->enter_at[task + 1] && many; e++) {
            int64_t before = level[graph->tail[graph->entering[e]]];
            level[task] = duet_max(before + 1, level[task]);
        }
        next[level[task] + 1]++;
    }
    for (int64_t l = 0; l < tasks; l++) {
        next[l + 1] += next[l];
    }
    for (int64_t i = 0; i < tasks; i++) {
        int32_t task = network->order[i];
        energy->order[next[level[task]]++] = task;
    }
}

duet_code duet_energy_create(duet_energy *energy, duet_windows *windows,
                             const duet_context *context, duet_error *error)
{
    *energy = (duet_energy){.windows = windows, .context = context};
    size_t tasks = (size_t)windows->tasks;
    size_t candidates = DUET_ENERGY_CANDIDATES;
    energy->threads = duet_max(duet_min(context->threads, DUET_ENERGY_THREADS), 1);
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(energy->price, (candidates + 1) * windows->types),
        DUET_ARENA_ARRAY(energy->cost, tasks * candidates),
        DUET_ARENA_ARRAY(energy->share, candidates * windows->types),
        DUET_ARENA_ARRAY(energy->touched, tasks),
        DUET_ARENA_ARRAY(energy->seen, tasks),
        DUET_ARENA_ARRAY(energy->changed, tasks),
        DUET_ARENA_ARRAY(energy->kept, DUET_ENERGY_KEPT),
        DUET_ARENA_ARRAY(energy->room, tasks * (size_t)energy->threads),
        DUET_ARENA_ARRAY(energy->found, DUET_ENERGY_BATCH),
        DUET_ARENA_ARRAY(energy->order, tasks),
        DUET_ARENA_ARRAY(energy->froms, tasks + 1),
        DUET_ARENA_ARRAY(energy->backs, tasks + 1)};
    DUET_TRY(duet_arena_create(&energy->arena, arrays, sizeof arrays / sizeof *arrays, error));
    order_tasks(energy);
    DUET_TRY(duet_energy_choose_prices(energy, context, error));
    for (size_t k = 0; k < energy->candidates; k++) {
        for (size_t t = 0; t < windows->types; t++) {
            energy->share[t * DUET_ENERGY_CANDIDATES + k] =
                (double)energy->price[k * windows->types + t] / (double)energy->supply[k];
        }
    }
    if (windows->tasks <= DUET_GRAPH_CLOSURE_TASKS) {
        return duet_reachable_create(windows->network, &energy->before, &energy->after, error);
    }
    return DUET_OK;
}

void duet_energy_free(duet_energy *energy)
{
    duet_arena_free(&energy->arena);
    duet_reachable_free(&energy->before);
    duet_reachable_free(&energy->after);
    *energy = (duet_energy){.windows = NULL};
}

// --- intervals --------------------------------------------------------------------------------

// Leaves at most `points` of the values, sorted and each once, at equal distances. How many.
static size_t choose_points(int64_t *values, size_t count, size_t points)
{
    size_t distinct = duet_sort_distinct(values, count);
    size_t chosen = duet_min(distinct, points);
    for (size_t i = 0; i < chosen; i++) {
        values[i] = values[i * distinct / chosen];
    }
    return chosen;
}

// How much of a task's time on a type is in an interval wherever its window lets it run.
static int64_t overlap(const duet_windows *windows, const duet_window *window, int32_t task,
                       size_t type, int64_t from, int64_t back)
{
    int64_t time = duet_windows_time(windows, task, type);
    int64_t first = duet_max(window->start, window->end - time);
    int64_t rest = duet_max(window->rest, window->tail + time);
    int64_t least = windows->guess - from - back;
    least = duet_min(time, least);
    least = duet_min(first + time - from, least);
    least = duet_min(rest - back, least);
    return duet_max(least, 0);
}

// Adds what the work of a task with some window in an interval is worth with each candidate, times
// `times`.
static void add_demand(const duet_energy *energy, int32_t task, const duet_window *window,
                       const duet_area_line *line, double times, double *demand)
{
    const duet_windows *windows = energy->windows;
    double least[DUET_ENERGY_CANDIDATES];
    size_t candidates = energy->candidates;
    bool found = false;
    for (size_t t = 0; t < windows->types; t++) {
        if ((window->types >> t & 1U) == 0) {
            continue;
        }
        double work = (double)overlap(windows, window, task, t, line->from, line->back);
        const double *share = energy->share + t * DUET_ENERGY_CANDIDATES;
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
        demand[k] += times * least[k];
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
                duet_int128 cost =
                    (duet_int128)price[t] * overlap(windows, &windows->window[j], j, t, from, back);
                least = least < 0 || cost < least ? cost : least;
            }
        }
        demand += least;
    }
    return demand > (duet_int128)(windows->guess - from - back) * energy->supply[candidate];
}

// What all work in an interval is worth with each candidate.
static void find_demand(duet_energy *energy, const duet_area_line *line, double *demand)
{
    duet_windows *windows = energy->windows;
    for (size_t k = 0; k < DUET_ENERGY_CANDIDATES; k++) {
        demand[k] = 0;
    }
    for (int32_t j = 0; j < windows->tasks; j++) {
        add_demand(energy, j, &windows->window[j], line, 1, demand);
    }
    windows->work += 4 * windows->tasks;
}

static int64_t length_of(const duet_windows *windows, const duet_area_line *line)
{
    return windows->guess - line->from - line->back;
}

// Whether an interval refutes the guess with what its work seems to be worth.
static bool judge_interval(duet_energy *energy, const duet_area_line *line, const double *demand)
{
    duet_windows *windows = energy->windows;
    double length = (double)length_of(windows, line);
    for (size_t k = 0; k < energy->candidates; k++) {
        if (demand[k] > length && prove_overload(energy, line->from, line->back, k)) {
            duet_windows_write_energy(
                windows,
                &(duet_area_line){line->from, line->back, energy->price + k * windows->types});
            windows->refuted = true;
            return true;
        }
    }
    return false;
}

bool duet_energy_stops(duet_energy *energy)
{
    if (energy->windows->work < energy->next_look) {
        return false;
    }
    energy->next_look = energy->windows->work + DUET_ENERGY_GLANCE;
    duet_windows_tell(energy->windows);
    return duet_context_stop(energy->context);
}

// Chooses beginnings and ends of intervals. `at` gets their numbers.
static void choose_intervals(duet_energy *energy, size_t points, size_t *at)
{
    const duet_windows *windows = energy->windows;
    size_t tasks = (size_t)windows->tasks;
    for (size_t j = 0; j < tasks; j++) {
        energy->froms[j] = windows->window[j].start;
        energy->backs[j] = windows->window[j].tail;
    }
    at[0] = choose_points(energy->froms, tasks, points);
    at[1] = choose_points(energy->backs, tasks, points);
}

void duet_energy_overload(duet_energy *energy, size_t points)
{
    const duet_windows *windows = energy->windows;
    if (windows->refuted || windows->code != DUET_OK) {
        return;
    }
    size_t count[2];
    choose_intervals(energy, points, count);
    for (size_t i = 0; i < count[0]; i++) {
        for (size_t b = 0; b < count[1]; b++) {
            duet_area_line line = {.from = energy->froms[i], .back = energy->backs[b]};
            double demand[DUET_ENERGY_CANDIDATES];
            if (length_of(windows, &line) > 0) {
                if (duet_energy_stops(energy)) {
                    return;
                }
                find_demand(energy, &line, demand);
                if (judge_interval(energy, &line, demand)) {
                    return;
                }
            }
        }
    }
}

// --- intervals under suppositions -------------------------------------------------------------

// Keeps an interval where it is among the fullest.
static void keep_fullest(duet_energy *energy, const duet_kept_interval *found)
{
    size_t at = energy->kept_count;
    if (at < DUET_ENERGY_KEPT) {
        energy->kept_count++;
    } else if (found->slack >= energy->kept[--at].slack) {
        return;
    }
    for (; at > 0 && energy->kept[at - 1].slack > found->slack; at--) {
        energy->kept[at] = energy->kept[at - 1];
    }
    energy->kept[at] = *found;
}

void duet_energy_prepare(duet_energy *energy)
{
    const duet_windows *windows = energy->windows;
    if (energy->prepared == windows->state) {
        return;
    }
    size_t count[2];
    choose_intervals(energy, DUET_ENERGY_KEPT_POINTS, count);
    energy->prepared = windows->state;
    energy->kept_count = 0;
    for (size_t i = 0; i < count[0]; i++) {
        for (size_t b = 0; b < count[1]; b++) {
            duet_kept_interval found = {.line = {energy->froms[i], energy->backs[b], NULL}};
            int64_t length = length_of(windows, &found.line);
            if (length > 0) {
                if (duet_energy_stops(energy)) {
                    return;
                }
                find_demand(energy, &found.line, found.demand);
                double most = 0;
                for (size_t k = 0; k < energy->candidates; k++) {
                    most = duet_max(found.demand[k], most);
                }
                found.slack = (double)length - most;
                keep_fullest(energy, &found);
            }
        }
    }
}

// The changes since the last supposition, the first of each task. How many.
static size_t list_changed(duet_energy *energy)
{
    duet_windows *windows = energy->windows;
    size_t count = 0;
    for (int64_t j = 0; j < windows->tasks; j++) {
        energy->seen[j] = false;
    }
    for (size_t i = windows->level[windows->depth - 1].undo; i < windows->undos; i++) {
        if (!energy->seen[windows->undo[i].task]) {
            energy->seen[windows->undo[i].task] = true;
            energy->changed[count++] = i;
        }
    }
    return count;
}

void duet_energy_overload_since(duet_energy *energy)
{
    duet_windows *windows = energy->windows;
    if (windows->refuted || windows->code != DUET_OK) {
        return;
    }
    DUET_ASSERT(windows->depth > 0 && windows->level[windows->depth - 1].state == energy->prepared);
    size_t changed = list_changed(energy);
    for (size_t i = 0; i < energy->kept_count; i++) {
        const duet_kept_interval *kept = &energy->kept[i];
        double demand[DUET_ENERGY_CANDIDATES];
        memcpy(demand, kept->demand, sizeof demand);
        for (size_t c = 0; c < changed; c++) {
            const duet_window_of_task *old = &windows->undo[energy->changed[c]];
            add_demand(energy, old->task, &old->window, &kept->line, -1, demand);
            add_demand(energy, old->task, &windows->window[old->task], &kept->line, 1, demand);
        }
        windows->work += 8 * (int64_t)changed + 8;
        if (judge_interval(energy, &kept->line, demand)) {
            return;
        }
    }
}
