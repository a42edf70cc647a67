// SPDX-License-Identifier: Apache-2.0
// `duet bench ratios`: how far from the optimum algorithms get, and whether as is proven of them.
//
// Method: every algorithm with one thread on every instance. The optimum comes from trying every
// assignment (up to nine tasks) or from `exact` with a limit of rounds instead of time. A makespan
// is above its proven ratio only where it is so against the optimum, or against the best schedule
// that is known; against a bound alone that proves nothing.
#include "bench/ratios/ratios.h"
#include "bench/bench.h"
#include "bench/run/args.h"
#include "bench/run/study.h"
#include "core/system/try.h"

typedef struct study_state {
    const duet_ratios_args *args;
    duet_ratios ratios;
} study_state;

static duet_code prepare(void *state, duet_error *error)
{
    study_state *s = state;
    DUET_TRY(s->args->save == NULL ? DUET_OK : duet_bench_make_folder(s->args->save, error));
    return duet_ratios_create(&s->ratios, error);
}

static duet_code run(void *state, const duet_sweep_plan *plan, duet_sweep_summary **summary,
                     duet_error *error)
{
    duet_ratios *ratios = &((study_state *)state)->ratios;
    *summary = &ratios->summary;
    return duet_ratios_run(ratios, plan, error);
}

static duet_code report(void *state, const duet_sweep_plan *plan, bool *good, duet_error *error)
{
    const duet_ratios_args *args = ((study_state *)state)->args;
    const duet_ratios *ratios = &((study_state *)state)->ratios;
    const duet_sweep shape = {.rows_per_job = ratios->settings.algorithm_count};
    duet_code code = DUET_OK;
    if (args->sweep.shared.json) {
        duet_cli_json json = {.stream = stdout};
        duet_cli_json_open(&json, NULL, '{');
        duet_sweep_print_json(&shape, plan, &ratios->summary, &json);
        code = duet_ratios_print_json(ratios, &json, error);
        duet_cli_json_close(&json, '}');
    } else if (!duet_study_prints_rows(plan)) {
        code = duet_ratios_print(ratios, stdout, error);
        duet_sweep_print(&shape, plan, &ratios->summary, stdout);
    }
    duet_ratios_report_failures(ratios, stderr); // with -q, too: exit code 1 says why
    *good = duet_ratios_is_good(ratios);
    return code == DUET_OK && args->save != NULL ? duet_ratios_save(ratios, args->save, error)
                                                 : code;
}

int duet_bench_ratios_main(int argc, char **argv)
{
    static const duet_study study = {prepare, run, report};
    duet_ratios_args args = {0};
    int exit_code = 0;
    if (duet_study_parse(&duet_ratios_syntax, argc, argv, &args, duet_ratios_args_complete,
                         &exit_code)) {
        study_state state = {&args, {.settings = args.settings}};
        exit_code = duet_study_run(&study, &args.sweep, &state);
        duet_ratios_free(&state.ratios);
    }
    duet_ratios_args_free(&args);
    return exit_code;
}
