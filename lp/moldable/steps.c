// SPDX-License-Identifier: Apache-2.0
#include "lp/moldable/steps.h"

#include <math.h>

#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/lp.h"
#include "lp/moldable/prices.h"
#include "lp/moldable/step_values.h"

// The program of a guess, minimised: how many times the processors of all types are needed. Rows:
// of each step, at least as many processors have a pattern with it, or a longer one, as modes take;
// a mode for each task; of each type, at most as many patterns as processors.
typedef struct program {
    duet_time_steps *steps;
    const duet_context *context;
    duet_lp *lp;
    double most; // the largest limit of the prices
} program;

static size_t kind_row(const program *p, size_t kind)
{
    return p->steps->first[p->steps->instance->types] + kind;
}

static size_t type_row(const program *p, size_t type)
{
    return kind_row(p, p->steps->instance->kinds) + type;
}

static void add_rows(program *p)
{
    const duet_instance *instance = p->steps->instance;
    for (size_t i = 0; i < p->steps->first[instance->types]; i++) {
        (void)duet_lp_add_row(p->lp, 0.0, INFINITY);
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        double count = (double)duet_count(instance, i);
        (void)duet_lp_add_row(p->lp, count, count);
    }
    size_t times = duet_lp_add_column(p->lp, 0.0, INFINITY, 1.0);
    for (size_t t = 0; t < instance->types; t++) {
        size_t row = duet_lp_add_row(p->lp, 0.0, INFINITY);
        duet_lp_add_entry(p->lp, row, times, (double)instance->processors[t]);
    }
}

// Of modes that reach the same step, the one of fewest processors.
static void add_modes(program *p, size_t kind, size_t type)
{
    duet_time_table table = duet_table_of(p->steps->instance, kind, type);
    size_t shortest = SIZE_MAX; // step; one past it
    int64_t below = p->steps->guess + 1;
    for (int64_t i = 0; i < table.steps && shortest > 0; i = duet_next_step(table, i, below)) {
        int64_t time = table.time[i];
        if (time > p->steps->guess) {
            continue;
        }
        size_t step = duet_step_of(p->steps, type, time);
        size_t past = step == SIZE_MAX ? 0 : step + 1;
        if (past >= shortest) {
            continue;
        }
        below = step == SIZE_MAX ? 1 : p->steps->step[step].time;
        shortest = past;
        size_t column = duet_lp_add_column(p->lp, 0.0, INFINITY, 0.0);
        duet_lp_add_entry(p->lp, kind_row(p, kind), column, 1.0);
        if (step < SIZE_MAX) {
            duet_lp_add_entry(p->lp, step, column, -(double)duet_step_size(table, i));
        }
    }
}

static void add_pattern(program *p, size_t type, const duet_step_count *of, size_t count)
{
    size_t column = duet_lp_add_column(p->lp, 0.0, INFINITY, 0.0);
    duet_lp_add_entry(p->lp, type_row(p, type), column, -1.0);
    for (size_t i = 0; i < count; i++) {
        duet_lp_add_entry(p->lp, of[i].step, column, (double)of[i].count);
    }
}

// A longer step serves a shorter one; at first, a pattern has but one step.
static void add_steps(program *p, size_t type)
{
    const duet_time_steps *steps = p->steps;
    for (size_t i = steps->first[type]; i < steps->first[type + 1]; i++) {
        if (i > steps->first[type]) {
            size_t column = duet_lp_add_column(p->lp, 0.0, INFINITY, 0.0);
            duet_lp_add_entry(p->lp, i, column, -1.0);
            duet_lp_add_entry(p->lp, i - 1, column, 1.0);
        }
        const duet_step_count one = {i, steps->guess / steps->step[i].time};
        add_pattern(p, type, &one, 1);
    }
}

// Prices of the steps from the duals, and values in parts of the largest one, which is returned.
static double set_prices(program *p, double parts)
{
    duet_time_steps *steps = p->steps;
    size_t count = steps->first[steps->instance->types];
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        double dual = duet_lp_dual(p->lp, i);
        steps->step[i].price = duet_max(dual, 0.0);
        largest = duet_max(steps->step[i].price, largest);
    }
    for (size_t i = 0; i < count; i++) {
        double part = largest > 0.0 ? steps->step[i].price / largest : 0.0;
        steps->step[i].value = (int64_t)(part * parts);
    }
    return largest;
}

// Prices of the steps, and a better pattern for each type where there is one. Sets
// how many were added and, from Farley, what the prices prove: `demand` over `supply`.
static duet_code price(program *p, size_t *added, double *ratio, duet_error *error)
{
    static const double tolerance = 1e-7;
    static const double parts = 1 << 30;
    duet_time_steps *steps = p->steps;
    const duet_instance *instance = steps->instance;
    double supply = 0.0;
    *added = 0;
    p->most = 0.0;
    double largest = set_prices(p, parts);
    for (size_t t = 0; t < instance->types; t++) {
        duet_step_pattern pattern;
        DUET_TRY(duet_step_pattern_find(steps, t, &pattern, error));
        double limit = duet_lp_dual(p->lp, type_row(p, t));
        if (pattern.worth > limit + tolerance / (double)(instance->processors[t] + 1)) {
            add_pattern(p, t, pattern.of, pattern.count);
            ++*added;
        }
        supply += pattern.worth * (double)instance->processors[t];
        p->most = duet_max(pattern.worth, p->most);
    }
    double demand = (double)duet_steps_demand(steps) / parts * largest;
    *ratio = supply > 0.0 ? demand / supply : 0.0;
    return DUET_OK;
}

// Column generation, until prices refute the guess or the patterns there are fit it.
static duet_code generate(program *p, bool *refuted, duet_error *error)
{
    static const double clear = 1.0005; // beyond what rounding may lose, mostly
    enum { rounds = 1000 };
    for (int round = 0; round < rounds && !*refuted; round++) {
        size_t added;
        double ratio = 0.0;
        DUET_TRY(duet_lp_attempt(p->lp, p->context, error));
        if (duet_lp_get_status(p->lp) != DUET_LP_OPTIMAL || duet_lp_objective(p->lp) <= 1.0) {
            return DUET_OK;
        }
        duet_code code = price(p, &added, &ratio, error);
        if (code == DUET_OK && (ratio > clear || (added == 0 && ratio > 1.0))) {
            code = duet_steps_refute(p->steps, p->most, refuted, error);
        }
        if (code != DUET_OK || added == 0) {
            return code;
        }
    }
    return DUET_OK;
}

static duet_code ask(duet_time_steps *steps, const duet_context *context, int64_t guess,
                     bool *refuted, duet_error *error)
{
    const duet_instance *instance = steps->instance;
    program p = {.steps = steps, .context = context};
    *refuted = false;
    DUET_TRY(duet_steps_list(steps, guess, error));
    DUET_TRY(duet_lp_create(&p.lp, error));
    add_rows(&p);
    for (size_t t = 0; t < instance->types; t++) {
        for (size_t i = 0; i < instance->kinds; i++) {
            add_modes(&p, i, t);
        }
        add_steps(&p, t);
    }
    duet_code code = generate(&p, refuted, error);
    duet_lp_free(p.lp);
    return code;
}

static duet_code raise_to(const duet_time_steps *steps, duet_bound *bound, duet_error *error)
{
    duet_bound better = {.name = "steps", .value = steps->guess + 1};
    DUET_TRY(duet_steps_certificate(steps, &better.certificate, error));
    duet_bound_release(bound);
    *bound = better;
    return DUET_OK;
}

// Behind the bound and below `limit`, the least guess that is known not to be refuted: halfway, and
// by steps that double while none is known.
static int64_t next_guess(int64_t bound, int64_t limit, int64_t *step)
{
    if (limit < INT64_MAX) {
        return bound + (limit - bound) / 2;
    }
    int64_t guess = *step < DUET_MAX_WORK - bound ? bound + *step : DUET_MAX_WORK;
    *step *= 2;
    return guess;
}

duet_code duet_steps_raise(const duet_instance *instance, const duet_context *context,
                           int64_t upper, duet_bound *bound, duet_error *error)
{
    enum { precision = 2000, first_step = 256 };
    int64_t guess = bound->value;
    int64_t step = guess / first_step + 1;
    duet_time_steps steps = {.instance = instance};
    duet_code code = DUET_OK;
    if (!duet_lp_available() || duet_tasks(instance) > DUET_STEPS_TASKS) {
        return DUET_OK;
    }
    // The first guess is mostly not refuted where there is little to win.
    while (code == DUET_OK && bound->value < upper && !duet_context_stop(context)) {
        bool refuted = false;
        code = ask(&steps, context, guess, &refuted, error);
        if (code == DUET_OK && refuted) {
            code = raise_to(&steps, bound, error);
        } else {
            upper = guess;
        }
        guess = next_guess(bound->value, upper, &step);
        if (upper - bound->value < upper / precision) {
            break;
        }
    }
    duet_free(steps.step);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context, duet_bound *bound,
                     duet_error *error)
{
    if (duet_tasks(instance) > DUET_STEPS_TASKS) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "steps: %lld tasks: expected at most %d; prices takes more",
                              (long long)duet_tasks(instance), DUET_STEPS_TASKS);
    }
    duet_code code = duet_moldable_bound(instance, DUET_PRICED_ALL, context, bound, error);
    bound->name = "steps";
    return code == DUET_OK ? duet_steps_raise(instance, context, INT64_MAX, bound, error) : code;
}

const duet_bound_method duet_bound_steps = {
    .entry = {.name = "steps",
              .summary = "moldable tasks: what times are worth on a processor, as a linear program",
              .reference = "Gilmore, Gomory 1961",
              .needs = DUET_NEEDS_MOLDABLE | DUET_NEEDS_GLPK,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_MOLDABLE | DUET_FEATURE_ANY_TYPES |
                         DUET_FEATURE_GRAPHS | DUET_FEATURE_RIGID},
    .run = run,
};
