// SPDX-License-Identifier: Apache-2.0
// Branching: a state that nothing refutes is divided into a supposition and its negation. First the
// modes, of the task whose longest mode has least room in its window, or, where the effort says so,
// of that which matters most to the linear program; where all modes are fixed, the starts: the task
// that may start first does so, or it starts when the next task may end, which soon meets a
// schedule; or, where the effort says so, a task starts in the first half of its window or in the
// second, that task whose cases are refuted soonest by what was seen so far (ratings.h).
#include <math.h>
#include <string.h>

#include "core/assert.h"
#include "solvers/graph/refute.h"

enum {
    ROUNDS = 2, // of delays at a node, at most
    POINTS = 8  // beginnings of intervals there
};

// The task whose longest mode has least room; -1 where all modes are fixed.
static int32_t choose_mode(const duet_windows *windows)
{
    int32_t best = -1;
    int64_t least = INT64_MAX;
    for (int32_t j = 0; j < windows->tasks; j++) {
        const duet_window *window = &windows->window[j];
        if ((window->modes & (window->modes - 1)) != 0) {
            int64_t room = windows->guess - window->start - window->tail - window->longest;
            if (room < least) {
                least = room;
                best = j;
            }
        }
    }
    return best;
}

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
static double score_mode(const duet_refuter *refuter, int32_t task)
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

// The task with the best score; -1 where all modes are fixed.
static int32_t choose_relaxed(const duet_refuter *refuter)
{
    const duet_windows *windows = &refuter->windows;
    int32_t best = -1;
    double most = 0.0;
    for (int32_t j = 0; j < windows->tasks; j++) {
        const duet_window *window = &windows->window[j];
        if ((window->modes & (window->modes - 1)) != 0) {
            double score = score_mode(refuter, j);
            if (best < 0 || score > most) {
                most = score;
                best = j;
            }
        }
    }
    return best;
}

static size_t longest_mode(const duet_windows *windows, int32_t task)
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
static int32_t choose_start(const duet_windows *windows, const duet_ratings *ratings)
{
    int32_t best = -1;
    int64_t least = INT64_MAX;
    int64_t least_room = INT64_MAX;
    for (int32_t j = 0; j < windows->tasks; j++) {
        int64_t room = windows->guess - windows->window[j].rest - windows->window[j].start;
        int64_t rating = ratings->task[j].early + ratings->task[j].late;
        if (room > 0 && (rating < least || (rating == least && room < least_room))) {
            best = j;
            least = rating;
            least_room = room;
        }
    }
    return best;
}

// The case that is refuted sooner first.
static duet_task_statement halve_start(const duet_windows *windows, const duet_ratings *ratings,
                                       int32_t task)
{
    const duet_window *window = &windows->window[task];
    const duet_task_rating *rating = &ratings->task[task];
    int64_t middle = window->start + (windows->guess - window->rest - window->start) / 2;
    return (duet_task_statement){
        rating->early <= rating->late ? DUET_CLAIM_START_BY : DUET_CLAIM_START_AFTER, task, middle};
}

// What to suppose next. Whether there is anything left to suppose.
static bool choose(const duet_refuter *refuter, duet_task_statement *what)
{
    const duet_windows *windows = &refuter->windows;
    const duet_refute_effort *effort = &refuter->effort;
    bool relaxed =
        effort->relaxed && (effort->programs ? refuter->program != NULL : refuter->timed != NULL);
    int32_t task = relaxed ? choose_relaxed(refuter) : choose_mode(windows);
    if (task >= 0) {
        *what = (duet_task_statement){DUET_CLAIM_ON, task, (int64_t)longest_mode(windows, task)};
        return true;
    }
    task = refuter->effort.halve ? choose_start(windows, &refuter->ratings) : choose_first(windows);
    if (task >= 0 && refuter->effort.halve) {
        *what = halve_start(windows, &refuter->ratings, task);
    } else if (task >= 0) {
        *what = (duet_task_statement){DUET_CLAIM_START_BY, task, windows->window[task].start};
    }
    return task >= 0;
}

// Narrows the state under way, as dear as the effort allows. What propagation alone refutes says
// little by its negation: prices over time are asked again with the next case.
static duet_code narrow(duet_refuter *refuter, duet_error *error)
{
    const duet_refute_effort *effort = &refuter->effort;
    duet_code code = DUET_OK;
    bool says_little = refuter->plainly;
    duet_refute_reason(refuter, ROUNDS, POINTS);
    refuter->plainly = refuter->supposed && refuter->windows.refuted;
    if (effort->shave_more && !refuter->windows.refuted) {
        duet_refute_shave(refuter, 1);
    }
    if (effort->programs && !refuter->windows.refuted) {
        code = duet_refute_program(refuter, DUET_INTERVAL_COARSE, error);
    }
    if (code == DUET_OK && effort->more_timed > 0 && !says_little && !refuter->windows.refuted) {
        code = duet_refute_timed(refuter, effort->more_timed, false, error);
    }
    return code;
}

duet_code duet_refute_branch(duet_refuter *refuter, duet_error *error)
{
    duet_windows *windows = &refuter->windows;
    duet_code code = DUET_OK;
    while (code == DUET_OK && !(windows->refuted && windows->depth == 0)) {
        duet_task_statement what;
        int64_t narrowed = windows->narrowed;
        if (windows->work >= refuter->work_end && !duet_refute_stop(refuter)) {
            refuter->paused = true;
            return code;
        }
        if (windows->refuted) {
            what = windows->level[windows->depth - 1].what;
            what.kind = duet_claim_not(what.kind);
            refuter->supposed = false;
            duet_windows_conclude(windows);
        } else if (refuter->nodes >= refuter->node_end || duet_refute_stop(refuter)) {
            break;
        } else if (choose(refuter, &what)) {
            if (!duet_windows_suppose(windows, what)) {
                break;
            }
            refuter->nodes++;
            refuter->supposed = true;
        } else {
            duet_energy_overload(&refuter->energy, (size_t)windows->tasks);
            if (!windows->refuted) {
                refuter->irrefutable = true;
                memcpy(refuter->leaf, windows->window,
                       (size_t)windows->tasks * sizeof *refuter->leaf);
                break;
            }
            continue;
        }
        code = narrow(refuter, error);
        duet_ratings_learn(&refuter->ratings, windows, &what, narrowed);
    }
    while (windows->depth > 0) {
        duet_windows_give_up(windows);
    }
    return code;
}
