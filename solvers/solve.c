// SPDX-License-Identifier: Apache-2.0
// Solving an instance by the name of an algorithm, and bounding it by that of a bound, with all
// that comes before and behind: the schedule to start from, what is given, the bound, the
// improvement.
#include <duet/check.h>
#include <duet/solve.h>

#include <stdio.h>

#include "core/instance/available.h"
#include "core/instance/rest.h"
#include "core/names.h"
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
#include "solvers/run.h"
#include "solvers/start_early.h"

// Runs one bound with its requirements checked.
static duet_code run_bound(const duet_instance *instance, const duet_bound_method *method,
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

// A row that does not handle the instance is refused with the names of those that do.
static duet_code require(const duet_instance *instance, const duet_algorithm *algorithm,
                         const duet_context *context, duet_error *error)
{
    const duet_rows rows = {"algorithm", duet_algorithm_entry, context->registry};
    DUET_TRY(duet_check_algorithm_options(&algorithm->entry, context->options, error));
    return duet_require_handled(&algorithm->entry, duet_demand_of(instance), &rows, error);
}

// Runs the algorithm, then checks, bounds and improves its schedule as the case may be.
static duet_code solve(const duet_instance *instance, const duet_algorithm *algorithm,
                       const duet_context *context, duet_solution **out, duet_error *error)
{
    bool improves = duet_option_boolean(context->options, duet_common_options(), "improve");
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
        code = require(instance, algorithm, context, error);
        DUET_THEN(code, duet_run_algorithm(instance, algorithm, &earlier, out, error));
    }
    if (code == DUET_OK && context->custom != NULL) {
        code = check_custom(instance, *out, error);
    }
    if (code == DUET_OK && (*out)->bound_name[0] == '\0') {
        // The algorithm proves no bound. These come on top, and are not part of its time.
        int wanted = duet_option_choice(context->options, duet_common_options(), "bound");
        code = duet_offer_bound(instance, context, (duet_wanted_bound)wanted, *out, error);
        duet_solution_finish(*out, instance);
    }
    if (code == DUET_OK && context->known != NULL) {
        code = duet_hint_keep(context->known, instance, *out, error);
    }
    if (code == DUET_OK && improves) {
        code = improve(instance, context, *out, error);
    }
    if (code == DUET_OK && (improves || algorithm->pace.searches)) {
        duet_start_early(instance, context, *out);
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

// From the caller's schedule, where there is one. A row that does not handle the instance is
// refused with the names of those that do.
static duet_code solve_plain(const duet_instance *instance, const duet_algorithm *row,
                             const duet_context *given, duet_solution **out, duet_error *error)
{
    duet_context context = *given;
    duet_solution *hint = NULL;
    duet_code code = DUET_OK;
    if (context.start_from != NULL) {
        code = require(instance, row, &context, error);
        DUET_THEN(code, duet_check_run(instance, row, &context, error));
        DUET_THEN(code, duet_hint_create(instance, &context, context.start_from, &hint, error));
        context.known = hint;
        context.known_from = DUET_KNOWN_GIVEN;
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
    context.gap = duet_option_billionths(context.options, duet_common_options(), "gap");
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
        return run_bound(instance, method, context, out, error);
    }
    duet_rest rest;
    duet_code code = duet_rest_create(instance, &rest, error);
    if (code == DUET_OK && rest.tasks > 0) {
        code = run_bound(rest.instance, method, context, out, error);
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
