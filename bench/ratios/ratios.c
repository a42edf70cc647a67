// SPDX-License-Identifier: Apache-2.0
// `duet bench ratios`: how far from the optimum algorithms get, and whether as is proven of them.
//
// Method: every algorithm with one thread on every instance. The optimum comes from trying every
// assignment (up to nine tasks) or from `exact` with a limit of rounds instead of time. A makespan
// is above its proven ratio only where it is so against the optimum, or against the best schedule
// that is known; against a bound alone that proves nothing.
#include "bench/bench.h"
#include "bench/ratios/args.h"
#include "bench/run/args.h"
#include "console/exit_code.h"
#include "console/signals.h"

static duet_code report(const duet_ratios *ratios, const duet_ratios_args *args,
                        const duet_sweep_plan *plan, duet_error *error)
{
    const duet_sweep shape = {.rows_per_job = ratios->settings.algorithm_count};
    bool rows_there = args->sweep.csv != NULL && plan->csv[0] == '-' && plan->csv[1] == '\0';
    duet_code code = DUET_OK;
    if (args->sweep.shared.json) {
        duet_cli_json json = {.stream = stdout};
        duet_cli_json_open(&json, NULL, '{');
        duet_sweep_print_json(&shape, plan, &ratios->summary, &json);
        code = duet_ratios_print_json(ratios, &json, error);
        duet_cli_json_close(&json, '}');
    } else if (!rows_there) {
        code = duet_ratios_print(ratios, stdout, error);
        duet_sweep_print(&shape, plan, &ratios->summary, stdout);
    }
    duet_ratios_report_failures(ratios, stderr); // with -q, too: exit code 1 says why
    if (code == DUET_OK && args->save != NULL) {
        code = duet_ratios_save(ratios, args->save, error);
    }
    return code;
}

static duet_code run(duet_ratios *ratios, const duet_ratios_args *args, duet_error *error)
{
    duet_sweep_plan plan;
    duet_cancel *cancel = duet_cancel_create();
    if (cancel == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    duet_code code = duet_sweep_plan_make(&args->sweep, cancel, &plan, error);
    if (code == DUET_OK && args->save != NULL) {
        code = duet_bench_make_folder(args->save, error);
    }
    if (code == DUET_OK) {
        code = duet_ratios_create(ratios, error);
    }
    if (code == DUET_OK) {
        duet_cli_signals_catch(cancel);
        code = duet_ratios_run(ratios, &plan, error);
        duet_cli_signals_release();
    }
    if (code == DUET_OK && ratios->summary.writer) {
        code = report(ratios, args, &plan, error);
    }
    duet_cancel_free(cancel);
    return code;
}

int duet_bench_ratios_main(int argc, char **argv)
{
    duet_ratios_args args;
    int exit_code = DUET_CLI_OK;
    duet_sweep_silence silence;
    duet_sweep_silence_begin(&silence);
    bool good = duet_ratios_args_parse(argc, argv, &args, &exit_code);
    duet_sweep_silence_end(&silence);
    if (!good) {
        return exit_code;
    }
    if (args.improve) {
        exit_code = duet_ratios_improve(&args);
        duet_ratios_args_free(&args);
        return exit_code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_ratios ratios = {.settings = args.settings};
    if (run(&ratios, &args, &error) != DUET_OK) {
        exit_code = duet_sweep_fail(&error);
    } else if (!duet_ratios_is_good(&ratios)) {
        exit_code = DUET_CLI_FAULT;
    }
    duet_ratios_free(&ratios);
    duet_ratios_args_free(&args);
    return exit_code;
}
