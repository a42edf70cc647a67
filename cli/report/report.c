// SPDX-License-Identifier: Apache-2.0
// duet report: results and schedules as one page of HTML.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/report/report.h"
#include "console/deadline.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/print.h"
#include "console/ticker.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/try.h"
#include "report/page/page.h"

typedef struct report_args {
    duet_cli_args shared;
    const char **solutions; // room for argc, as the instances
    size_t solution_count;
    const char **instances;
    size_t instance_count;
    const char *title;
    const char *target;
} report_args;

static bool take_solution(void *input, const char *text)
{
    report_args *args = input;
    args->solutions[args->solution_count++] = text;
    return true;
}

static bool take_instance(void *input, const char *text)
{
    report_args *args = input;
    args->instances[args->instance_count++] = text;
    return true;
}

static const duet_cli_option options[] = {
    {"solution", 0, "FILE[,FILE]", DUET_CLI_OWN(take_solution),
     .text = "schedules to show, of the instance of the --instance beside it"},
    {"instance", 0, "FILE", DUET_CLI_OWN(take_instance),
     .text = "the instance they belong to; one for all, or one for each --solution in order"},
    {"title", 0, "TEXT", DUET_CLI_WORD(report_args, title), .preset = "Duet report",
     .text = "the page's title"},
    {"output", 'o', "OUT", DUET_CLI_PATH(report_args, target), .fallback = "standard output",
     .text = "where the page goes"},
    {"quiet", 'q', NULL, DUET_CLI_FLAG(report_args, shared.quiet), .text = "no notes"},
    {0}};
static const duet_cli_syntax syntax = {
    "report",
    "[RESULTS.csv...]",
    SIZE_MAX,
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
    {options, duet_cli_platform_options, duet_cli_reading_options, duet_cli_setting_options,
     duet_cli_bounds_options, duet_cli_help_options, NULL}};

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
    if (args->shared.file_count == 0 && args->solution_count == 0) {
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
    DUET_TRY(check_inputs(args, args->shared.files, args->shared.file_count, &dashes, error));
    DUET_TRY(check_inputs(args, args->solutions, args->solution_count, &dashes, error));
    DUET_TRY(check_inputs(args, args->instances, args->instance_count, &dashes, error));
    if (dashes > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "report: expected at most one '-', standard input is read once");
    }
    DUET_TRY(duet_cli_refuse_ending(args->target, ".pdf .svg .png",
                                    "expected F.html, which a browser prints as PDF", error));
    return duet_cli_check_target(args->target, error);
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

// What the charts of ratios cannot show, and why.
static void note_unreferred(const duet_results *results)
{
    for (uint32_t file = 0; file < results->files.count; file++) {
        duet_unreferred runs = duet_results_unreferred(results, file);
        if (runs.count > 0) {
            duet_cli_print(
                stderr,
                "duet: note: %s: %zu run%s without a ratio, the first of %s on %.200s: %s\n",
                duet_names_text(&results->files, file), runs.count, runs.count == 1 ? "" : "s",
                duet_names_text(&results->series, runs.series),
                duet_names_text(&results->instances, runs.instance), runs.why);
        }
    }
}

static duet_code read_tables(const report_args *args, duet_results *results, duet_error *error)
{
    duet_code code = DUET_OK;
    duet_cli_ticker ticker;
    duet_cli_ticker_start(&ticker, "reading", args->shared.quiet);
    for (size_t i = 0; i < args->shared.file_count && code == DUET_OK; i++) {
        code = duet_cli_read_results(args->shared.files[i], args->shared.quiet, results, error);
    }
    duet_cli_ticker_stop(&ticker);
    DUET_THEN(code, duet_results_settle(results, error));
    if (code == DUET_OK && !args->shared.quiet) {
        note_unreferred(results);
    }
    return code;
}

static duet_code write_page(const report_args *args, const duet_page *page, duet_error *error)
{
    duet_output output;
    DUET_TRY(duet_output_open(&output, args->target, error));
    duet_code code = duet_page_write(output.stream, page, error);
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
    DUET_THEN(code, check_instance_input(args, &error));
    DUET_THEN(code, read_tables(args, &results, &error));
    for (size_t i = 0; i < args->solution_count && code == DUET_OK; i++) {
        const char *instance = args->instances[args->instance_count == 1 ? 0 : i];
        code =
            duet_cli_schedules_add(&schedules, &args->shared, instance, args->solutions[i], &error);
    }
    if (code == DUET_OK) {
        duet_cli_schedules_share_bounds(&schedules);
        duet_page page = {args->title, args->shared.file_count > 0 ? &results : NULL,
                          schedules.count, schedules.schedule};
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
    const char **files = duet_alloc(2 * (size_t)argc, sizeof *files, &error);
    if (files == NULL) {
        return duet_cli_fail(&error);
    }
    report_args args = {.solutions = files, .instances = &files[(size_t)argc], .target = "-"};
    if (duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        duet_cli_end_after(&args.shared, 0);
        code = report(&args);
        duet_cli_args_free(&args.shared);
    }
    duet_free(files);
    return code;
}
