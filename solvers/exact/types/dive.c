// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/dive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/types/allocation.h"

enum {
    ROUNDS = 60,   // of column generation in one step
    MOVES = 300000 // of annealing what a dive ends with
};
static const double LEAST_PATTERN = 1e-3; // of a processor: a pattern with less is not considered
static const double LEAST = 0.02;         // of the undecided classes are decided in a step
static const double MOST = 0.10;
static const double NOISE = 0.05; // of a share, at random

// A class that is not decided, with the type that gets most of what is left of it; or a pattern.
typedef struct candidate {
    double share; // of one task or one pattern, about
    size_t what;  // class or pattern
    size_t type;
} candidate;

typedef struct dive {
    duet_types *types;
    int64_t guess;
    double step; // share of the classes that a step decides
    candidate *list;
    size_t count;
    duet_pricing_part *part;      // of one pattern
    int64_t left[DUET_MAX_TYPES]; // processors without a pattern
} dive;

static int surest_first(const void *a, const void *b)
{
    const candidate *x = a;
    const candidate *y = b;
    if (x->share != y->share) {
        return x->share > y->share ? -1 : 1;
    }
    return (x->what > y->what) - (x->what < y->what);
}

// What the solution has of a class on its best type beyond what is decided there.
static candidate best_type(const duet_types *s, size_t class)
{
    candidate best = {.share = -1, .what = class};
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

static duet_code add_candidate(dive *d, candidate one, duet_error *error)
{
    duet_code code = duet_vec_grow(d->list, d->count, error);
    if (code == DUET_OK) {
        one.share += NOISE * duet_random_unit(&d->types->exact->random);
        d->list[d->count++] = one;
    }
    return code;
}

static duet_code list_classes(dive *d, duet_error *error)
{
    duet_types *s = d->types;
    duet_code code = DUET_OK;
    d->count = 0;
    for (size_t c = 0; c < s->classes.count && code == DUET_OK; c++) {
        if (!duet_residual_settled(&s->state, c)) {
            code = add_candidate(d, best_type(s, c), error);
        }
    }
    if (d->count > 1) {
        qsort(d->list, d->count, sizeof *d->list, surest_first);
    }
    return code;
}

// Processors that get patterns: those of types that have several, which are not divisible.
static int64_t patterned(const dive *d)
{
    int64_t left = 0;
    for (size_t t = 0; t < d->types->classes.types; t++) {
        left += d->left[t];
    }
    return left;
}

static duet_code list_patterns(dive *d, duet_error *error)
{
    const duet_generation *program = d->types->program;
    duet_code code = DUET_OK;
    d->count = 0;
    for (size_t i = 0; i < duet_configuration_patterns(program) && code == DUET_OK; i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
        double above = pattern.value - (double)pattern.taken;
        if (d->left[pattern.type] > 0 && above > LEAST_PATTERN) {
            code = add_candidate(d, (candidate){above, i, pattern.type}, error);
        }
    }
    if (d->count > 1) {
        qsort(d->list, d->count, sizeof *d->list, surest_first);
    }
    return code;
}

// Gives a class's next tasks to a type: as many as the solution has there, rounded, at least one.
static void decide(dive *d, const candidate *one)
{
    duet_residual *state = &d->types->state;
    int64_t low = duet_residual_least(state, one->what, one->type);
    int64_t high = duet_residual_most(state, one->what, one->type);
    if (low < high) {
        int64_t more = one->share > 1.5 ? (int64_t)(one->share) : 1;
        low += duet_min(more, high - low);
        duet_residual_limit(state, one->what, one->type, low, high);
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

// No processor of a type is left: what its patterns have is what it gets.
static void close_type(duet_types *s, size_t type)
{
    for (size_t c = 0; c < s->classes.count; c++) {
        int64_t low = duet_residual_least(&s->state, c, type);
        if (low < duet_residual_most(&s->state, c, type)) {
            duet_residual_limit(&s->state, c, type, low, low);
        }
    }
}

// Gives a processor a pattern. One of which some tasks are gone is cut to the others if `cut`, else
// left alone.
static duet_code take_pattern(dive *d, const candidate *one, bool cut, duet_error *error)
{
    duet_types *s = d->types;
    duet_configuration_pattern pattern = duet_configuration_pattern_at(s->program, one->what);
    size_t index = one->what;
    size_t parts = 0;
    bool whole = true;
    for (size_t p = 0; p < pattern.parts; p++) {
        duet_pricing_part part = pattern.part[p];
        int64_t room = duet_residual_most(&s->state, part.class, one->type) -
                       duet_residual_least(&s->state, part.class, one->type);
        whole = whole && part.tasks <= room;
        part.tasks = duet_min(part.tasks, room);
        if (part.tasks > 0) {
            d->part[parts++] = part;
        }
    }
    if (parts == 0 || (!whole && !cut) || d->left[one->type] == 0) {
        return DUET_OK;
    }
    duet_code code = DUET_OK;
    if (!whole) {
        code = duet_generation_add(s->program, one->type, d->part, parts, &index, error);
    }
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        size_t class = d->part[p].class;
        int64_t low = duet_residual_least(&s->state, class, one->type) + d->part[p].tasks;
        duet_residual_limit(&s->state, class, one->type, low,
                            duet_residual_most(&s->state, class, one->type));
    }
    if (code == DUET_OK) {
        duet_generation_take(s->program, index);
        d->left[one->type]--;
        if (d->left[one->type] == 0) {
            close_type(s, one->type);
        }
    }
    return code;
}

// Takes `some` of the listed patterns, the surest first; where none is whole, the surest without
// the tasks that are gone.
static duet_code take_patterns(dive *d, int64_t some, duet_error *error)
{
    int64_t left = patterned(d);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < d->count && left - patterned(d) < some && code == DUET_OK; i++) {
        code = take_pattern(d, &d->list[i], false, error);
    }
    if (code == DUET_OK && patterned(d) == left && d->count > 0) {
        code = take_pattern(d, &d->list[0], true, error);
    }
    return code;
}

// Decides the surest patterns, and once there are none to take, the surest classes. *on: something
// was decided that leaves a way down.
static duet_code decide_some(dive *d, bool *on, duet_error *error)
{
    int64_t left = patterned(d);
    duet_code code = left > 0 ? list_patterns(d, error) : DUET_OK;
    bool patterns = left > 0 && d->count > 0;
    if (code == DUET_OK && !patterns) {
        code = list_classes(d, error);
    }
    if (patterns) {
        code = take_patterns(d, (int64_t)ceil(d->step * (double)left), error);
    }
    size_t some = patterns ? 0 : (size_t)ceil(d->step * (double)d->count);
    for (size_t i = 0; i < some && i < d->count && code == DUET_OK; i++) {
        decide(d, &d->list[i]);
    }
    if (patterns && patterned(d) == left) {
        memset(d->left, 0, sizeof d->left); // nothing of them is to be had: classes are next
    }
    *on = d->count > 0 && close_full(d);
    return code;
}

// One relaxation, and what it decides. *on: there is more to decide.
static duet_code step(dive *d, bool *on, duet_error *error)
{
    duet_types *s = d->types;
    duet_configuration_answer answer;
    *on = false;
    duet_code code = duet_generation_solve(s->program, &s->state,
                                           (duet_generation_request){DUET_GENERATION_SOLVE, ROUNDS},
                                           s->exact->context, &s->prices, &answer, error);
    s->exact->programs += answer.iterations;
    if (code != DUET_OK || answer.refuted || answer.factor == 0 || answer.factor > 1 + 1e-6 ||
        duet_context_stop(s->exact->context)) {
        return code;
    }
    duet_int128 slack = answer.any ? duet_residual_slack(&s->classes, &s->state, &s->prices) : -1;
    if (slack >= 0 && !duet_types_fix(s, slack, NULL, NULL)) {
        return DUET_OK;
    }
    return decide_some(d, on, error);
}

static duet_code run(dive *d, bool *found, duet_error *error)
{
    duet_types *s = d->types;
    bool on = duet_types_begin(s, d->guess, NULL);
    duet_code code = DUET_OK;
    if (!on) {
        return DUET_OK;
    }
    for (size_t t = 0; t < s->classes.types; t++) {
        bool several = s->classes.processors[t] > 1 && !s->divisible[t];
        d->left[t] = several ? s->classes.processors[t] : 0;
    }
    while (on && code == DUET_OK) {
        code = step(d, &on, error);
    }
    if (code == DUET_OK) {
        duet_types_round(s);
        code = duet_types_schedule(s, d->guess, found, error);
    }
    if (code == DUET_OK && !*found) {
        code = duet_incumbent_anneal_trial(s->exact, d->guess, MOVES, error);
        *found = s->exact->best->makespan <= d->guess;
    }
    return code;
}

duet_code duet_types_dive(duet_types *s, int64_t guess, bool *found, duet_error *error)
{
    dive d = {.types = s, .guess = guess};
    *found = false;
    d.step = LEAST + (MOST - LEAST) * duet_random_unit(&s->exact->random);
    d.part = duet_alloc(s->classes.count, sizeof *d.part, error);
    duet_code code = d.part == NULL ? DUET_E_MEMORY : run(&d, found, error);
    duet_free(d.list);
    duet_free(d.part);
    return code;
}
