// SPDX-License-Identifier: Apache-2.0
// Algorithm: auto, what `duet solve` runs when none is named.
// Method:    the cheap bounds; then every fast algorithm that handles the instance, in parallel;
//            then a search until the deadline: exact, or where it does not handle the instance
//            annealing of the best schedule, and ilp where its program is small enough. Keeps the
//            best schedule and the best proven bound, and stops as soon as they meet.
// Guarantee: the best ratio of the algorithms that it always runs: dual-4-3 (4/3), lpt on identical
//            processors (4/3 - 1/(3m)).
// Cost:      the sum of theirs. The result does not depend on the number of threads: of equal
//            schedules, the one of the earlier algorithm in the list below is kept.
// Memory:    O(n) per thread.
// Reference: ours; see the algorithms.
#include <stdio.h>

#include "core/allocator.h"
#include "core/memory.h"
#include "core/threads.h"
#include "heuristics/heuristics.h"
#include "heuristics/improve/annealing/annealing.h"
#include "heuristics/rules/guarantee.h"
#include "lp/lp.h"
#include "solvers/cheap_bounds.h"
#include "solvers/features.h"
#include "solvers/registry.h"
#include "solvers/solvers.h"

// Fast algorithms, the most promising first.
static const duet_algorithm *const fast[] = {
    &duet_algorithm_lpt,
    &duet_algorithm_dual_4_3,
    &duet_algorithm_shelf_3_2,
    &duet_algorithm_dualhp,
    &duet_algorithm_heteroprio,
    &duet_algorithm_heft,
    &duet_algorithm_eft,
    &duet_algorithm_er_ls,
    &duet_algorithm_mixeft,
    &duet_algorithm_quickest,
    &duet_algorithm_qa,
    &duet_algorithm_ratio,
    &duet_algorithm_min_min,
    &duet_algorithm_imreh,
    &duet_algorithm_balanced_makespan,
    &duet_algorithm_balanced_estimate,
    &duet_algorithm_local_search,
    &duet_algorithm_sufferage,
    &duet_algorithm_max_min,
};
enum { FAST = sizeof fast / sizeof *fast };

// Rows that name each task, and slow down with their number. Tasks, and where there are other than
// two types, tasks times types, up to which they are fast.
static const struct {
    const duet_algorithm *row;
    int64_t tasks;
    int64_t entries;
} limited[] = {
    {&duet_algorithm_min_min, 100000, 100000},      {&duet_algorithm_imreh, 100000, 0},
    {&duet_algorithm_balanced_makespan, 100000, 0}, {&duet_algorithm_balanced_estimate, 100000, 0},
    {&duet_algorithm_local_search, 20000, 100000},  {&duet_algorithm_sufferage, 100000, 50000},
    {&duet_algorithm_max_min, 100000, 50000},
};

static bool is_fast(const duet_instance *instance, const duet_algorithm *row)
{
    int64_t tasks = duet_tasks(instance);
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++) {
        if (limited[i].row == row) {
            return tasks <= limited[i].tasks &&
                   (instance->types == 2 || tasks * (int64_t)instance->types <= limited[i].entries);
        }
    }
    return true;
}

// Integer variables up to which branch and bound finds something within some seconds.
enum { ILP_COLUMNS = 20000 };

static bool ratio(size_t types, const int64_t *counts, const duet_options *options, duet_ratio *out)
{
    (void)options;
    if (duet_ratio_lpt(types, counts, NULL, out)) {
        return true;
    }
    return duet_algorithm_dual_4_3.ratio(types, counts, NULL, out);
}

// Takes over another solution's schedule and bound where they are better. `bound` borrows the
// other's certificate; a solution that takes it holds a reference of its own.
static void absorb(duet_solution *best, duet_solution *other, bool *found)
{
    duet_bound bound = {
        .name = other->bound_name, .value = other->lower_bound, .certificate = other->certificate};
    if (!*found || other->makespan < best->makespan) {
        duet_solution_swap_schedules(best, other);
        snprintf(best->found_by, sizeof best->found_by, "%s", other->algorithm);
    }
    *found = true;
    if (other->bound_name[0] != '\0') {
        duet_solution_offer_bound(best, &bound);
    }
}

// What came of an algorithm: a solution, or why there is none.
typedef struct outcome {
    duet_solution *solution;
    duet_code code;
    duet_error why;
} outcome;

// Runs one algorithm, into a solution of its own. The first one always runs, since there must be a
// schedule; the others do not run after the deadline.
static void run_one(const duet_instance *instance, const duet_context *context, size_t index,
                    outcome *out)
{
    duet_context quiet = *context;
    quiet.options = NULL;
    quiet.progress = NULL;
    out->why = (duet_error)DUET_ERROR_INIT;
    out->solution = NULL;
    out->code = is_fast(instance, fast[index]) ? DUET_E_LIMIT : DUET_E_UNSUPPORTED;
    if (out->code == DUET_E_UNSUPPORTED) {
        return;
    }
    if (index == 0 || !duet_context_stop(context)) {
        out->code = duet_run_algorithm(instance, fast[index], &quiet, &out->solution, &out->why);
    }
}

// Whether fast[index] is the algorithm whose ratio auto claims on this platform.
static bool gives_ratio(const duet_instance *instance, size_t index)
{
    duet_ratio unused;
    bool identical = duet_ratio_lpt(instance->types, instance->processors, NULL, &unused);
    return fast[index] == (identical ? &duet_algorithm_lpt : &duet_algorithm_dual_4_3);
}

// Takes what came of fast[index]. Where it lacked time or memory for its whole work, auto counts as
// interrupted; where it is also the algorithm whose ratio auto claims, the ratio is void.
static void take(const duet_instance *instance, const duet_context *context, duet_solution *best,
                 size_t index, outcome *from, bool *found)
{
    duet_solution *solution = from->solution;
    bool missing = solution == NULL && from->code != DUET_E_UNSUPPORTED;
    bool incomplete = missing || (solution != NULL && solution->interrupted);
    bool unproven = missing || (solution != NULL && solution->ratio_void);
    best->interrupted = best->interrupted || incomplete;
    best->ratio_void = best->ratio_void || (unproven && gives_ratio(instance, index));
    if (incomplete && best->note[0] == '\0' && !duet_context_stop(context)) {
        snprintf(best->note, sizeof best->note, "%s", missing ? from->why.message : solution->note);
    }
    if (solution != NULL) {
        absorb(best, solution, found);
        duet_solution_free(solution);
    }
}

// Runs the fast algorithms, `width` at a time: there are as many threads, and memory for as many
// solutions. The outcomes are absorbed in the order of the list.
static duet_code run_fast(const duet_instance *instance, const duet_context *context,
                          duet_solution *best, bool *found, duet_error *error)
{
    uint64_t each = duet_run_memory(instance, false);
    uint64_t room = duet_memory_limit(context->memory_limit) / (each > 0 ? each : 1);
    size_t width = (size_t)(context->threads < FAST ? context->threads : FAST);
    width = room < width ? (room > 1 ? (size_t)room : 1) : width;
    width = (size_t)duet_threads_startable((int)width);
    for (size_t begin = 0; begin < FAST; begin += width) {
        size_t end = begin + width < FAST ? begin + width : FAST;
        outcome outcomes[FAST];
        const duet_allocator *allocator = duet_allocator_current();
#ifdef DUET_WITH_OPENMP
#pragma omp parallel for num_threads((int)width) schedule(static, 1) if (width > 1)
#endif
        for (size_t i = begin; i < end; i++) {
            const duet_allocator *own = duet_allocator_enter(allocator);
            run_one(instance, context, i, &outcomes[i]);
            duet_allocator_enter(own);
        }
        for (size_t i = begin; i < end; i++) {
            take(instance, context, best, i, &outcomes[i], found);
        }
        if (!*found) {
            const outcome *first = &outcomes[0];
            return duet_error_set(error, first->code, "%s: %s", fast[0]->entry.name,
                                  first->why.message);
        }
        duet_context_report(context, "heuristics", best->lower_bound, best->makespan);
        if (best->lower_bound == best->makespan) {
            break;
        }
    }
    return DUET_OK;
}

// Whether the integer program, which has a variable per kind and processor, is small enough.
static bool worth_branching(const duet_instance *instance)
{
    duet_int128 columns = 0;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t processors = instance->processors[t];
        int64_t tasks = duet_tasks(instance);
        columns += (duet_int128)instance->kinds * (processors < tasks ? processors : tasks);
    }
    return duet_lp_available() && columns <= ILP_COLUMNS;
}

static void search(const duet_instance *instance, const duet_context *context,
                   const duet_algorithm *algorithm, duet_solution *best, bool *found)
{
    duet_context inner = *context;
    inner.options = NULL;
    duet_solution *solution;
    // Where it fails, the schedule found so far stands.
    if (duet_run_algorithm(instance, algorithm, &inner, &solution, NULL) == DUET_OK) {
        best->interrupted = best->interrupted || solution->interrupted;
        if (best->note[0] == '\0') {
            snprintf(best->note, sizeof best->note, "%s", solution->note);
        }
        absorb(best, solution, found);
        duet_solution_free(solution);
    }
}

// Anneals the best schedule: for all of the time where nothing is searched after it, else for a
// half at most, and not long where the tasks are few. Where it fails, or there is too little
// memory, the schedule stays as it is.
static void anneal(const duet_instance *instance, const duet_context *context, bool branches,
                   duet_solution *best)
{
    enum { untimed_moves = 20000000, moves_a_pair = 2000, many_tasks = 1000000 };
    bool endless = context->deadline_ns == INT64_MAX;
    int64_t tasks = best->tasks < many_tasks ? best->tasks : many_tasks;
    int64_t moves = branches || endless ? tasks * tasks * moves_a_pair : INT64_MAX;
    moves = endless && moves > untimed_moves ? untimed_moves : moves;
    duet_context half = *context;
    if (branches && !endless) {
        half.deadline_ns -= (context->deadline_ns - duet_clock_ns()) / 2;
    }
    duet_annealer *annealer;
    duet_annealed annealed;
    if (duet_run_memory(instance, false) > duet_memory_limit(context->memory_limit) ||
        duet_annealer_create(instance, &half, &annealer, NULL) != DUET_OK) {
        return;
    }
    duet_code code =
        duet_annealer_run(annealer, &half, best->lower_bound, moves, best, &annealed, NULL);
    if (code == DUET_OK && annealed.after < annealed.before) {
        snprintf(best->found_by, sizeof best->found_by, "annealing");
    }
    best->interrupted = best->interrupted || annealed.stopped;
    duet_context_report(context, "annealing", best->lower_bound, best->makespan);
    duet_annealer_free(annealer);
}

static duet_code run(const duet_instance *instance, const duet_context *context,
                     duet_solution *solution, duet_error *error)
{
    bool found = false;
    duet_code code = duet_offer_cheap_bounds(instance, context, solution, error);
    if (code == DUET_OK) {
        code = run_fast(instance, context, solution, &found, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    if (solution->lower_bound < solution->makespan && !duet_context_stop(context)) {
        if (duet_handles(&duet_algorithm_exact.entry, duet_demand_of(instance))) {
            search(instance, context, &duet_algorithm_exact, solution, &found);
        } else {
            anneal(instance, context, worth_branching(instance), solution);
            if (worth_branching(instance) && solution->lower_bound < solution->makespan) {
                search(instance, context, &duet_algorithm_ilp, solution, &found);
            }
        }
    }
    if (solution->lower_bound == solution->makespan) { // optimal, whatever was cut short
        solution->interrupted = false;
        solution->ratio_void = false;
        solution->note[0] = '\0';
    }
    return DUET_OK;
}

const duet_algorithm duet_algorithm_auto = {
    .entry = {.name = "auto",
              .summary = "the best of all: fast algorithms first, then exact search",
              .guarantee = "4/3; less on identical processors",
              .reference = "",
              .handles = DUET_HANDLES_ANY_TYPES},
    .ratio = ratio,
    .run = run,
    .makes_runs = true,
};
