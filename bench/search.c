// SPDX-License-Identifier: Apache-2.0
// `duet bench search`: an adversarial search for instances that maximise makespan / optimum.
//
// Method: restarts of simulated annealing over small instances, each judged by the algorithm itself
// and the exact optimum; the worst is shrunk, and confirmed once more by the independent checker
// and by `exact`.
#include <string.h>

#include "bench/bench.h"
#include "bench/search_args.h"
#include "cli/signals.h"

static duet_code search(const duet_search_args *args, duet_search_result *result, duet_error *error)
{
    duet_cancel *cancel = duet_cancel_create();
    if (cancel == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    duet_cli_signals_catch(cancel);
    duet_code code = duet_search_run(&args->settings, cancel, result, error);
    duet_cli_signals_release();
    duet_cancel_free(cancel);
    if (code == DUET_OK && result->interrupted) {
        fputs("duet: interrupted: this is the worst so far\n", stderr);
    }
    return code;
}

static duet_code save(const duet_search_args *args, const duet_search_result *result,
                      duet_error *error)
{
    duet_instance *instance;
    duet_code code = duet_search_instance(&result->small.point,
                                          args->settings.algorithm->entry.name, &instance, error);
    if (code == DUET_OK) {
        code = duet_write_instance(args->output, "json", instance, error);
    }
    duet_instance_free(instance);
    return code;
}

static duet_code run(const duet_search_args *args, duet_search_result *result, duet_error *error)
{
    duet_code code = search(args, result, error);
    if (code == DUET_OK) {
        code = duet_search_confirm(&args->settings, &result->small, &result->confirmed, error);
    }
    if (code == DUET_OK && args->output != NULL) {
        code = save(args, result, error);
    }
    if (code == DUET_OK && args->shared.json) {
        code = duet_search_json(&args->settings, result, stdout, error);
    } else if (code == DUET_OK) {
        duet_search_print(&args->settings, result, stdout);
    }
    return code;
}

int duet_bench_search(int argc, char **argv)
{
    duet_search_args args;
    int exit_code = DUET_CLI_OK;
    if (!duet_search_args_parse(argc, argv, &args, &exit_code)) {
        return exit_code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_search_result result;
    duet_code code = run(&args, &result, &error);
    duet_search_args_free(&args);
    if (code != DUET_OK) {
        return duet_cli_fail(&error);
    }
    return result.small.value.outcome > DUET_SEARCH_RATIO ? DUET_CLI_FAULT : DUET_CLI_OK;
}
