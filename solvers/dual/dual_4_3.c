// SPDX-License-Identifier: Apache-2.0
// Algorithm: dual-4-3.
// Method:    dual approximation by a knapsack (dp/table/table.h). At guess lambda a time is large
//            above 2 lambda/3, medium above lambda/3. Among the allocations with at most one large
//            or two medium tasks per processor and the work of one type within its room, the table
//            finds one of least work on the other type; NO where that is more than its room, too.
//            Each type then runs its longest task first, which puts large tasks alone, medium ones
//            two to a processor, and small ones each on the least loaded processor. The search
//            starts from the schedule of lpt and from the best bound that costs little, and keeps
//            the best schedule of all. On task graphs as dual-2. With place=shelves tasks are
//            placed as in the paper instead (shelves.h), and the search starts without a schedule.
// Guarantee: 4/3 where work is counted exactly (grid=0). Large tasks end by lambda, pairs of medium
//            ones by 4 lambda/3. A small task starts when the least loaded processor is below
//            lambda, and takes at most lambda/3. On a grid of s steps (units of lambda / 3ns)
//            rounding hides less than lambda / 3s of the work of n tasks on the rounded type's r
//            processors, so that a task there ends by (4/3 + 1/(3rs)) lambda. On identical
//            processors the schedule is LPT: 4/3 - 1/(3m), but not on shelves.
// Cost:      O(log of the bound's gap) guesses; published: n (m+1)^2 (k+1)^2 (3kns+1) cells each,
//            collapsed: n (2m+1)(2k+1)(3kns+1), adaptive: usually a linear program of three rows,
//            O(kinds) per pivot.
// Memory:    that of the table, see dp/table/table.h.
// Reference: Bleuse, Kedad-Sidhoum, Monna, Mounie, Trystram, "Scheduling independent tasks on
//            multi-cores with GPU accelerators", CCPE 27(6), 2015, section 3.
#include "core/options.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"
#include "lp/area/area.h"
#include "lp/shelf/shelf.h"
#include "solvers/dual/dualhp_graph.h"
#include "solvers/dual/table_dual.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "table",
     .type = DUET_OPTION_CHOICE,
     .fallback = "adaptive",
     .choices = "published|collapsed|adaptive",
     .unit = "",
     .text = "form of the table; all give the same answers"},
    {.name = "round",
     .type = DUET_OPTION_CHOICE,
     .fallback = "auto",
     .choices = "gpu|cpu|auto",
     .unit = "",
     .text = "type whose work is counted on the grid (auto: the one with more processors)"},
    {.name = "grid",
     .type = DUET_OPTION_INTEGER,
     .fallback = "0",
     .minimum = 0,
     .maximum = 1000000,
     .unit = "steps",
     .text = "grid steps per unit of the paper's rounding (0: exact work, ratio 4/3)"},
    {.name = "place",
     .type = DUET_OPTION_CHOICE,
     .fallback = "longest",
     .choices = "longest|shelves",
     .unit = "",
     .text = "independent tasks: longest first on each type, or on the shelves of the paper"},
    DUET_OPTION_READY_RANK("fifo"),
    {.name = NULL}};
enum { ROUND_GPU, ROUND_CPU, ROUND_AUTO };
enum { PLACE_LONGEST, PLACE_SHELVES };

static size_t rounded_type(const int64_t *counts, const duet_options *given)
{
    int round = duet_option_choice(given, options, "round");
    if (round == ROUND_AUTO) {
        return counts[DUET_CPU] > counts[DUET_GPU] ? DUET_CPU : DUET_GPU;
    }
    return round == ROUND_CPU ? DUET_CPU : DUET_GPU;
}

static bool ratio(size_t types, const int64_t *counts, const duet_options *given, duet_ratio *out)
{
    bool shelves = duet_option_choice(given, options, "place") == PLACE_SHELVES;
    if (!shelves && duet_ratio_lpt(types, counts, given, out)) {
        return true;
    }
    if (types != 2) {
        return false;
    }
    *out = (duet_ratio){4, 0, 0, 3};
    int64_t grid = duet_option_integer(given, options, "grid");
    if (grid > 0) {
        int64_t rs = counts[rounded_type(counts, given)] * grid;
        *out = (duet_ratio){4 * rs + 1, 0, 0, 3 * rs};
    }
    return true;
}

// The best of the bounds that cost little.
static duet_code first_bound(const duet_instance *instance, const duet_context *context,
                             duet_bound *bound, duet_error *error)
{
    duet_bound_function *const functions[] = {duet_area_bound, duet_shelf_bound};
    DUET_TRY(duet_longest_bound(instance, context, bound, error));
    for (size_t i = 0; i < 2; i++) {
        duet_bound other;
        DUET_TRY(functions[i](instance, context, &other, error));
        if (other.value > bound->value) {
            *bound = other;
        }
    }
    return DUET_OK;
}

// The schedule to start from: that of lpt with its default options.
static duet_code first_schedule(const duet_instance *instance, const duet_context *context,
                                duet_solution *solution, duet_error *error)
{
    duet_context defaults = *context;
    defaults.options = NULL;
    return duet_algorithm_lpt.run(instance, &defaults, solution, error);
}

static duet_code run_independent(const duet_instance *instance, const duet_context *context,
                                 duet_solution *solution, duet_error *error)
{
    const duet_options *given = context->options;
    duet_table_form form = (duet_table_form)duet_option_choice(given, options, "table");
    duet_table_guess guess = {.instance = instance,
                              .rounded = rounded_type(instance->processors, given),
                              .grid = duet_option_integer(given, options, "grid")};
    duet_table_dual state;
    duet_bound bound;
    duet_code code = duet_table_dual_create(context, form, &guess, &state, error);
    state.shelves = duet_option_choice(given, options, "place") == PLACE_SHELVES;
    DUET_THEN(code, first_bound(instance, context, &bound, error));
    if (code == DUET_OK && !state.shelves) {
        code = first_schedule(instance, context, solution, error);
    }
    if (code == DUET_OK) {
        duet_dual dual = duet_table_dual_driver(&state, "dual-4-3");
        code = state.shelves ? duet_dual_run(instance, context, &dual, &bound, solution, error)
                             : duet_dual_improve(instance, context, &dual, &bound, solution, error);
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

const duet_algorithm duet_algorithm_dual_4_3 = {
    .entry = {.name = "dual-4-3",
              .summary = "dual approximation by a knapsack over large, medium and small tasks",
              .guarantee = "4/3, or 4/3 + 1/(3rs) on a grid of s for r rounded processors",
              .reference = "Bleuse et al., CCPE 27(6), 2015, section 3",
              .handles = DUET_FEATURE_PRECEDENCE,
              .options = options},
    .ratio = ratio,
    .run = run,
    .makes_runs = true,
    .pace = {.slow_on_graphs = true},
};
