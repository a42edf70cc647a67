// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <stdio.h>
#include <string.h>

#include "console/exit_code.h"
#include "console/paths.h"
#include "console/picture.h"
#include "console/print.h"
#include "core/instance/unit.h"
#include "core/system/path.h"
#include "core/system/try.h"

bool duet_cli_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static duet_code check_distinct(const char *const *paths, size_t count, duet_error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (paths[i] != NULL && paths[j] != NULL && strcmp(paths[i], paths[j]) == 0) {
                return duet_error_set(error, DUET_E_USAGE,
                                      "'%s': expected a file of its own for each output", paths[i]);
            }
        }
    }
    return DUET_OK;
}

duet_code duet_cli_check_outputs(const duet_cli_args *args, const duet_cli_outputs *outputs,
                                 duet_error *error)
{
    const char *const paths[] = {outputs->solution, args->picture.path, outputs->trace,
                                 outputs->proof};
    enum { targets = sizeof paths / sizeof paths[0] };
    duet_code code = DUET_OK;
    if (outputs->json && duet_cli_is_stdout(outputs->proof)) {
        code =
            duet_error_set(error, DUET_E_USAGE, "-O proof: expected a file beside --json, got '-'");
    }
    DUET_THEN(code, duet_cli_check_option_file(outputs->proof, error));
    DUET_THEN(code, duet_cli_check_solution_ending(outputs->solution, error));
    DUET_THEN(code, duet_cli_check_picture(args, error));
    if (code == DUET_OK && outputs->trace != NULL) {
        code = duet_cli_check_ending("--trace", outputs->trace, ".json .paje .rec", error);
    }
    for (size_t i = 0; i < targets && code == DUET_OK; i++) {
        code = paths[i] != NULL ? duet_cli_check_target(paths[i], error) : DUET_OK;
        for (size_t j = 0; j < args->file_count && paths[i] != NULL && code == DUET_OK; j++) {
            if (duet_cli_same_file(paths[i], args->files[j])) {
                code = duet_error_set(error, DUET_E_USAGE,
                                      "'%s' is the %s: expected another file for the output",
                                      paths[i], j == 0 ? "instance" : "schedule");
            }
        }
    }
    return code == DUET_OK ? check_distinct(paths, targets, error) : code;
}

void duet_cli_note_failure(duet_code failed, const duet_error *error, int *code)
{
    if (failed != DUET_OK) {
        int own = duet_cli_fail(error);
        *code = *code == DUET_CLI_OK ? own : *code;
    }
}

// Viewers count in microseconds.
static void note_unit(const duet_cli_args *args, const duet_cli_outputs *outputs,
                      const duet_instance *instance)
{
    const char *unit = duet_instance_time_unit(instance);
    duet_unit known;
    if (args->quiet || !duet_path_ends(outputs->trace, ".json") || duet_unit_find(unit, &known)) {
        return;
    }
    duet_cli_print(stderr,
                   "duet: note: %s: %s%s%s, so one unit is shown as one microsecond; --unit, or "
                   "\"time_unit\" in JSON, says which it is: " DUET_UNIT_NAMES "\n",
                   outputs->trace,
                   unit[0] == '\0' ? "the instance names no unit of time" : "the unit '", unit,
                   unit[0] == '\0' ? "" : "' is unknown");
}

static duet_code write_trace(const duet_cli_args *args, const duet_cli_outputs *outputs,
                             const duet_instance *instance, const duet_solution *solution,
                             duet_error *error)
{
    const duet_cli_judge judge = {args, outputs->bus, outputs->rules};
    duet_solution *judged = NULL;
    duet_code code =
        duet_cli_judge_trace(&judge, outputs->trace, instance, solution, &judged, error);
    DUET_THEN(code, duet_write_trace(outputs->trace, instance, judged == NULL ? solution : judged,
                                     error));
    duet_solution_free(judged);
    return code;
}

// Standard output comes last: a reader that closes it early ends the command.
int duet_cli_write_outputs(const duet_cli_args *args, const duet_cli_outputs *outputs,
                           const duet_instance *instance, const duet_solution *solution)
{
    int code = DUET_CLI_OK;
    duet_error error = DUET_ERROR_INIT;
    if (outputs->solution != NULL && !duet_cli_is_stdout(outputs->solution)) {
        duet_cli_note_failure(duet_write_solution(outputs->solution, instance, solution, &error),
                              &error, &code);
    }
    duet_error_clear(&error);
    duet_cli_note_failure(duet_cli_write_picture(args, instance, solution, outputs->beside, &error),
                          &error, &code);
    duet_error_clear(&error);
    if (outputs->trace != NULL) {
        duet_code written = write_trace(args, outputs, instance, solution, &error);
        duet_cli_note_failure(written, &error, &code);
        if (written == DUET_OK) {
            note_unit(args, outputs, instance);
        }
    }
    duet_error_clear(&error);
    if (outputs->json || duet_cli_is_stdout(outputs->solution)) {
        duet_cli_note_failure(duet_write_solution("-", instance, solution, &error), &error, &code);
    }
    return code;
}
