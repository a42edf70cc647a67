// SPDX-License-Identifier: Apache-2.0
// duet solve: a schedule, what is proven about it, and its pictures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/solve.h"
#include "console/exit_code.h"
#include "console/given.h"
#include "console/load.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/picture.h"
#include "console/platform.h"
#include "console/plugin.h"
#include "console/print.h"
#include "console/signals.h"
#include "console/ticker.h"
#include "core/options.h"
#include "core/solution/solution.h"
#include "core/system/try.h"
#include "report/gantt/gantt.h"

typedef struct solve_args {
    duet_cli_args shared;
    const char *algorithm; // NULL: auto
    duet_cli_outputs outputs;
    bool summary;
    duet_cli_what_if_files files; // of a range of platforms
    duet_solution *plan;          // to start from; owned
} solve_args;

// --gap is option gap of every algorithm, which -O gives, too. Who writes 5 means 5 %, where the
// option would take it for 500 %.
static bool take_gap(void *input, const char *text)
{
    char setting[64];
    char *end = NULL;
    double value = strtod(text, &end);
    bool percent = end != text && *end == '%';
    bool number = end != text && end[percent ? 1 : 0] == '\0';
    if (!number || value < 0 || (value >= 1 && !percent) || strlen(text) + 5 > sizeof setting) {
        return duet_cli_usage(input,
                              "--gap: expected a share below 1 or a percentage, such as 0.01 or "
                              "1%%, got '%s'",
                              text);
    }
    snprintf(setting, sizeof setting, "gap=%s", text);
    return duet_cli_take_setting(input, setting);
}

static const duet_cli_option options[] = {
    {"algorithm", 'a', "ALGORITHM", DUET_CLI_WORD(solve_args, algorithm), .fallback = "auto",
     .text = "the algorithm to run", .registry = "algorithms"},
    {"gap", 0, "GAP", DUET_CLI_OWN(take_gap), .fallback = "0",
     .text = "stop as soon as the makespan is within GAP of the proven bound: 0.01 or 1%"},
    {"deadline", 0, "T", DUET_CLI_WORD(solve_args, shared.deadline),
     .text =
         "stop as soon as it is known whether all can end by T (600, 1h20m, or a day and a time "
         "beside --start): exit code 0 for yes, 4 for no, 5 for not decided"},
    {"output", 'o', "OUT", DUET_CLI_PATH(solve_args, outputs.solution),
     .text = "write the solution here, as JSON; a name that ends in .csv gets the schedule as a "
             "table"},
    {"trace", 0, "F.json|paje|rec", DUET_CLI_PATH(solve_args, outputs.trace),
     .text = "write a Chrome or a Paje trace, or a schedule for StarPU (sched.rec)"},
    {"chart", 0, "F.svg|pdf|png", DUET_CLI_PATH(solve_args, files.chart),
     .text = "with a range of platforms: draw makespan and bound over them (PDF and PNG "
             "need cairo)"},
    {"csv", 0, "OUT", DUET_CLI_PATH(solve_args, files.csv),
     .text = "with a range of platforms: write their table here, with all digits"},
    {"summary", 0, NULL, DUET_CLI_FLAG(solve_args, summary),
     .text = "say which tasks go where, how long each type works, and what limits the makespan"},
    {0}};
static const duet_cli_syntax syntax = {
    "solve",
    "FILE",
    1,
    "Schedules an instance and says how far the schedule can be from the best. Without -a it picks "
    "for itself and takes 10 seconds at most (-t changes that), less where it finds a proven "
    "optimum or a schedule within --gap. Ctrl-C keeps the best schedule so far; a second one ends "
    "at once.\v"
    "Examples:\n"
    "  duet solve chol.json -o schedule.json --gantt schedule.svg\n"
    "  duet solve tasks.csv -m 20 -k 4 -a heteroprio\n"
    "  duet solve tasks.csv -m 20 -k 4 --gap 0.1%\n"
    "  duet solve chol.json -a ilp -t 60 --json > schedule.json\n"
    "  duet solve tasks.csv -m 20 -k 4 -a heft -O improve=true\n"
    "  duet solve tasks.csv -m 20 -k 1..4 -t 2 --chart gpus.svg\n"
    "  duet solve tasks.csv -m 20 -k 4 --deadline 600\n"
    "  duet solve tasks.csv --platform small=10,big=4,gpu=2 --unit s --summary\n"
    "\n"
    "'duet list algorithms -v' lists the algorithms and their options. -O improve=true goes with "
    "every one of them: exchanges of tasks then shorten its schedule. A range of processors makes "
    "a "
    "table, in which -t counts for each platform.",
    {options, duet_cli_plugin_options, duet_cli_picture_options, duet_cli_chart_options,
     duet_cli_range_options, duet_cli_price_options, duet_cli_given_options,
     duet_cli_reading_options, duet_cli_limits_options, duet_cli_values_options,
     duet_cli_output_options, NULL}};

// What the solution says beside its schedule. A file of the algorithm's own that is missing is an
// error like that of any other output: `-q` does not hide it.
static int say_note(const solve_args *args, const duet_solution *solution)
{
    const char *note = duet_solution_note(solution);
    if (duet_solution_output_failed(solution)) {
        duet_error error = DUET_ERROR_INIT;
        duet_error_set(&error, DUET_E_OUTPUT, "%s", note);
        return duet_cli_fail(&error);
    }
    if (!args->shared.quiet && note != NULL) {
        duet_cli_print(stderr, "duet: note: %s%s\n",
                       duet_solution_interrupted(solution) ? "the search ended early: " : "", note);
    }
    return DUET_CLI_OK;
}

static int solve_loaded(const solve_args *args, const duet_instance *instance,
                        const duet_cancel *cancel)
{
    duet_error error = DUET_ERROR_INIT;
    duet_solution *solution = NULL;
    duet_bound_check bound = DUET_BOUND_NONE;
    duet_cli_ticker ticker;
    duet_code done = duet_cli_solve_run(&args->shared, args->algorithm, args->plan, instance,
                                        cancel, &solution, &bound, &error);
    int code = DUET_CLI_OK;
    if (done != DUET_OK) {
        code = duet_cli_fail(&error);
    } else {
        duet_cli_keep_deadline(&args->shared, instance, solution);
        bool cancelled = duet_cancel_requested(cancel) && duet_solution_interrupted(solution);
        if (cancelled) {
            fputs("duet: interrupted: this is the best schedule so far\n", stderr);
        }
        code = say_note(args, solution);
        duet_cli_ticker_start(&ticker, "writing", args->shared.quiet || args->shared.json);
        int written = duet_cli_write_outputs(&args->shared, &args->outputs, instance, solution);
        code = code == DUET_CLI_OK ? written : code;
        duet_cli_ticker_stop(&ticker);
        // What belongs to a program is not mixed with what is for people.
        if (args->shared.json && args->summary && !args->shared.quiet) {
            fputs("duet: note: --summary is left out beside --json: 'duet show FILE SOLUTION "
                  "--summary --json' writes it for programs\n",
                  stderr);
        }
        if (!args->shared.json && !duet_cli_is_stdout(args->outputs.solution) &&
            !duet_cli_is_stdout(args->outputs.proof)) {
            duet_cli_solve_block(instance, solution, bound, args->outputs.proof != NULL);
            duet_cli_print_price(&args->shared, instance, solution);
            duet_cli_print_late(instance, solution);
            duet_cli_print_deadline(&args->shared, instance, solution);
            int summed =
                args->summary ? duet_cli_summary_print(instance, solution, NULL) : DUET_CLI_OK;
            code = code == DUET_CLI_OK ? summed : code;
        }
        code = code == DUET_CLI_OK ? duet_cli_deadline_code(&args->shared, solution) : code;
    }
    duet_solution_free(solution);
    return code;
}

// A range of platforms gives a table, and no schedule.
static duet_code check_range(const solve_args *args, duet_error *error)
{
    const duet_cli_outputs *out = &args->outputs;
    bool range = duet_cli_platform_count(&args->shared) > 1;
    if (range && (out->solution != NULL || args->shared.picture.path != NULL ||
                  out->trace != NULL || out->proof != NULL || args->summary)) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "a range of platforms gives a table: expected one platform for -o, "
            "--gantt, --trace, --summary and -O proof, or --csv OUT or --chart F.svg");
    }
    if (range && (args->shared.start_from != NULL || duet_cli_gives(&args->shared))) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--start-from, --fix and --without: expected one platform, that of "
                              "the schedule");
    }
    if (range && args->shared.deadline != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--deadline: expected one platform; 'duet size' finds the smallest "
                              "platforms of a range that meet a deadline");
    }
    return duet_cli_what_if_check(&args->shared, &args->files,
                                  args->files.chart != NULL
                                      ? "; a schedule is drawn by --gantt"
                                      : "; a schedule is a table where -o ends in .csv",
                                  error);
}

static duet_code load(solve_args *args, duet_instance **instance, duet_error *error)
{
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "solve: expected a file, '-' for standard input");
    }
    bool proof = duet_option_given(args->shared.options, "proof");
    if (proof && (args->algorithm == NULL || strcmp(args->algorithm, "auto") == 0)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-O proof: expected -a exact beside it: 'auto' writes no proof of a "
                              "search");
    }
    if (args->algorithm != NULL && strchr(args->algorithm, ',') != NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "-a: expected one algorithm; 'duet compare FILE -a %.200s' runs "
                              "several, and 'duet solve FILE' the best of all",
                              args->algorithm);
    }
    args->outputs.proof = duet_cli_option_file(args->algorithm == NULL ? "auto" : args->algorithm,
                                               args->shared.options);
    args->outputs.json = args->shared.json;
    args->outputs.rules = args->algorithm == NULL;
    DUET_TRY(duet_cli_check_outputs(&args->shared, &args->outputs, error));
    DUET_TRY(check_range(args, error));
    DUET_TRY(duet_cli_load_with_plan(&args->shared, args->shared.files[0], instance, &args->plan,
                                     error));
    DUET_TRY(duet_cli_require_platform(args->shared.files[0], *instance, error));
    DUET_TRY(duet_cli_check_price(&args->shared, *instance, error));
    DUET_TRY(duet_cli_take_deadline(&args->shared, *instance, error));
    if (args->shared.start_from != NULL && !duet_cli_gives(&args->shared)) {
        DUET_TRY(duet_cli_load_schedule(&args->shared, args->shared.start_from, *instance,
                                        &args->plan, error));
        if (strstr(args->plan->fault.message, "ends at a wrong time") != NULL) {
            duet_cli_note_end(&args->shared, args->plan->fault.message);
        }
    }
    DUET_TRY(
        duet_cli_read_beside(&args->shared, *instance, args->plan, &args->outputs.beside, error));
    if (args->shared.picture.path != NULL) {
        const duet_gantt_options look = duet_cli_picture_look(&args->shared, args->outputs.beside);
        return duet_gantt_check(*instance, &look, error);
    }
    return DUET_OK;
}

int duet_cli_solve(int argc, char **argv)
{
    solve_args args = {0};
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    duet_cancel *cancel = NULL;
    duet_code loaded = load(&args, &instance, &error);
    if (loaded == DUET_OK) {
        cancel = duet_cancel_create();
        loaded = cancel != NULL ? DUET_OK : duet_error_set(&error, DUET_E_MEMORY, "out of memory");
    }
    if (loaded != DUET_OK) {
        code = duet_cli_fail(&error);
    } else {
        duet_cli_signals_catch(cancel);
        code =
            duet_cli_platform_count(&args.shared) > 1
                ? duet_cli_solve_range(&args.shared, args.algorithm, &args.files, instance, cancel)
                : solve_loaded(&args, instance, cancel);
        duet_cli_signals_release();
    }
    duet_cancel_free(cancel);
    duet_cli_free_beside(args.outputs.beside, args.plan);
    duet_solution_free(args.plan);
    duet_instance_free(instance);
    duet_cli_args_free(&args.shared);
    return code;
}
