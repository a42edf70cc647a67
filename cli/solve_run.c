// SPDX-License-Identifier: Apache-2.0
// One run of an algorithm for duet solve: on one platform, or on each of a range.
#include "cli/solve.h"

#include <stdio.h>

#include "cli/what_if.h"
#include "console/exit_code.h"
#include "console/platform.h"
#include "console/print.h"
#include "console/progress.h"
#include "console/ticker.h"
#include "core/system/try.h"

// What "auto" may take where no time is given, in seconds.
static const double default_seconds = 10.0;

// The independent checker sees every schedule before the user does. It looks at the certificate
// last; where there is no memory for that, the bound counts as one that has none.
static duet_code check(const duet_cli_args *args, const duet_instance *instance,
                       const duet_solution *solution, duet_bound_check *bound, duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, solution, NULL, bound, &fault);
    if (code == DUET_E_MEMORY && *bound == DUET_BOUND_UNPROVEN) {
        if (!args->quiet) {
            duet_cli_print(stderr, "duet: note: the certificate was not checked: %s\n",
                           fault.message);
        }
        return DUET_OK;
    }
    if (code == DUET_E_INPUT) {
        return duet_error_set(error, DUET_E_INTERNAL,
                              "a bug in Duet: algorithm %s made an invalid solution: %s",
                              duet_solution_algorithm(solution), fault.message);
    }
    if (code != DUET_OK) {
        *error = fault;
    }
    return code;
}

duet_code duet_cli_solve_run(const duet_cli_args *args, const char *algorithm,
                             const duet_solution *plan, const duet_instance *instance,
                             const duet_cancel *cancel, duet_solution **solution,
                             duet_bound_check *bound, duet_error *error)
{
    duet_cli_progress progress;
    duet_cli_ticker ticker;
    duet_params params = duet_cli_params(args);
    if (algorithm == NULL && params.time_limit <= 0) {
        params.time_limit = default_seconds;
    }
    params.cancel = cancel;
    params.start_from = plan;
    duet_cli_progress_init(&progress, instance, "", args->quiet);
    duet_cli_progress_attach(&progress, &params);
    duet_code code = duet_solve(instance, algorithm, &params, solution, error);
    duet_cli_progress_clear(&progress);
    if (code == DUET_OK) {
        duet_cli_ticker_start(&ticker, "checking the schedule", args->quiet);
        code = check(args, instance, *solution, bound, error);
        duet_cli_ticker_stop(&ticker);
    }
    return code;
}

// A platform on which there is no schedule is a row of the table, too.
static bool is_row(duet_code code)
{
    return code == DUET_E_INFEASIBLE || code == DUET_E_LIMIT || code == DUET_E_UNSUPPORTED;
}

static duet_code solve_point(const duet_cli_args *args, const char *algorithm,
                             const duet_instance *instance, const duet_cancel *cancel,
                             duet_cli_what_if *table, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    duet_bound_check bound;
    duet_code code =
        duet_cli_solve_run(args, algorithm, NULL, instance, cancel, &solution, &bound, &why);
    if (code == DUET_OK) {
        const char *by = duet_solution_found_by(solution);
        duet_cli_point *point = duet_cli_what_if_next(table, instance);
        point->makespan = duet_solution_makespan(solution);
        point->bound = duet_solution_lower_bound(solution);
        snprintf(point->makespan_by, sizeof point->makespan_by, "%s",
                 by[0] == '\0' ? duet_solution_algorithm(solution) : by);
        snprintf(point->bound_by, sizeof point->bound_by, "%s", duet_solution_bound_name(solution));
    } else if (is_row(code)) {
        duet_cli_point *point = duet_cli_what_if_next(table, instance);
        snprintf(point->why, sizeof point->why, "%.150s", why.message);
    } else {
        *error = why;
    }
    duet_solution_free(solution);
    return is_row(code) ? DUET_OK : code;
}

static duet_code solve_all(const duet_cli_args *args, const char *algorithm,
                           duet_instance *instance, const duet_cancel *cancel,
                           duet_cli_what_if *table, duet_error *error)
{
    int64_t count = duet_cli_platform_count(args);
    duet_code code = DUET_OK;
    for (int64_t i = 0; i < count && code == DUET_OK && !duet_cancel_requested(cancel); i++) {
        code = duet_cli_apply_platform(args, args->files[0], instance, i, error);
        code =
            code == DUET_OK ? solve_point(args, algorithm, instance, cancel, table, error) : code;
    }
    bool stopped = duet_cancel_requested(cancel) && (code == DUET_OK || code == DUET_E_CANCELLED);
    if (stopped) {
        fputs("duet: interrupted: these are the platforms so far\n", stderr);
    }
    return stopped && table->count > 0 ? DUET_OK : code;
}

int duet_cli_solve_range(const duet_cli_args *args, const char *algorithm,
                         const duet_cli_what_if_files *files, duet_instance *instance,
                         const duet_cancel *cancel)
{
    duet_error error = DUET_ERROR_INIT;
    duet_cli_what_if table;
    duet_code code = duet_cli_what_if_create(args, args->files[0], instance, &table, &error);
    DUET_THEN(code, solve_all(args, algorithm, instance, cancel, &table, &error));
    duet_cli_what_if_carry(&table);
    DUET_THEN(code, duet_cli_what_if_write(&table, args, files, &error));
    duet_cli_what_if_free(&table);
    return code == DUET_OK ? DUET_CLI_OK : duet_cli_fail(&error);
}
