// SPDX-License-Identifier: Apache-2.0
// duet solve: a schedule, what is proven about it, and its pictures.
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/solve_block.h"
#include "console/exit_code.h"
#include "console/load.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/picture.h"
#include "console/progress.h"
#include "console/signals.h"
#include "console/ticker.h"

// What "auto" may take where no time is given, in seconds.
static const double default_seconds = 10.0;

typedef struct solve_args {
    duet_cli_args shared;
    const char *algorithm; // NULL: auto
    const char *output;    // NULL: none
    const char *trace;
    duet_solution *beside; // the schedule of --gantt-beside; NULL: none
    const char *proof;     // what the algorithm's options write; NULL: nothing
} solve_args;

// --gap is option gap of every algorithm, which -O gives, too.
static bool take_gap(void *input, const char *text)
{
    char setting[64];
    int length = snprintf(setting, sizeof setting, "gap=%s", text);
    if (length >= (int)sizeof setting) {
        return duet_cli_usage(input, "--gap: expected a share such as 0.01 or 1%%, got '%s'", text);
    }
    return duet_cli_take_setting(input, setting);
}

static const duet_cli_option options[] = {
    {"algorithm", 'a', "ALGORITHM", DUET_CLI_WORD(solve_args, algorithm), .fallback = "auto",
     .text = "the algorithm to run", .registry = "algorithms"},
    {"gap", 0, "GAP", DUET_CLI_OWN(take_gap), .fallback = "0",
     .text = "stop as soon as the makespan is within GAP of the proven bound: 0.01 or 1%"},
    {"output", 'o', "OUT", DUET_CLI_PATH(solve_args, output),
     .text = "write the solution here, as JSON"},
    {"trace", 0, "F.json|paje|rec", DUET_CLI_PATH(solve_args, trace),
     .text = "write a Chrome or a Paje trace, or a schedule for StarPU (sched.rec)"},
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
    "\n"
    "'duet list algorithms -v' lists the algorithms and their options. -O improve=true goes with "
    "every one of them: exchanges of tasks then shorten its schedule.",
    {options, duet_cli_picture_options, duet_cli_platform_options, duet_cli_reading_options,
     duet_cli_limits_options, duet_cli_values_options, duet_cli_output_options, NULL}};

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static duet_code check_distinct(const char *const *paths, size_t count, duet_error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (paths[i] != NULL && paths[j] != NULL && strcmp(paths[i], paths[j]) == 0) {
                return duet_error_set(error, DUET_E_USAGE,
                                      "'%s': expected a file of its own for each output", paths[i]);
            }
        }
    }
    return DUET_OK;
}

// What can be wrong with the outputs is said before minutes of work go into them.
static duet_code check_outputs(const solve_args *args, duet_error *error)
{
    const char *const paths[] = {args->output, args->shared.picture.path, args->trace, args->proof};
    duet_code code = DUET_OK;
    if (args->shared.json && is_stdout(args->proof)) {
        code =
            duet_error_set(error, DUET_E_USAGE, "-O proof: expected a file beside --json, got '-'");
    }
    if (code == DUET_OK) {
        code = duet_cli_check_picture(&args->shared, error);
    }
    if (code == DUET_OK && args->trace != NULL) {
        code = duet_cli_check_ending("--trace", args->trace, ".json .paje .rec", error);
    }
    for (size_t i = 0; i < sizeof paths / sizeof paths[0] && code == DUET_OK; i++) {
        if (paths[i] != NULL) {
            code = duet_cli_check_target(paths[i], error);
        }
        if (paths[i] != NULL && code == DUET_OK &&
            duet_cli_same_file(paths[i], args->shared.files[0])) {
            code = duet_error_set(error, DUET_E_USAGE,
                                  "'%s' is the instance: expected another file for the output",
                                  paths[i]);
        }
    }
    return code == DUET_OK ? check_distinct(paths, sizeof paths / sizeof paths[0], error) : code;
}

// Reports a failed output and keeps the first one's exit code.
static void settle(duet_code failed, const duet_error *error, int *code)
{
    if (failed != DUET_OK) {
        int own = duet_cli_fail(error);
        *code = *code == DUET_CLI_OK ? own : *code;
    }
}

// Each output is written whole or not at all, and whatever becomes of the others. Standard output
// comes last: a reader that closes it early ends the command.
static int write_outputs(const solve_args *args, const duet_instance *instance,
                         const duet_solution *solution)
{
    int code = DUET_CLI_OK;
    duet_error error = DUET_ERROR_INIT;
    if (args->output != NULL && !is_stdout(args->output)) {
        settle(duet_write_solution(args->output, instance, solution, &error), &error, &code);
    }
    duet_error_clear(&error);
    settle(duet_cli_write_picture(&args->shared, instance, solution, args->beside, &error), &error,
           &code);
    duet_error_clear(&error);
    if (args->trace != NULL) {
        settle(duet_write_trace(args->trace, instance, solution, &error), &error, &code);
    }
    duet_error_clear(&error);
    if (args->shared.json || is_stdout(args->output)) {
        settle(duet_write_solution("-", instance, solution, &error), &error, &code);
    }
    return code;
}

// The independent checker sees every schedule before the user does.
static duet_code check(const duet_instance *instance, const duet_solution *solution,
                       duet_bound_check *bound, duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, solution, bound, &fault);
    if (code == DUET_E_INPUT) {
        return duet_error_set(error, DUET_E_INTERNAL,
                              "a bug in Duet: algorithm %s made an invalid solution: %s",
                              duet_solution_algorithm(solution), fault.message);
    }
    if (code != DUET_OK) {
        *error = fault;
    }
    return code;
}

static duet_code run(const solve_args *args, const duet_instance *instance,
                     const duet_cancel *cancel, duet_solution **solution, duet_error *error)
{
    duet_cli_progress progress;
    duet_params params = duet_cli_params(&args->shared);
    if (args->algorithm == NULL && params.time_limit <= 0) {
        params.time_limit = default_seconds;
    }
    params.cancel = cancel;
    duet_cli_progress_init(&progress, instance, "", args->shared.quiet);
    duet_cli_progress_attach(&progress, &params);
    duet_code code = duet_solve(instance, args->algorithm, &params, solution, error);
    duet_cli_progress_clear(&progress);
    return code;
}

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
        fprintf(stderr, "duet: note: %s%s\n",
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
    duet_code done = run(args, instance, cancel, &solution, &error);
    duet_cli_ticker ticker;
    if (done == DUET_OK) {
        duet_cli_ticker_start(&ticker, "checking the schedule", args->shared.quiet);
        done = check(instance, solution, &bound, &error);
        duet_cli_ticker_stop(&ticker);
    }
    int code = DUET_CLI_OK;
    if (done != DUET_OK) {
        code = duet_cli_fail(&error);
    } else {
        bool cancelled = duet_cancel_requested(cancel) && duet_solution_interrupted(solution);
        if (cancelled) {
            fputs("duet: interrupted: this is the best schedule so far\n", stderr);
        }
        code = say_note(args, solution);
        duet_cli_ticker_start(&ticker, "writing", args->shared.quiet || args->shared.json);
        int written = write_outputs(args, instance, solution);
        code = code == DUET_CLI_OK ? written : code;
        duet_cli_ticker_stop(&ticker);
        // What belongs to a program is not mixed with what is for people.
        if (!args->shared.json && !is_stdout(args->output) && !is_stdout(args->proof)) {
            duet_cli_solve_block(instance, solution, bound);
        }
    }
    duet_solution_free(solution);
    return code;
}

static duet_code load(solve_args *args, duet_instance **instance, duet_error *error)
{
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "solve: expected a file, '-' for standard input");
    }
    args->proof = duet_cli_option_file(args->algorithm == NULL ? "auto" : args->algorithm,
                                       args->shared.options);
    duet_code code = check_outputs(args, error);
    if (code == DUET_OK) {
        code = duet_cli_load(&args->shared, args->shared.files[0], instance, error);
    }
    if (code == DUET_OK) {
        code = duet_cli_require_platform(args->shared.files[0], *instance, error);
    }
    if (code == DUET_OK) {
        code = duet_cli_read_beside(&args->shared, *instance, &args->beside, error);
    }
    return code;
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
        code = solve_loaded(&args, instance, cancel);
        duet_cli_signals_release();
    }
    duet_cancel_free(cancel);
    duet_solution_free(args.beside);
    duet_instance_free(instance);
    duet_cli_args_free(&args.shared);
    return code;
}
