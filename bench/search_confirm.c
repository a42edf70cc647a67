// SPDX-License-Identifier: Apache-2.0
// What the search found, looked at by others: as an instance of its own, by duet_solve(), the
// independent checker and `exact`, as its user would.
#include <inttypes.h>

#include "bench/search.h"

static void refuse(duet_search_find *find, const char *why)
{
    find->value.outcome = DUET_SEARCH_FAULT;
    snprintf(find->fault, sizeof find->fault, "%.250s", why);
}

// Runs the algorithm once more and has its schedule checked.
static duet_code check_schedule(const duet_search_settings *settings, const duet_instance *instance,
                                duet_search_find *find, duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    params.options = settings->options;
    duet_solution *solution;
    const char *name = settings->algorithm->entry.name;
    duet_code code = duet_solve(instance, name, &params, &solution, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_error why = DUET_ERROR_INIT;
    int64_t makespan = duet_solution_makespan(solution);
    if (duet_check_solution(instance, solution, NULL, &why) != DUET_OK) {
        refuse(find, why.message);
    } else if (makespan != find->value.makespan) {
        code = duet_error_set(error, DUET_E_INTERNAL,
                              "%s: makespan %" PRId64 " in the search, %" PRId64 " alone", name,
                              find->value.makespan, makespan);
    }
    duet_solution_free(solution);
    return code;
}

static duet_code check_optimum(const duet_instance *instance, const duet_search_find *find,
                               bool *confirmed, duet_error *error)
{
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = 10; // what it has not settled by then stays unconfirmed
    duet_solution *solution;
    duet_code code = duet_solve(instance, "exact", &params, &solution, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t makespan = duet_solution_makespan(solution);
    *confirmed = duet_solution_status(solution) == DUET_OPTIMAL;
    if (makespan < find->value.optimum || (*confirmed && makespan != find->value.optimum)) {
        code = duet_error_set(error, DUET_E_INTERNAL,
                              "optimum %" PRId64 " in the search, %" PRId64 " by exact",
                              find->value.optimum, makespan);
    }
    duet_solution_free(solution);
    return code;
}

duet_code duet_search_confirm(const duet_search_settings *settings, duet_search_find *find,
                              bool *confirmed, duet_error *error)
{
    *confirmed = false;
    if (find->value.outcome == DUET_SEARCH_FAULT) {
        return DUET_OK;
    }
    duet_instance *instance;
    duet_code code = duet_search_instance(&find->point, "found", &instance, error);
    if (code == DUET_OK) {
        code = check_schedule(settings, instance, find, error);
    }
    if (code == DUET_OK) {
        code = check_optimum(instance, find, confirmed, error);
    }
    duet_instance_free(instance);
    return code;
}
