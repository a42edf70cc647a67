// SPDX-License-Identifier: Apache-2.0
// Gives divided tasks to types by their shares, for lst on M processors, m_t of them of type t.
//
// Of a forest of tasks and types some undecided task has other undecided tasks at one of its types
// at most. The other types are finished. Every type t is charged e_t: for each task that it is
// given, the part that it did not have. A finished type takes the task, of which it has x, if x -
// e_t is at least m_t / M, and is charged at most 1 - m_t / M then. Else the task goes to its type
// that is not finished, which has all that the finished ones have not: its charge grows by the sum
// of their x, less than that of e_t + m_t / M.
//
// So as long as a type is not finished, e_t is at most the processors of all types behind it in the
// forest, over M: behind a type are those that its tasks come from, and what is behind these. The
// last task of a tree has only finished types, with M processors at and behind them at most, so one
// of them takes it: the x add up to 1. In the end e_t is at most 1 - m_t / M everywhere, which
// docs/theory/dual.md needs for the ratio 2 - 1 / M.
#include "solvers/dual/lst_share.h"

#include "core/system/memory.h"
#include "core/system/try.h"

typedef struct rounding {
    const duet_instance *instance;
    const double *share;
    double processors;             // M
    bool *decided;                 // by task
    size_t open[DUET_MAX_TYPES];   // undecided tasks that have a share of the type
    double charge[DUET_MAX_TYPES]; // e_t
} rounding;

static double share_of(const rounding *r, size_t task, size_t type)
{
    return r->share[task * r->instance->types + type];
}

// At least 1 where a finished type takes the task.
static double merit(const rounding *r, size_t task, size_t type)
{
    double per_processor = r->processors / (double)r->instance->processors[type];
    return (share_of(r, task, type) - r->charge[type]) * per_processor;
}

// How many types of a task are not finished.
static size_t unfinished(const rounding *r, size_t task)
{
    size_t number = 0;
    for (size_t t = 0; t < r->instance->types; t++) {
        number += share_of(r, task, t) > 0.0 && r->open[t] > 1;
    }
    return number;
}

static size_t choose_task(const rounding *r, size_t tasks)
{
    size_t best = tasks;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < tasks; i++) {
        size_t number = r->decided[i] ? SIZE_MAX : unfinished(r, i);
        if (number < least) {
            least = number;
            best = i;
        }
    }
    return best;
}

// The best finished type where it takes the task or is all there is, else one that is not finished.
// The number of types for a task without any share, which errors of the program may leave.
static size_t choose_type(const rounding *r, size_t task)
{
    size_t types = r->instance->types;
    size_t best = types;
    size_t other = types;
    for (size_t t = 0; t < types; t++) {
        if (share_of(r, task, t) <= 0.0) {
            continue;
        }
        if (r->open[t] > 1) {
            other = t;
        } else if (best == types || merit(r, task, t) > merit(r, task, best)) {
            best = t;
        }
    }
    bool takes = best < types && (other == types || merit(r, task, best) >= 1.0);
    return takes ? best : other;
}

duet_code duet_lst_share(const duet_instance *instance, const double *share, size_t tasks,
                         size_t *type, duet_error *error)
{
    rounding r = {.instance = instance, .share = share};
    r.decided = duet_alloc(tasks, sizeof *r.decided, error);
    DUET_NEED(r.decided);
    for (size_t t = 0; t < instance->types; t++) {
        r.processors += (double)instance->processors[t];
        for (size_t i = 0; i < tasks; i++) {
            r.open[t] += share_of(&r, i, t) > 0.0;
        }
    }
    for (size_t round = 0; round < tasks; round++) {
        size_t task = choose_task(&r, tasks);
        type[task] = choose_type(&r, task);
        r.decided[task] = true;
        if (type[task] < instance->types) {
            r.charge[type[task]] += 1.0 - share_of(&r, task, type[task]);
        }
        for (size_t t = 0; t < instance->types; t++) {
            r.open[t] -= share_of(&r, task, t) > 0.0;
        }
    }
    duet_free(r.decided);
    return DUET_OK;
}
