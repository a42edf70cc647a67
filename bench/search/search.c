// SPDX-License-Identifier: Apache-2.0
// `duet bench search`: an adversarial search for instances that maximise makespan / optimum.
//
// Method: restarts of simulated annealing over small instances, each judged by the algorithm itself
// and the exact optimum; the worst is shrunk, and confirmed once more by the independent checker
// and by `exact`.
#include "bench/search/search.h"
#include "bench/bench.h"
#include "bench/run/study.h"
#include "console/exit_code.h"
#include "console/signals.h"
#include "core/system/try.h"

static duet_code save(const duet_search_args *args, const duet_search_result *result,
                      duet_error *error)
{
    duet_instance *instance;
    duet_code code = duet_search_instance(&result->small.point,
                                          args->settings.algorithm->entry.name, &instance, error);
    DUET_THEN(code, duet_write_instance(args->output, "json", instance, error));
    duet_instance_free(instance);
    return code;
}

// Returns the exit code.
static int show(const duet_search_args *args, const duet_search_result *result, FILE *stream)
{
    int exit_code = result->small.value.outcome > DUET_SEARCH_RATIO ? DUET_CLI_FAULT : DUET_CLI_OK;
    duet_error error = DUET_ERROR_INIT;
    if (args->output != NULL && save(args, result, &error) != DUET_OK) {
        exit_code = duet_cli_fail(&error);
    }
    error = (duet_error)DUET_ERROR_INIT;
    if (!args->shared.json) {
        duet_search_print(&args->settings, result, stream);
    } else if (duet_search_json(&args->settings, result, stream, &error) != DUET_OK) {
        exit_code = duet_cli_fail(&error);
    }
    if (result->interrupted) {
        fputs("duet: interrupted: this is the worst so far\n", stderr);
    }
    return exit_code;
}

int duet_search_finish(const duet_search_args *args, const duet_cancel *cancel,
                       duet_search_result *result, FILE *stream)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_search_confirm(&args->settings, cancel, result->seconds, &result->small,
                                         &result->confirmed, &error);
    result->interrupted = duet_cancel_requested(cancel);
    int exit_code = show(args, result, stream);
    return code == DUET_OK ? exit_code : duet_cli_fail(&error);
}

static int run(const duet_search_args *args, const duet_cancel *cancel)
{
    duet_error error = DUET_ERROR_INIT;
    duet_search_result result = {.restarts = 0};
    duet_code code = cancel == NULL ? duet_error_set(&error, DUET_E_MEMORY, "out of memory")
                                    : duet_search_run(&args->settings, cancel, &result, &error);
    return code != DUET_OK ? duet_cli_fail(&error)
                           : duet_search_finish(args, cancel, &result, stdout);
}

int duet_bench_search(int argc, char **argv)
{
    duet_search_args args = {0};
    int exit_code = DUET_CLI_OK;
    if (duet_study_parse(&duet_search_syntax, argc, argv, &args, duet_search_args_complete,
                         &exit_code)) {
        duet_cancel *cancel = duet_cancel_create();
        duet_cli_signals_catch(cancel);
        exit_code = run(&args, cancel);
        duet_cli_signals_release(); // not before all is written
        duet_cancel_free(cancel);
    }
    duet_cli_args_free(&args.shared);
    return exit_code;
}
