// SPDX-License-Identifier: Apache-2.0
// Algorithm: dual-2.
// Method:    dual approximation by the relaxed dynamic program of the paper: only the work on the
//            GPUs is constrained, counted in units of lambda / n, and the work on the CPUs is
//            minimised. Tasks longer than lambda on one type are fixed to the other. Each type then
//            runs its longest task first. On task graphs it divides the ready tasks whenever some
//            become ready (dualhp_graph.c), as xKaapi has it do.
// Guarantee: 2. On the CPUs a task starts before lambda, and takes at most lambda. On the GPUs
//            rounding hides less than lambda of the work of n tasks, so that a task of time t ends
//            by lambda + lambda/k + t (1 - 1/k) <= 2 lambda. On identical processors the schedule
//            is LPT: 4/3 - 1/(3m). None on task graphs.
// Cost:      O(log of the bound's gap) guesses; collapsed: n (kn + 1) cells each; adaptive: usually
//            a linear program of one row, O(kinds).
// Memory:    that of the table, see dp/table/table.h.
// Reference: Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on
//            multi-cores with GPU accelerators", CCPE 27(6), 2015, section 5.2 (DP).
#include "core/options.h"
#include "core/system/try.h"
#include "heuristics/rules/rules.h"
#include "lp/area/area.h"
#include "solvers/dual/dualhp_graph.h"
#include "solvers/dual/table_dual.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "table",
     .type = DUET_OPTION_CHOICE,
     .fallback = "adaptive",
     .choices = "collapsed|adaptive",
     .unit = "",
     .text = "form of the table; both give the same answers"},
    DUET_OPTION_READY_RANK("fifo"),
    {.name = NULL}};
enum { TABLE_COLLAPSED };

static duet_code run_independent(const duet_instance *instance, const duet_context *context,
                                 duet_solution *solution, duet_error *error)
{
    int table = duet_option_choice(context->options, options, "table");
    duet_table_form form = table == TABLE_COLLAPSED ? DUET_TABLE_COLLAPSED : DUET_TABLE_ADAPTIVE;
    duet_table_guess guess = {
        .instance = instance, .rounded = DUET_GPU, .grid = 1, .relaxed = true};
    duet_table_dual state;
    duet_bound bound;
    duet_code code = duet_table_dual_create(context, form, &guess, &state, error);
    DUET_THEN(code, duet_first_bound(instance, NULL, context, &bound, error));
    if (code == DUET_OK) {
        duet_dual dual = duet_table_dual_driver(&state, "dual-2");
        code = duet_dual_run(instance, context, &dual, &bound, solution, error);
        duet_table_dual_count(&state, solution);
    }
    duet_table_dual_free(&state);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    if (instance->graph == NULL) {
        return run_independent(instance, context, solution, error);
    }
    int rank = duet_option_choice(context->options, options, "rank");
    return duet_dualhp_graph(instance, context, (duet_dualhp_rank)rank, run_independent, solution,
                             error);
}

const duet_algorithm duet_algorithm_dual_2 = {
    .entry = {.name = "dual-2",
              .summary = "dual approximation by a knapsack over the GPUs' work",
              .guarantee = "2",
              .reference = "Bleuse et al., CCPE 27(6), 2015, section 5.2",
              .handles = DUET_FEATURE_PRECEDENCE,
              .options = options},
    .ratio = duet_ratio_two,
    .run = run,
    .makes_runs = true,
    .pace = {.slow_on_graphs = true},
};
