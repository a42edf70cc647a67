// SPDX-License-Identifier: Apache-2.0
// duet verify: lets the independent checker judge a solution.
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "cli/ticker.h"

enum { KEY_STRICT = DUET_CLI_FIRST_KEY, KEY_DEEP };

typedef struct verify_args {
    duet_cli_args shared;
    const char *files[2]; // instance, solution
    size_t file_count;
    bool strict;
    bool deep;
} verify_args;

static error_t parse(int key, char *text, struct argp_state *state)
{
    verify_args *args = state->input;
    duet_cli_args_enter(key, state);
    switch (key) {
    case KEY_STRICT:
        args->strict = true;
        return 0;
    case KEY_DEEP:
        args->deep = true;
        return 0;
    case ARGP_KEY_ARG:
        return duet_cli_take_file(&args->shared, text, args->files, &args->file_count, 2);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"strict", KEY_STRICT, NULL, 0, "a lower bound that is not certified is a fault", 0},
    {"deep", KEY_DEEP, NULL, 0, "compute the table behind a lower bound again", 0},
    {0}};
static const struct argp_child children[] = {{&duet_cli_platform_argp, 0, NULL, 0},
                                             {&duet_cli_limits_argp, 0, NULL, 0},
                                             {&duet_cli_output_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {
    options,
    parse,
    "FILE SOLUTION",
    "Checks the solution of an instance: every task placed once, on an allowed type and an "
    "existing processor, without overlap; the makespan and the other numbers it claims; and the "
    "certificate of its lower bound. Exits with 1 where something is wrong. A lower bound by a "
    "table is believed unless --deep computes the table again; -t, -j and --memory limit that. "
    "With -q nothing is printed where all is well.\v"
    "Examples:\n"
    "  duet verify chol.json schedule.json\n"
    "  duet verify tasks.csv schedule.json -m 20 -k 4 --strict\n"
    "  duet solve chol.json --json | duet verify chol.json - --json\n"
    "  duet verify chol.json schedule.json --deep -t 60\n"
    "\n"
    "The platform comes from -m and -k, else from the instance, else from the solution.",
    children,
    duet_cli_help_text,
    NULL};

typedef struct verdict {
    duet_code code;
    duet_bound_check bound;
    bool recomputed; // a bound by table whose table says so again
    duet_error fault;
} verdict;

static const char *check_name(const verdict *result)
{
    switch (result->bound) {
    case DUET_BOUND_CERTIFIED:
        return "certified";
    case DUET_BOUND_TABLE:
        return result->recomputed ? "recomputed" : "table";
    case DUET_BOUND_UNPROVEN:
        return "unproven";
    case DUET_BOUND_NONE:
        break;
    }
    return "none";
}

static const char *proof_name(const duet_solution *solution)
{
    switch (duet_solution_certificate(solution)->proof) {
    case DUET_PROOF_LONGEST:
        return "longest";
    case DUET_PROOF_AREA:
        return "area";
    case DUET_PROOF_SHELF:
        return "shelf";
    case DUET_PROOF_TABLE:
        return "table";
    case DUET_PROOF_NONE:
        break;
    }
    return "none";
}

static void print_json(const duet_instance *instance, const duet_solution *solution,
                       const verdict *result)
{
    char digits[64];
    duet_cli_json json = {stdout, 0, true};
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(instance));
    duet_cli_json_string(&json, "algorithm", duet_solution_algorithm(solution));
    duet_cli_json_boolean(&json, "valid", result->code == DUET_OK);
    duet_cli_json_string(&json, "fault", result->code == DUET_OK ? NULL : result->fault.message);
    duet_cli_json_integer(&json, "tasks", duet_instance_tasks(instance));
    duet_cli_json_string(&json, "status", duet_status_name(duet_solution_status(solution)));
    duet_cli_json_number(
        &json, "makespan",
        duet_instance_format_time(instance, duet_solution_makespan(solution), digits));
    duet_cli_json_number(
        &json, "lower_bound",
        duet_instance_format_time(instance, duet_solution_lower_bound(solution), digits));
    const char *bound = duet_solution_bound_name(solution);
    duet_cli_json_string(&json, "bound", bound[0] == '\0' ? NULL : bound);
    duet_cli_json_string(&json, "bound_check", result->code == DUET_OK ? check_name(result) : NULL);
    duet_cli_json_string(&json, "time_unit", duet_instance_time_unit(instance));
    duet_cli_json_close(&json, '}');
}

static void print_bound(const duet_instance *instance, const duet_solution *solution,
                        const verdict *result)
{
    char text[DUET_CLI_TEXT];
    if (result->bound == DUET_BOUND_NONE) {
        puts("lower bound  none claimed");
        return;
    }
    bool proven = result->bound == DUET_BOUND_CERTIFIED || result->recomputed;
    printf("lower bound  %s%s (%s), ", proven ? "ok: " : "",
           duet_cli_time(instance, duet_solution_lower_bound(solution), text),
           duet_solution_bound_name(solution));
    if (result->bound == DUET_BOUND_CERTIFIED) {
        printf("certified by its %s certificate\n", proof_name(solution));
    } else if (result->recomputed) {
        puts("by a table that was computed again");
    } else if (result->bound == DUET_BOUND_TABLE) {
        puts("by a table that was not computed again (--deep does)");
    } else {
        puts("not certified: it rests on the algorithm that claims it");
    }
}

static void print_text(const duet_instance *instance, const duet_solution *solution,
                       const verdict *result)
{
    char text[DUET_CLI_TEXT];
    size_t aborted = 0;
    duet_solution_aborted(solution, &aborted);
    printf("schedule     ok: %lld tasks on %s", (long long)duet_instance_tasks(instance),
           duet_cli_platform(instance, text, sizeof text));
    if (aborted > 0) {
        printf(", %zu runs given up", aborted);
    }
    printf("\nmakespan     ok: %s\n",
           duet_cli_time(instance, duet_solution_makespan(solution), text));
    print_bound(instance, solution, result);
    bool proven = result->bound == DUET_BOUND_CERTIFIED || result->recomputed;
    printf("status       %s: %s\n",
           duet_solution_status(solution) != DUET_OPTIMAL || proven ? "ok" : "as claimed",
           duet_status_name(duet_solution_status(solution)));
}

static void judge(const verify_args *args, const duet_instance *instance,
                  const duet_solution *solution, verdict *result)
{
    result->code = duet_check_solution(instance, solution, &result->bound, &result->fault);
    if (result->code == DUET_OK && result->bound == DUET_BOUND_TABLE && args->deep) {
        duet_params params = duet_cli_params(&args->shared);
        result->code = duet_verify_table(instance, duet_solution_certificate(solution), &params,
                                         &result->fault);
        result->recomputed = result->code == DUET_OK;
    }
    if (result->code != DUET_OK || !args->strict) {
        return;
    }
    if (result->bound == DUET_BOUND_UNPROVEN) {
        result->code = duet_error_set(&result->fault, DUET_E_INPUT,
                                      "the lower bound (%s) has no certificate, expected one",
                                      duet_solution_bound_name(solution));
    } else if (result->bound == DUET_BOUND_TABLE && !result->recomputed) {
        result->code = duet_error_set(&result->fault, DUET_E_INPUT,
                                      "the lower bound (%s) rests on a table, expected --deep",
                                      duet_solution_bound_name(solution));
    }
}

// Reads both files; the platform may come from either.
static duet_code load(const verify_args *args, duet_instance **instance, duet_solution **solution,
                      duet_error *error)
{
    if (args->file_count < 2) {
        return duet_error_set(error, DUET_E_USAGE,
                              "verify: expected two files, an instance and a solution");
    }
    if (strcmp(args->files[0], "-") == 0 && strcmp(args->files[1], "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "verify: expected at most one '-', standard input is read once");
    }
    duet_code code = duet_cli_load(&args->shared, args->files[0], instance, error);
    if (code == DUET_OK) {
        duet_cli_ticker ticker;
        duet_cli_ticker_start(&ticker, "reading the solution", args->shared.quiet);
        code = duet_read_solution(args->files[1], *instance, solution, error);
        duet_cli_ticker_stop(&ticker);
    }
    if (code == DUET_OK) {
        code = duet_cli_require_platform(args->files[0], *instance, error);
    }
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
        verdict result = {DUET_OK, DUET_BOUND_NONE, false, DUET_ERROR_INIT};
        duet_cli_ticker_start(&ticker, "checking", args->shared.quiet);
        judge(args, instance, solution, &result);
        duet_cli_ticker_stop(&ticker);
        if (args->shared.json && (result.code == DUET_OK || result.code == DUET_E_INPUT)) {
            print_json(instance, solution, &result);
        } else if (result.code == DUET_OK && !args->shared.quiet) {
            print_text(instance, solution, &result);
        }
        if (result.code != DUET_OK) {
            const duet_error *fault = &result.fault;
            duet_error_set_at(&error, result.code,
                              fault->file[0] == '\0' ? args->files[1] : fault->file, fault->line,
                              fault->column, "%s", fault->message);
            code = duet_cli_fail(&error);
        }
        // The checker's "invalid input" is its verdict, not a file that cannot be read.
        code = result.code == DUET_E_INPUT ? DUET_CLI_FAULT : code;
    }
    duet_solution_free(solution);
    duet_instance_free(instance);
    return code;
}

int duet_cli_verify(int argc, char **argv)
{
    verify_args args = {0};
    int code = DUET_CLI_OK;
    if (duet_cli_parse(&argp, "verify", argc, argv, &args, &code)) {
        code = verify(&args);
        duet_cli_args_free(&args.shared);
    }
    return code;
}
