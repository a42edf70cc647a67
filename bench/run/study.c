// SPDX-License-Identifier: Apache-2.0
#include "bench/run/study.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench/run/mpi_world.h"
#include "console/exit_code.h"
#include "console/signals.h"
#include "core/system/try.h"

bool duet_study_prints_rows(const duet_sweep_plan *plan)
{
    return plan->csv != NULL && strcmp(plan->csv, "-") == 0;
}

// Leads a descriptor to nowhere; returns what it was.
static int lead_nowhere(int descriptor)
{
    int kept = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0) {
        dup2(nowhere, descriptor);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return kept;
}

static void restore(int kept, int descriptor)
{
    if (kept >= 0) {
        dup2(kept, descriptor);
        close(kept);
    }
}

bool duet_study_parse(const duet_cli_syntax *syntax, int argc, char **argv, void *args,
                      duet_code (*complete)(void *args, duet_error *error), int *exit_code)
{
    duet_error error = DUET_ERROR_INIT;
    bool silent = duet_sweep_is_another_rank();
    fflush(stdout);
    int output = silent ? lead_nowhere(STDOUT_FILENO) : -1;
    int errors = silent ? lead_nowhere(STDERR_FILENO) : -1;
    bool parsed = duet_cli_parse(syntax, argc, argv, args, exit_code);
    if (parsed && complete != NULL && complete(args, &error) != DUET_OK) {
        *exit_code = duet_cli_fail(&error);
        parsed = false;
    }
    fflush(stdout);
    restore(output, STDOUT_FILENO);
    restore(errors, STDERR_FILENO);
    if (silent && !parsed && *exit_code != 0) {
        duet_mpi_world_wait();
    }
    return parsed;
}

static duet_code run_with(const duet_study *study, const duet_sweep_args *args, void *state,
                          duet_cancel *cancel, bool *good, duet_error *error)
{
    duet_sweep_plan plan;
    duet_sweep_summary *summary = NULL;
    duet_code code = duet_sweep_plan_make(args, cancel, &plan, error);
    DUET_THEN(code, study->prepare(state, error));
    if (code == DUET_OK) {
        duet_cli_signals_catch(cancel);
        code = study->run(state, &plan, &summary, error);
        duet_cli_signals_release();
    }
    return code == DUET_OK && summary->writer ? study->report(state, &plan, good, error) : code;
}

int duet_study_run(const duet_study *study, const duet_sweep_args *args, void *state)
{
    duet_error error = DUET_ERROR_INIT;
    duet_cancel *cancel = duet_cancel_create();
    bool good = true;
    duet_code code = cancel != NULL ? run_with(study, args, state, cancel, &good, &error)
                                    : duet_error_set(&error, DUET_E_MEMORY, "out of memory");
    duet_cancel_free(cancel);
    if (code != DUET_OK) {
        return duet_sweep_fail(&error);
    }
    return good ? DUET_CLI_OK : DUET_CLI_FAULT;
}

int duet_study_measure(const duet_cli_syntax *syntax, int argc, char **argv, void *args,
                       duet_code (*measure)(void *args, bool *good, duet_error *error))
{
    int exit_code = DUET_CLI_OK;
    if (duet_study_parse(syntax, argc, argv, args, NULL, &exit_code)) {
        duet_error error = DUET_ERROR_INIT;
        bool good = true;
        duet_code code = measure(args, &good, &error);
        exit_code = code != DUET_OK ? duet_cli_fail(&error) : good ? DUET_CLI_OK : DUET_CLI_FAULT;
    }
    duet_cli_args_free(args);
    return exit_code;
}
