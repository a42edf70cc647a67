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
#include "bench/exact/exact.h"
#include "bench/run/study.h"
#include "core/system/try.h"

// Whether no target was missed and nothing is at fault.
static bool is_good(const duet_exact_plan *plan, const duet_claims *targets)
{
    bool good = true;
    for (size_t i = 0; i < targets->count; i++) {
        good = good && strcmp(targets->claim[i].verdict, DUET_EXACT_MISSED) != 0;
    }
    for (size_t r = 0; r < plan->row_count; r++) {
        good = good && !plan->rows[r].faulty;
    }
    return good;
}

static duet_code prepare(void *state, duet_error *error)
{
    duet_exact_args *args = state;
    DUET_TRY(duet_drawing_check(&args->drawing, error));
    return duet_exact_plan_create(&args->plan, error);
}

static duet_code run(void *state, const duet_sweep_plan *sweep, duet_sweep_summary **summary,
                     duet_error *error)
{
    duet_exact_plan *plan = &((duet_exact_args *)state)->plan;
    *summary = &plan->summary;
    return duet_exact_run(plan, sweep, error);
}

static duet_code report(void *state, const duet_sweep_plan *sweep, bool *good, duet_error *error)
{
    const duet_exact_args *args = state;
    const duet_exact_plan *plan = &args->plan;
    duet_claims targets;
    duet_code code = duet_exact_judge(plan, &targets, error);
    if (code == DUET_OK && args->sweep.shared.json) {
        code = duet_exact_print_json(plan, &targets, sweep, stdout, error);
    } else if (code == DUET_OK && !duet_study_prints_rows(sweep)) {
        code = duet_exact_print(plan, &targets, stdout, error);
        if (sweep->shards > 0 || sweep->resume) {
            const duet_sweep shape = {.rows_per_job = plan->settings.algorithm_count};
            fputc('\n', stdout);
            duet_sweep_print_rows(&shape, sweep, &plan->summary, stdout);
        }
    }
    duet_sweep_print_interrupted(sweep, &plan->summary);
    *good = is_good(plan, &targets);
    return code == DUET_OK && args->drawing.prefix != NULL
               ? duet_exact_chart(plan, &args->drawing, error)
               : code;
}

int duet_bench_exact(int argc, char **argv)
{
    static const duet_study study = {prepare, run, report};
    duet_exact_args args = {0};
    int exit_code = 0;
    if (duet_study_parse(&duet_exact_syntax, argc, argv, &args, duet_exact_args_complete,
                         &exit_code)) {
        exit_code = duet_study_run(&study, &args.sweep, &args);
    }
    duet_exact_plan_free(&args.plan);
    duet_exact_args_free(&args);
    return exit_code;
}
