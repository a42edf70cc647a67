// SPDX-License-Identifier: Apache-2.0
// duet compare: several algorithms on the same instances.
#include "cli/compare/compare.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/export.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/signals.h"
#include "core/memory.h"
#include "core/output.h"

typedef struct compare_args {
    duet_cli_args shared;
    const char *algorithms; // NULL: all
    const char *csv;        // NULL: none
    const char *format;     // --export; NULL: compare
    const char *target;     // -o; NULL: none given
} compare_args;

static const char *const format_names[] = {"lp", "mps", NULL};
static const duet_cli_option options[] = {
    {"algorithms", 'a', "A,B,C", DUET_CLI_WORD(compare_args, algorithms), .fallback = "all",
     .text = "the algorithms to run", .registry = "algorithms"},
    {"csv", 0, "OUT", DUET_CLI_PATH(compare_args, csv),
     .text = "write the figures here too, as CSV"},
    {"export", 0, "FORMAT", DUET_CLI_WORD_SUCH_AS(compare_args, format, format_names),
     .text = "run nothing: write the assignment program of FILE for other solvers, as lp or mps"},
    {"output", 'o', "OUT", DUET_CLI_PATH(compare_args, target), .fallback = "standard output",
     .text = "where the program goes"},
    {0}};
static const duet_cli_syntax syntax = {
    "compare",
    "FILE...",
    SIZE_MAX,
    "Runs several algorithms on the same instances and compares them with the best bound proven "
    "for each. -t counts per algorithm and file (default: 10 seconds); a bound has one second at "
    "most. Every schedule passes the independent checker before it is shown. Ctrl-C shows what is "
    "there so far.\v"
    "Examples:\n"
    "  duet compare chol.json\n"
    "  duet compare a.json b.json -a heft,heteroprio,dualhp --csv figures.csv\n"
    "  duet compare tasks.csv -m 20 -k 4 -t 60 --json\n"
    "  duet compare --export lp chol.json -o chol.lp\n",
    {options, duet_cli_range_options, duet_cli_reading_options, duet_cli_limits_options,
     duet_cli_values_options, duet_cli_output_options, NULL}};

// The algorithms asked for, as names[0..*count-1]; `list` is cut up in place.
static duet_code choose(char *list, const char **names, size_t *count, duet_error *error)
{
    *count = 0;
    if (list == NULL) {
        for (size_t i = 0; i < duet_algorithm_count(); i++) {
            const char *name = duet_algorithm_entry(i)->name;
            // "auto" only runs others of this list once more.
            if (strcmp(name, "auto") != 0) {
                names[(*count)++] = name;
            }
        }
        return DUET_OK;
    }
    for (char *at = list; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (duet_cli_find_algorithm(at) == NULL) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "-a: unknown algorithm '%s'; expected names separated by "
                                  "commas alone, 'duet list algorithms' lists them",
                                  at);
        }
        names[(*count)++] = at;
        at = comma == NULL ? NULL : comma + 1;
    }
    return DUET_OK;
}

static void free_file(duet_cli_comparison *file)
{
    duet_instance_free(file->instance);
    duet_free(file->results);
    *file = (duet_cli_comparison){0};
}

// Compares every file; one that fails is reported and left out. Returns how many are there.
static size_t compare_files(const compare_args *args, const char *const *names, size_t count,
                            const duet_cancel *cancel, duet_cli_comparison *files, int *code)
{
    size_t done = 0;
    for (size_t i = 0; i < args->shared.file_count && !duet_cancel_requested(cancel); i++) {
        duet_error error = DUET_ERROR_INIT;
        files[done] = (duet_cli_comparison){.path = args->shared.files[i]};
        if (duet_cli_compare_file(&args->shared, names, count, cancel, &files[done], &error) ==
            DUET_OK) {
            done++;
            continue;
        }
        if (error.file[0] == '\0') {
            snprintf(error.file, sizeof error.file, "%s", args->shared.files[i]);
        }
        int own = duet_cli_fail(&error);
        *code = *code == DUET_CLI_OK || own == 70 ? own : *code;
        free_file(&files[done]);
    }
    if (duet_cancel_requested(cancel)) {
        fputs("duet: interrupted: these are the results so far\n", stderr);
    }
    return done;
}

static void write_csv(const char *path, const duet_cli_comparison *files, size_t count, int *code)
{
    duet_error error = DUET_ERROR_INIT;
    duet_output output;
    duet_code written = duet_output_open(&output, path, &error);
    if (written == DUET_OK) {
        duet_cli_compare_csv(files, count, output.stream);
        written = duet_output_commit(&output, &error);
    }
    if (written != DUET_OK) {
        int own = duet_cli_fail(&error);
        *code = *code == DUET_CLI_OK ? own : *code;
    }
}

static int report(const compare_args *args, const char *const *names, size_t count)
{
    int code = DUET_CLI_OK;
    duet_cancel *cancel = duet_cancel_create();
    duet_error error = DUET_ERROR_INIT;
    duet_cli_comparison *files = duet_alloc(args->shared.file_count, sizeof *files, &error);
    if (cancel == NULL || files == NULL) {
        duet_error_set(&error, DUET_E_MEMORY, "out of memory for %zu files",
                       args->shared.file_count);
        code = duet_cli_fail(&error);
    } else {
        duet_cli_signals_catch(cancel);
        size_t done = compare_files(args, names, count, cancel, files, &code);
        bool csv_is_stdout = args->csv != NULL && strcmp(args->csv, "-") == 0;
        if (done > 0 && args->csv != NULL) {
            write_csv(args->csv, files, done, &code);
        }
        if (done > 0 && !csv_is_stdout) {
            (args->shared.json ? duet_cli_compare_json : duet_cli_compare_text)(files, done,
                                                                                stdout);
        }
        for (size_t i = 0; i < done; i++) {
            free_file(&files[i]);
        }
        duet_cli_signals_release();
    }
    duet_free(files);
    duet_cancel_free(cancel);
    return code;
}

static duet_code check_args(const compare_args *args, duet_error *error)
{
    size_t inputs = 0;
    for (size_t i = 0; i < args->shared.file_count; i++) {
        inputs += strcmp(args->shared.files[i], "-") == 0;
    }
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "compare: expected one file or more, '-' for standard input");
    }
    if (inputs > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "compare: expected at most one '-', standard input is read once");
    }
    if (args->shared.json && args->csv != NULL && strcmp(args->csv, "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE, "--csv: expected a file beside --json, got '-'");
    }
    const char *proof = duet_cli_option_file("exact", args->shared.options);
    if (proof != NULL && strcmp(proof, "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE, "-O proof: expected a file, got '-'");
    }
    return args->csv != NULL ? duet_cli_check_target(args->csv, error) : DUET_OK;
}

// --export runs nothing: what belongs to a comparison is a mistake beside it.
static int export_program(const compare_args *args)
{
    duet_error error = DUET_ERROR_INIT;
    if (args->shared.file_count != 1) {
        duet_error_set(&error, DUET_E_USAGE, "--export: expected one file, got %zu",
                       args->shared.file_count);
        return duet_cli_fail(&error);
    }
    if (args->algorithms != NULL || args->csv != NULL || args->shared.json) {
        duet_error_set(&error, DUET_E_USAGE,
                       "--export runs no algorithm: expected no -a, --csv or --json beside it");
        return duet_cli_fail(&error);
    }
    return duet_cli_export(&args->shared, args->format, args->shared.files[0],
                           args->target == NULL ? "-" : args->target);
}

static int compare(const compare_args *args)
{
    duet_error error = DUET_ERROR_INIT;
    if (args->target != NULL) {
        duet_error_set(&error, DUET_E_USAGE,
                       "-o: expected --export beside it; figures go to --csv OUT");
        return duet_cli_fail(&error);
    }
    // A list of names has no more parts than letters, and one more.
    size_t letters = args->algorithms == NULL ? 0 : strlen(args->algorithms);
    const char **names = duet_alloc(letters + duet_algorithm_count() + 1, sizeof *names, &error);
    char *list = args->algorithms == NULL ? NULL : duet_copy_string(args->algorithms, &error);
    int code = DUET_CLI_OK;
    if (names == NULL || (args->algorithms != NULL && list == NULL)) {
        code = duet_cli_fail(&error);
    } else {
        size_t count = 0;
        bool good =
            check_args(args, &error) == DUET_OK && choose(list, names, &count, &error) == DUET_OK;
        code = good ? report(args, names, count) : duet_cli_fail(&error);
    }
    duet_free(list);
    duet_free(names);
    return code;
}

int duet_cli_compare(int argc, char **argv)
{
    int code = DUET_CLI_OK;
    compare_args args = {0};
    if (duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        if (args.algorithms != NULL && strcmp(args.algorithms, "all") == 0) {
            args.algorithms = NULL;
        }
        code = args.format != NULL ? export_program(&args) : compare(&args);
        duet_cli_args_free(&args.shared);
    }
    return code;
}
