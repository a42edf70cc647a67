// SPDX-License-Identifier: Apache-2.0
// Algorithm: local-search.
// Method:    local search (heuristics/improve/improve.h) from two schedules, until one meets the
//            bound or the effort is spent. The first schedule is that of lpt. The second is, on two
//            types, the allocation that the knapsack bound comes from, longest first on each type;
//            elsewhere it is that of heft. The better one is then annealed
//            (heuristics/improve/annealing/annealing.h), and what comes of it searched again. The
//            bound is the best of the cheap ones and, on two types, the knapsack bound. The best
//            schedule is kept.
// Guarantee: that of lpt, whose schedule is never made longer: 4/3 - 1/(3m) on identical
//            processors.
// Cost:      for each start O(n log n) and some hundredths of a second per 10 of effort, and as
//            long for annealing.
// Memory:    O(n).
// Reference: see heuristics/improve/improve.h and dp/knapsack/knapsack.h.
#include <stdio.h>
#include <string.h>

#include "core/instance/available.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/knapsack/knapsack.h"
#include "heuristics/engine/longest_first.h"
#include "heuristics/heuristics.h"
#include "heuristics/improve/annealing/annealing.h"
#include "heuristics/improve/improve.h"
#include "heuristics/rules/rules.h"
#include "solvers/cheap_bounds.h"
#include "solvers/hint.h"
#include "solvers/released/released.h"
#include "solvers/solvers.h"

static const duet_option_spec options[] = {
    {.name = "effort",
     .type = DUET_OPTION_INTEGER,
     .fallback = "10",
     .minimum = 1,
     .maximum = 1000000,
     .unit = "",
     .text = "how long to search for a shorter schedule: 10 is some hundredths of a second"},
    {.name = NULL}};

// Moves that annealing proposes for each unit of effort, at most, and at most for each task, too;
// and how many it needs at least for each task.
enum { MOVES = 200000, MOST_MOVES_A_TASK = 2000, LEAST_MOVES_A_TASK = 20 };

typedef struct search {
    const duet_instance *instance;
    const duet_context *context; // without options
    int64_t effort;
    duet_solution *best; // holds the bound, too
    duet_solution *trial;
    int64_t exchanges;
    int64_t moves;  // proposed by annealing
    int64_t start;  // makespan of the schedule that the best came from
    const char *by; // the list scheduler whose schedule the best still is; "": none
    bool found;
    bool stopped;
} search;

// The longest makespan that ends the search.
static int64_t target(const search *s)
{
    return duet_context_target(s->context, s->best->lower_bound);
}

static bool is_open(const search *s)
{
    return !s->found || s->best->makespan > target(s);
}

// Improves the trial, which is the schedule of `by`, and takes it where it is the best so far.
static duet_code take(search *s, const char *by, duet_error *error)
{
    duet_improved improved = {.stopped = duet_context_stop(s->context)};
    duet_code code = DUET_OK;
    if (improved.stopped) { // the search's start alone would take as long as the schedule did
        improved.before = improved.after = duet_solution_measure(s->trial, s->instance);
    } else {
        code =
            duet_improve(s->instance, s->context, target(s), s->effort, s->trial, &improved, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    s->stopped = s->stopped || improved.stopped;
    if (s->found && improved.after >= s->best->makespan) {
        return DUET_OK;
    }
    const duet_placement *placement = duet_solution_placements(s->trial);
    if (placement == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory for a schedule");
    }
    memcpy(s->best->placement, placement, (size_t)s->best->tasks * sizeof *placement);
    s->best->makespan = improved.after;
    s->exchanges = improved.exchanges;
    s->start = improved.before;
    s->by = improved.after < improved.before ? "" : by;
    s->found = true;
    return DUET_OK;
}

// Starts from the schedule of a list scheduler.
static duet_code start_from(search *s, const duet_algorithm *algorithm, duet_error *error)
{
    DUET_TRY(algorithm->run(s->instance, s->context, s->trial, error));
    return take(s, algorithm->entry.name, error);
}

// Raises the bound by the knapsack bound.
static duet_code raise_bound(search *s, duet_error *error)
{
    duet_bound bound = {.name = s->best->bound_name,
                        .value = s->best->lower_bound,
                        .certificate = s->best->certificate};
    DUET_TRY(duet_knapsack_raise(s->instance, s->context, s->best->makespan, &bound, error));
    if (bound.value > s->best->lower_bound) {
        duet_solution_offer_bound(s->best, &bound);
    }
    return DUET_OK;
}

// Divides an allocation of the classes among their kinds. A kind that takes no time on a type is in
// no class, and goes to that type.
static void allocate(const duet_instance *instance, const duet_classes *classes, int64_t *on_cpu,
                     duet_allocation *allocation)
{
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t count = duet_count(instance, i);
        size_t class = classes->of_kind[i];
        int64_t cpus = duet_allowed(instance, i, 0) && duet_time(instance, i, 0) == 0 ? count : 0;
        if (class != SIZE_MAX) {
            cpus = duet_min(on_cpu[class], count);
            on_cpu[class] -= cpus;
        }
        allocation->share[2 * i] = cpus;
        allocation->share[2 * i + 1] = count - cpus;
    }
}

// Starts from an allocation of the classes, longest first on each type.
static duet_code start_from_allocation(search *s, const duet_classes *classes, int64_t *on_cpu,
                                       duet_error *error)
{
    duet_allocation allocation;
    DUET_TRY(duet_allocation_create(s->instance, &allocation, error));
    allocate(s->instance, classes, on_cpu, &allocation);
    duet_code code = duet_schedule_longest_first(s->instance, &allocation, s->trial, error);
    duet_allocation_free(&allocation);
    return code == DUET_OK ? take(s, "", error) : code;
}

// Starts from the allocation that the knapsack finds at the bound, if its lists of states stay
// short enough.
static duet_code start_from_knapsack(search *s, duet_error *error)
{
    duet_classes classes;
    int64_t weight[2];
    duet_knapsack_answer answer = {.fits = false};
    DUET_TRY(duet_classes_create(s->instance, s->best->lower_bound, &classes, error));
    int64_t *on_cpu = duet_alloc(classes.count, sizeof *on_cpu, error);
    duet_code code = on_cpu == NULL ? DUET_E_MEMORY : duet_classes_weights(&classes, weight, error);
    DUET_THEN(code, duet_knapsack_decide(&classes, weight, s->context, on_cpu, &answer, error));
    if (code == DUET_OK && answer.fits) {
        code = start_from_allocation(s, &classes, on_cpu, error);
    }
    duet_free(on_cpu);
    duet_classes_free(&classes);
    return code;
}

// Anneals the best schedule, and partitions pairs of processors anew in what comes of it.
static duet_code anneal_best(search *s, duet_annealer *annealer, duet_error *error)
{
    duet_annealed annealed;
    const duet_placement *placement = duet_solution_placements(s->best);
    DUET_TRY(duet_solution_hold_placements(s->trial, error));
    memcpy(s->trial->placement, placement, (size_t)s->best->tasks * sizeof *placement);
    s->trial->makespan = s->best->makespan;
    int64_t moves = duet_min(s->best->tasks * MOST_MOVES_A_TASK, MOVES);
    DUET_TRY(duet_annealer_run(annealer, s->context, target(s), s->effort * moves, s->trial,
                               &annealed, error));
    s->moves += annealed.moves;
    s->stopped = s->stopped || annealed.stopped;
    return annealed.after < annealed.before ? take(s, "", error) : DUET_OK;
}

// Anneals if there is memory for it, and if the tasks are few enough for many moves each.
static duet_code anneal(search *s, duet_error *error)
{
    duet_annealer *annealer;
    if (!is_open(s) || duet_context_stop(s->context) ||
        s->best->tasks > s->effort * MOVES / LEAST_MOVES_A_TASK) {
        s->stopped = s->stopped || duet_context_stop(s->context);
        return DUET_OK;
    }
    duet_code code = duet_annealer_create(s->instance, s->context, &annealer, error);
    if (code != DUET_OK) {
        return code == DUET_E_LIMIT ? DUET_OK : code;
    }
    code = anneal_best(s, annealer, error);
    duet_annealer_free(annealer);
    return code;
}

static duet_code solve(search *s, duet_error *error)
{
    bool two = s->instance->types == 2;
    duet_code code = duet_offer_cheap_bounds(s->instance, s->context, s->best, error);
    DUET_THEN(code, start_from(s, &duet_algorithm_lpt, error));
    if (code == DUET_OK && s->context->known != NULL && is_open(s)) {
        code = duet_hint_copy(s->context->known, s->instance, s->trial, error);
        DUET_THEN(code, take(s, "", error));
    }
    if (code == DUET_OK && two && is_open(s) && !duet_context_stop(s->context)) {
        code = raise_bound(s, error);
    }
    duet_context_report(s->context, "local-search", s->best->lower_bound, s->best->makespan);
    if (code != DUET_OK || !is_open(s)) {
        return code;
    }
    if (duet_context_stop(s->context)) {
        s->stopped = true;
        return DUET_OK;
    }
    DUET_TRY(two ? start_from_knapsack(s, error) : start_from(s, &duet_algorithm_heft, error));
    return anneal(s, error);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    if (!duet_is_available(instance)) {
        return duet_released_search(instance, context, 0, solution, error);
    }
    duet_context inner = *context;
    inner.options = NULL;
    search s = {.instance = instance,
                .context = &inner,
                .effort = duet_option_integer(context->options, options, "effort"),
                .best = solution,
                .by = ""};
    duet_code code = duet_solution_create(solution->tasks, &s.trial, error);
    DUET_THEN(code, solve(&s, error));
    if (code == DUET_OK) {
        solution->interrupted = s.stopped && is_open(&s);
        snprintf(solution->found_by, sizeof solution->found_by, "%s", s.by);
        duet_solution_count(solution, "start", s.start);
        duet_solution_count(solution, "exchanges", s.exchanges);
        duet_solution_count(solution, "moves", s.moves);
    }
    duet_solution_free(s.trial);
    return code;
}

const duet_algorithm duet_algorithm_local_search = {
    .entry = {.name = "local-search",
              .summary = "lpt and the knapsack's allocation, improved by exchanges of tasks",
              .guarantee = "4/3 - 1/(3m) without GPUs",
              .reference = "",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_ANY_TYPES,
              .options = options},
    .ratio = duet_ratio_lpt,
    .run = run,
    .pace = {.searches = true},
};
