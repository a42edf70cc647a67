// SPDX-License-Identifier: Apache-2.0
// Branch and bound of independent moldable tasks.
//
// Method:    is there a schedule within a guess? From event to event (0, and whenever tasks end) a
//            node starts some task on idle processors, or goes on to the next event. Of tasks that
//            start at one event the lower index comes first, and none starts that would have fitted
//            at the event before, on processors that were idle all the time. Prices of the types'
//            areas bound it: what a guess leaves beyond the cheapest modes of all tasks is its
//            slack; an idle processor and a dearer mode take from it. Guesses between bound and
//            makespan are halved; those that take too many nodes wait for a later round.
// Guarantee: exact where it ends.
// Cost:      exponential.
// Memory:    O(n + modes).
// Reference: ours; the rule for starts is that of semi-active schedules, Giffler, Thompson,
// "Algorithms
//            for solving production-scheduling problems", Operations Research 8(4), 1960.
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/moldable/clusters.h"
#include "lp/moldable/prices.h"
#include "solvers/moldable/search.h"

// A way to run a task within the guess.
typedef struct mode {
    duet_int128 cost; // at the prices
    int64_t time;
    int32_t size;
    int32_t type;
} mode;

typedef struct started {
    int64_t start, end;
    int32_t size;
    int32_t type;
    int32_t task;
} started;

typedef struct brancher {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    int32_t tasks;
    int32_t kind[DUET_BRANCH_TASKS];

    // The guess.
    int64_t guess;
    duet_modes modes; // for prices
    duet_mode_prices prices;
    mode *mode;    // of all kinds, those of one by rising time
    size_t *first; // of each kind, and one after the last
    int64_t nodes; // left
    bool stopped;

    // The node.
    bool done[DUET_BRANCH_TASKS];
    int32_t left;
    int64_t idle[DUET_MAX_TYPES];
    started run[DUET_BRANCH_TASKS]; // what was started, in order
    int32_t runs;
} brancher;

static int by_time(const void *left, const void *right)
{
    const mode *a = left;
    const mode *b = right;
    int order = duet_order(a->time, b->time);
    return order != 0 ? order : duet_order(a->cost, b->cost);
}

// All modes within the guess that are not longer, wider and dearer than another on their type.
static duet_code list_modes(brancher *b, duet_error *error)
{
    const duet_instance *instance = b->instance;
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        b->first[i] = count;
        for (size_t t = 0; t < instance->types; t++) {
            duet_time_table table = duet_table_of(instance, i, t);
            int64_t shortest = INT64_MAX; // of fewer processors
            for (int64_t s = 0; s < table.steps; s++) {
                int64_t time = table.time[s];
                int64_t size = duet_step_size(table, s);
                if (time > b->guess || time >= shortest) {
                    continue;
                }
                shortest = time;
                if (duet_vec_reserve(b->mode, count + 1, error) != DUET_OK) {
                    return DUET_E_MEMORY;
                }
                b->mode[count++] = (mode){(duet_int128)b->prices.area[t] * size * time, time,
                                          (int32_t)size, (int32_t)t};
            }
        }
        qsort(b->mode + b->first[i], count - b->first[i], sizeof *b->mode, by_time);
    }
    b->first[instance->kinds] = count;
    return DUET_OK;
}

// The least cost of a kind within a time; -1 where it has no mode.
static duet_int128 least_cost(const brancher *b, size_t kind, int64_t within)
{
    duet_int128 least = -1;
    for (size_t m = b->first[kind]; m < b->first[kind + 1] && b->mode[m].time <= within; m++) {
        least = least < 0 || b->mode[m].cost < least ? b->mode[m].cost : least;
    }
    return least;
}

// What the guess leaves from now on beyond the cheapest modes of the tasks that have not started;
// -1 where one of these has no mode any more.
static duet_int128 find_slack(const brancher *b, int64_t now)
{
    const duet_instance *instance = b->instance;
    int64_t rest = b->guess - now;
    duet_int128 slack = 0;
    for (size_t t = 0; t < instance->types; t++) {
        slack += (duet_int128)b->prices.area[t] * rest * b->idle[t];
    }
    for (int32_t i = 0; i < b->runs; i++) {
        const started *s = &b->run[i];
        if (s->end > now) {
            slack += (duet_int128)b->prices.area[s->type] * (b->guess - s->end) * s->size;
        }
    }
    for (int32_t j = 0; j < b->tasks; j++) {
        if (!b->done[j]) {
            duet_int128 least = least_cost(b, (size_t)b->kind[j], rest);
            if (least < 0) {
                return -1;
            }
            slack -= least;
        }
    }
    return slack;
}

// Whether an equal task of lower number has not started.
static bool has_earlier_twin(const brancher *b, int32_t task)
{
    return task > 0 && b->kind[task - 1] == b->kind[task] && !b->done[task - 1];
}

static bool start_some(brancher *b, int64_t now, int32_t from, const int64_t *carried,
                       duet_int128 slack);

// Goes on to the next time at which tasks end. *idle processors stay so until then.
static bool advance(brancher *b, int64_t now)
{
    int64_t next = INT64_MAX;
    for (int32_t i = 0; i < b->runs; i++) {
        next = b->run[i].end > now && b->run[i].end < next ? b->run[i].end : next;
    }
    if (next == INT64_MAX) {
        return false;
    }
    int64_t carried[DUET_MAX_TYPES];
    memcpy(carried, b->idle, b->instance->types * sizeof *carried);
    for (int32_t i = 0; i < b->runs; i++) {
        b->idle[b->run[i].type] += b->run[i].end == next ? b->run[i].size : 0;
    }
    duet_int128 slack = find_slack(b, next);
    bool found = slack >= 0 && start_some(b, next, 0, carried, slack);
    if (!found) {
        memcpy(b->idle, carried, b->instance->types * sizeof *carried);
    }
    return found;
}

static bool start_in_mode(brancher *b, int64_t now, int32_t task, const mode *m,
                          const int64_t *carried, duet_int128 slack)
{
    b->run[b->runs++] = (started){now, now + m->time, m->size, m->type, task};
    b->idle[m->type] -= m->size;
    b->done[task] = true;
    b->left--;
    if (start_some(b, now, task + 1, carried, slack)) {
        return true;
    }
    b->left++;
    b->done[task] = false;
    b->idle[m->type] += m->size;
    b->runs--;
    return false;
}

// Starts tasks from a number on, or goes on. True once all tasks have started.
static bool start_some(brancher *b, int64_t now, int32_t from, const int64_t *carried,
                       duet_int128 slack)
{
    if (b->left == 0) {
        return true;
    }
    b->stopped =
        b->stopped || --b->nodes < 0 || (b->nodes % 1024 == 0 && duet_context_stop(b->context));
    if (b->stopped) {
        return false;
    }
    int64_t rest = b->guess - now;
    for (int32_t j = from; j < b->tasks; j++) {
        if (b->done[j] || has_earlier_twin(b, j)) {
            continue;
        }
        size_t kind = (size_t)b->kind[j];
        duet_int128 least = least_cost(b, kind, rest);
        for (size_t i = b->first[kind]; i < b->first[kind + 1] && b->mode[i].time <= rest; i++) {
            const mode *m = &b->mode[i];
            duet_int128 left = slack - (m->cost - least);
            if (m->size <= b->idle[m->type] && m->size > carried[m->type] && left >= 0 &&
                start_in_mode(b, now, j, m, carried, left)) {
                return true;
            }
        }
    }
    return advance(b, now);
}

// A task that may take 0 ticks runs at 0, before all others, and takes no processor from them.
static void start_zeros(brancher *b)
{
    for (int32_t j = 0; j < b->tasks; j++) {
        const mode *m = &b->mode[b->first[b->kind[j]]]; // the shortest
        if (m->time == 0) {
            b->run[b->runs++] = (started){0, 0, m->size, m->type, j};
            b->done[j] = true;
            b->left--;
        }
    }
}

typedef enum verdict { FITS, NEVER, UNKNOWN } verdict;

static duet_code decide(brancher *b, int64_t guess, int64_t nodes, verdict *out, duet_error *error)
{
    bool refuted = false;
    b->guess = guess;
    duet_code code = duet_modes_list(&b->modes, guess, error);
    DUET_THEN(code, duet_mode_prices_find(&b->modes, DUET_PRICED_AREA, b->context, &b->prices,
                                          &refuted, error));
    if (code == DUET_OK && !refuted) {
        code = list_modes(b, error);
    }
    if (code != DUET_OK || refuted) {
        *out = NEVER;
        return code;
    }
    b->nodes = nodes;
    b->stopped = false;
    b->runs = 0;
    b->left = b->tasks;
    memset(b->done, 0, sizeof b->done);
    memcpy(b->idle, b->instance->processors, b->instance->types * sizeof *b->idle);
    start_zeros(b);
    const int64_t carried[DUET_MAX_TYPES] = {0};
    duet_int128 slack = find_slack(b, 0);
    bool found = slack >= 0 && start_some(b, 0, 0, carried, slack);
    *out = found ? FITS : b->stopped ? UNKNOWN : NEVER;
    return DUET_OK;
}

static int by_begin(const void *left, const void *right)
{
    const started *a = left;
    const started *b = right;
    int order = duet_order(a->start, b->start);
    order = order != 0 ? order : duet_order(a->end, b->end);
    return order != 0 ? order : duet_order(a->task, b->task);
}

// Places what was started in that order: each task as soon as the processors that it takes are
// released, which is when it started, or earlier.
static duet_code write_runs(brancher *b, duet_solution *solution, duet_error *error)
{
    const duet_instance *instance = b->instance;
    duet_clusters clusters;
    duet_code code = duet_clusters_create(NULL, b->tasks, instance->types, instance->processors,
                                          &clusters, error);
    qsort(b->run, (size_t)b->runs, sizeof *b->run, by_begin);
    for (int32_t i = 0; i < b->runs && code == DUET_OK; i++) {
        const started *s = &b->run[i];
        duet_trial trial =
            duet_clusters_try(&clusters, s->task, (size_t)s->type, s->size, s->end - s->start);
        DUET_ASSERT(trial.start <= s->start);
        code = duet_clusters_place(&clusters, s->task, &trial, error);
    }
    DUET_THEN(code, duet_plan_write(&clusters.plan, solution, error));
    duet_clusters_free(&clusters);
    return code;
}

static void raise_bound(duet_solution *solution, int64_t value)
{
    duet_bound bound = {.name = "exact", .value = value};
    duet_solution_offer_bound(solution, &bound);
}

// One round over the guesses: halves the interval, from below where a guess takes too many nodes.
static duet_code run_round(brancher *b, int64_t nodes, duet_solution *solution, duet_error *error)
{
    int64_t upper = solution->makespan - 1; // the longest guess that is open in this round
    duet_code code = DUET_OK;
    while (code == DUET_OK && solution->lower_bound <= upper && !duet_context_stop(b->context)) {
        int64_t guess = solution->lower_bound + (upper - solution->lower_bound) / 2;
        verdict found;
        code = decide(b, guess, nodes, &found, error);
        if (code == DUET_OK && found == FITS) {
            code = write_runs(b, solution, error);
            solution->makespan = duet_solution_measure(solution, b->instance);
            upper = duet_min(solution->makespan - 1, upper);
        } else if (code == DUET_OK && found == NEVER) {
            raise_bound(solution, guess + 1);
        } else {
            upper = guess - 1;
        }
        duet_context_report(b->context, "exact", solution->lower_bound, solution->makespan);
    }
    return code;
}

duet_code duet_moldable_branch(const duet_instance *instance, const duet_context *context,
                               int64_t nodes, int rounds, duet_solution *solution,
                               duet_error *error)
{
    int64_t tasks = duet_tasks(instance);
    if (tasks > DUET_BRANCH_TASKS) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "exact: %lld moldable tasks: expected at most %d", (long long)tasks,
                              DUET_BRANCH_TASKS);
    }
    brancher *b = duet_alloc(1, sizeof *b, error);
    DUET_NEED(b);
    b->instance = instance;
    b->context = context;
    b->tasks = (int32_t)tasks;
    for (int64_t j = 0; j < tasks; j++) {
        b->kind[j] = (int32_t)duet_instance_kind_of(instance, j);
    }
    duet_code code = duet_modes_create(instance, &b->modes, error);
    b->first = duet_alloc_raw(instance->kinds + 1, sizeof *b->first, error);
    code = b->first == NULL ? DUET_E_MEMORY : code;
    for (int round = 0; code == DUET_OK && (rounds == 0 || round < rounds); round++) {
        int64_t target = duet_context_target(context, solution->lower_bound);
        if (solution->makespan <= target || duet_context_stop(context)) {
            break;
        }
        code = run_round(b, nodes, solution, error);
        nodes = nodes > INT64_MAX / 8 ? nodes : nodes * 8;
    }
    duet_modes_free(&b->modes);
    duet_free(b->first);
    duet_free(b->mode);
    duet_free(b);
    return code;
}
