// SPDX-License-Identifier: Apache-2.0
// What to suppose next: the branching rule of a refutation.
// Method:    first types, then starts. A few tasks are candidates for a case about types: those
//            whose longest type has the least room in their windows, or, if the strategy says so,
//            those that matter most to the relaxation. Each is tried on that type as far as
//            propagation along the edges goes. One whose case is refuted by that is taken at once.
//            Otherwise the best one narrows much, in a short window, and leaves much work to its
//            other case. When all types are fixed, the task that may start first does so, or starts
//            when the next task may end, which soon meets a schedule. If the strategy says so, a
//            task starts in one half of its window instead: the one of the least pseudocosts.
// Guarantee: what is tried is undone. Floating point only guides.
// Cost:      propagation along the edges for each candidate.
// Memory:    none.
// Reference: Applegate, Bixby, Chvatal, Cook, "Finding cuts in the TSP", DIMACS 95-05, 1995 (strong
//            branching).
#include <math.h>

#include "core/system/assert.h"
#include "solvers/graph/refute/node.h"
#include "solvers/graph/refute/tuning.h"

// What a relaxation says of a task: its share on each type, and what passes through it. The linear
// program says it if nodes solve that, time-indexed prices otherwise.
typedef struct relaxation {
    double share[DUET_MAX_TYPES];
    double through;
} relaxation;

static relaxation relaxation_of(const duet_refuter *refuter, int32_t task)
{
    bool program = refuter->effort.strategy.program == DUET_AT_NODES;
    relaxation of = {.through = program ? duet_interval_through(refuter->program, task)
                                        : duet_timed_through(refuter->timed, task)};
    for (size_t t = 0; t < refuter->windows.types; t++) {
        of.share[t] = program ? duet_interval_share(refuter->program, task, t)
                              : duet_timed_share(refuter->timed, task, t);
    }
    return of;
}

// About what a relaxation gains if a task is put on one of its types: what passes through the task
// times the difference of the types, more if its shares are far from whole. The least terms rank
// tasks that the relaxation does not care about.
static double score_task(const duet_refuter *refuter, int32_t task)
{
    static const double least = 1e-6;
    const duet_windows *windows = &refuter->windows;
    const duet_window *window = &windows->window[task];
    relaxation of = relaxation_of(refuter, task);
    double span = (double)(window->longest - window->shortest) / (double)windows->guess;
    double divided = 0.0;
    for (size_t t = 0; t < windows->types; t++) {
        divided = fmax(divided, 4.0 * of.share[t] * (1.0 - of.share[t]));
    }
    return (of.through + least) * (divided + least) * span;
}

static size_t longest_type(const duet_windows *windows, int32_t task)
{
    size_t best = windows->types;
    for (size_t t = 0; t < windows->types; t++) {
        if (duet_windows_has(windows, task, t) &&
            (best == windows->types ||
             duet_windows_time(windows, task, t) > duet_windows_time(windows, task, best))) {
            best = t;
        }
    }
    DUET_ASSERT(best < windows->types);
    return best;
}

// Tasks with several types, by falling key.
typedef struct candidates {
    int32_t task[DUET_CHOOSE_CANDIDATES];
    double key[DUET_CHOOSE_CANDIDATES];
    size_t count;
} candidates;

static void offer(candidates *list, int32_t task, double key)
{
    size_t at = list->count;
    if (at < DUET_CHOOSE_CANDIDATES) {
        list->count++;
    } else if (key <= list->key[--at]) {
        return;
    }
    for (; at > 0 && list->key[at - 1] < key; at--) {
        list->task[at] = list->task[at - 1];
        list->key[at] = list->key[at - 1];
    }
    list->task[at] = task;
    list->key[at] = key;
}

static void list_candidates(const duet_refuter *refuter, candidates *list)
{
    const duet_windows *windows = &refuter->windows;
    const duet_refute_strategy *strategy = &refuter->effort.strategy;
    bool is_there = strategy->program == DUET_AT_NODES
                        ? refuter->program_state == DUET_RELAXATION_MADE
                        : refuter->timed_state == DUET_RELAXATION_MADE;
    bool relaxed = strategy->types == DUET_TYPES_BY_RELAXATION && is_there;
    list->count = 0;
    for (int32_t j = 0; j < windows->tasks; j++) {
        const duet_window *window = &windows->window[j];
        if ((window->types & (window->types - 1)) != 0) {
            int64_t room = windows->guess - window->start - window->tail - window->longest;
            offer(list, j, relaxed ? score_task(refuter, j) : -(double)room);
        }
    }
}

// By how much a case narrows windows as far as propagation along the edges goes; -1: it is refuted.
static int64_t look_at(duet_windows *windows, duet_task_statement what)
{
    int64_t before = windows->narrowed;
    if (!duet_windows_suppose(windows, what)) {
        return 0;
    }
    duet_windows_propagate(windows);
    int64_t gain = windows->refuted ? -1 : windows->narrowed - before;
    duet_windows_give_up(windows);
    return gain;
}

// What the two cases of a task are worth, both of which must be refuted. The first one narrows
// windows by `gain`. The second one is harder to fit in if it leaves more work.
static double score_cases(const duet_windows *windows, int32_t task, int64_t gain)
{
    const duet_window *window = &windows->window[task];
    int64_t span = windows->guess - window->start - window->tail;
    return (double)(gain + 1) * (double)(window->shortest + 1) / (double)(span + 1);
}

// Chooses a case about types. Whether any task has several.
static bool choose_type(duet_refuter *refuter, duet_task_statement *what)
{
    duet_windows *windows = &refuter->windows;
    candidates list;
    double most = -1.0;
    list_candidates(refuter, &list);
    for (size_t i = 0; i < list.count; i++) {
        int32_t task = list.task[i];
        duet_task_statement on = {DUET_CLAIM_ON, task, (int64_t)longest_type(windows, task)};
        int64_t gain = look_at(windows, on);
        double score = gain < 0 ? HUGE_VAL : score_cases(windows, task, gain);
        if (score > most) {
            most = score;
            *what = on;
        }
        if (gain < 0) {
            break;
        }
    }
    return list.count > 0;
}

// Of the tasks that may start at several times the one that may start first; -1: there is none.
static int32_t choose_first(const duet_windows *windows)
{
    int32_t best = -1;
    for (int32_t j = 0; j < windows->tasks; j++) {
        const duet_window *window = &windows->window[j];
        if (window->start >= windows->guess - window->rest) {
            continue;
        }
        const duet_window *first = best < 0 ? NULL : &windows->window[best];
        if (first == NULL || window->start < first->start ||
            (window->start == first->start && window->rest > first->rest)) {
            best = j;
        }
    }
    return best;
}

// Of the tasks that may start at several times the one with the least pseudocosts, then the least
// room; -1: there is none.
static int32_t choose_start(const duet_windows *windows, const duet_pseudocosts *pseudocosts)
{
    int32_t best = -1;
    int64_t least = INT64_MAX;
    int64_t least_room = INT64_MAX;
    for (int32_t j = 0; j < windows->tasks; j++) {
        int64_t room = windows->guess - windows->window[j].rest - windows->window[j].start;
        int64_t rating = pseudocosts->task[j].early + pseudocosts->task[j].late;
        if (room > 0 && (rating < least || (rating == least && room < least_room))) {
            best = j;
            least = rating;
            least_room = room;
        }
    }
    return best;
}

// The half of a task's window that is refuted sooner.
static duet_task_statement halve_start(const duet_windows *windows,
                                       const duet_pseudocosts *pseudocosts, int32_t task)
{
    const duet_window *window = &windows->window[task];
    const duet_pseudocost *rating = &pseudocosts->task[task];
    int64_t middle = window->start + (windows->guess - window->rest - window->start) / 2;
    return (duet_task_statement){
        rating->early <= rating->late ? DUET_CLAIM_START_BY : DUET_CLAIM_START_AFTER, task, middle};
}

bool duet_refute_choose(duet_refuter *refuter, duet_task_statement *what)
{
    const duet_windows *windows = &refuter->windows;
    if (choose_type(refuter, what)) {
        return true;
    }
    bool halve = refuter->effort.strategy.starts == DUET_STARTS_HALVED;
    int32_t task = halve ? choose_start(windows, &refuter->pseudocosts) : choose_first(windows);
    if (task >= 0) {
        *what = halve
                    ? halve_start(windows, &refuter->pseudocosts, task)
                    : (duet_task_statement){DUET_CLAIM_START_BY, task, windows->window[task].start};
    }
    return task >= 0;
}
