// SPDX-License-Identifier: Apache-2.0
// duet compare --export: the assignment program for other solvers.
#include "cli/commands.h"

#include "console/exit_code.h"
#include "console/load.h"
#include "console/paths.h"
#include "console/platform.h"
#include "core/system/try.h"
#include "instances/formats/text/program.h"
#include "solvers/cheap_bounds.h"

static duet_code write_program(const duet_instance *instance, duet_program_format format,
                               const char *target, duet_error *error)
{
    duet_program program;
    DUET_TRY(duet_program_create(instance, 0, &program, error));
    duet_code code = duet_cheap_bound(instance, &program.lower_bound, error);
    DUET_THEN(code, duet_program_write(&program, format, target, error));
    duet_program_free(&program);
    return code;
}

int duet_cli_export(const duet_cli_args *args, const char *format, const char *file,
                    const char *target)
{
    duet_error error = DUET_ERROR_INIT;
    duet_program_format chosen;
    duet_instance *instance = NULL;
    duet_code code = duet_program_find_format(format, &chosen, &error);
    DUET_THEN(code, duet_cli_check_target(target, &error));
    if (code == DUET_OK && duet_cli_same_file(target, file)) {
        code = duet_error_set(&error, DUET_E_USAGE,
                              "'%s' is the instance: expected another file for the output", target);
    }
    DUET_THEN(code, duet_cli_load(args, file, &instance, &error));
    DUET_THEN(code, duet_cli_require_platform(file, instance, &error));
    DUET_THEN(code, write_program(instance, chosen, target, &error));
    duet_instance_free(instance);
    return code == DUET_OK ? DUET_CLI_OK : duet_cli_fail(&error);
}
