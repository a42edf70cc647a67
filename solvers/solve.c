// SPDX-License-Identifier: Apache-2.0
// Running an algorithm or a bound with everything around it: what the instance may have, what the
// options may be, how much memory it takes, how long it took.
#include <duet/check.h>
#include <duet/solve.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/available.h"
#include "core/instance/reality.h"
#include "core/instance/rest.h"
#include "core/nearest.h"
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/graph_search/search.h"
#include "heuristics/improve/improve.h"
#include "solvers/cheap_bounds.h"
#include "solvers/custom.h"
#include "solvers/features.h"
#include "solvers/fixed/fixed.h"
#include "solvers/hint.h"
#include "solvers/registry.h"

// The options of every algorithm beside its own: what can be done with any schedule.
static const duet_option_spec common[] = {
    {.name = "improve",
     .type = DUET_OPTION_BOOLEAN,
     .fallback = "false",
     .unit = "",
     .text = "search for a shorter schedule from the one that the algorithm made"},
    {.name = "gap",
     .type = DUET_OPTION_SHARE,
     .fallback = "0",
     .maximum = 1000 * (int64_t)DUET_BILLION,
     .unit = "",
     .text = "end a search whose schedule is by no more than this above its bound: 0.01 or 1%"},
    {.name = "bound",
     .type = DUET_OPTION_CHOICE,
     .fallback = "best",
     .choices = DUET_WANTED_BOUNDS,
     .unit = "",
     .text = "the lower bound, where the algorithm proves none itself: the best of all that are "
             "quick, or one of these"},
    {.name = NULL}};

const duet_option_spec *duet_common_options(void)
{
    return common;
}

duet_code duet_check_algorithm_options(const duet_entry *algorithm, const duet_options *options,
                                       duet_error *error)
{
    return duet_options_check_both(options, algorithm->options, common, algorithm->name, error);
}

// A ratio is proven of an algorithm that came to its end. One that stopped before its argument held
// has shown none.
static void set_guarantee(const duet_algorithm *algorithm, const duet_instance *instance,
                          const duet_context *context, duet_solution *solution)
{
    duet_ratio ratio;
    solution->guarantee[0] = '\0';
    if (!duet_ratio_on(algorithm, instance, context->options, &ratio)) {
        return;
    }
    if (!solution->ratio_void) {
        duet_ratio_format(ratio, solution->guarantee);
    }
}

// Bytes of a schedule held as runs of equal tasks, where each kind makes as many as it can;
// UINT64_MAX where those are too many to hold it so.
static uint64_t memory_of_runs(const duet_instance *instance)
{
    uint64_t tasks = (uint64_t)duet_tasks(instance);
    uint64_t processors = 0;
    for (size_t t = 0; t < instance->types; t++) {
        processors += (uint64_t)instance->processors[t];
    }
    uint64_t runs = instance->types; // duet_allocation.last cuts a run in two, once per type
    for (size_t i = 0; i < instance->kinds; i++) {
        uint64_t count = (uint64_t)duet_count(instance, i);
        runs += duet_min(count, processors);
    }
    return runs <= tasks / DUET_TASKS_PER_RUN ? runs * sizeof(duet_task_run) : UINT64_MAX;
}

uint64_t duet_run_memory(const duet_instance *instance, bool makes_runs)
{
    // Two schedules, the best and one to compare with it. Per kind: orders, allocation, queues. Per
    // processor that can be of use: its entry in a heap, and events. Per task of a graph: its kind,
    // rank and place, what it waits for, and its entries in queues.
    enum { per_kind = 64, per_processor = 96, per_graph_task = 96 };
    uint64_t tasks = (uint64_t)duet_tasks(instance);
    uint64_t runs = makes_runs ? memory_of_runs(instance) : UINT64_MAX;
    duet_uint128 bytes = 2 * (duet_uint128)tasks * sizeof(duet_placement);
    bytes = runs < UINT64_MAX ? 2 * (duet_uint128)runs : bytes;
    bytes += instance->graph != NULL ? (duet_uint128)tasks * per_graph_task : 0;
    bytes += (duet_uint128)instance->kinds * (per_kind + sizeof(int64_t) * instance->types);
    for (size_t t = 0; t < instance->types; t++) {
        uint64_t processors = (uint64_t)instance->processors[t];
        bytes += (duet_uint128)duet_min(processors, tasks) * per_processor;
    }
    return bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

static duet_code check_memory(const duet_instance *instance, const duet_algorithm *algorithm,
                              const duet_context *context, duet_error *error)
{
    uint64_t needed = duet_run_memory(instance, algorithm->makes_runs);
    size_t limit = duet_memory_limit(context->memory_limit);
    if (needed <= limit) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_LIMIT,
                          "a schedule of %lld tasks takes %llu MiB of memory: expected at most %zu "
                          "MiB (--memory)",
                          (long long)duet_tasks(instance), (unsigned long long)(needed >> 20) + 1,
                          limit >> 20);
}

// Everything that can be said against a run before it begins.
static duet_code check_algorithm(const duet_instance *instance, const duet_algorithm *algorithm,
                                 const duet_context *context, duet_error *error)
{
    const duet_entry *entry = &algorithm->entry;
    const duet_rows rows = {"algorithm", duet_algorithm_entry, context->registry};
    DUET_TRY(duet_check_algorithm_options(entry, context->options, error));
    DUET_TRY(duet_require_handled(entry, duet_demand_of(instance), &rows, error));
    DUET_TRY(duet_instance_ready(instance, error));
    return check_memory(instance, algorithm, context, error);
}

// A solution with room for what the algorithm makes, filled by it.
static duet_code fill_solution(const duet_instance *instance, const duet_algorithm *algorithm,
                               const duet_context *context, duet_solution **out, duet_error *error)
{
    DUET_TRY(duet_solution_create_blank(duet_tasks(instance), out, error));
    if (!algorithm->makes_runs) {
        DUET_TRY(duet_solution_hold_placements(*out, error));
    }
    return algorithm->run(instance, context, *out, error);
}

duet_code duet_run_algorithm(const duet_instance *instance, const duet_algorithm *algorithm,
                             const duet_context *context, duet_solution **out, duet_error *error)
{
    *out = NULL;
    int64_t start = duet_clock_ns();
    DUET_TRY(check_algorithm(instance, algorithm, context, error));
    duet_solution *solution = NULL;
    duet_code code = fill_solution(instance, algorithm, context, &solution, error);
    if (code != DUET_OK) {
        duet_solution_free(solution);
        return code;
    }
    duet_solution_finish(solution, instance);
    set_guarantee(algorithm, instance, context, solution);
    snprintf(solution->algorithm, sizeof solution->algorithm, "%s", algorithm->entry.name);
    solution->seconds = (double)(duet_clock_ns() - start) * 1e-9;
    *out = solution;
    return DUET_OK;
}

duet_code duet_run_online(const duet_instance *instance, const duet_algorithm *algorithm,
                          const duet_context *context, duet_solution **out, duet_error *error)
{
    DUET_ASSERT(algorithm->online && context->reality != NULL);
    *out = NULL;
    duet_code code = check_algorithm(instance, algorithm, context, error);
    DUET_THEN(code, fill_solution(&context->reality->platform, algorithm, context, out, error));
    if (code == DUET_OK) {
        snprintf((*out)->algorithm, sizeof(*out)->algorithm, "%s", algorithm->entry.name);
    } else {
        duet_solution_free(*out);
        *out = NULL;
    }
    return code;
}

duet_code duet_run_bound(const duet_instance *instance, const duet_bound_method *method,
                         const duet_context *context, duet_bound *out, duet_error *error)
{
    const duet_rows rows = {"bound", duet_bound_entry, NULL};
    DUET_TRY(duet_require_handled(&method->entry, duet_demand_of(instance), &rows, error));
    DUET_TRY(duet_instance_ready(instance, error));
    return method->run(instance, context, out, error);
}

static duet_code unknown_name(duet_error *error, const char *what, const char *name,
                              const duet_entry *entry_at(size_t))
{
    char known[400];
    char hint[DUET_NEAREST_HINT];
    duet_nearest nearest = duet_nearest_to(name);
    for (size_t i = 0; entry_at(i) != NULL; i++) {
        duet_nearest_offer(&nearest, entry_at(i)->name);
    }
    return duet_error_set(error, DUET_E_USAGE, "unknown %s '%.40s'%s: expected one of %s", what,
                          name, duet_nearest_hint(&nearest, hint),
                          duet_join_names(entry_at, known, sizeof known));
}

// Option improve: searches for a shorter schedule, down to the bound. The proven ratio still holds,
// as the schedule gets no longer.
static duet_code improve(const duet_instance *instance, const duet_context *context,
                         duet_solution *solution, duet_error *error)
{
    int64_t start = duet_clock_ns();
    duet_improved improved;
    duet_context_report(context, "improve", solution->lower_bound, solution->makespan);
    int64_t target = duet_context_target(context, solution->lower_bound);
    DUET_TRY((duet_instance_features(instance) & DUET_FEATURE_PRECEDENCE) != 0
                 ? duet_graph_search_improve(instance, context, target, solution, &improved, error)
                 : duet_improve(instance, context, target, DUET_IMPROVE_EFFORT, solution, &improved,
                                error));
    if (improved.after < improved.before) {
        char by[sizeof solution->found_by];
        snprintf(by, sizeof by, "%s",
                 solution->found_by[0] == '\0' ? solution->algorithm : solution->found_by);
        snprintf(solution->found_by, sizeof solution->found_by, "%.20s, improved", by);
        duet_solution_count(solution, "improved_from", improved.before);
        duet_solution_count(solution, "improve_exchanges", improved.exchanges);
    }
    solution->interrupted = solution->interrupted || improved.stopped;
    duet_solution_finish(solution, instance);
    solution->seconds += (double)(duet_clock_ns() - start) * 1e-9;
    return DUET_OK;
}

// A custom algorithm may do anything. What duet_solve() gives out is a valid schedule.
static duet_code check_custom(const duet_instance *instance, const duet_solution *solution,
                              duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, solution, NULL, NULL, &fault);
    if (code == DUET_OK || code == DUET_E_MEMORY) {
        return code == DUET_OK ? code : duet_error_set(error, code, "%s", fault.message);
    }
    return duet_error_set(error, DUET_E_USAGE, "algorithm '%s' made no valid schedule: %s",
                          solution->algorithm, fault.message);
}

// The context of an algorithm that option improve follows: a quarter of what is left of the time is
// kept for that, which a search would not leave.
static duet_context leave_time(const duet_context *context)
{
    enum { share = 4 };
    duet_context earlier = *context;
    if (context->deadline_ns != INT64_MAX) {
        earlier.deadline_ns -= (context->deadline_ns - duet_clock_ns()) / share;
    }
    return earlier;
}

// A search that was to end at a gap or with the answer to a deadline, and did, lacked nothing.
static void settle_early_end(const duet_context *context, duet_solution *solution)
{
    int64_t makespan = solution->makespan;
    bool reached = makespan > solution->lower_bound &&
                   makespan <= duet_context_target(context, solution->lower_bound);
    bool decided =
        context->due > 0 && duet_solution_meets(solution, context->due) != DUET_UNDECIDED;
    if (reached && (decided || (context->gap > 0 && solution->lower_bound > 0))) {
        solution->interrupted = false;
        solution->ending = decided ? DUET_ENDED_BY_DEADLINE : DUET_ENDED_BY_GAP;
    }
}

// Runs the algorithm, then checks, bounds and improves its schedule as the case may be.
static duet_code solve(const duet_instance *instance, const duet_algorithm *algorithm,
                       const duet_context *context, duet_solution **out, duet_error *error)
{
    bool improves = duet_option_boolean(context->options, common, "improve");
    duet_code code = DUET_OK;
    if (improves && !duet_is_available(instance)) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "improve=true does not handle releases and busy processors: expected "
                              "local-search, graph-search or auto");
    }
    if (improves) { // refused before the algorithm has run, not after it
        code = instance->moldable == NULL
                   ? duet_improve_memory_check(instance, context, error)
                   : duet_error_set(error, DUET_E_UNSUPPORTED,
                                    "improve=true exchanges sequential tasks, and these are "
                                    "moldable: auto searches on by itself");
    }
    if (code == DUET_OK) {
        duet_context earlier = improves ? leave_time(context) : *context;
        code = duet_run_algorithm(instance, algorithm, &earlier, out, error);
    }
    if (code == DUET_OK && context->custom != NULL) {
        code = check_custom(instance, *out, error);
    }
    if (code == DUET_OK && (*out)->bound_name[0] == '\0') {
        // The algorithm proves no bound. These come on top, and are not part of its time.
        int wanted = duet_option_choice(context->options, common, "bound");
        code = duet_offer_bound(instance, context, (duet_wanted_bound)wanted, *out, error);
        duet_solution_finish(*out, instance);
    }
    if (code == DUET_OK && context->known != NULL) {
        code = duet_hint_keep(context->known, instance, *out, error);
    }
    if (code == DUET_OK && improves) {
        code = improve(instance, context, *out, error);
    }
    if (code == DUET_OK) {
        settle_early_end(context, *out);
    }
    DUET_ASSERT(code != DUET_OK || (*out)->lower_bound <= (*out)->makespan);
    return code;
}

duet_code duet_pick_algorithm(const char *name, duet_context *context, duet_algorithm *row,
                              duet_error *error)
{
    name = name == NULL ? "auto" : name;
    const duet_algorithm *found = duet_find_algorithm(name);
    if (found != NULL) {
        *row = *found;
        return DUET_OK;
    }
    context->custom = duet_registry_find(context->registry, name);
    if (context->custom == NULL) {
        return unknown_name(error, "algorithm", name, duet_algorithm_entry);
    }
    *row = duet_custom_row(context->custom);
    return DUET_OK;
}

// From the caller's schedule, where there is one.
static duet_code solve_plain(const duet_instance *instance, const duet_algorithm *row,
                             const duet_context *given, duet_solution **out, duet_error *error)
{
    duet_context context = *given;
    duet_solution *hint = NULL;
    duet_code code = DUET_OK;
    if (context.start_from != NULL) {
        code = check_algorithm(instance, row, &context, error);
        DUET_THEN(code, duet_hint_create(instance, &context, context.start_from, &hint, error));
        context.known = hint;
    }
    DUET_THEN(code, solve(instance, row, &context, out, error));
    duet_solution_free(hint);
    return code;
}

static duet_code solve_by_name(const duet_instance *instance, const char *algorithm,
                               const duet_params *params, duet_solution **out, duet_error *error)
{
    duet_context context;
    duet_algorithm row = {.run = NULL};
    DUET_TRY(duet_context_init(&context, params, error));
    context.gap = duet_option_billionths(context.options, common, "gap");
    DUET_TRY(duet_pick_algorithm(algorithm, &context, &row, error));
    duet_code code = instance->pins == NULL
                         ? solve_plain(instance, &row, &context, out, error)
                         : duet_fixed_solve(instance, &row, &context, solve_plain, out, error);
    if (code == DUET_OK) {
        duet_solution_set_ending(*out, duet_cancel_requested(context.cancel));
        if (context.due > 0) {
            duet_solution_set_deadline(*out, instance, context.due, NULL);
        }
    } else {
        duet_solution_free(*out);
        *out = NULL;
    }
    return code;
}

duet_code duet_solve(const duet_instance *instance, const char *algorithm,
                     const duet_params *params, duet_solution **out, duet_error *error)
{
    duet_memory_scope scope;
    *out = NULL;
    duet_code code = duet_context_limit_memory(&scope, params, error);
    if (code == DUET_OK) {
        code = solve_by_name(instance, algorithm, params, out, error);
        duet_memory_end(&scope);
    }
    return code;
}

// Where tasks are given: a bound of the rest, with its origin on top, or the end of what is given.
static duet_code compute_bound(const duet_instance *instance, const duet_bound_method *method,
                               const duet_context *context, duet_bound *out, duet_error *error)
{
    if (instance->pins == NULL) {
        return duet_run_bound(instance, method, context, out, error);
    }
    duet_rest rest;
    duet_code code = duet_rest_create(instance, &rest, error);
    if (code == DUET_OK && rest.tasks > 0) {
        code = duet_run_bound(rest.instance, method, context, out, error);
        out->value += rest.origin;
        out->exact[0] = rest.origin == 0 ? out->exact[0] : '\0';
        if (out->certificate.proof == DUET_PROOF_LONGEST) {
            out->certificate.task = rest.task[out->certificate.task];
        }
    }
    if (code == DUET_OK && (rest.tasks == 0 || rest.end > out->value)) {
        duet_bound_release(out);
        out->name = method->entry.name;
        out->value = rest.end;
        out->exact[0] = '\0';
    }
    duet_rest_free(&rest);
    return code;
}

duet_code duet_compute_bound(const duet_instance *instance, const char *bound,
                             const duet_params *params, duet_bound **out, duet_error *error)
{
    const duet_bound_method *found = duet_find_bound(bound);
    *out = NULL;
    if (found == NULL) {
        return unknown_name(error, "bound", bound, duet_bound_entry);
    }
    duet_context context;
    duet_memory_scope scope;
    duet_code code = duet_context_limit_memory(&scope, params, error);
    if (code == DUET_OK) {
        duet_bound *made = duet_alloc(1, sizeof *made, error);
        code = made == NULL ? DUET_E_MEMORY : duet_context_init(&context, params, error);
        DUET_THEN(code, compute_bound(instance, found, &context, made, error));
        if (code == DUET_OK) {
            *out = made;
        } else {
            duet_bound_free(made);
        }
        duet_memory_end(&scope);
    }
    return code;
}
