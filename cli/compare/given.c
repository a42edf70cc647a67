// SPDX-License-Identifier: Apache-2.0
// Solutions that other software found, beside the algorithms of a comparison.
#include <string.h>

#include "cli/compare/compare.h"
#include "console/paths.h"
#include "core/system/try.h"

// The entry of a name that is about the file with this index: the only one, or the index-th.
static const duet_cli_given *find_entry(const duet_cli_entrants *entrants, const char *name,
                                        size_t index)
{
    const duet_cli_given *last = NULL;
    size_t found = 0;
    for (size_t i = 0; i < entrants->given_count; i++) {
        if (strcmp(entrants->given[i].name, name) == 0) {
            last = &entrants->given[i];
            if (found++ == index) {
                return last;
            }
        }
    }
    return found == 1 ? last : NULL;
}

static bool stands_before(const duet_cli_entrants *entrants, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (strcmp(entrants->given[i].name, entrants->given[at].name) == 0) {
            return true;
        }
    }
    return false;
}

// A bound that is certified counts for the whole file.
static void take(duet_cli_comparison *file, const duet_solution *solution, duet_bound_check check,
                 duet_cli_result *result)
{
    result->makespan = duet_solution_makespan(solution);
    result->seconds = duet_solution_seconds(solution);
    result->status = DUET_FEASIBLE;
    result->lower_bound = DUET_FORBIDDEN;
    if (check == DUET_BOUND_CERTIFIED && duet_solution_lower_bound(solution) > 0) {
        result->lower_bound = duet_solution_lower_bound(solution);
        duet_cli_take_bound(file, result->lower_bound, duet_solution_bound_name(solution));
    }
}

// A file that cannot be read, or that is no schedule, leaves the result out, with the reason.
static duet_code judge(const char *path, const duet_params *params, duet_cli_comparison *file,
                       duet_cli_result *result, duet_error *error)
{
    duet_solution *solution = NULL;
    duet_error fault = DUET_ERROR_INIT;
    duet_bound_check check = DUET_BOUND_NONE;
    duet_code code = duet_read_solution(path, NULL, file->instance, &solution, &fault);
    result->fault = code == DUET_OK ? DUET_CLI_GIVEN_INVALID : DUET_CLI_GIVEN_UNREADABLE;
    DUET_THEN(code, duet_check_solution(file->instance, solution, params, &check, &fault));
    if (code == DUET_OK) {
        result->fault = DUET_CLI_GIVEN_GOOD;
        duet_solution_to_ticks(solution, file->instance);
        take(file, solution, check, result);
        code = duet_metrics_create(file->instance, solution, file->watts, &result->metrics, error);
    } else if (code == DUET_E_LIMIT && result->fault == DUET_CLI_GIVEN_INVALID) {
        duet_error_set(&result->skipped, code, "not checked: %.200s", fault.message);
        result->fault = DUET_CLI_GIVEN_UNREADABLE;
        code = DUET_OK;
    } else if (code == DUET_E_INPUT) {
        char text[sizeof fault.message];
        duet_error_format(&fault, text, sizeof text);
        duet_error_set(&result->skipped, DUET_E_INPUT, "%s: %.*s",
                       result->fault == DUET_CLI_GIVEN_INVALID ? "no valid schedule" : "unreadable",
                       (int)sizeof text - 40, text);
        code = DUET_OK;
    } else {
        *error = fault;
    }
    duet_solution_free(solution);
    return code;
}

duet_code duet_cli_compare_given(const duet_params *params, const duet_cli_entrants *entrants,
                                 size_t index, duet_cli_comparison *file, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < entrants->given_count && code == DUET_OK; i++) {
        const duet_cli_given *entry = find_entry(entrants, entrants->given[i].name, index);
        if (stands_before(entrants, i)) {
            continue;
        }
        duet_cli_result *result = &file->results[file->count++];
        *result = (duet_cli_result){
            .algorithm = entrants->given[i].name, .skipped = DUET_ERROR_INIT, .given = true};
        char path[DUET_CLI_PATH_SIZE];
        char names[256];
        if (entry == NULL ||
            !duet_cli_find_solution(entry->path, file->path, file->instance, path, sizeof path)) {
            duet_error_set(
                &result->skipped, DUET_E_USAGE,
                "no solution of this instance in %.200s: expected %s",
                entry == NULL ? "--solution" : entry->path,
                duet_cli_solution_names(file->path, file->instance, names, sizeof names));
            result->fault = DUET_CLI_GIVEN_MISSING;
        } else {
            code = judge(path, params, file, result, error);
        }
    }
    return code;
}

void duet_cli_take_bound(duet_cli_comparison *file, int64_t value, const char *name)
{
    if (value > file->bound || file->bound_name[0] == '\0') {
        file->bound = value;
        snprintf(file->bound_name, sizeof file->bound_name, "%s", name);
    }
}
