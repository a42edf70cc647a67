// SPDX-License-Identifier: Apache-2.0
// Algorithm: moldable-hybrid.
// Method:    dual approximation for tasks that are moldable on CPUs, with monotone tables, and
//            sequential on GPUs. At guess lambda each task gets a mode: shelf 1 within lambda or
//            shelf 2 within lambda/2 on the CPUs, or a GPU; at most m processors on shelf 1, m
//            lambda of CPU area, k tasks longer than lambda/2 and k lambda of area on the GPUs. NO
//            by prices, or by a dynamic program over all modes, in which GPU areas are rounded down
//            to units of lambda/(U n). The CPUs then run as in moldable-3-2, the GPUs their longest
//            task first.
// Guarantee: 3/2 + 1/(U k): the areas on the GPUs exceed k lambda by less than lambda/U.
// Cost:      O(n m k U k n) for a guess at worst; most are decided by prices, or by few states.
// Memory:    four bytes for a state of the dynamic program.
// Reference: Bleuse, Hunold, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent
//            moldable tasks on multi-cores with GPUs", IEEE TPDS 28(9), 2017.
#include "core/options.h"
#include "core/system/try.h"
#include "solvers/moldable/hybrid_guess.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "units",
     .type = DUET_OPTION_INTEGER,
     .fallback = "4",
     .minimum = 1,
     .maximum = 1000000,
     .unit = "",
     .text = "how finely GPU areas are counted, U: the ratio is 3/2 + 1/(U k)"},
    DUET_OPTION_GUESS,
    {.name = NULL}};

// 3/2 + 1/(U k) = (3 U k + 2) / (2 U k)
static bool ratio(const duet_instance *instance, const duet_options *given, duet_ratio *out)
{
    duet_used_types used = duet_find_used_types(instance);
    if (used.count != 2) {
        return false;
    }
    int64_t gpus = instance->processors[used.second];
    int64_t steps = duet_option_integer(given, options, "units") * gpus;
    *out = (duet_ratio){3 * steps + 2, 0, 0, 2 * steps};
    return true;
}

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    return duet_hybrid_guess_ask(opaque, lambda, answer, error);
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    duet_hybrid_guess *state = opaque;
    duet_plan plan;
    duet_code code = duet_plan_create((size_t)duet_tasks(state->instance), &plan, error);
    DUET_THEN(code, duet_hybrid_guess_plan(state, &plan, error));
    DUET_THEN(code, duet_plan_write(&plan, solution, error));
    duet_plan_free(&plan);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    DUET_TRY(duet_require_hybrid(instance, error));
    int64_t units = duet_option_integer(context->options, options, "units");
    duet_hybrid_guess state;
    duet_code code = duet_hybrid_guess_create(instance, context, units, &state, error);
    if (code == DUET_OK) {
        duet_dual dual = {"moldable-hybrid", &state, guess, build};
        code = duet_moldable_dual(instance, context, &dual, DUET_PRICED_ALL, solution, error);
    }
    duet_hybrid_guess_free(&state);
    return code;
}

const duet_algorithm duet_algorithm_moldable_hybrid = {
    .entry = {.name = "moldable-hybrid",
              .summary = "dual approximation of tasks moldable on CPUs and sequential on GPUs",
              .guarantee = "3/2 + 1/(Uk)",
              .reference = "Bleuse et al., IEEE TPDS 28(9), 2017",
              .needs = DUET_NEEDS_MOLDABLE,
              .handles = DUET_FEATURE_MOLDABLE,
              .options = options},
    .moldable_ratio = ratio,
    .run = run,
    .makes_runs = true,
};
