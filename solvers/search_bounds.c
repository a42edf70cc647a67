// SPDX-License-Identifier: Apache-2.0
// Bounds: knapsack, configuration.
// Method:    - knapsack: the smallest guess within which whole tasks can be allocated to the types
//              without exceeding their processors' time (dp/knapsack/knapsack.h), from the shelf
//              bound upward. On other than two types what weights show of it, from the area
//              bound upward.
//            - configuration: from the knapsack bound upward, guesses in growing steps as long as
//              the configuration relaxation refutes them (lp/configuration/configuration.h). The
//              dual prices that refute a guess may refute larger ones at once. On other than two
//              types the relaxation is that of lp/configuration/generation.h; where both classes
//              and types are many, the volume method finds the prices (lp/volume/volume.h), without
//              a linear program. With releases and busy processors patterns keep to them
//              (solvers/released/decide.h).
// Cost:      knapsack: a few lists of thousands of states. configuration: a linear program with a
//            row per class for each guess; where it is too large, the bound stays that of knapsack.
// Memory:    O(kinds), the lists, and the columns of the linear programs.
// Reference: Gilmore, Gomory, "A linear programming approach to the cutting-stock problem",
//            Operations Research 9(6), 1961 (configuration).
#include "solvers/bounds.h"

#include "core/instance/available.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack.h"
#include "lp/area/area.h"
#include "lp/area/lp.h"
#include "lp/area/released.h"
#include "lp/configuration/configuration.h"
#include "lp/shelf/shelf.h"
#include "lp/volume/volume.h"
#include "solvers/exact/types/bound.h"
#include "solvers/released/climb.h"

enum {
    MAX_CLASSES = 3000,    // beyond, no linear program is set up
    AREA_TASKS = 12,       // a type is divisible where its processors run more tasks than that
    ROUNDS = 1000,         // of column generation, at most
    ITERATIONS = 300,      // of the volume method for a range of guesses, at least
    CLASS_ITERATIONS = 30, // of the volume method more for each class
    MOST_ITERATIONS = 3000 // of the volume method for a range of guesses, at most
};

// Names a bound, and writes its value as the exact one: it is a whole number of ticks.
static void finish(duet_bound *bound, const char *name)
{
    bound->name = name;
    duet_fraction_format((duet_fraction){(duet_uint128)bound->value, 1}, bound->exact);
}

// What the knapsack bound starts from on other than two types: the longest task, or the area bound,
// by a linear program where there is a solver.
static duet_code begin_on_types(const duet_instance *instance, const duet_context *context,
                                duet_bound *bound, duet_error *error)
{
    DUET_TRY(duet_longest_bound(instance, context, bound, error));
    duet_bound area = duet_area_estimate(instance);
    *bound = area.value > bound->value ? area : *bound;
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_area_lp_bound(instance, context, &area, &why);
    if (code == DUET_OK) {
        *bound = area.value > bound->value ? area : *bound;
    }
    // Without a solver, or where a limit stops it, the others do.
    return code == DUET_E_MEMORY ? duet_error_set(error, code, "%s", why.message) : DUET_OK;
}

static duet_code run_knapsack(const duet_instance *instance, const duet_context *context,
                              duet_bound *bound, duet_error *error)
{
    bool pair = instance->types == 2;
    duet_code code = (pair ? duet_shelf_bound : begin_on_types)(instance, context, bound, error);
    if (code == DUET_OK) {
        code = (pair ? duet_knapsack_raise : duet_knapsack_raise_by_weights)(
            instance, context, DUET_MAX_WORK, bound, error);
        if (code == DUET_OK && !duet_is_available(instance)) {
            code = duet_released_divide(instance, context, DUET_MAX_WORK, bound, error);
        }
        finish(bound, "knapsack");
    }
    return code;
}

const duet_bound_method duet_bound_knapsack = {
    .entry = {.name = "knapsack",
              .summary = "whole tasks allocated to the types within their processors' time",
              .reference = "",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run_knapsack,
};

// The search of bound configuration, and the relaxation of the guess that it asks about.
typedef struct search {
    const duet_instance *instance;
    const duet_context *context;
    duet_column_store store; // columns that the next guess starts from
    // of one guess
    duet_classes classes;
    duet_residual state;
    duet_prices prices;
    duet_configuration *program;
} search;

// Which types are divisible in the relaxation: there is a program where not both are, and where
// every class fits and there are not too many of them.
static duet_code choose_modes(const search *s, bool area[2], bool *solvable, duet_error *error)
{
    const duet_classes *classes = &s->classes;
    int64_t weight[2];
    area[0] = true;
    area[1] = true;
    duet_code code = duet_classes_weights(classes, weight, error);
    DUET_THEN(code, duet_configuration_modes(classes, weight, AREA_TASKS, area, error));
    *solvable = code == DUET_OK && classes->nowhere == SIZE_MAX && classes->count <= MAX_CLASSES &&
                (!area[0] || !area[1]);
    return code;
}

static duet_code solve_relaxation(search *s, bool area[2], duet_configuration_answer *answer,
                                  duet_error *error)
{
    DUET_TRY(duet_residual_create(&s->classes, &s->state, error));
    DUET_TRY(duet_prices_create(&s->classes, &s->prices, error));
    DUET_TRY(duet_configuration_create(&s->classes, &s->state, area, &s->store, NULL, &s->program,
                                       error));
    return duet_configuration_solve(s->program, ROUNDS, s->context, &s->prices, answer, error);
}

// Asks the relaxation of one guess, with a certificate where that is refuted.
static duet_code ask(search *s, int64_t guess, duet_configuration_answer *answer,
                     duet_certificate *certificate, duet_error *error)
{
    bool area[2];
    bool solvable = false;
    *answer = (duet_configuration_answer){.refuted = false};
    DUET_TRY(duet_classes_create(s->instance, guess, &s->classes, error));
    s->state = (duet_residual){.left = NULL};
    s->prices = (duet_prices){.id = -1};
    s->program = NULL;
    duet_code code = choose_modes(s, area, &solvable, error);
    if (solvable) {
        code = solve_relaxation(s, area, answer, error);
    }
    if (code == DUET_OK && answer->refuted) {
        DUET_ASSERT(answer->proven >= guess);
        code = duet_prices_certificate(&s->classes, &s->prices, answer->proven + 1, certificate,
                                       error);
    }
    duet_configuration_free(s->program);
    duet_prices_free(&s->prices);
    duet_residual_free(&s->state);
    duet_classes_free(&s->classes);
    return code;
}

static duet_code raise_by_configurations(const duet_instance *instance, const duet_context *context,
                                         duet_bound *bound, duet_error *error)
{
    search s = {.instance = instance, .context = context};
    int64_t open = DUET_MAX_WORK; // the smallest guess that was asked and not refuted
    int64_t step = 1;
    duet_code code = DUET_OK;
    while (bound->value < open && code == DUET_OK && !duet_context_stop(context)) {
        int64_t room = open - bound->value;
        int64_t guess = bound->value + duet_min(step, room) - 1;
        duet_configuration_answer answer;
        duet_certificate certificate = {.proof = DUET_PROOF_NONE};
        code = ask(&s, guess, &answer, &certificate, error);
        if (code == DUET_OK && answer.refuted) {
            duet_bound_release(bound);
            *bound = (duet_bound){.value = answer.proven + 1, .certificate = certificate};
            step *= 2;
        } else {
            open = guess;
            step = step > 2 ? step / 4 + 1 : 1;
        }
    }
    duet_column_store_free(&s.store);
    return code;
}

// The volume method on the guesses from the bound up to below `upper`.
static duet_code raise_below(const duet_instance *instance, const duet_context *context,
                             int64_t upper, duet_bound *bound, duet_error *error)
{
    duet_volume *volume;
    duet_code code = duet_volume_create(instance, bound->value, upper, &volume, error);
    if (code == DUET_OK) {
        size_t classes = duet_volume_classes(volume)->count;
        bool many = classes > (MOST_ITERATIONS - ITERATIONS) / CLASS_ITERATIONS;
        int64_t iterations = ITERATIONS + CLASS_ITERATIONS * (int64_t)classes;
        code = duet_volume_run(volume, many ? MOST_ITERATIONS : iterations, context, error);
    }
    duet_bound raised = {.value = 0};
    if (code == DUET_OK && duet_volume_bound(volume) > bound->value) {
        code = duet_volume_certify(volume, context, &raised, error);
    }
    if (raised.value > bound->value) {
        duet_bound_release(bound);
        *bound = raised;
    }
    duet_volume_free(volume);
    return code;
}

// The bound by the volume method. There is no schedule that says where to end: a range of guesses
// that is refuted as a whole is followed by a larger one.
static duet_code raise_by_volume(const duet_instance *instance, const duet_context *context,
                                 duet_bound *bound, duet_error *error)
{
    const int64_t longest = DUET_MAX_WORK / 8;
    int64_t range = bound->value / 16 + 1;
    bool all = bound->value > 0; // the last range was refuted as a whole
    duet_code code = DUET_OK;
    while (all && code == DUET_OK && bound->value < longest && range < longest &&
           !duet_context_stop(context)) {
        int64_t upper = bound->value + range;
        code = raise_below(instance, context, upper, bound, error);
        all = bound->value == upper;
        range *= 4;
    }
    return code;
}

// On other than two types: by linear programs where they are fast enough.
static duet_code raise_on_types(const duet_instance *instance, const duet_context *context,
                                duet_bound *bound, duet_error *error)
{
    bool possible;
    duet_code code = duet_types_raise(instance, context, bound, &possible, error);
    return code == DUET_OK && !possible ? raise_by_volume(instance, context, bound, error) : code;
}

// With releases and busy processors, which the bound so far drops: from the best one that does not.
static duet_code raise_released(const duet_instance *instance, const duet_context *context,
                                duet_bound *bound, duet_error *error)
{
    duet_bound other;
    bool possible;
    DUET_TRY(duet_longest_bound(instance, context, &other, error));
    if (other.value > bound->value) {
        duet_bound_release(bound);
        *bound = other;
    }
    DUET_TRY(duet_released_area_bound(instance, context, &other, error));
    if (other.value > bound->value) {
        duet_bound_release(bound);
        *bound = other;
    }
    return duet_released_raise(instance, context, bound, &possible, error);
}

static duet_code run_configuration(const duet_instance *instance, const duet_context *context,
                                   duet_bound *bound, duet_error *error)
{
    duet_code code = run_knapsack(instance, context, bound, error);
    if (code == DUET_OK) {
        bool pair = instance->types == 2;
        code = (pair ? raise_by_configurations : raise_on_types)(instance, context, bound, error);
        if (code == DUET_OK && !duet_is_available(instance)) {
            code = raise_released(instance, context, bound, error);
        }
        finish(bound, "configuration");
    }
    if (code != DUET_OK) {
        duet_bound_release(bound);
    }
    return code;
}

const duet_bound_method duet_bound_configuration = {
    .entry = {.name = "configuration",
              .summary = "fractional loads of single processors that cover all tasks (LP)",
              .reference = "Gilmore, Gomory, Operations Research 9(6), 1961",
              .needs = DUET_NEEDS_GLPK,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = run_configuration,
};
