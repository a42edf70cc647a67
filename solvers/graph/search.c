// SPDX-License-Identifier: Apache-2.0
// Algorithm: graph-search.
// Method:    the schedules of all quick rules, heft first, then a search from the best one
//            (heuristics/graph_search/search.h): target-guided dispatch in both directions, and
//            annealing on order and types or on types alone, windows of a few tasks re-optimised
//            exactly. It ends when a bound is met, at the end of the time or of its rounds.
// Guarantee: none; never longer than that of heft, nor of the other quick rules if there is time
//            for them.
// Cost:      as long as it may: some hundred thousand changes of a schedule a second.
// Memory:    O(n + e), and O(n) more for each search.
// Reference: see heuristics/graph_search/.
#include "heuristics/graph_search/search.h"
#include "core/instance/available.h"
#include "core/options.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "lp/graph/chains/chains.h"
#include "solvers/cheap_bounds.h"
#include "solvers/features.h"
#include "solvers/graph/search.h"
#include "solvers/graph/tuning.h"
#include "solvers/registry.h"
#include "solvers/released/released.h"
#include "solvers/run.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "rounds",
     .type = DUET_OPTION_INTEGER,
     .fallback = "0",
     .maximum = 40,
     .unit = "",
     .text =
         "end after so many rounds, each twice as long as the one before (0: no such limit with "
         "a time limit, else 6); unlike a time limit it gives the same answer on every machine"},
    {.name = "searches",
     .type = DUET_OPTION_INTEGER,
     .fallback = "0",
     .maximum = DUET_GRAPH_SEARCHES,
     .unit = "",
     .text = "searches of a round, which exchange their walks (0: with 'rounds' 16 that share the "
             "work of two, else one a thread); as many threads can take part"},
    {.name = NULL}};

// Rules that end well on graphs, or on some of them; the others follow in the order of the
// registry.
static const duet_algorithm *const first_rules[] = {
    &duet_algorithm_heft, &duet_algorithm_heteroprio, &duet_algorithm_peft, &duet_algorithm_eft};
enum { FIRST_RULES = sizeof first_rules / sizeof *first_rules };

// Whether a rule takes more than O(edges log tasks).
static bool is_slow(const duet_algorithm *row)
{
    static const duet_algorithm *const slow[] = {
        &duet_algorithm_hlp, &duet_algorithm_heft_lookahead, &duet_algorithm_dualhp};
    bool found = false;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        found = found || row == slow[i];
    }
    return found;
}

static bool is_first(const duet_algorithm *row)
{
    bool found = false;
    for (size_t i = 0; i < FIRST_RULES; i++) {
        found = found || row == first_rules[i];
    }
    return found;
}

bool duet_graph_rules_are_quick(const duet_instance *instance)
{
    int64_t edges = instance->graph != NULL ? instance->graph->edges : 0;
    return duet_tasks(instance) + edges <= DUET_GRAPH_QUICK_ENTRIES;
}

// Rules of any kind in the order in which they run; the first ones come again later. Of a large
// graph there may be time for one alone: heteroprio ends better there, where data take no time.
static const duet_algorithm *row_at(const duet_instance *instance, size_t index)
{
    bool costs = instance->graph != NULL && instance->graph->transfer != NULL;
    if (index < 2 && !costs && !duet_graph_rules_are_quick(instance)) {
        return first_rules[1 - index];
    }
    return index < FIRST_RULES ? first_rules[index] : duet_algorithm_at(index - FIRST_RULES);
}

const duet_algorithm *duet_graph_rule(const duet_instance *instance, bool slow, size_t index)
{
    const duet_algorithm *row;
    duet_demand demand = duet_demand_of(instance);
    bool large = duet_tasks(instance) > DUET_GRAPH_SLOWER_RULES_TASKS;
    for (size_t i = 0; (row = row_at(instance, i)) != NULL; i++) {
        bool again = i >= FIRST_RULES && is_first(row);
        bool looks_ahead = row == &duet_algorithm_heft_lookahead;
        if (!again && is_slow(row) == slow && !(large && looks_ahead) &&
            duet_is_fast(row, instance) && duet_handles(&row->entry, demand) && index-- == 0) {
            return row;
        }
    }
    return NULL;
}

duet_context duet_graph_rule_context(const duet_instance *instance, const duet_context *context,
                                     const duet_algorithm *row)
{
    bool slow = is_slow(row);
    bool bounds = row == &duet_algorithm_hlp; // it solves their program
    bool large = duet_tasks(instance) > DUET_GRAPH_LARGE_TASKS;
    int parts = large    ? DUET_GRAPH_SLOW_RULE_PART
                : bounds ? DUET_GRAPH_BOUNDS_PART
                         : DUET_GRAPH_SHORT_RULE_PART;
    duet_context part = duet_context_part(context, slow ? parts : 1);
    if (!slow && duet_graph_rules_are_quick(instance)) {
        part.deadline_ns = INT64_MAX;
    }
    return part;
}

// Offers the schedule of a rule to the search, and to the solution the bound that it proved.
static duet_code offer_rule(const duet_instance *instance, const duet_context *context,
                            const duet_algorithm *rule, duet_graph_search *search,
                            duet_solution *solution, duet_error *error)
{
    duet_context plain = duet_graph_rule_context(instance, context, rule);
    duet_solution *made = NULL;
    plain.options = NULL;
    duet_code code = duet_run_algorithm(instance, rule, &plain, &made, error);
    if (code == DUET_OK && made->makespan < duet_graph_search_best(search)) {
        code = duet_graph_search_offer(search, made, error);
    }
    if (code == DUET_OK && made->bound_name[0] != '\0') {
        duet_solution_offer_bound(solution, &(const duet_bound){.name = made->bound_name,
                                                                .value = made->lower_bound,
                                                                .certificate = made->certificate});
    }
    duet_solution_free(made);
    return code;
}

// A rule that fails leaves the schedules that there are, unless memory has run out.
static duet_code try_rule(const duet_instance *instance, const duet_context *context,
                          const duet_algorithm *rule, duet_graph_search *search,
                          duet_solution *solution, duet_error *error)
{
    bool begun = duet_graph_search_best(search) < INT64_MAX;
    duet_error why = DUET_ERROR_INIT;
    duet_code code = offer_rule(instance, context, rule, search, solution, &why);
    if (code == DUET_E_MEMORY || (code != DUET_OK && !begun && code != DUET_E_UNSUPPORTED)) {
        *error = why;
        return code;
    }
    return DUET_OK;
}

// The schedules of all quick rules, or of the slow ones, as long as there is time and none is as
// short as the bound. Of small graphs the quick ones come whatever the time.
static duet_code offer_rules(const duet_instance *instance, const duet_context *context, bool slow,
                             duet_graph_search *search, duet_solution *solution, duet_error *error)
{
    bool always = !slow && duet_graph_rules_are_quick(instance);
    const duet_algorithm *row;
    duet_code code = DUET_OK;
    for (size_t i = 0; code == DUET_OK && (row = duet_graph_rule(instance, slow, i)) != NULL; i++) {
        bool begun = duet_graph_search_best(search) < INT64_MAX;
        if (begun && (duet_graph_search_best(search) <= solution->lower_bound ||
                      (!always && duet_context_stop(context)))) {
            break;
        }
        code = try_rule(instance, context, row, search, solution, error);
    }
    return code;
}

duet_code duet_graph_offer_first(const duet_instance *instance, const duet_context *context,
                                 duet_graph_search *search, duet_solution *solution,
                                 duet_error *error)
{
    return offer_rule(instance, context, duet_graph_rule(instance, false, 0), search, solution,
                      error);
}

// What is known, and the schedules that it replaced, in their order, as far as they are shorter
// than what the search makes of those before them.
static duet_code offer_known(const duet_solution *known, duet_graph_search *search,
                             duet_error *error)
{
    duet_code code = known->earlier != NULL ? offer_known(known->earlier, search, error) : DUET_OK;
    return code == DUET_OK && known->makespan < duet_graph_search_best(search)
               ? duet_graph_search_offer(search, known, error)
               : code;
}

duet_code duet_graph_begin(const duet_instance *instance, const duet_context *context,
                           duet_graph_search *search, duet_solution *solution, duet_error *error)
{
    const duet_solution *known = context->known;
    if (known == NULL) {
        duet_code code = duet_offer_bound(instance, context, DUET_WANTED_PATH, solution, error);
        DUET_THEN(code, offer_rules(instance, context, false, search, solution, error));
        DUET_THEN(code, offer_rules(instance, context, true, search, solution, error));
        duet_context part = duet_context_part(context, DUET_GRAPH_BOUNDS_PART);
        DUET_THEN(code, duet_offer_cheap_bounds(instance, &part, solution, error));
        return code;
    }
    duet_bound bound = {
        .name = known->bound_name, .value = known->lower_bound, .certificate = known->certificate};
    if (known->bound_name[0] != '\0') {
        duet_solution_offer_bound(solution, &bound);
    }
    return offer_known(known, search, error);
}

duet_code duet_graph_offer_chains(const duet_instance *instance, const duet_context *context,
                                  duet_solution *solution, duet_error *error)
{
    duet_bound bound = {.name = solution->bound_name, .value = solution->lower_bound};
    if (solution->lower_bound >= solution->makespan || !duet_chains_dominated(instance, context)) {
        return DUET_OK;
    }
    duet_context part = duet_context_part(context, DUET_GRAPH_CHAINS_PART);
    duet_code code = duet_chains_raise(instance, &part, false, "chains", &bound, error);
    if (code == DUET_OK && bound.value > solution->lower_bound) {
        duet_solution_offer_bound(solution, &bound);
        duet_bound_release(&bound);
    }
    return code;
}

duet_code duet_graph_search_solve(const duet_instance *instance, const duet_context *context,
                                  int64_t rounds, int64_t searches, duet_solution *solution,
                                  duet_error *error)
{
    duet_graph_search *search = NULL;
    if (rounds == 0 && context->deadline_ns == INT64_MAX) {
        rounds = DUET_GRAPH_ROUNDS;
    }
    duet_code code = duet_graph_search_create(instance, context, &search, error);
    DUET_THEN(code, duet_graph_begin(instance, context, search, solution, error));
    DUET_THEN(code, duet_graph_search_write(search, solution, error));
    DUET_THEN(code, duet_graph_offer_chains(instance, context, solution, error));
    if (code == DUET_OK) {
        duet_graph_search_plan plan = {.rounds = rounds,
                                       .fixed = rounds > 0,
                                       .searches = searches,
                                       .shortest =
                                           duet_context_target(context, solution->lower_bound),
                                       .lower_bound = solution->lower_bound,
                                       .phase = "graph-search"};
        code = duet_graph_search_run(search, context, &plan, error);
    }
    DUET_THEN(code, duet_graph_search_write(search, solution, error));
    if (code == DUET_OK) {
        duet_solution_count(solution, "moves", duet_graph_search_moves(search));
        duet_solution_count(solution, "work", duet_graph_search_work(search));
        duet_solution_count(solution, "span", duet_graph_search_span(search));
        solution->interrupted =
            duet_context_stop(context) &&
            solution->makespan > duet_context_target(context, solution->lower_bound);
    }
    duet_graph_search_free(search);
    return code;
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    int64_t rounds = duet_option_integer(context->options, options, "rounds");
    int64_t searches = duet_option_integer(context->options, options, "searches");
    return duet_is_available(instance)
               ? duet_graph_search_solve(instance, context, rounds, searches, solution, error)
               : duet_released_graph_search(instance, context, rounds, searches, solution, error);
}

const duet_algorithm duet_algorithm_graph_search = {
    .entry = {.name = "graph-search",
              .summary = "the best schedule of a task graph within the time",
              .guarantee = "",
              .reference = "",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS,
              .options = options},
    .run = run,
    .pace = {.searches = true},
};
