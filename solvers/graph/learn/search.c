// SPDX-License-Identifier: Apache-2.0
// The learning search: decisions, restarts and the guess; see learn.h.
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/graph/learn/learn_state.h"

// --- decisions -----------------------------------------------------------------------------------

// The variable to suppose next; -1: none.
typedef struct candidate {
    int32_t variable;
    uint64_t activity;
} candidate;

static void consider(const duet_learn *s, candidate *best, int32_t variable)
{
    uint64_t activity = s->engine.activity[variable];
    if ((best->variable < 0 || activity > best->activity) &&
        duet_learn_is_open(&s->engine, duet_learn_yes(variable))) {
        *best = (candidate){variable, activity};
    }
}

// Types and processors of tasks.
static candidate find_place(duet_learn *s)
{
    candidate best = {-1, 0};
    for (int32_t i = 0; i < s->tasks; i++) {
        int32_t j = s->order[i];
        for (size_t t = 0; t < s->types; t++) {
            duet_learn_literal on = duet_learn_on(s, j, t);
            if (on.side % 2 == 0) {
                consider(s, &best, on.side / 2);
            }
        }
        for (int32_t p = 0; p < s->processors && s->placed != 0; p++) {
            if (duet_learn_at(s, j, p) >= 0) {
                consider(s, &best, duet_learn_at(s, j, p));
            }
        }
    }
    s->engine.work += s->tasks;
    return best;
}

// Orders of the first tasks of s->running, which are on one processor.
static void consider_orders(duet_learn *s, int32_t count, candidate *best)
{
    for (int32_t a = 0; a < count; a++) {
        for (int32_t b = 0; b < count; b++) {
            int32_t order = duet_learn_order(s, s->running[a], s->running[b]);
            if (order < 0) {
                continue;
            }
            int32_t other = duet_learn_order(s, s->running[b], s->running[a]);
            if (!duet_learn_holds(&s->engine, duet_learn_yes(other))) {
                consider(s, best, order);
            }
        }
    }
    s->engine.work += (int64_t)count * count / 4;
}

static int32_t list_on(duet_learn *s, size_t type, int32_t processor)
{
    int32_t count = 0;
    for (int32_t j = 0; j < s->tasks; j++) {
        int32_t at = duet_learn_at(s, j, processor);
        duet_learn_literal here = at >= 0 ? duet_learn_yes(at) : duet_learn_on(s, j, type);
        if (duet_learn_holds(&s->engine, here)) {
            s->running[count++] = j;
        }
    }
    s->engine.work += s->tasks / 4;
    return count;
}

// Orders of tasks that share a processor.
static candidate find_order(duet_learn *s)
{
    candidate best = {-1, 0};
    for (size_t t = 0; t < s->types && s->sizes == NULL; t++) {
        bool single = duet_learn_count(s, t) == 1 || duet_learn_is_placed(s, t);
        for (int32_t p = s->begin[t]; p < s->begin[t + 1] && single; p++) {
            consider_orders(s, list_on(s, t, p), &best);
        }
    }
    return best;
}

static void lower_guess(duet_learn *s)
{
    duet_learn_engine *e = &s->engine;
    duet_learn_backtrack(e, 0);
    s->is_crowded = false; // The crowd was one of what is taken back.
    for (int32_t j = 0; j < s->tasks && !e->contradiction; j++) {
        duet_learn_know(e, duet_learn_most(s->end[j], s->best.makespan - 1), NULL);
    }
    duet_learn_set_values(s);
}

// As in the best schedule. After every other restart a task is not on a processor, which learns
// more where processors of one type are alone.
static bool value_of(const duet_learn *s, int32_t variable)
{
    bool excludes = s->restarts % 2 != 0;
    return s->value[variable] && !(excludes && s->meaning[variable].subject == DUET_LEARN_SAYS_AT);
}

static void decide(duet_learn *s)
{
    candidate place = find_place(s);
    candidate order = find_order(s);
    bool orders = order.variable >= 0 && (place.variable < 0 || order.activity >= place.activity);
    int32_t variable = orders ? order.variable : place.variable;
    if (variable >= 0) {
        duet_learn_literal yes = duet_learn_yes(variable);
        duet_learn_decide(&s->engine, value_of(s, variable) ? yes : duet_learn_not(yes));
        return;
    }
    size_t type;
    int32_t crowd = duet_learn_find_crowd(s, &type);
    if (crowd > 0) {
        duet_learn_divide_crowd(s, crowd, type);
        return;
    }
    duet_learn_keep_schedule(s);
    lower_guess(s);
}

// --- the search ----------------------------------------------------------------------------------

// Notes whose work has changed since an entry.
static void note_changes(duet_learn *s, size_t from)
{
    for (size_t i = from; i < s->engine.entries; i++) {
        int32_t task = s->task_of[s->engine.trail[i].side];
        if (task >= 0) {
            s->changed[task] = true;
            s->any_changed = true;
        }
    }
}

// All that is implied. False: a conflict.
static bool propagate(duet_learn *s)
{
    duet_learn_engine *e = &s->engine;
    for (int32_t round = 0; !e->no_memory; round++) {
        size_t from = e->next;
        if (!duet_learn_propagate(e)) {
            return false;
        }
        note_changes(s, from);
        // Windows could shrink by single ticks.
        if (round == DUET_LEARN_ROUNDS) {
            break;
        }
        if (!duet_learn_weigh(s)) {
            return false;
        }
        if (e->next == e->entries) {
            break;
        }
    }
    return true;
}

// Luby's sequence: 1, 1, 2, 1, 1, 2, 4, ...
static int64_t luby(int64_t i)
{
    int64_t length = 1;
    while (length < i + 1) {
        length = 2 * length + 1;
    }
    while (length != i + 1) {
        length /= 2;
        i -= i >= length ? length : 0;
        while (length / 2 >= i + 1) {
            length /= 2;
        }
    }
    return length / 2 + 1;
}

static void step(duet_learn *s)
{
    duet_learn_engine *e = &s->engine;
    bool conflicts = !propagate(s) || s->is_crowded;
    s->is_crowded = false;
    if (conflicts) {
        if (!e->no_memory) {
            duet_learn_from_conflict(e);
        }
        if (!e->contradiction) {
            duet_learn_log_nogood(s);
        }
        if (e->learned > e->keep || e->literals.count > s->most_literals) {
            duet_learn_forget(e);
        }
    } else if (e->conflicts >= s->restart && e->levels > 0) {
        duet_learn_backtrack(e, 0);
        s->restart = e->conflicts + DUET_LEARN_RESTART * luby(s->restarts++);
    } else if (!e->no_memory) {
        decide(s);
    }
}

static bool is_over(duet_learn *s, int64_t end)
{
    duet_learn_engine *e = &s->engine;
    if (e->contradiction && !e->no_memory && !s->proven) {
        s->proven = true;
        duet_learn_log_nogood(s);
    }
    if (e->work >= s->glance) {
        s->glance = e->work + DUET_LEARN_GLANCE;
        if (duet_context_stop(s->context)) {
            return true;
        }
    }
    return s->proven || e->no_memory || e->work >= end || s->best.makespan <= s->lower;
}

static void take(duet_learn *s, const duet_solution *solution)
{
    s->best.makespan = solution->makespan;
    s->best.own = false;
    memcpy(s->best.placement, solution->placement, (size_t)s->tasks * sizeof *s->best.placement);
}

static duet_code give(duet_learn *s, duet_solution *solution, duet_error *error)
{
    duet_code code = DUET_OK;
    if (s->best.own && s->best.makespan < solution->makespan) {
        code = duet_solution_hold_placements(solution, error);
    }
    if (code == DUET_OK && s->best.own && s->best.makespan < solution->makespan) {
        memcpy(solution->placement, s->best.placement,
               (size_t)s->tasks * sizeof *s->best.placement);
        solution->aborted_count = 0;
        solution->makespan = s->best.makespan;
    }
    return code;
}

duet_code duet_learn_run(duet_learn *learn, int64_t lower, int64_t work, duet_solution *solution,
                         duet_error *error)
{
    int64_t end = learn->engine.work + work;
    learn->lower = lower;
    if (solution->makespan < learn->best.makespan) {
        take(learn, solution);
        lower_guess(learn);
    }
    while (!is_over(learn, end)) {
        step(learn);
    }
    duet_code code = give(learn, solution, error);
    if (code == DUET_OK && learn->engine.no_memory) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory for what a search learns");
    }
    return code;
}

// --- its life ------------------------------------------------------------------------------------

static duet_code make(duet_learn *s, const duet_solution *solution, bool *fits, duet_error *error)
{
    s->engine.explains = s->sizes == NULL;
    duet_code code = duet_network_create(s->instance, &s->network, error);
    DUET_THEN(code, duet_learn_make_variables(s, fits, error));
    if (code != DUET_OK || !*fits) {
        return code;
    }
    code = duet_learn_state_rules(s, error);
    DUET_THEN(code, duet_learn_choose_rows(s, error));
    if (code == DUET_OK) {
        take(s, solution);
        duet_learn_set_values(s);
        s->most_literals = s->engine.literals.count + DUET_LEARN_LITERALS;
        s->restart = DUET_LEARN_RESTART;
        s->any_changed = true;
        memset(s->changed, true, (size_t)s->tasks * sizeof *s->changed);
    }
    return code;
}

duet_code duet_learn_create(const duet_instance *instance, const duet_context *context,
                            const duet_solution *solution, duet_learn **out, duet_error *error)
{
    return duet_learn_create_sizes(instance, NULL, context, solution, out, error);
}

duet_code duet_learn_create_sizes(const duet_instance *instance, const duet_learn_sizes *sizes,
                                  const duet_context *context, const duet_solution *solution,
                                  duet_learn **out, duet_error *error)
{
    *out = NULL;
    if (duet_tasks(instance) > DUET_LEARN_TASKS || duet_tasks(instance) < 1) {
        return DUET_OK;
    }
    duet_learn *s = duet_alloc(1, sizeof *s, error);
    if (s == NULL) {
        return DUET_E_MEMORY;
    }
    bool fits = false;
    *s = (duet_learn){.instance = instance,
                      .sizes = sizes,
                      .context = context,
                      .tasks = (int32_t)duet_tasks(instance),
                      .types = instance->types,
                      .best = {.makespan = solution->makespan}};
    duet_code code = make(s, solution, &fits, error);
    if (code != DUET_OK || !fits) {
        duet_learn_free(s);
        return code;
    }
    *out = s;
    return DUET_OK;
}

void duet_learn_free(duet_learn *learn)
{
    if (learn == NULL) {
        return;
    }
    duet_learn_log_free(learn);
    duet_free(learn->crowd);
    duet_network_free(&learn->network);
    duet_learn_engine_free(&learn->engine);
    duet_arena_free(&learn->arena);
    duet_arena_free(&learn->by_variable);
    duet_free(learn->why.literal);
    duet_free(learn);
}

bool duet_learn_is_proven(const duet_learn *learn)
{
    return learn->proven;
}

int64_t duet_learn_work(const duet_learn *learn)
{
    return learn->engine.work;
}

int64_t duet_learn_conflicts(const duet_learn *learn)
{
    return learn->engine.conflicts;
}
