// SPDX-License-Identifier: Apache-2.0
// duet show: a schedule from anywhere, drawn and judged.
#include <stdio.h>
#include <string.h>

#include "check/verdict.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/show_run.h"
#include "cli/solve.h"
#include "cli/watts.h"
#include "console/exit_code.h"
#include "console/load.h"
#include "console/options.h"
#include "console/picture.h"
#include "console/platform.h"
#include "console/print.h"
#include "console/table.h"
#include "console/texts.h"
#include "console/ticker.h"
#include "core/number/minmax.h"
#include "core/solution/certificate.h"
#include "core/solution/solution.h"
#include "core/system/try.h"

typedef struct show_args {
    duet_cli_args shared;
    duet_cli_outputs outputs;
    bool summary;
    duet_cli_watts watts;
    duet_cli_power power; // which the watts mean
    duet_cli_run run;     // of StarPU's
} show_args;

static const duet_cli_option options[] = {
    {"trace", 0, "F.json|paje|rec", DUET_CLI_PATH(show_args, outputs.trace),
     .text = "write a Chrome or a Paje trace, or a schedule for StarPU (sched.rec)"},
    {"output", 'o', "OUT", DUET_CLI_PATH(show_args, outputs.solution),
     .text = "write the schedule here, with the lower bound: as JSON, or as a table where the name "
             "ends in .csv"},
    {"summary", 0, NULL, DUET_CLI_FLAG(show_args, summary),
     .text = "say which tasks go where, how long each type works, and what limits the makespan"},
    {"watts", 0, "TYPE=W,...", DUET_CLI_WORD(show_args, watts.busy),
     .text = "--summary: what a processor of each type takes while it works"},
    {"idle-watts", 0, "TYPE=W,...", DUET_CLI_WORD(show_args, watts.idle), .fallback = "nothing",
     .text = "and while it does not"},
    {0}};
static const duet_cli_syntax syntax = {
    "show",
    "FILE [SCHEDULE]",
    2,
    "Judges a schedule of an instance, whoever made it: the independent checker says whether it is "
    "one, and bounds that are computed on the spot (one second each) say how far it can be "
    "from the best. SCHEDULE is a solution of 'duet solve', or a table (CSV) with the columns "
    "task, type, processor and start, or a run of StarPU's (tasks.rec, paje.trace). Exits with 1 "
    "where it is no valid schedule; pictures are drawn all the same. -t and --memory limit all "
    "that it does, in sum. Without SCHEDULE it tells "
    "of the instance.\v"
    "Examples:\n"
    "  duet show chol.json schedule.json --gantt schedule.svg\n"
    "  duet show tasks.csv mine.csv -m 20 -k 4 --summary\n"
    "  duet show chol.json schedule.json -o schedule.csv\n"
    "  duet show tasks.csv\n"
    "  duet show application.rec tasks.rec --gantt run.svg\n"
    "\n"
    "'duet verify' checks what a solution claims, and trusts no bound without a certificate.",
    {options, duet_cli_picture_options, duet_cli_platform_options, duet_cli_price_options,
     duet_cli_given_options, duet_cli_reading_options, duet_cli_setting_options,
     duet_cli_limits_options, duet_cli_output_options, NULL}};

// What a solution claims and nobody has proven.
typedef struct claim {
    int64_t bound; // 0: nothing
    char name[32];
} claim;

static void take_bound(void *user, const duet_bound *bound)
{
    duet_solution_offer_bound(user, bound);
}

// Takes the claimed bound away, unless it is certified.
static claim set_claim_aside(duet_solution *solution, duet_bound_check check)
{
    claim made = {0};
    if (check == DUET_BOUND_CERTIFIED) {
        return made;
    }
    made.bound = solution->lower_bound;
    snprintf(made.name, sizeof made.name, "%s", solution->bound_name);
    duet_certificate_release(&solution->certificate);
    solution->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    solution->lower_bound = 0;
    solution->bound_name[0] = '\0';
    return made;
}

// When -t has passed.
static int64_t deadline(const show_args *args)
{
    double seconds = args->shared.seconds;
    return seconds > 0 && seconds < 9e9 ? args->shared.began_ns + (int64_t)(seconds * 1e9)
                                        : INT64_MAX;
}

// Bounds that took all of -t are still to be checked.
static const double FOR_CHECK = 0.5; // seconds

// Computes the bounds, and lets the checker look at what came of it.
static duet_code bound_schedule(const show_args *args, const duet_instance *instance,
                                duet_solution *solution, duet_bound_check *check, claim *claimed,
                                duet_error *error)
{
    duet_cli_ticker ticker;
    duet_params params = duet_cli_params_left(&args->shared);
    if (claimed->bound == 0) {
        *claimed = set_claim_aside(solution, *check);
    }
    duet_cli_ticker_start(&ticker, "computing bounds", args->shared.quiet);
    duet_code code =
        duet_cli_best_bound(instance, &params, deadline(args), take_bound, solution, error);
    duet_cli_ticker_stop(&ticker);
    if (code == DUET_OK) {
        duet_solution_finish(solution, instance);
        duet_error fault = DUET_ERROR_INIT;
        params = duet_cli_params_left(&args->shared);
        params.time_limit += args->shared.seconds > 0 ? FOR_CHECK : 0;
        code = duet_check_solution(instance, solution, &params, check, &fault);
        if (code == DUET_E_INPUT) {
            return duet_error_set(error, DUET_E_INTERNAL, "a bug in Duet: a computed bound: %s",
                                  fault.message);
        }
        *error = code != DUET_OK ? fault : *error;
    }
    return code;
}

static void print_text(const show_args *args, const duet_instance *instance,
                       const duet_solution *solution, duet_bound_check check, const claim *claimed)
{
    char text[DUET_CLI_TEXT];
    duet_cli_schedule_block(instance, solution, check);
    if (claimed->bound > duet_solution_lower_bound(solution)) {
        duet_cli_print(stdout, "claimed      lower bound %s (%s), which nothing here proves\n",
                       duet_cli_time(instance, claimed->bound, text), claimed->name);
    }
    duet_cli_print(stdout, "status       %s\n", duet_status_name(duet_solution_status(solution)));
    if (args->run.given) {
        duet_cli_print_run(&args->run, instance, solution);
    }
    duet_cli_print_late(instance, solution);
    duet_cli_print_price(&args->shared, instance, solution);
}

static duet_code print_json(const show_args *args, const duet_instance *instance,
                            const duet_solution *solution, duet_bound_check check,
                            const duet_error *fault, duet_error *error)
{
    char digits[64];
    duet_cli_json json = {stdout, 0, true};
    bool valid = fault->code == DUET_OK;
    int64_t bound = duet_solution_lower_bound(solution);
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(instance));
    duet_cli_json_string(&json, "algorithm", duet_solution_algorithm(solution));
    duet_cli_json_boolean(&json, "valid", valid);
    duet_cli_json_string(&json, "fault", valid ? NULL : fault->message);
    duet_cli_json_integer(&json, "tasks", duet_instance_tasks(instance));
    duet_cli_json_string(&json, "time_unit", duet_instance_time_unit(instance));
    duet_cli_json_number(
        &json, "makespan",
        duet_instance_format_time(instance, duet_solution_makespan(solution), digits));
    duet_code code = DUET_OK;
    if (valid) {
        const char *name = duet_solution_bound_name(solution);
        duet_cli_json_number(&json, "lower_bound",
                             duet_instance_format_time(instance, bound, digits));
        duet_cli_json_string(&json, "bound", name[0] == '\0' ? NULL : name);
        duet_cli_json_boolean(&json, "certified", check == DUET_BOUND_CERTIFIED);
        duet_cli_json_decimal(&json, "gap_percent",
                              duet_cli_gap(duet_solution_makespan(solution), bound), 6);
        duet_cli_json_string(&json, "status", duet_status_name(duet_solution_status(solution)));
        if (args->run.given) {
            duet_cli_run_json(&json, &args->run, instance, solution);
        }
        code = args->summary
                   ? duet_cli_summary_json(&json, instance, solution, &args->power.watts, error)
                   : DUET_OK;
        duet_cli_json_late(instance, solution, &json);
        duet_cli_json_price(&args->shared, instance, solution, &json);
    }
    duet_cli_json_close(&json, '}');
    return code;
}

// What the schedule's file is wrong in, with its name where the checker gives none.
static void say_fault(const show_args *args, const duet_error *fault)
{
    duet_error named = DUET_ERROR_INIT;
    duet_error_set_at(&named, DUET_E_INPUT,
                      fault->file[0] == '\0' ? args->shared.files[1] : fault->file, fault->line,
                      fault->column, "%s", fault->message);
    (void)duet_cli_fail(&named);
}

static int write_outputs(const show_args *args, const duet_instance *instance,
                         const duet_solution *solution)
{
    return args->run.given
               ? duet_cli_write_run(&args->shared, &args->outputs, &args->run, instance, solution)
               : duet_cli_write_outputs(&args->shared, &args->outputs, instance, solution);
}

// Returns the exit code of the first thing that went wrong.
static int show_valid(const show_args *args, const duet_instance *instance,
                      const duet_solution *solution, duet_bound_check check, const claim *claimed)
{
    duet_error error = DUET_ERROR_INIT;
    int code = DUET_CLI_OK;
    if (args->shared.json) {
        duet_error none = DUET_ERROR_INIT;
        if (print_json(args, instance, solution, check, &none, &error) != DUET_OK) {
            code = duet_cli_fail(&error);
        }
    } else if (!duet_cli_is_stdout(args->outputs.solution)) {
        print_text(args, instance, solution, check, claimed);
        code = args->summary ? duet_cli_summary_print(instance, solution, &args->power.watts)
                             : DUET_CLI_OK;
    }
    int written = write_outputs(args, instance, solution);
    return code == DUET_CLI_OK ? written : code;
}

static int show_schedule(const show_args *args, const duet_instance *instance,
                         duet_solution *solution);

// A valid schedule that starts tasks between ticks is shown in finer ticks, with bounds for these;
// or rounded down, where the instance does not fit into finer ones.
static int show_between_ticks(const show_args *args, const duet_instance *instance,
                              duet_solution *solution)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *finer = NULL;
    duet_code code = duet_solution_refine(solution, instance, &finer, &error);
    if (code == DUET_E_MEMORY) {
        return duet_cli_fail(&error);
    }
    if (code != DUET_OK) {
        duet_cli_take_in_ticks(&args->shared, args->shared.files[1], instance, solution);
    }
    int exit_code = show_schedule(args, finer == NULL ? instance : finer, solution);
    duet_instance_free(finer);
    return exit_code;
}

// A schedule whose certificate proves nothing of it, such as that of the same tasks on one
// processor each where they are moldable, may be one all the same: what it claims is set aside.
static duet_code check_schedule(const show_args *args, const duet_instance *instance,
                                duet_solution *solution, duet_bound_check *check, claim *claimed,
                                duet_error *fault)
{
    duet_error other = DUET_ERROR_INIT;
    duet_params params = duet_cli_params_left(&args->shared);
    duet_solution_verdict verdict;
    duet_code code = duet_judge_solution(instance, solution, &params, check, &verdict, fault);
    if (verdict != DUET_REFUSES_CERTIFICATE) {
        return code;
    }
    *claimed = set_claim_aside(solution, DUET_BOUND_UNPROVEN);
    duet_solution_drop_certified(solution);
    duet_solution_finish(solution, instance);
    params = duet_cli_params_left(&args->shared);
    code = duet_check_solution(instance, solution, &params, check, &other);
    if (code == DUET_OK && !args->shared.quiet) {
        duet_cli_print(stderr, "duet: note: %s: %s; the bound that it claims is set aside\n",
                       args->shared.files[1], fault->message);
    }
    *fault = other;
    return code;
}

static int show_schedule(const show_args *args, const duet_instance *instance,
                         duet_solution *solution)
{
    duet_error error = DUET_ERROR_INIT;
    duet_error fault = DUET_ERROR_INIT;
    duet_bound_check check = DUET_BOUND_NONE;
    claim claimed = {0};
    duet_code code = check_schedule(args, instance, solution, &check, &claimed, &fault);
    if (code == DUET_OK && duet_solution_finer(solution) > 0) {
        return show_between_ticks(args, instance, solution);
    }
    if (code == DUET_E_INPUT) {
        duet_solution_to_ticks(solution, instance); // to be drawn
        if (args->shared.json && print_json(args, instance, solution, check, &fault, &error) != 0) {
            return duet_cli_fail(&error);
        }
        (void)write_outputs(args, instance, solution);
        say_fault(args, &fault);
        return DUET_CLI_FAULT;
    }
    if (code != DUET_OK) {
        return duet_cli_fail(&fault);
    }
    if (bound_schedule(args, instance, solution, &check, &claimed, &error) != DUET_OK) {
        return duet_cli_fail(&error);
    }
    return show_valid(args, instance, solution, check, &claimed);
}

// The kinds with their times, as many as fit on a screen.
static void print_kinds(const duet_instance *instance)
{
    enum { shown = 20, most_types = DUET_CLI_MAX_COLUMNS - 2 };
    char align[DUET_CLI_MAX_COLUMNS + 1] = "lr";
    char text[DUET_CLI_TEXT];
    size_t types = duet_instance_types(instance);
    size_t kinds = duet_instance_kinds(instance);
    types = duet_min(types, most_types);
    memset(align + 2, 'r', types);
    duet_cli_table table;
    duet_cli_table_init(&table, align);
    duet_cli_table_add(&table, "kind");
    duet_cli_table_add(&table, "tasks");
    for (size_t t = 0; t < types; t++) {
        duet_cli_table_add(&table, duet_instance_type_name(instance, t));
    }
    for (size_t i = 0; i < kinds && i < shown; i++) {
        duet_cli_table_add(&table, duet_instance_kind_id(instance, i));
        snprintf(text, sizeof text, "%lld", (long long)duet_instance_kind_count(instance, i));
        duet_cli_table_add(&table, text);
        for (size_t t = 0; t < types; t++) {
            int64_t time = duet_instance_time(instance, i, t);
            duet_cli_table_add(&table,
                               time == DUET_FORBIDDEN ? "-" : duet_cli_time(instance, time, text));
        }
    }
    duet_cli_table_print(&table, 2, stdout);
    duet_cli_table_free(&table);
    if (kinds > shown) {
        printf("  and %zu more kinds\n", kinds - shown);
    }
}

// The names of the processors of each type that has some, as many as fit on a line.
static void print_names(const duet_instance *instance)
{
    enum { shown = 8 };
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        const char *name = duet_instance_processor_name(instance, t, 0);
        if (name == NULL) {
            continue;
        }
        duet_cli_print(stdout, "names        %s: %s", duet_instance_type_name(instance, t), name);
        for (int p = 1; p < shown && name != NULL; p++) {
            name = duet_instance_processor_name(instance, t, p);
            duet_cli_print(stdout, "%s%s", name == NULL ? "" : ", ", name == NULL ? "" : name);
        }
        bool more = duet_instance_processor_name(instance, t, shown) != NULL;
        duet_cli_print(stdout, "%s\n", more ? ", ..." : "");
    }
}

static int show_instance(const show_args *args, const duet_instance *instance)
{
    char text[DUET_CLI_TEXT];
    duet_error error = DUET_ERROR_INIT;
    if (args->shared.picture.path != NULL || args->outputs.trace != NULL ||
        args->outputs.solution != NULL || args->summary || args->shared.json) {
        duet_error_set(&error, DUET_E_USAGE,
                       "show: expected a schedule behind the instance for --gantt, --trace, "
                       "--summary, --json and -o; 'duet solve' finds one");
        return duet_cli_fail(&error);
    }
    duet_cli_print(stdout, "instance     %s: %s\n", duet_instance_name(instance),
                   duet_cli_size(instance, text));
    duet_cli_print(stdout, "platform     %s\n",
                   duet_instance_has_platform(instance)
                       ? duet_cli_platform(instance, text, sizeof text)
                       : "not said in the file");
    print_names(instance);
    const char *unit = duet_instance_time_unit(instance);
    duet_cli_print(stdout, "times in     %s\n",
                   unit[0] == '\0' ? "a unit that is not said (--unit)" : unit);
    print_kinds(instance);
    return DUET_CLI_OK;
}

static int show(show_args *args)
{
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance = NULL;
    duet_solution *solution = NULL;
    duet_solution *plan = NULL; // for a picture beside
    bool continues = args->shared.now != NULL && args->shared.picture.beside != NULL;
    size_t files = args->shared.file_count;
    duet_code code = DUET_OK;
    if (files == 0) {
        code =
            duet_error_set(&error, DUET_E_USAGE,
                           "show: expected an instance and its schedule, '-' for standard input");
    } else if (files == 2 && strcmp(args->shared.files[0], "-") == 0 &&
               strcmp(args->shared.files[1], "-") == 0) {
        code = duet_error_set(&error, DUET_E_USAGE,
                              "show: expected at most one '-', standard input is read once");
    } else if (args->shared.json && duet_cli_is_stdout(args->outputs.solution)) {
        code = duet_error_set(&error, DUET_E_USAGE, "-o: expected a file beside --json, got '-'");
    }
    DUET_THEN(code, duet_cli_check_outputs(&args->shared, &args->outputs, &error));
    DUET_THEN(code, duet_cli_find_run(&args->shared, &args->run, &error));
    DUET_THEN(code, duet_cli_load_with_plan(&args->shared, args->shared.files[0], &instance,
                                            continues ? &plan : NULL, &error));
    DUET_THEN(code, duet_cli_check_price(&args->shared, instance, &error));
    DUET_THEN(code, duet_cli_read_power(&args->watts, instance, &args->power, &error));
    if (code == DUET_OK && args->run.given) {
        code = duet_cli_require_platform(args->shared.files[0], instance, &error);
        DUET_THEN(code, duet_cli_load_run(&args->shared, instance, &args->run, &solution, &error));
    } else if (code == DUET_OK && files == 2) {
        code = duet_cli_load_schedule(&args->shared, args->shared.files[1], instance, &solution,
                                      &error);
        DUET_THEN(code, duet_cli_require_platform(args->shared.files[0], instance, &error));
    }
    if (code == DUET_OK && solution != NULL) {
        code = duet_cli_read_beside(&args->shared, instance, plan, &args->outputs.beside, &error);
    }
    int exit_code = code != DUET_OK    ? duet_cli_fail(&error)
                    : solution == NULL ? show_instance(args, instance)
                                       : show_schedule(args, instance, solution);
    duet_cli_free_beside(args->outputs.beside, plan);
    duet_solution_free(plan);
    duet_cli_free_run(&args->run);
    duet_solution_free(solution);
    duet_instance_free(instance);
    return exit_code;
}

int duet_cli_show(int argc, char **argv)
{
    show_args args = {0};
    int code = DUET_CLI_OK;
    if (duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        code = show(&args);
        duet_cli_args_free(&args.shared);
    }
    return code;
}
