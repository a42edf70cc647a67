// SPDX-License-Identifier: Apache-2.0
// `duet bench exact`: how many instances of a named set algorithms solve to proven optimality, and
// how fast.
//
// Method: each algorithm in turn on each instance, one after the other, with a time limit and a
// number of threads for each run. Every schedule passes the independent checker; a lower bound
// above another algorithm's schedule, or above a known optimum, is a fault. "Proven within T" is
// counted by wall-clock time of the whole call.
#include <string.h>

#include "bench/bench.h"
#include "bench/exact/args.h"
#include "bench/exact/chart.h"
#include "bench/run/args.h"
#include "bench/run/chart.h"
#include "console/exit_code.h"
#include "console/signals.h"

// Whether no target was missed and nothing is at fault.
static bool is_good(const duet_exact_plan *plan, const duet_exact_targets *targets)
{
    bool good = true;
    for (size_t i = 0; i < targets->count; i++) {
        good = good && targets->target[i].verdict != DUET_EXACT_MISSED;
    }
    for (size_t r = 0; r < plan->row_count; r++) {
        good = good && !plan->rows[r].faulty;
    }
    return good;
}

static duet_code report(const duet_exact_args *args, const duet_exact_plan *plan,
                        const duet_sweep_plan *sweep, bool *good, duet_error *error)
{
    duet_exact_targets targets;
    duet_code code = duet_exact_judge(plan, &targets, error);
    if (code == DUET_OK && args->sweep.shared.json) {
        code = duet_exact_print_json(plan, &targets, sweep, stdout, error);
    } else if (code == DUET_OK && (sweep->csv == NULL || strcmp(sweep->csv, "-") != 0)) {
        code = duet_exact_print(plan, &targets, stdout, error);
        if (sweep->shards > 0 || sweep->resume) {
            const duet_sweep shape = {.rows_per_job = plan->settings.algorithm_count};
            fputc('\n', stdout);
            duet_sweep_print_rows(&shape, sweep, &plan->summary, stdout);
        }
    }
    duet_sweep_print_interrupted(sweep, &plan->summary);
    *good = is_good(plan, &targets);
    return code;
}

static duet_code run_with(const duet_exact_args *args, duet_exact_plan *plan, duet_cancel *cancel,
                          bool *good, duet_error *error)
{
    duet_sweep_plan sweep;
    duet_code code = duet_sweep_plan_make(&args->sweep, cancel, &sweep, error);
    // A place that cannot be written is refused before the first run.
    if (code == DUET_OK && args->chart != NULL) {
        code = duet_bench_check_prefix(args->chart, error);
    }
    if (code == DUET_OK) {
        code = duet_exact_plan_create(plan, error);
    }
    if (code == DUET_OK) {
        duet_cli_signals_catch(cancel);
        code = duet_exact_run(plan, &sweep, error);
        duet_cli_signals_release();
    }
    if (code == DUET_OK && plan->summary.writer) {
        code = report(args, plan, &sweep, good, error);
        if (code == DUET_OK && args->chart != NULL) {
            code = duet_chart_excuse_gnuplot(
                duet_exact_chart(plan, args->chart, args->ending, error), error);
        }
    }
    return code;
}

int duet_bench_exact(int argc, char **argv)
{
    duet_exact_args args;
    int exit_code = DUET_CLI_OK;
    duet_sweep_silence silence;
    duet_sweep_silence_begin(&silence);
    bool parsed = duet_exact_args_parse(argc, argv, &args, &exit_code);
    duet_sweep_silence_end(&silence);
    if (!parsed) {
        return exit_code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_exact_plan plan = {.settings = args.settings};
    duet_cancel *cancel = duet_cancel_create();
    bool good = true;
    duet_code code = cancel != NULL ? run_with(&args, &plan, cancel, &good, &error)
                                    : duet_error_set(&error, DUET_E_MEMORY, "out of memory");
    duet_cancel_free(cancel);
    duet_exact_plan_free(&plan);
    duet_exact_args_free(&args);
    return code != DUET_OK ? duet_sweep_fail(&error) : good ? DUET_CLI_OK : DUET_CLI_FAULT;
}
