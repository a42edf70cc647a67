// SPDX-License-Identifier: Apache-2.0
// duet verify: lets the independent checker judge a solution.
#include <string.h>

#include "cli/commands.h"
#include "cli/verify_report.h"
#include "console/deadline.h"
#include "console/exit_code.h"
#include "console/given.h"
#include "console/load.h"
#include "console/options.h"
#include "console/platform.h"
#include "console/ticker.h"
#include "core/solution/finer.h"
#include "core/solution/solution.h"
#include "core/system/try.h"
#include "instances/formats/own_files.h"

typedef struct verify_args {
    duet_cli_args shared;
    bool strict;
    bool deep;
    const char *proof; // NULL: none
} verify_args;

static const duet_cli_option options[] = {
    {"strict", 0, NULL, DUET_CLI_FLAG(verify_args, strict),
     .text = "a lower bound that is not certified is a fault"},
    {"deep", 0, NULL, DUET_CLI_FLAG(verify_args, deep),
     .text = "compute the table or the knapsack behind a lower bound again"},
    {"proof", 0, "PROOF", DUET_CLI_PATH(verify_args, proof),
     .text = "check this proof of the lower bound"},
    {0}};
static const duet_cli_syntax syntax = {
    "verify",
    "FILE SOLUTION",
    2,
    "Checks the solution of an instance: every task placed once, on an allowed type and an "
    "existing processor, without overlap; the makespan and the other numbers it claims; and the "
    "certificate of its lower bound. Exits with 1 where something is wrong. A lower bound by a "
    "table or a knapsack is believed unless --deep computes that again. With --proof the lower "
    "bound is "
    "certified by a proof of its own: a file as an exact search writes it. -t and --memory limit "
    "all that it does, in sum; what is neither proven nor refuted by then ends with 5. With -q "
    "nothing is printed where all is well.\v"
    "Examples:\n"
    "  duet verify chol.json schedule.json\n"
    "  duet verify tasks.csv schedule.json -m 20 -k 4 --strict\n"
    "  duet solve chol.json --json | duet verify chol.json - --json\n"
    "  duet verify chol.json schedule.json --deep -t 60\n"
    "  duet verify chol.json schedule.json --proof schedule.proof\n"
    "\n"
    "The platform comes from -m and -k, else from the instance, else from the solution.",
    {options, duet_cli_platform_options, duet_cli_given_options, duet_cli_reading_options,
     duet_cli_setting_options, duet_cli_limits_options, duet_cli_output_options, NULL}};

// The least bound in ticks of the instance that is no lower than the claim, which may be between
// them.
static int64_t bound_in_ticks(const duet_solution *solution)
{
    int64_t scale = duet_finer_scale(duet_solution_finer(solution));
    int64_t bound = duet_solution_lower_bound(solution);
    return bound / scale + (bound % scale > 0);
}

// Whoever gives a solution for a proof is told so.
static void say_other(const char *path, duet_error *fault)
{
    duet_input *input = NULL;
    duet_error other = DUET_ERROR_INIT;
    bool rereads = strcmp(path, "-") != 0 && duet_input_open(&input, path, NULL) == DUET_OK;
    if (rereads && duet_refuse_own(input, DUET_OWN_PROOF, "a proof", &other) != DUET_OK) {
        *fault = other;
    }
    duet_input_close(input);
}

static void judge(const verify_args *args, const duet_instance *instance,
                  const duet_solution *solution, duet_cli_verdict *result)
{
    duet_params params = duet_cli_params_left(&args->shared);
    result->code = duet_judge_solution(instance, solution, &params, &result->bound,
                                       &result->verdict, &result->fault);
    if (result->code == DUET_OK && args->proof != NULL) {
        params = duet_cli_params_left(&args->shared);
        result->code = duet_verify_proof(instance, args->proof, bound_in_ticks(solution), &params,
                                         &result->proof, &result->fault);
        bool unreadable = result->code == DUET_E_INPUT && !result->proof.is_proof;
        result->by_proof = result->code == DUET_OK ? DUET_CLI_PROOF_HOLDS
                           : unreadable            ? DUET_CLI_PROOF_UNREADABLE
                                                   : DUET_CLI_PROOF_NONE;
        if (unreadable) {
            say_other(args->proof, &result->fault);
        }
    }
    if (result->code == DUET_OK && result->bound == DUET_BOUND_DEEP && args->deep) {
        params = duet_cli_params_left(&args->shared);
        result->code = duet_verify_deep(instance, duet_solution_certificate(solution), &params,
                                        &result->fault);
        result->recomputed = result->code == DUET_OK;
    }
    if (result->code != DUET_OK || !args->strict || duet_cli_is_certified(result)) {
        return;
    }
    if (result->bound == DUET_BOUND_UNPROVEN) {
        result->code = duet_error_set(&result->fault, DUET_E_INPUT,
                                      "the lower bound (%s) has no certificate, expected one",
                                      duet_solution_bound_name(solution));
    } else if (result->bound == DUET_BOUND_DEEP && !result->recomputed) {
        result->code =
            duet_error_set(&result->fault, DUET_E_INPUT,
                           "the lower bound (%s) rests on a table or a knapsack, expected "
                           "--deep",
                           duet_solution_bound_name(solution));
    }
}

// A plan that --start-from or --fix is about was made for the file alone, and so is its claim:
// where the schedule is valid with what is given, the claim is judged as one about the file.
static void judge_apart(const verify_args *args, const duet_solution *solution,
                        duet_cli_verdict *result)
{
    verify_args alone = *args;
    alone.shared.start_from = NULL;
    alone.shared.now = NULL;
    alone.shared.fix = NULL;
    alone.shared.without = NULL;
    alone.shared.quiet = true;
    duet_instance *file = NULL;
    duet_error fault = DUET_ERROR_INIT;
    duet_cli_verdict of_file = {.bound = DUET_BOUND_NONE,
                                .proof_file = args->proof,
                                .fault = DUET_ERROR_INIT,
                                .of_file = true};
    bool rereads = strcmp(args->shared.files[0], "-") != 0 &&
                   (args->proof == NULL || strcmp(args->proof, "-") != 0);
    if (rereads && result->verdict > DUET_REFUSES_SCHEDULE &&
        duet_cli_load(&alone.shared, args->shared.files[0], &file, &fault) == DUET_OK) {
        judge(&alone, file, solution, &of_file);
        if (of_file.code == DUET_OK) {
            *result = of_file;
        }
    }
    duet_instance_free(file);
}

// Reads both files; the platform may come from either.
static duet_code load(const verify_args *args, duet_instance **instance, duet_solution **solution,
                      duet_error *error)
{
    if (args->shared.file_count < 2) {
        return duet_error_set(error, DUET_E_USAGE,
                              "verify: expected two files, an instance and a solution");
    }
    int dashes = strcmp(args->shared.files[0], "-") == 0 ? 1 : 0;
    dashes += strcmp(args->shared.files[1], "-") == 0 ? 1 : 0;
    dashes += args->proof != NULL && strcmp(args->proof, "-") == 0 ? 1 : 0;
    if (dashes > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "verify: expected at most one '-', standard input is read once");
    }
    duet_code code = duet_cli_load(&args->shared, args->shared.files[0], instance, error);
    if (code == DUET_OK) {
        duet_cli_ticker ticker;
        duet_cli_ticker_start(&ticker, "reading the solution", args->shared.quiet);
        code = duet_cli_load_schedule(&args->shared, args->shared.files[1], *instance, solution,
                                      error);
        duet_cli_ticker_stop(&ticker);
    }
    DUET_THEN(code, duet_cli_require_platform(args->shared.files[0], *instance, error));
    return code;
}

static int verify(const verify_args *args)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    int code = DUET_CLI_OK;
    if (load(args, &instance, &solution, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    } else {
        duet_cli_ticker ticker;
        duet_cli_verdict result = {
            .bound = DUET_BOUND_NONE, .proof_file = args->proof, .fault = DUET_ERROR_INIT};
        duet_cli_ticker_start(&ticker, "checking", args->shared.quiet);
        judge(args, instance, solution, &result);
        if (result.code == DUET_E_INPUT && duet_cli_gives(&args->shared)) {
            judge_apart(args, solution, &result);
        }
        duet_cli_ticker_stop(&ticker);
        bool judged = result.code == DUET_OK ||
                      (result.code == DUET_E_INPUT && result.by_proof != DUET_CLI_PROOF_UNREADABLE);
        if (args->shared.json && judged) {
            duet_cli_print_verdict_json(instance, solution, &result);
        } else if (result.code == DUET_OK && !args->shared.quiet) {
            duet_cli_print_verdict(instance, solution, &result);
        }
        if (result.code != DUET_OK) {
            const duet_error *fault = &result.fault;
            duet_error_set_at(&error, result.code,
                              fault->file[0] == '\0' ? args->shared.files[1] : fault->file,
                              fault->line, fault->column, "%s", fault->message);
            code = duet_cli_fail(&error);
        }
        // The checker's "invalid input" is its verdict, not a file that cannot be read.
        code = judged && result.code != DUET_OK ? DUET_CLI_FAULT : code;
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    return code;
}

int duet_cli_verify(int argc, char **argv)
{
    verify_args args = {0};
    int code = DUET_CLI_OK;
    static const double more =
        0.9; // seconds, in which the checker says by itself what it could not check
    if (duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        duet_cli_end_after(&args.shared, more);
        code = verify(&args);
        duet_cli_args_free(&args.shared);
    }
    return code;
}
