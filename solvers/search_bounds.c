// SPDX-License-Identifier: Apache-2.0
// Bounds: knapsack, configuration.
// Method:    knapsack: the smallest length at which whole tasks can be dealt to the types within
//            their processors' time (dp/knapsack/knapsack.h), from the area bound upward.
//            configuration: from there, lengths in growing steps as long as the configuration
//            relaxation refutes them (lp/configuration/configuration.h); the prices that refute one
//            may refute longer ones at once.
// Cost:      knapsack: a few lists of thousands of states. configuration: a linear program with a
//            row per class for each length; where it is too large, the bound stays at the
//            knapsack's.
#include "solvers/search_bounds.h"

#include "core/fraction.h"
#include "dp/knapsack/knapsack.h"
#include "lp/area/area.h"
#include "lp/configuration/configuration.h"
#include "lp/shelf/shelf.h"

enum { MAX_CLASSES = 3000, AREA_TASKS = 12, ROUNDS = 1000 };

static void finish(duet_bound *bound, const char *name)
{
    bound->name = name;
    duet_fraction_format((duet_fraction){(duet_uint128)bound->value, 1}, bound->exact);
}

static duet_code run_knapsack(const duet_instance *instance, const duet_context *context,
                              duet_bound *bound, duet_error *error)
{
    duet_code code = duet_shelf_bound(instance, context, bound, error);
    if (code == DUET_OK) {
        code = duet_knapsack_raise(instance, context, DUET_MAX_WORK, bound, error);
        finish(bound, "knapsack");
    }
    return code;
}

const duet_bound_method duet_bound_knapsack = {
    .entry = {.name = "knapsack",
              .summary = "whole tasks dealt to the types within their processors' time",
              .reference = "",
              .handles = DUET_HANDLES_GRAPHS},
    .run = run_knapsack,
};

// The relaxation of one length.
static duet_code solve_length(const duet_instance *instance, int64_t guess,
                              duet_column_store *store, const duet_context *context,
                              duet_configuration_answer *answer, duet_certificate *certificate,
                              duet_error *error)
{
    duet_classes classes;
    duet_residual state = {.left = NULL};
    duet_prices prices = {.id = -1};
    duet_configuration *program = NULL;
    int64_t weight[2];
    *answer = (duet_configuration_answer){.refuted = false};
    duet_code code = duet_classes_create(instance, guess, &classes, error);
    if (code != DUET_OK) {
        return code;
    }
    bool area[2] = {true, true};
    code = duet_classes_weights(&classes, weight, error);
    if (code == DUET_OK) {
        code = duet_configuration_modes(&classes, weight, AREA_TASKS, area, NULL, error);
    }
    bool fit =
        classes.nowhere == SIZE_MAX && classes.count <= MAX_CLASSES && (!area[0] || !area[1]);
    if (code == DUET_OK && fit) {
        code = duet_residual_create(&classes, &state, error);
    }
    if (code == DUET_OK && fit) {
        code = duet_prices_create(&classes, &prices, error);
    }
    if (code == DUET_OK && fit) {
        code = duet_configuration_create(&classes, &state, area, store, NULL, &program, error);
    }
    if (code == DUET_OK && fit) {
        code = duet_configuration_solve(program, ROUNDS, context, &prices, answer, error);
    }
    if (code == DUET_OK && answer->refuted) {
        code = duet_prices_certificate(&classes, &prices, answer->proven + 1, certificate, error);
    }
    duet_configuration_free(program);
    duet_prices_free(&prices);
    duet_residual_free(&state);
    duet_classes_free(&classes);
    return code;
}

static duet_code raise_by_configurations(const duet_instance *instance, const duet_context *context,
                                         duet_bound *bound, duet_error *error)
{
    duet_column_store store = {.columns = 0};
    int64_t open = DUET_MAX_WORK; // not refuted
    int64_t step = 1;
    duet_code code = DUET_OK;
    while (bound->value < open && code == DUET_OK && !duet_context_stop(context)) {
        int64_t room = open - bound->value;
        int64_t guess = bound->value + (step < room ? step : room) - 1;
        duet_configuration_answer answer;
        duet_certificate certificate = {.proof = DUET_PROOF_NONE};
        code = solve_length(instance, guess, &store, context, &answer, &certificate, error);
        if (code == DUET_OK && answer.refuted) {
            duet_bound_release(bound);
            *bound = (duet_bound){.value = answer.proven + 1, .certificate = certificate};
            step *= 2;
        } else {
            open = guess;
            step = step > 2 ? step / 4 + 1 : 1;
        }
    }
    duet_column_store_free(&store);
    return code;
}

static duet_code run_configuration(const duet_instance *instance, const duet_context *context,
                                   duet_bound *bound, duet_error *error)
{
    duet_code code = run_knapsack(instance, context, bound, error);
    if (code == DUET_OK) {
        code = raise_by_configurations(instance, context, bound, error);
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
              .handles = DUET_HANDLES_GRAPHS},
    .run = run_configuration,
};
