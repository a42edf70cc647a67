// SPDX-License-Identifier: Apache-2.0
// duet report: results and schedules as one page of HTML.
#include <stdbool.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/report/schedules.h"
#include "cli/report/table.h"
#include "console/args.h"
#include "console/ticker.h"
#include "core/memory.h"
#include "core/output.h"
#include "report/page/page.h"

enum { KEY_SOLUTION = DUET_CLI_FIRST_KEY, KEY_INSTANCE, KEY_TITLE };

typedef struct report_args {
    duet_cli_args shared;
    const char **tables; // room for argc, as the others
    size_t table_count;
    const char **solutions;
    size_t solution_count;
    const char **instances;
    size_t instance_count;
    size_t room;
    const char *title;
    const char *target;
} report_args;

static error_t parse(int key, char *text, struct argp_state *state)
{
    report_args *args = state->input;
    duet_cli_args_enter(key, state);
    switch (key) {
    case KEY_SOLUTION:
        args->solutions[args->solution_count++] = text;
        return 0;
    case KEY_INSTANCE:
        args->instances[args->instance_count++] = text;
        return 0;
    case KEY_TITLE:
        args->title = text;
        return 0;
    case 'o':
        args->target = text;
        return 0;
    case 'q':
        args->shared.quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        return duet_cli_take_file(&args->shared, text, args->tables, &args->table_count,
                                  args->room);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"solution", KEY_SOLUTION, "FILE[,FILE]", 0,
     "schedules to show, of the instance of the --instance beside it", 0},
    {"instance", KEY_INSTANCE, "FILE", 0,
     "the instance they belong to; one for all, or one for each --solution in order", 0},
    {"title", KEY_TITLE, "TEXT", 0, "the page's title (default: Duet report)", 0},
    {"output", 'o', "OUT", 0, "where the page goes (default: standard output)", 0},
    {"quiet", 'q', NULL, 0, "no notes", 0},
    {0}};
static const struct argp_child children[] = {
    {&duet_cli_platform_argp, 0, NULL, 0}, {&duet_cli_help_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    options,
    parse,
    "[RESULTS.csv...]",
    "Makes one page of HTML, to be opened in any browser without a network: distributions of the "
    "ratios, times to a proven optimum, how times grow, and schedules to look into. RESULTS.csv "
    "are "
    "tables as 'duet compare' and 'duet bench' write them with --csv; columns count by name, and "
    "what a table has no columns for is left out. Every schedule passes the independent checker "
    "or is marked.\v"
    "Examples:\n"
    "  duet report ratios.csv -o report.html\n"
    "  duet report exact.csv dp.csv --title 'Version 2' -o report.html\n"
    "  duet report --solution heft.json,exact.json --instance chol.json -o chol.html\n"
    "  duet compare *.json --csv - | duet report - -o report.html",
    children,
    duet_cli_help_text,
    NULL};

static duet_code check_inputs(const report_args *args, const char *const *files, size_t count,
                              size_t *dashes, duet_error *error)
{
    for (size_t i = 0; i < count; i++) {
        *dashes += strcmp(files[i], "-") == 0;
        if (duet_cli_same_file(args->target, files[i])) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "'%s' is an input: expected another file for the page",
                                  args->target);
        }
    }
    return DUET_OK;
}

static duet_code check_args(const report_args *args, duet_error *error)
{
    size_t dashes = 0;
    if (args->table_count == 0 && args->solution_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "report: expected a table of results, or --solution and --instance");
    }
    if (args->instance_count != args->solution_count &&
        (args->instance_count != 1 || args->solution_count == 0)) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "--instance: expected one, or one for each of the %zu --solution, got %zu",
            args->solution_count, args->instance_count);
    }
    duet_code code = check_inputs(args, args->tables, args->table_count, &dashes, error);
    if (code == DUET_OK) {
        code = check_inputs(args, args->solutions, args->solution_count, &dashes, error);
    }
    if (code == DUET_OK) {
        code = check_inputs(args, args->instances, args->instance_count, &dashes, error);
    }
    if (code == DUET_OK && dashes > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "report: expected at most one '-', standard input is read once");
    }
    return code == DUET_OK ? duet_cli_check_target(args->target, error) : code;
}

// An instance is read for each of its solutions.
static duet_code check_instance_input(const report_args *args, duet_error *error)
{
    bool several = args->solution_count > 1;
    for (size_t i = 0; i < args->solution_count; i++) {
        several = several || strchr(args->solutions[i], ',') != NULL;
    }
    for (size_t i = 0; i < args->instance_count && several; i++) {
        if (strcmp(args->instances[i], "-") == 0) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--instance: expected a file with several solutions, got '-'");
        }
    }
    return DUET_OK;
}

static duet_code read_tables(const report_args *args, duet_results *results, duet_error *error)
{
    duet_code code = DUET_OK;
    duet_cli_ticker ticker;
    duet_cli_ticker_start(&ticker, "reading", args->shared.quiet);
    for (size_t i = 0; i < args->table_count && code == DUET_OK; i++) {
        code = duet_cli_read_results(args->tables[i], args->shared.quiet, results, error);
    }
    duet_cli_ticker_stop(&ticker);
    duet_results_settle(results);
    return code;
}

static duet_code write_page(const report_args *args, const duet_page *page, duet_error *error)
{
    duet_output output;
    duet_code code = duet_output_open(&output, args->target, error);
    if (code != DUET_OK) {
        return code;
    }
    code = duet_page_write(output.stream, page, error);
    if (code == DUET_OK) {
        return duet_output_commit(&output, error);
    }
    duet_output_abandon(&output);
    return code;
}

static int report(const report_args *args)
{
    duet_error error = DUET_ERROR_INIT;
    duet_results results = {0};
    duet_cli_schedules schedules = {0};
    duet_code code = check_args(args, &error);
    if (code == DUET_OK) {
        code = check_instance_input(args, &error);
    }
    if (code == DUET_OK) {
        code = read_tables(args, &results, &error);
    }
    for (size_t i = 0; i < args->solution_count && code == DUET_OK; i++) {
        const char *instance = args->instances[args->instance_count == 1 ? 0 : i];
        code =
            duet_cli_schedules_add(&schedules, &args->shared, instance, args->solutions[i], &error);
    }
    if (code == DUET_OK) {
        duet_page page = {args->title, args->table_count > 0 ? &results : NULL, schedules.count,
                          schedules.schedule};
        code = write_page(args, &page, &error);
    }
    duet_cli_schedules_free(&schedules);
    duet_results_free(&results);
    return code == DUET_OK ? DUET_CLI_OK : duet_cli_fail(&error);
}

int duet_cli_report(int argc, char **argv)
{
    int code = DUET_CLI_OK;
    duet_error error = DUET_ERROR_INIT;
    const char **files = duet_alloc(3 * (size_t)argc, sizeof *files, &error);
    if (files == NULL) {
        return duet_cli_fail(&error);
    }
    report_args args = {.tables = files,
                        .solutions = &files[(size_t)argc],
                        .instances = &files[2 * (size_t)argc],
                        .room = (size_t)argc,
                        .title = "Duet report",
                        .target = "-"};
    if (duet_cli_parse(&argp, "report", argc, argv, &args, &code)) {
        code = report(&args);
        duet_cli_args_free(&args.shared);
    }
    duet_free(files);
    return code;
}
