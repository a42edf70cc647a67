// SPDX-License-Identifier: Apache-2.0
// Algorithm: auto, what `duet solve` runs when none is named.
// Method:    the cheap bounds; then every row of the registry that is fast on the instance and
//            handles it: local-search, mostly, by itself, then the rules in parallel, those last
//            that slow down with the number of tasks; then exact, from the best schedule so far,
//            until the time is over. Of independent tasks local-search has half of the time if it
//            comes first, the rules have a quarter in all, and each slow one an eighth of what is
//            left; rules that solve programs of more than two types are left to exact. On task
//            graphs the rules come first, before all bounds but the longest path, and on small ones
//            the quick rules whatever the time. Keeps the best schedule and the best proven bound,
//            and stops as soon as they meet, or are as near as option gap asks for. So it is never
//            worse than one of the rows that it had the time to run. Towards the end of the time it
//            begins nothing that is likely to take longer.
// Guarantee: the ratio of a row that it always runs: dual-4-3 (4/3), lpt on identical processors
//            (4/3 - 1/(3m)).
// Cost:      the sum of theirs. The result does not depend on the number of threads: of equal
//            schedules, the one of the earlier row is kept.
// Memory:    O(n) per thread.
// Reference: ours; see the algorithms.
#include <stdio.h>
#include <string.h>

#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/system/allocator.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/threads.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "heuristics/rules/rules.h"
#include "solvers/cheap_bounds.h"
#include "solvers/features.h"
#include "solvers/graph/search.h"
#include "solvers/graph/series/series.h"
#include "solvers/graph/tuning.h"
#include "solvers/hint.h"
#include "solvers/moldable/portfolio.h"
#include "solvers/registry.h"
#include "solvers/run.h"
#include "solvers/solvers.h"

// LOCAL_SEARCH_TASKS: with more tasks local search, which names each of them, has no share, and
// exact improves alone.
// SLOW_RULE_PART: a rule that slows down with the number of tasks has this part of the time.
// LATER_SEARCH_PART: that of local-search where it does not come first. RULES_PART: that of all
// rules of independent tasks.
enum {
    MOST_ROWS = 64,
    LOCAL_SEARCH_TASKS = 1000000,
    SLOW_RULE_PART = 8,
    LATER_SEARCH_PART = 4,
    RULES_PART = 4
};

// About how long a rule takes for each task and type, as long as none was timed.
enum { RULE_NANOSECONDS = 100 };

// What came of a row: a solution, or why there is none.
typedef struct outcome {
    duet_solution *solution;
    duet_code code;
    duet_error why;
} outcome;

typedef struct portfolio {
    // Inputs.
    const duet_instance *instance;
    const duet_context *context;
    const duet_algorithm *row[MOST_ROWS]; // in the order in which they run
    size_t rows;
    size_t slow; // the first of the slow rules
    bool graph;  // sequential tasks of a graph that are all there at the beginning
    bool series; // that falls into stages, which there is time to solve by themselves

    // The best so far.
    duet_solution *best;
    bool found;                  // it has a schedule
    duet_known_from from;        // annealed, once local-search was among the rows
    const duet_algorithm *shown; // whose ratio is claimed, once it came to its end; NULL: none
    duet_code code;              // of the first row that made no schedule
    duet_error why;

    // How long the rules took that came to their end, and how many these are.
    double seconds;
    size_t timed;
} portfolio;

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    (void)options;
    if (duet_ratio_lpt(types, counts, NULL, out)) {
        return true;
    }
    return duet_algorithm_dual_4_3.ratio(types, counts, NULL, out);
}

static bool moldable_ratio(const duet_instance *instance, const duet_options *options,
                           duet_ratio *out)
{
    (void)options;
    const duet_algorithm *row = duet_moldable_ratio_row(instance);
    return row != NULL && row->moldable_ratio(instance, NULL, out);
}

// Whether this is a row whose ratio is claimed on this platform.
static bool gives_ratio(const duet_instance *instance, const duet_algorithm *row)
{
    if (instance->moldable != NULL) {
        return row == duet_moldable_ratio_row(instance);
    }
    duet_ratio unused;
    bool identical = duet_ratio_lpt(instance->types, instance->processors, NULL, &unused);
    return row->ratio == (identical ? duet_ratio_lpt : duet_algorithm_dual_4_3.ratio);
}

static bool is_open(const portfolio *p)
{
    const duet_solution *best = p->best;
    return !p->found || best->makespan > duet_context_target(p->context, best->lower_bound);
}

static double entries(const portfolio *p)
{
    return (double)duet_tasks(p->instance) * (double)p->instance->types;
}

static double rule_seconds(const portfolio *p)
{
    return p->timed > 0 ? p->seconds / (double)p->timed : entries(p) * RULE_NANOSECONDS * 1e-9;
}

// Whether `rules` rules more are likely to end in time. What is begun is mostly not interrupted:
// too late a start would make the whole late.
static bool has_time(const portfolio *p, int rules)
{
    return !duet_context_stop(p->context) &&
           duet_context_seconds_left(p->context) > rules * rule_seconds(p);
}

// Whether rules of independent tasks have had their part of the time: where tasks are many but most
// are equal, the searches, which do not name each of them, find more in the rest.
static bool is_enough_of_rules(const portfolio *p)
{
    double limit = (double)(p->context->deadline_ns - p->context->start_ns) * 1e-9;
    return p->found && !p->graph && p->instance->moldable == NULL &&
           p->seconds > limit / RULES_PART;
}

// Whether the rules of a graph run whatever the time: they are the quick ones of a small graph.
static bool runs_always(const portfolio *p, size_t row)
{
    return p->graph && row < p->slow && duet_graph_rules_are_quick(p->instance);
}

// Adds a row, once, where it handles the instance.
static void add_row(portfolio *p, const duet_algorithm *row)
{
    bool added = !duet_handles(&row->entry, duet_demand_of(p->instance));
    for (size_t i = 0; i < p->rows && !added; i++) {
        added = p->row[i] == row;
    }
    if (!added) {
        DUET_ASSERT(p->rows < MOST_ROWS);
        p->row[p->rows++] = row;
    }
}

// Whether the row solves linear programs of all tasks: exact begins with as good a bound.
static bool solves_programs(const portfolio *p, const duet_algorithm *row)
{
    return p->instance->types != 2 && p->instance->moldable == NULL &&
           (row == &duet_algorithm_lst || row == &duet_algorithm_hlp);
}

// The fast rows in the registry's order: those that are fast on anything, or the others.
static void add_fast(portfolio *p, bool limited)
{
    const duet_algorithm *row;
    for (size_t i = 0; (row = duet_algorithm_at(i)) != NULL; i++) {
        bool slows =
            row->pace.most_tasks > 0 || row->pace.most_entries > 0 || row->pace.slow_on_graphs;
        if (slows == limited && !solves_programs(p, row) && duet_is_fast(row, p->instance)) {
            add_row(p, row);
        }
    }
}

// Whether local-search comes first: within any time in which it gets beyond its own first schedule
// its schedules are better than those of the rules. Where many tasks are equal, rules that do not
// name each task are faster by far. On more than two types its first schedule, that of lpt, is no
// good one, and nothing else would come of so short a time.
static bool searches_first(const portfolio *p)
{
    enum { tasks_a_kind = 64, equal_rules = 300, type_rules = 2 };
    int64_t tasks = duet_tasks(p->instance);
    bool equal = tasks > tasks_a_kind * (duet_int128)p->instance->kinds;
    // It gets far enough in the time of `rules` rules that name each task.
    int rules = equal ? equal_rules : p->instance->types > 2 ? type_rules : 0;
    double limit = (double)(p->context->deadline_ns - p->context->start_ns);
    return tasks <= LOCAL_SEARCH_TASKS && limit >= rules * RULE_NANOSECONDS * entries(p);
}

static bool has_time_for_stages(const portfolio *p)
{
    static const double stage_nanoseconds = 5000; // a task
    return duet_context_seconds_left(p->context) >
           (double)duet_tasks(p->instance) * stage_nanoseconds * 1e-9;
}

static void line_up_graph(portfolio *p)
{
    const duet_algorithm *row;
    for (size_t i = 0; (row = duet_graph_rule(p->instance, false, i)) != NULL; i++) {
        add_row(p, row);
    }
    // Exact solves stages by themselves, which is more than what rules can tell.
    bool quick = duet_graph_rules_are_quick(p->instance);
    p->series = (quick || has_time_for_stages(p)) && duet_graph_is_series(p->instance);
    p->rows = p->series && !quick ? duet_min(p->rows, 1) : p->rows;
    p->slow = p->rows;
    for (size_t i = 0; !p->series && (row = duet_graph_rule(p->instance, true, i)) != NULL; i++) {
        add_row(p, row);
    }
}

static void line_up(portfolio *p)
{
    if (p->graph) {
        line_up_graph(p);
        return;
    }
    bool many_types = p->instance->types > 2;
    bool available = duet_is_available(p->instance); // else exact has the searches
    add_row(p, available && searches_first(p) ? &duet_algorithm_local_search
               : many_types || !available     ? &duet_algorithm_heft
                                              : &duet_algorithm_lpt);
    add_fast(p, false);
    if (available && duet_tasks(p->instance) <= LOCAL_SEARCH_TASKS) {
        add_row(p, &duet_algorithm_local_search);
    }
    p->slow = p->rows;
    add_fast(p, true);
}

// Takes over another solution's schedule and bound where they are better. `bound` borrows the
// other's certificate; a solution that takes it holds a reference of its own.
static void absorb(portfolio *p, duet_solution *other)
{
    duet_solution *best = p->best;
    duet_bound bound = {
        .name = other->bound_name, .value = other->lower_bound, .certificate = other->certificate};
    if (!p->found || other->makespan < best->makespan) {
        duet_solution_swap_schedules(best, other);
        snprintf(best->found_by, sizeof best->found_by, "%s",
                 other->found_by[0] != '\0' ? other->found_by : other->algorithm);
    }
    p->found = true;
    if (other->bound_name[0] != '\0') {
        duet_solution_offer_bound(best, &bound);
    }
    if (other->certified.certificate.proof != DUET_PROOF_NONE) {
        duet_solution_offer_bound(best,
                                  &(const duet_bound){.name = other->certified.name,
                                                      .value = other->certified.value,
                                                      .certificate = other->certified.certificate});
    }
}

// Runs one row, into a solution of its own.
static outcome run_row(const portfolio *p, size_t number)
{
    const duet_algorithm *row = p->row[number];
    // Of moldable tasks the search finds far more in half of the time than a row in all of it.
    bool half = p->instance->moldable != NULL && p->instance->graph == NULL;
    // Exact has bounds that local-search lacks, and improves schedules, too, the better of the two
    // where many tasks are equal.
    bool searches = row == &duet_algorithm_local_search;
    half = half || (searches && number == 0);
    bool slow = number >= p->slow && p->instance->moldable == NULL;
    int parts = half ? 2 : searches ? LATER_SEARCH_PART : slow ? SLOW_RULE_PART : 1;
    duet_context quiet = duet_context_part(p->context, parts);
    if (p->graph) {
        quiet = duet_graph_rule_context(p->instance, p->context, row);
    }
    quiet.options = NULL;
    quiet.progress = NULL;
    outcome out = {.why = DUET_ERROR_INIT};
    out.code = duet_run_algorithm(p->instance, row, &quiet, &out.solution, &out.why);
    return out;
}

// The searches of small graphs begin from every schedule that was the shortest when it was found.
static void keep_earlier(portfolio *p, duet_solution *other)
{
    other->earlier = p->best->earlier;
    p->best->earlier = other;
}

// Takes what came of a row. Where it lacked time or memory for its whole work, auto counts as
// interrupted.
static void take(portfolio *p, size_t number, outcome *from)
{
    const duet_algorithm *row = p->row[number];
    // A slow rule has a part of the time, and the searches have the rest.
    bool cut = p->found && number >= p->slow && from->code == DUET_E_LIMIT;
    duet_solution *best = p->best;
    duet_solution *solution = from->solution;
    bool missing = solution == NULL && from->code != DUET_E_UNSUPPORTED && !cut;
    bool incomplete = missing || (solution != NULL && solution->interrupted);
    best->interrupted = best->interrupted || incomplete;
    if (incomplete && best->note[0] == '\0' && !duet_context_stop(p->context)) {
        snprintf(best->note, sizeof best->note, "%s", missing ? from->why.message : solution->note);
    }
    if (solution == NULL) {
        if (p->code == DUET_OK && missing) {
            p->code =
                duet_error_set(&p->why, from->code, "%s: %s", row->entry.name, from->why.message);
        }
        return;
    }
    p->from = row == &duet_algorithm_local_search ? DUET_KNOWN_ANNEALED : p->from;
    p->shown = gives_ratio(p->instance, row) && !solution->ratio_void ? row : p->shown;
    if (!row->pace.searches && !solution->interrupted) {
        p->seconds += solution->seconds;
        p->timed++;
    }
    bool beaten = p->found && solution->makespan < best->makespan;
    absorb(p, solution);
    if (beaten && p->graph && duet_graph_rules_are_quick(p->instance)) {
        keep_earlier(p, solution);
    } else {
        duet_solution_free(solution);
    }
}

// Runs rows begin .. end-1 at the same time, and takes what comes of them in their order. Until
// there is a schedule, the first of them runs however late it is.
static void run_batch(portfolio *p, size_t begin, size_t end)
{
    outcome outcomes[MOST_ROWS];
    // A search begins with bounds and a rule.
    bool in_time[2] = {has_time(p, 1) && !is_enough_of_rules(p), has_time(p, 2)};
    const duet_source source = duet_source_current();
#ifdef DUET_WITH_OPENMP
#pragma omp parallel for num_threads((int)(end - begin)) schedule(static, 1) if (end - begin > 1)
#endif
    for (size_t i = begin; i < end; i++) {
        const duet_source own = duet_source_enter(source);
        outcomes[i] = (outcome){.code = DUET_E_LIMIT, .why = DUET_ERROR_INIT};
        if (in_time[p->row[i]->pace.searches] || (i == begin && !p->found) || runs_always(p, i)) {
            outcomes[i] = run_row(p, i);
        }
        duet_source_enter(own);
    }
    for (size_t i = begin; i < end; i++) {
        take(p, i, &outcomes[i]);
    }
}

// As many at a time as there are threads, and memory for as many solutions; one where a rule takes
// less time than a thread to start.
static size_t width(const portfolio *p)
{
    const double worth_a_thread = 1e-3; // seconds
    if (rule_seconds(p) < worth_a_thread) {
        return 1;
    }
    uint64_t each = duet_run_memory(p->instance, false);
    uint64_t room = duet_memory_limit(p->context->memory_limit) / (each > 0 ? each : 1);
    size_t width = (size_t)p->context->threads;
    width = duet_min(width, p->rows);
    width = room < width ? (room > 1 ? (size_t)room : 1) : width;
    return (size_t)duet_threads_startable((int)width);
}

static duet_code run_rows(portfolio *p, size_t begin, size_t behind, duet_error *error)
{
    size_t wide = 0;
    while (begin < behind && is_open(p)) {
        // A search that comes first has the machine for itself: others would take its time where
        // processors are few or busy, and its schedule is mostly the best of all.
        size_t step = 1;
        if (begin > 0 || !p->row[0]->pace.searches) {
            wide = wide > 0 ? wide : width(p);
            step = wide;
        }
        size_t end = duet_min(begin + step, behind);
        run_batch(p, begin, end);
        begin = end;
        if (p->found) {
            duet_context_report(p->context, "heuristics", p->best->lower_bound, p->best->makespan);
        }
    }
    if (!p->found) {
        DUET_ASSERT(p->code != DUET_OK);
        return duet_error_set(error, p->code, "%s", p->why.message);
    }
    return DUET_OK;
}

// What the caller has already is the best at first.
static duet_code take_known(portfolio *p, duet_error *error)
{
    const duet_solution *known = p->context->known;
    duet_solution *copy = NULL;
    if (known == NULL) {
        return DUET_OK;
    }
    duet_code code = duet_solution_create_blank(known->tasks, &copy, error);
    DUET_THEN(code, duet_hint_copy(known, p->instance, copy, error));
    if (code == DUET_OK) {
        duet_solution_finish(copy, p->instance);
        snprintf(copy->algorithm, sizeof copy->algorithm, "%s", known->algorithm);
        absorb(p, copy);
        duet_solution_offer_bound(p->best, &(const duet_bound){.name = known->bound_name,
                                                               .value = known->lower_bound,
                                                               .certificate = known->certificate});
    }
    duet_solution_free(copy);
    return code;
}

// Exact, from the best schedule so far. Where it fails, that one stands. Moldable tasks have
// searches of their own, whose bounds are about sets of one type.
static void search(portfolio *p)
{
    duet_solution *best = p->best;
    if (p->instance->mixed_sets) {
        return;
    }
    if (p->instance->moldable != NULL) {
        int64_t before = best->makespan;
        (void)duet_moldable_search_on(p->instance, p->context, best, NULL);
        if (best->makespan < before) {
            snprintf(best->found_by, sizeof best->found_by, "%s", duet_algorithm_exact.entry.name);
        }
        best->interrupted = best->interrupted || duet_context_stop(p->context);
        return;
    }
    duet_context inner = *p->context;
    inner.options = NULL;
    inner.known = best;
    inner.known_from = p->from;
    duet_solution *solution;
    if (duet_run_algorithm(p->instance, &duet_algorithm_exact, &inner, &solution, NULL) !=
        DUET_OK) {
        return;
    }
    best->interrupted = best->interrupted || solution->interrupted;
    if (best->note[0] == '\0') {
        snprintf(best->note, sizeof best->note, "%s", solution->note);
    }
    absorb(p, solution);
    duet_solution_free(solution);
}

// What is claimed of the best schedule in the end.
static void settle(const portfolio *p)
{
    duet_solution *best = p->best;
    duet_ratio claimed;
    if (best->lower_bound == best->makespan) { // optimal, whatever was cut short
        best->interrupted = false;
        best->note[0] = '\0';
    }
    best->ratio_void = p->instance->graph == NULL && p->shown == NULL &&
                       duet_ratio_on(&duet_algorithm_auto, p->instance, NULL, &claimed) &&
                       !duet_ratio_holds(claimed, best->makespan, best->lower_bound);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    portfolio p = {.instance = instance,
                   .context = context,
                   .graph = instance->graph != NULL && instance->moldable == NULL &&
                            duet_is_available(instance),
                   .best = solution,
                   .why = DUET_ERROR_INIT};
    line_up(&p);
    duet_code code = DUET_OK;
    if (p.graph) {
        code = duet_offer_bound(instance, context, DUET_WANTED_PATH, solution, error);
    } else if (p.row[0] != &duet_algorithm_local_search) { // which has the bounds
        code = duet_offer_cheap_bounds(instance, context, solution, error);
    }
    DUET_THEN(code, take_known(&p, error));
    DUET_THEN(code, run_rows(&p, 0, p.graph ? p.slow : p.rows, error));
    if (code == DUET_OK && p.graph && !p.series && is_open(&p)) {
        code = run_rows(&p, p.slow, p.rows, error);
        duet_context part = duet_context_part(context, DUET_GRAPH_BOUNDS_PART);
        DUET_THEN(code, duet_offer_cheap_bounds(instance, &part, solution, error));
    }
    if (code == DUET_OK && instance->graph != NULL && !p.graph && is_open(&p) && has_time(&p, 1)) {
        code = duet_offer_graph_bound(instance, context, solution, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    // The searches of moldable tasks look at the clock all the time: any rest of it serves them.
    if (is_open(&p) && (p.series || has_time(&p, instance->moldable != NULL ? 0 : 2))) {
        search(&p);
    } else if (is_open(&p)) {
        solution->interrupted = true;
    }
    if (p.series && strcmp(solution->bound_name, "path") == 0 && is_open(&p)) {
        code = duet_offer_cheap_bounds(instance, context, solution, error);
    }
    duet_solution_free(solution->earlier);
    solution->earlier = NULL;
    settle(&p);
    return code;
}

const duet_algorithm duet_algorithm_auto = {
    .entry = {.name = "auto",
              .summary = "the best of all: fast algorithms first, then exact search",
              .guarantee = "4/3; less on identical processors",
              .reference = "",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES | DUET_FEATURE_GRAPHS |
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS | DUET_FEATURE_RIGID},
    .ratio = ratio,
    .moldable_ratio = moldable_ratio,
    .run = run,
    .makes_runs = true,
    .pace = {.searches = true},
};
