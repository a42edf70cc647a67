// SPDX-License-Identifier: Apache-2.0
// duet compare: runs bounds and algorithms on one file.

#include "cli/commands.h"
#include "cli/compare/compare.h"
#include "console/load.h"
#include "console/platform.h"
#include "console/plugin.h"
#include "console/progress.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static void take_computed(void *user, const duet_bound *bound)
{
    duet_cli_take_bound(user, duet_bound_value(bound), duet_bound_name(bound));
}

static duet_code run_algorithm(const duet_params *params, duet_cli_comparison *file,
                               const char *name, duet_cli_result *result, duet_error *error)
{
    duet_solution *solution = NULL;
    *result = (duet_cli_result){.algorithm = name, .skipped = DUET_ERROR_INIT};
    duet_code code = duet_solve(file->instance, name, params, &solution, &result->skipped);
    if (code != DUET_OK) {
        *error = duet_cli_may_skip(code) ? *error : result->skipped;
        return duet_cli_may_skip(code) ? DUET_OK : code;
    }
    duet_error fault = DUET_ERROR_INIT;
    code = duet_check_solution(file->instance, solution, NULL, NULL, &fault);
    if (code == DUET_OK && duet_solution_output_failed(solution)) {
        code = duet_error_set(error, DUET_E_OUTPUT, "%s", duet_solution_note(solution));
    } else if (code == DUET_OK) {
        const char *guarantee = duet_solution_guarantee(solution);
        result->makespan = duet_solution_makespan(solution);
        result->lower_bound = duet_solution_lower_bound(solution);
        result->seconds = duet_solution_seconds(solution);
        result->status = duet_solution_status(solution);
        result->interrupted = duet_solution_interrupted(solution);
        result->ending = duet_solution_ending(solution);
        snprintf(result->guarantee, sizeof result->guarantee, "%s",
                 guarantee == NULL ? "" : guarantee);
        duet_cli_take_bound(file, result->lower_bound, duet_solution_bound_name(solution));
        code =
            duet_cli_is_claimed(file->instance, name, params->options, &result->as_claimed, error);
        result->as_claimed = result->as_claimed && !result->interrupted;
        DUET_THEN(code, duet_metrics_create(file->instance, solution, file->watts, &result->metrics,
                                            error));
    } else if (code == DUET_E_INPUT) {
        code = duet_error_set_at(error, DUET_E_INTERNAL, file->path, 0, 0,
                                 "a bug in Duet: algorithm %s made an invalid solution: %s", name,
                                 fault.message);
    } else {
        *error = fault;
    }
    duet_solution_free(solution);
    return code;
}

// Per algorithm and file where -t is not given; the list schedulers end long before.
static const double default_seconds = 10.0;

// An option that no algorithm of the comparison takes is a mistake, not a reason to skip them all.
static duet_code check_options(const duet_cli_args *args, const char *const *names, size_t count,
                               duet_error *error)
{
    duet_error first = DUET_ERROR_INIT;
    for (size_t i = 0; i < count; i++) {
        const duet_entry *entry = duet_cli_find_algorithm(names[i]);
        if (entry == NULL ||
            duet_check_algorithm_options(entry, args->options, &first) == DUET_OK) {
            return DUET_OK;
        }
    }
    if (first.code != DUET_OK) {
        *error = first;
    }
    return first.code;
}

// The algorithms in order, then the solutions that are given.
static duet_code run_all(const duet_params *params, const duet_cli_entrants *entrants, size_t index,
                         duet_cli_comparison *file, duet_error *error)
{
    duet_code code =
        duet_cli_best_bound(file->instance, params, INT64_MAX, take_computed, file, error);
    for (size_t i = 0;
         i < entrants->algorithms && code == DUET_OK && !duet_cancel_requested(params->cancel);
         i++) {
        code = run_algorithm(params, file, entrants->names[i], &file->results[i], error);
        file->count += code == DUET_OK;
    }
    bool whole = file->count == entrants->algorithms;
    return code == DUET_OK && whole ? duet_cli_compare_given(params, entrants, index, file, error)
                                    : code;
}

duet_code duet_cli_compare_file(const duet_cli_args *args, const duet_cli_entrants *entrants,
                                size_t index, const duet_cancel *cancel, duet_cli_comparison *file,
                                duet_error *error)
{
    DUET_TRY(check_options(args, entrants->names, entrants->algorithms, error));
    DUET_TRY(duet_cli_load(args, file->path, &file->instance, error));
    DUET_TRY(duet_cli_apply_platform(args, file->path, file->instance, file->platform, error));
    DUET_TRY(duet_cli_require_platform(file->path, file->instance, error));
    file->results =
        duet_alloc(entrants->algorithms + entrants->given_count + 1, sizeof *file->results, error);
    DUET_NEED(file->results);
    duet_cli_progress progress;
    duet_params params = duet_cli_params(args);
    params.time_limit = params.time_limit > 0 ? params.time_limit : default_seconds;
    params.cancel = cancel;
    duet_cli_progress_init(&progress, file->instance, file->path, args->quiet);
    duet_cli_progress_attach(&progress, &params);
    duet_cli_power power;
    duet_code code = duet_cli_read_power(&entrants->watts, file->instance, &power, error);
    file->watts = &power.watts;
    DUET_THEN(code, run_all(&params, entrants, index, file, error));
    file->watts = NULL;
    duet_cli_progress_clear(&progress);
    return code;
}
