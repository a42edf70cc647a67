// SPDX-License-Identifier: Apache-2.0
// What to suppose next. First the types: of the tasks whose longest mode has least room in their
// windows, or, where the effort says so, of those that matter most to the relaxation, some are
// looked at: on that mode each narrows the windows of others, as far as propagation goes. One whose
// case is refuted by that is taken at once; else one that narrows much, in a short window, and has
// much work in its other case. Where all types are fixed, the starts: the task that may start first
// does so, or it starts when the next task may end, which soon meets a schedule; or, where the
// effort says so, a task starts in the first half of its window or in the second, that task whose
// cases are refuted soonest by what was seen so far (pseudocosts.h).
// Reference: Applegate, Bixby, Chvatal, Cook, "Finding cuts in the TSP", DIMACS 95-05, 1995 (strong
//            branching).
#include <math.h>

#include "core/system/assert.h"
#include "solvers/graph/refute/refute.h"

enum { LOOKED_AT = 12 }; // tasks whose types are looked at, at most

// What a relaxation says of a task: its share on each type, and what passes through it. That of
// prices over time, or of the linear program where nodes have it.
typedef struct relaxation {
    double share[DUET_MAX_TYPES];
    double through;
} relaxation;

static relaxation relaxation_of(const duet_refuter *refuter, int32_t task)
{
    bool program = refuter->effort.programs;
    relaxation of = {.through = program ? duet_interval_through(refuter->program, task)
                                        : duet_timed_through(refuter->timed, task)};
    for (size_t t = 0; t < refuter->windows.types; t++) {
        of.share[t] = program ? duet_interval_share(refuter->program, task, t)
                              : duet_timed_share(refuter->timed, task, t);
    }
    return of;
}

// About what a relaxation gains where a task is on one of its types: what passes through the task
// times what the types differ by, the more the further its share is from whole. Floating point only
// guides. The least terms rank tasks that the relaxation does not care about.
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

// Tasks with several types, those of the largest keys first.
typedef struct candidates {
    int32_t task[LOOKED_AT];
    double key[LOOKED_AT];
    size_t count;
} candidates;

static void offer(candidates *list, int32_t task, double key)
{
    size_t at = list->count;
    if (at < LOOKED_AT) {
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
    const duet_refute_effort *effort = &refuter->effort;
    bool relaxed =
        effort->relaxed && (effort->programs ? refuter->program != NULL : refuter->timed != NULL);
    list->count = 0;
    for (int32_t j = 0; j < windows->tasks; j++) {
        const duet_window *window = &windows->window[j];
        if ((window->types & (window->types - 1)) != 0) {
            int64_t room = windows->guess - window->start - window->tail - window->longest;
            offer(list, j, relaxed ? score_task(refuter, j) : -(double)room);
        }
    }
}

// By how much a case narrows windows as far as propagation goes; -1: it is refuted.
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

// What the cases of a task are worth, of which the first narrows windows so much: both must be
// refuted. The second is the harder to fit in the more work it leaves.
static double score_cases(const duet_windows *windows, int32_t task, int64_t gain)
{
    const duet_window *window = &windows->window[task];
    int64_t span = windows->guess - window->start - window->tail;
    return (double)(gain + 1) * (double)(window->shortest + 1) / (double)(span + 1);
}

// The types to suppose. Whether any task has several.
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

// The task that may start first, of those that may start at several times; -1 where there is none.
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

// The task of those that may start at several times whose cases are rated best; -1 where there is
// none.
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

// The case that is refuted sooner first.
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
    bool halve = refuter->effort.halve;
    int32_t task = halve ? choose_start(windows, &refuter->pseudocosts) : choose_first(windows);
    if (task >= 0) {
        *what = halve
                    ? halve_start(windows, &refuter->pseudocosts, task)
                    : (duet_task_statement){DUET_CLAIM_START_BY, task, windows->window[task].start};
    }
    return task >= 0;
}
