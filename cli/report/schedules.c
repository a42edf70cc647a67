// SPDX-License-Identifier: Apache-2.0
// The schedules of a report: read, checked, and kept with their instances.
#include "cli/report/report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "console/load.h"
#include "console/platform.h"
#include "console/print.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// Whether the checker finds a fault, which becomes *fault.
static duet_code judge(duet_page_schedule *made, duet_solution *solution, const duet_cli_args *args,
                       duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_bound_check bound;
    duet_code code = duet_check_solution(made->instance, made->solution, NULL, &bound, &fault);
    if (code == DUET_OK) {
        duet_cli_take_in_ticks(args, made->name, made->instance, solution);
        return DUET_OK;
    }
    duet_solution_to_ticks(solution, made->instance);
    if (code != DUET_E_INPUT) {
        return duet_error_set(error, code, "%s", fault.message);
    }
    made->fault = duet_copy_string(fault.message, error);
    if (made->fault != NULL && !args->quiet) {
        duet_cli_print(stderr, "duet: note: %s: %s\n", made->name, fault.message);
    }
    return made->fault == NULL ? DUET_E_MEMORY : DUET_OK;
}

static void free_schedule(duet_page_schedule *schedule)
{
    // What the page only reads is this file's to free.
    duet_instance_free((duet_instance *)schedule->instance);
    duet_solution_free((duet_solution *)schedule->solution);
    duet_free((char *)schedule->name);
    duet_free((char *)schedule->fault);
}

// Each solution has an instance of its own: the platform may be the solution's.
static duet_code add_one(duet_cli_schedules *schedules, const duet_cli_args *args, const char *path,
                         const char *file, duet_error *error)
{
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_page_schedule made = {0};
    duet_cli_args quiet = *args;
    quiet.quiet = args->quiet || schedules->count > 0; // one note on an instance is enough
    duet_code code = duet_vec_grow(schedules->schedule, schedules->count, error);
    DUET_THEN(code, duet_vec_grow(schedules->path, schedules->count, error));
    DUET_THEN(code, duet_cli_load(&quiet, path, &instance, error));
    DUET_THEN(code, duet_cli_load_schedule(args, file, instance, &solution, error));
    DUET_THEN(code, duet_cli_require_platform(path, instance, error));
    made.instance = instance;
    made.solution = solution;
    if (code == DUET_OK) {
        made.name = duet_copy_string(strcmp(file, "-") == 0 ? "standard input" : file, error);
        code = made.name == NULL ? DUET_E_MEMORY : judge(&made, solution, args, error);
    }
    if (code != DUET_OK) {
        free_schedule(&made);
        return code;
    }
    schedules->path[schedules->count] = path;
    schedules->schedule[schedules->count++] = made;
    return DUET_OK;
}

duet_code duet_cli_schedules_add(duet_cli_schedules *schedules, const duet_cli_args *args,
                                 const char *path, const char *list, duet_error *error)
{
    struct stat status;
    if (strchr(list, ',') == NULL || stat(list, &status) == 0) {
        return add_one(schedules, args, path, list, error); // a comma may be part of a name
    }
    char *names = duet_copy_string(list, error);
    duet_code code = names == NULL ? DUET_E_MEMORY : DUET_OK;
    for (char *at = names; at != NULL && code == DUET_OK;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        code = add_one(schedules, args, path, at, error);
        at = comma == NULL ? NULL : comma + 1;
    }
    duet_free(names);
    return code;
}

static bool is_same_problem(const duet_cli_schedules *schedules, size_t a, size_t b)
{
    const duet_instance *one = schedules->schedule[a].instance;
    const duet_instance *other = schedules->schedule[b].instance;
    bool same = strcmp(schedules->path[a], schedules->path[b]) == 0 &&
                duet_instance_decimals(one) == duet_instance_decimals(other) &&
                duet_instance_types(one) == duet_instance_types(other);
    for (size_t t = 0; t < duet_instance_types(one) && same; t++) {
        same = duet_instance_type_count(one, t) == duet_instance_type_count(other, t);
    }
    return same;
}

void duet_cli_schedules_share_bounds(duet_cli_schedules *schedules)
{
    for (size_t i = 0; i < schedules->count; i++) {
        duet_page_schedule *own = &schedules->schedule[i];
        int64_t best = duet_solution_lower_bound(own->solution);
        for (size_t j = 0; j < schedules->count && own->fault == NULL; j++) {
            const duet_solution *other = schedules->schedule[j].solution;
            int64_t bound = duet_solution_lower_bound(other);
            bool holds = schedules->schedule[j].fault == NULL && bound > best &&
                         bound <= duet_solution_makespan(own->solution);
            if (holds && is_same_problem(schedules, i, j)) {
                best = bound;
                own->bounded = other;
            }
        }
    }
}

void duet_cli_schedules_free(duet_cli_schedules *schedules)
{
    for (size_t i = 0; i < schedules->count; i++) {
        free_schedule(&schedules->schedule[i]);
    }
    duet_free(schedules->schedule);
    duet_free(schedules->path);
    *schedules = (duet_cli_schedules){0};
}
