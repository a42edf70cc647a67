// SPDX-License-Identifier: Apache-2.0
// Algorithm: dual-2.
// Method:    dual approximation by the relaxed dynamic program of the paper: only the work on the
//            GPUs is constrained, counted in units of lambda / n, and the work on the CPUs is
//            minimised; tasks longer than lambda on one type are fixed to the other. Each type then
//            runs its longest task first.
// Guarantee: 2: a task starts before lambda on the CPUs, and takes at most lambda; on the GPUs n
//            tasks hide less than lambda of work, so that one of time t ends by
//            lambda + lambda/k + t (1 - 1/k) <= 2 lambda. On identical processors the schedule is
//            LPT: 4/3 - 1/(3m).
// Cost:      O(log of the bound's gap) guesses; collapsed: n (kn + 1) cells each; adaptive: usually
//            a linear program of one row, O(kinds).
// Reference: Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on
//            multi-cores with GPU accelerators", CCPE 27(6), 2015, section 5.2 (DP).
#include <stdlib.h>

#include "core/memory.h"
#include "core/options.h"
#include "dp/table.h"
#include "heuristics/guarantee.h"
#include "heuristics/longest_first.h"
#include "lp/area.h"
#include "solvers/dual.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "table",
     .type = DUET_OPTION_CHOICE,
     .fallback = "adaptive",
     .choices = "collapsed|adaptive",
     .unit = "",
     .text = "form of the table; both give the same answers"},
    {.name = NULL}};
enum { TABLE_COLLAPSED };

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    if (duet_ratio_lpt(types, counts, given, out)) {
        return true;
    }
    *out = (duet_ratio){2, 0, 0, 1};
    return types == 2;
}

typedef struct dual_2 {
    const duet_context *context;
    duet_table_form form;
    duet_table_guess guess;
    duet_allocation allocation;
    int64_t *on_gpu; // the table's, by kind
} dual_2;

static duet_code guess(void *opaque, int64_t lambda, duet_answer *answer, duet_error *error)
{
    dual_2 *state = opaque;
    state->guess.lambda = lambda;
    duet_table_answer table = {.on_gpu = state->on_gpu};
    duet_code code = duet_table_decide(state->form, &state->guess, state->context, &table, error);
    answer->yes = table.yes;
    answer->stopped = table.stopped;
    answer->certificate = table.certificate;
    return code;
}

static duet_code build(void *opaque, duet_solution *solution, duet_error *error)
{
    dual_2 *state = opaque;
    const duet_instance *instance = state->guess.instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        state->allocation.share[2 * i + DUET_GPU] = state->on_gpu[i];
        state->allocation.share[2 * i + DUET_CPU] = duet_count(instance, i) - state->on_gpu[i];
    }
    return duet_schedule_longest_first(instance, &state->allocation, solution, error);
}

static duet_code search(dual_2 *state, duet_solution *solution, duet_error *error)
{
    const duet_instance *instance = state->guess.instance;
    duet_bound bound;
    duet_bound area;
    duet_code code = duet_longest_bound(instance, state->context, &bound, error);
    if (code == DUET_OK) {
        code = duet_area_bound(instance, state->context, &area, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    bound = area.value >= bound.value ? area : bound;
    duet_dual dual = {"dual-2", state, guess, build};
    return duet_dual_run(instance, state->context, &dual, &bound, solution, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    dual_2 state = {.context = context};
    int table = duet_option_choice(context->options, options, "table");
    state.form = table == TABLE_COLLAPSED ? DUET_TABLE_COLLAPSED : DUET_TABLE_ADAPTIVE;
    state.guess =
        (duet_table_guess){.instance = instance, .rounded = DUET_GPU, .grid = 1, .relaxed = true};
    duet_code code = duet_allocation_create(instance, &state.allocation, error);
    if (code == DUET_OK) {
        state.on_gpu = duet_alloc(instance->kinds, sizeof *state.on_gpu, error);
        code = state.on_gpu == NULL ? DUET_E_MEMORY : search(&state, solution, error);
    }
    free(state.on_gpu);
    duet_allocation_free(&state.allocation);
    return code;
}

const duet_algorithm duet_algorithm_dual_2 = {
    .entry = {.name = "dual-2",
              .summary = "dual approximation by a knapsack over the GPUs' work",
              .guarantee = "2",
              .reference = "Bleuse et al., CCPE 27(6), 2015, section 5.2",
              .needs = DUET_NEEDS_TWO_TYPES,
              .options = options},
    .ratio = ratio,
    .run = run,
};
