// SPDX-License-Identifier: Apache-2.0
// What the search found, looked at by others: as an instance of its own, by duet_solve(), the
// independent checker and `exact`, as its user would. (exact handles no edges: of a graph all
// schedules are tried once more.)
#include <inttypes.h>

#include "bench/run/exhaustive.h"
#include "bench/search/search.h"
#include "console/plugin.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/try.h"

// Some seconds.
static const int64_t most_nodes = 100000000;

static void refuse(duet_search_find *find, const char *why)
{
    find->value.outcome = DUET_SEARCH_FAULT;
    snprintf(find->fault, sizeof find->fault, "%.250s", why);
}

// What is left of the time limit, within reason.
static double seconds_for(const duet_search_settings *settings, double elapsed)
{
    static const double at_least = 1;
    static const double at_most = 10;
    double left = settings->seconds > 0 ? settings->seconds - elapsed : at_most;
    return left < at_least ? at_least : duet_min(left, at_most);
}

// Solves within what the context leaves. *cut: a limit or the user ended it before it had said all
// it has to say, if it has a solution at all.
static duet_code solve(const duet_context *context, const duet_instance *instance, const char *name,
                       const duet_options *options, duet_solution **solution, bool *cut,
                       duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    params.options = options;
    params.registry = duet_cli_plugins();
    params.cancel = context->cancel;
    double left = duet_context_seconds_left(context);
    params.time_limit = duet_max(left, 1e-6); // nothing would be no limit
    duet_code code = duet_solve(instance, name, &params, solution, error);
    *cut = code == DUET_E_LIMIT || code == DUET_E_CANCELLED || duet_context_stop(context) ||
           (code == DUET_OK && duet_solution_interrupted(*solution));
    return code == DUET_E_LIMIT || code == DUET_E_CANCELLED ? DUET_OK : code;
}

// Runs the algorithm once more and has its schedule checked.
static duet_code check_schedule(const duet_search_settings *settings, const duet_context *context,
                                const duet_instance *instance, duet_search_find *find, bool *cut,
                                duet_error *error)
{
    duet_solution *solution = NULL;
    const char *name = settings->algorithm->entry.name;
    duet_code code = solve(context, instance, name, settings->options, &solution, cut, error);
    if (code != DUET_OK || solution == NULL) {
        return code;
    }
    duet_error why = DUET_ERROR_INIT;
    int64_t makespan = duet_solution_makespan(solution);
    duet_code checked = duet_check_solution(instance, solution, NULL, NULL, &why);
    if (checked == DUET_E_MEMORY) {
        code = duet_error_set(error, checked, "%s", why.message);
    } else if (checked != DUET_OK) {
        refuse(find, why.message);
    } else if (makespan != find->value.makespan && !*cut) {
        code = duet_error_set(error, DUET_E_INTERNAL,
                              "%s: makespan %" PRId64 " in the search, %" PRId64 " alone", name,
                              find->value.makespan, makespan);
    }
    duet_solution_free(solution);
    return code;
}

// Of a graph: the optimum by every schedule, to the end.
static duet_code check_graph(const duet_instance *instance, const duet_search_find *find,
                             bool *confirmed, duet_error *error)
{
    int64_t optimum = duet_exhaustive_within(instance, find->value.makespan, most_nodes);
    *confirmed = optimum == find->value.optimum;
    if (optimum < 0 || *confirmed) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_INTERNAL,
                          "optimum %" PRId64 " in the search, %" PRId64 " by trying all schedules",
                          find->value.optimum, optimum);
}

static duet_code check_optimum(const duet_context *context, const duet_instance *instance,
                               const duet_search_find *find, bool *confirmed, duet_error *error)
{
    duet_solution *solution = NULL;
    bool cut;
    duet_code code = solve(context, instance, "exact", NULL, &solution, &cut, error);
    if (code != DUET_OK || solution == NULL) {
        return code;
    }
    int64_t makespan = duet_solution_makespan(solution);
    *confirmed = duet_solution_status(solution) == DUET_OPTIMAL;
    if (makespan < find->value.optimum || (*confirmed && makespan != find->value.optimum)) {
        *confirmed = false;
        code = duet_error_set(error, DUET_E_INTERNAL,
                              "optimum %" PRId64 " in the search, %" PRId64 " by exact",
                              find->value.optimum, makespan);
    }
    duet_solution_free(solution);
    return code;
}

duet_code duet_search_confirm(const duet_search_settings *settings, const duet_cancel *cancel,
                              double elapsed, duet_search_find *find, bool *confirmed,
                              duet_error *error)
{
    *confirmed = false;
    if (find->value.outcome == DUET_SEARCH_FAULT) {
        return DUET_OK;
    }
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = seconds_for(settings, elapsed);
    params.cancel = cancel;
    duet_context context;
    duet_context_init(&context, &params, NULL);
    duet_instance *instance;
    duet_code code = duet_search_instance(&find->point, "found", &instance, error);
    bool cut = false;
    DUET_THEN(code, check_schedule(settings, &context, instance, find, &cut, error));
    if (code == DUET_OK && !cut && find->value.outcome != DUET_SEARCH_FAULT &&
        duet_search_edges(&find->point) > 0) {
        code = check_graph(instance, find, confirmed, error);
    } else if (code == DUET_OK && !cut && find->value.outcome != DUET_SEARCH_FAULT) {
        code = check_optimum(&context, instance, find, confirmed, error);
    }
    duet_instance_free(instance);
    return code;
}
