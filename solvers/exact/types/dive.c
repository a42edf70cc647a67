// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/dive.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/types/allocation.h"

enum {
    ROUNDS = 60, // of column generation in one step
    POLISH = 20  // effort of shortening what a dive ends with
};
static const double LEAST = 0.02; // of the undecided classes are decided in a step
static const double MOST = 0.10;
static const double NOISE = 0.05; // of a share, at random

// A class that is not decided, with the type that gets most of what is left of it.
typedef struct candidate {
    double share; // of one task, about
    size_t class;
    size_t type;
} candidate;

typedef struct dive {
    duet_types *types;
    int64_t guess;
    double step; // share of the classes that a step decides
    candidate *list;
    size_t count;
    int64_t *load; // per type with one processor: work that is decided
} dive;

static int surest_first(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;
    if (x->share != y->share) {
        return x->share > y->share ? -1 : 1;
    }
    return (x->class > y->class) - (x->class < y->class);
}

// What the solution has of a class on its best type beyond what is decided there.
static candidate best_type(const duet_types *s, size_t class)
{
    candidate best = {.share = -1, .class = class};
    for (size_t t = 0; t < s->classes.types; t++) {
        int64_t low = duet_residual_least(&s->state, class, t);
        double above = duet_generation_tasks(s->program, t, class) - (double)low;
        if (low < duet_residual_most(&s->state, class, t) && above > best.share) {
            best.share = above;
            best.type = t;
        }
    }
    return best;
}

static void list_candidates(dive *d)
{
    duet_types *s = d->types;
    d->count = 0;
    for (size_t c = 0; c < s->classes.count; c++) {
        if (!duet_residual_settled(&s->state, c)) {
            candidate best = best_type(s, c);
            best.share += NOISE * duet_random_unit(&s->exact->random);
            d->list[d->count++] = best;
        }
    }
    if (d->count > 1) {
        qsort(d->list, d->count, sizeof *d->list, surest_first);
    }
}

// Gives a class's next tasks to a type: as many as the solution has there, rounded, at least one.
static void decide(dive *d, const candidate *one)
{
    duet_residual *state = &d->types->state;
    int64_t low = duet_residual_least(state, one->class, one->type);
    int64_t high = duet_residual_most(state, one->class, one->type);
    if (low < high) {
        int64_t more = one->share > 1.5 ? (int64_t)(one->share) : 1;
        low += more < high - low ? more : high - low;
        duet_residual_limit(state, one->class, one->type, low, high);
    }
}

// A processor that is alone of its type has room for what its decided tasks leave.
static bool close_full(dive *d)
{
    duet_types *s = d->types;
    const duet_classes *classes = &s->classes;
    for (size_t t = 0; t < classes->types; t++) {
        if (classes->processors[t] != 1) {
            continue;
        }
        int64_t room = d->guess;
        for (size_t c = 0; c < classes->count; c++) {
            room -= duet_residual_least(&s->state, c, t) > 0
                        ? duet_residual_least(&s->state, c, t) * classes->time[t][c]
                        : 0;
        }
        for (size_t c = 0; c < classes->count && room >= 0; c++) {
            int64_t low = duet_residual_least(&s->state, c, t);
            int64_t high = duet_residual_most(&s->state, c, t);
            if (high > low && (high - low) > room / classes->time[t][c]) {
                duet_residual_limit(&s->state, c, t, low, low + room / classes->time[t][c]);
            }
        }
        if (room < 0) {
            return false;
        }
    }
    return true;
}

// One relaxation, and what it decides. *on: there is more to decide.
static duet_code step(dive *d, bool *on, duet_error *error)
{
    duet_types *s = d->types;
    duet_generation_answer answer;
    *on = false;
    duet_code code = duet_generation_solve(s->program, &s->state, DUET_GENERATION_SOLVE, ROUNDS,
                                           s->exact->context, &s->prices, &answer, error);
    s->exact->programs += answer.iterations;
    if (code != DUET_OK || answer.refuted || answer.factor == 0 || answer.factor > 1 + 1e-6 ||
        duet_context_stop(s->exact->context)) {
        return code;
    }
    duet_int128 slack = answer.any ? duet_residual_slack(&s->classes, &s->state, &s->prices) : -1;
    if (slack >= 0 && !duet_types_fix(s, slack)) {
        return DUET_OK;
    }
    list_candidates(d);
    size_t some = (size_t)ceil(d->step * (double)d->count);
    for (size_t i = 0; i < some; i++) {
        decide(d, &d->list[i]);
    }
    *on = d->count > 0 && close_full(d);
    return DUET_OK;
}

static duet_code run(dive *d, bool *found, duet_error *error)
{
    duet_types *s = d->types;
    bool on = duet_types_close_long(s, d->guess);
    duet_code code = DUET_OK;
    if (!on) {
        return DUET_OK;
    }
    duet_generation_resume(s->program, &s->basis, false);
    duet_generation_set_guess(s->program, d->guess);
    while (on && code == DUET_OK) {
        code = step(d, &on, error);
    }
    if (code == DUET_OK) {
        duet_types_round(s);
        code = duet_types_schedule(s, d->guess, found, error);
    }
    if (code == DUET_OK && !*found) {
        code = duet_incumbent_polish(s->exact, &s->classes, &s->loads, POLISH, error);
        *found = s->exact->best->makespan <= d->guess;
    }
    return code;
}

duet_code duet_types_dive(duet_types *s, int64_t guess, bool *found, duet_error *error)
{
    dive d = {.types = s, .guess = guess};
    *found = false;
    d.step = LEAST + (MOST - LEAST) * duet_random_unit(&s->exact->random);
    d.list = duet_alloc(s->classes.count, sizeof *d.list, error);
    duet_code code = d.list == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        duet_residual_copy(&s->classes, &s->root, &s->state);
        code = run(&d, found, error);
        s->exact->dives++;
    }
    duet_free(d.list);
    return code;
}
