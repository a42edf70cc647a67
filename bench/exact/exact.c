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
#include "console/signals.h"
#include "core/output.h"

// Prints what came of the runs. Returns whether nothing is missed or at fault.
static duet_code report(const duet_exact_args *args, const duet_exact_plan *plan, bool *good,
                        duet_error *error)
{
    duet_exact_target promises[DUET_EXACT_MAX_TARGETS];
    size_t count = 0;
    duet_code code = duet_exact_judge(plan, promises, &count, error);
    if (code == DUET_OK && args->shared.json) {
        code = duet_exact_json(plan, promises, count, stdout, error);
    } else if (code == DUET_OK && (args->csv == NULL || strcmp(args->csv, "-") != 0)) {
        code = duet_exact_print(plan, stdout, error);
        duet_exact_print_targets(promises, count, stdout);
    }
    for (size_t i = 0; i < count; i++) {
        *good = *good && promises[i].verdict != DUET_EXACT_MISSED;
    }
    for (size_t r = 0; r < plan->row_count; r++) {
        *good = *good && !plan->rows[r].faulty;
    }
    return code;
}

// A chart that cannot be drawn for want of gnuplot is a note, not a failure.
static duet_code draw(const duet_exact_args *args, const duet_exact_plan *plan, duet_error *error)
{
    duet_code code = duet_exact_chart(plan, args->chart, args->ending, error);
    if (code == DUET_E_UNSUPPORTED) {
        fprintf(stderr, "duet: note: %s\n", error->message);
        duet_error_clear(error);
        return DUET_OK;
    }
    return code;
}

static duet_code run_plan(duet_exact_plan *plan, duet_error *error)
{
    duet_code code = duet_exact_plan_create(plan, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_cancel *cancel = duet_cancel_create();
    if (cancel == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    duet_cli_signals_catch(cancel);
    code = duet_exact_run(plan, cancel, error);
    duet_cli_signals_release();
    duet_cancel_free(cancel);
    if (plan->interrupted) {
        fputs("duet: interrupted: these are the results so far\n", stderr);
    }
    return code;
}

static duet_code run(const duet_exact_args *args, duet_exact_plan *plan, bool *good,
                     duet_error *error)
{
    // Opened first: a place that cannot be written is refused before the first run.
    duet_output csv = {0};
    duet_code code = args->csv == NULL ? DUET_OK : duet_output_open(&csv, args->csv, error);
    if (code == DUET_OK && args->chart != NULL) {
        code = duet_bench_check_prefix(args->chart, error);
    }
    if (code == DUET_OK) {
        code = run_plan(plan, error);
    }
    if (code == DUET_OK && args->csv != NULL) {
        duet_exact_csv(plan, csv.stream);
        code = duet_output_commit(&csv, error);
    }
    duet_output_abandon(&csv);
    if (code == DUET_OK) {
        code = report(args, plan, good, error);
    }
    if (code == DUET_OK && args->chart != NULL) {
        code = draw(args, plan, error);
    }
    return code;
}

int duet_bench_exact(int argc, char **argv)
{
    duet_exact_args args;
    int exit_code = DUET_CLI_OK;
    if (!duet_exact_args_parse(argc, argv, &args, &exit_code)) {
        return exit_code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_exact_plan plan = {.settings = args.settings};
    bool good = true;
    duet_code code = run(&args, &plan, &good, &error);
    duet_exact_plan_free(&plan);
    duet_exact_args_free(&args);
    if (code != DUET_OK) {
        return duet_cli_fail(&error);
    }
    return good ? DUET_CLI_OK : DUET_CLI_FAULT;
}
