// SPDX-License-Identifier: Apache-2.0
// duet compare: several algorithms on the same instances.
#include "cli/compare/compare.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/what_if.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/picture.h"
#include "console/platform.h"
#include "console/plugin.h"
#include "console/print.h"
#include "console/signals.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/shell_word.h"
#include "core/system/try.h"

typedef struct compare_args {
    duet_cli_args shared;
    const char *algorithms; // NULL: all, or auto beside --solution
    duet_cli_given *given;  // room for argc
    size_t given_count;
    const char *csv;      // NULL: none
    const char *chart;    // NULL: none
    duet_cli_watts watts; // for the figures
    duet_cli_format form; // of what is printed
    bool summary;         // nothing but the summary
    const char *format;   // --export; NULL: compare
    const char *target;   // -o; NULL: none given
} compare_args;

// [NAME=]PATH; the name is a copy, owned by the list, with the path behind it.
static bool take_solution(void *input, const char *text)
{
    compare_args *args = input;
    duet_cli_named_path found = duet_cli_name_path(text);
    if (found.length == 0) {
        return duet_cli_usage(&args->shared,
                              "--solution: expected [NAME=]FILE or [NAME=]FOLDER, got '%s'", text);
    }
    size_t size = (size_t)found.length + strlen(found.path) + 2;
    char *name = duet_alloc(size, 1, &args->shared.error);
    if (name == NULL) {
        return false;
    }
    snprintf(name, size, "%.*s%c%s", found.length, found.name, '\0', found.path);
    args->given[args->given_count++] = (duet_cli_given){name, name + found.length + 1};
    return true;
}

static const char *const format_names[] = {"lp", "mps", NULL};
static const duet_cli_option options[] = {
    {"algorithms", 'a', "A,B,C", DUET_CLI_WORD(compare_args, algorithms),
     .fallback = "all; auto beside --solution", .text = "the algorithms to run",
     .registry = "algorithms"},
    {"solution", 0, "[NAME=]FILE", DUET_CLI_OWN(take_solution),
     .text = "a solution to compare, as JSON or CSV, which any software made; may be given several "
             "times. A folder instead of FILE has one for each instance, called like its file or "
             "like the instance. NAME is what it is called here"},
    {"format", 0, "FORMAT", DUET_CLI_INDEX(compare_args, form, duet_cli_format_names, 0),
     .preset = "text", .text = "how the tables are printed: text, csv, markdown or latex"},
    {"summary", 0, NULL, DUET_CLI_FLAG(compare_args, summary),
     .text = "print the summary over all files alone, as -q does"},
    {"chart", 0, "F.svg|pdf|png", DUET_CLI_PATH(compare_args, chart),
     .text =
         "draw the share of the files over the gap; with a range of platforms the best makespan "
         "and bound over them. PDF and PNG need cairo"},
    {"csv", 0, "OUT", DUET_CLI_PATH(compare_args, csv),
     .text = "write the figures here too, as CSV"},
    {"watts", 0, "TYPE=W,...", DUET_CLI_WORD(compare_args, watts.busy),
     .text = "what a processor of each type takes while it works, for power in the CSV"},
    {"idle-watts", 0, "TYPE=W,...", DUET_CLI_WORD(compare_args, watts.idle), .fallback = "nothing",
     .text = "and while it does not"},
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
    "most. Every schedule passes the independent checker before it is shown; a --solution that is "
    "none is said, and the exit code is 1. Ctrl-C shows what is there so far.\v"
    "Examples:\n"
    "  duet compare chol.json\n"
    "  duet compare a.json b.json -a heft,heteroprio,dualhp --csv figures.csv\n"
    "  duet compare tasks.csv -m 20 -k 4 -t 60 --json\n"
    "  duet compare chol.json --solution mine=mine.csv -a heft,exact\n"
    "  duet compare set/*.json --solution mine=found/ -t 2 --summary\n"
    "  duet compare set/*.json -a lpt,heft --format latex > table.tex\n"
    "  duet compare --export lp chol.json -o chol.lp\n",
    {options, duet_cli_plugin_options, duet_cli_chart_options, duet_cli_range_options,
     duet_cli_given_options, duet_cli_reading_options, duet_cli_limits_options,
     duet_cli_values_options, duet_cli_output_options, NULL}};

// The algorithms asked for, as names[0..*count-1]; `list` is cut up in place.
static duet_code choose(char *list, const char **names, size_t *count, duet_error *error)
{
    *count = 0;
    if (list == NULL) {
        for (size_t i = 0; i < duet_cli_algorithm_count(); i++) {
            const char *name = duet_cli_algorithm_entry(i)->name;
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
            return duet_cli_unknown_algorithm(at, "names", error);
        }
        for (size_t i = 0; i < *count; i++) {
            if (strcmp(names[i], at) == 0) {
                return duet_error_set(error, DUET_E_USAGE, "-a: '%s' is given twice", at);
            }
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

// Compares every file on every platform; one that fails is reported and left out. Returns how many
// are there.
static size_t compare_files(const compare_args *args, const duet_cli_entrants *entrants,
                            const duet_cancel *cancel, duet_cli_comparison *files, int *code)
{
    size_t done = 0;
    size_t platforms = (size_t)duet_cli_platform_count(&args->shared);
    size_t total = args->shared.file_count * platforms;
    for (size_t i = 0; i < total && !duet_cancel_requested(cancel); i++) {
        duet_error error = DUET_ERROR_INIT;
        const char *path = args->shared.files[i / platforms];
        files[done] = (duet_cli_comparison){.path = path, .platform = (int64_t)(i % platforms)};
        if (duet_cli_compare_file(&args->shared, entrants, i / platforms, cancel, &files[done],
                                  &error) == DUET_OK) {
            done++;
            continue;
        }
        if (error.file[0] == '\0') {
            snprintf(error.file, sizeof error.file, "%s", path);
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

// A solution that is no schedule, or cannot be read, is said whatever is printed, and decides the
// exit code: what cannot be read could not even be judged.
static void say_faults(const duet_cli_comparison *files, size_t count, int *code)
{
    for (size_t f = 0; f < count; f++) {
        for (size_t i = 0; i < files[f].count; i++) {
            const duet_cli_result *result = &files[f].results[i];
            if (result->fault > DUET_CLI_GIVEN_MISSING) {
                bool unread = result->fault == DUET_CLI_GIVEN_UNREADABLE;
                duet_cli_print(stderr, "duet: %s: %s: %s\n", files[f].path, result->algorithm,
                               result->skipped.message);
                int own = unread ? duet_cli_exit_code(DUET_E_INPUT) : DUET_CLI_FAULT;
                bool first = *code == DUET_CLI_OK || (unread && *code == DUET_CLI_FAULT);
                *code = first ? own : *code;
            }
        }
    }
}

// The best of each platform, one file being compared on all of them.
static duet_code make_what_if(const compare_args *args, const duet_cli_comparison *files,
                              size_t count, duet_cli_what_if *table, duet_error *error)
{
    DUET_TRY(
        duet_cli_what_if_create(&args->shared, files[0].path, files[0].instance, table, error));
    for (size_t f = 0; f < count; f++) {
        duet_cli_point *point = duet_cli_what_if_next(table, files[f].instance);
        point->bound = files[f].bound;
        snprintf(point->bound_by, sizeof point->bound_by, "%s", files[f].bound_name);
        snprintf(point->why, sizeof point->why, "no schedule");
        for (size_t i = 0; i < files[f].count; i++) {
            const duet_cli_result *result = &files[f].results[i];
            if (result->skipped.code == DUET_OK && result->makespan < point->makespan) {
                point->makespan = result->makespan;
                point->why[0] = '\0';
                snprintf(point->makespan_by, sizeof point->makespan_by, "%.60s", result->algorithm);
            }
        }
    }
    return DUET_OK;
}

// Tables and charts of one file on a range of platforms.
static void show_range(const compare_args *args, const duet_cli_comparison *files, size_t count,
                       int *code)
{
    duet_error error = DUET_ERROR_INIT;
    duet_cli_what_if table;
    duet_code made = make_what_if(args, files, count, &table, &error);
    bool print = !args->shared.json && args->form != DUET_CLI_CSV;
    duet_cli_what_if_carry(&table);
    if (made == DUET_OK && print) {
        duet_cli_what_if_print(&table, args->form, stdout);
    }
    if (made == DUET_OK && args->chart != NULL) {
        made = duet_cli_what_if_chart(&table, args->chart, &args->shared.chart_look, &error);
    }
    duet_cli_what_if_free(&table);
    duet_cli_note_failure(made, &error, code);
}

// A solution that none of the files has is looked for in vain: its names are none of theirs.
static void say_missing(const duet_cli_comparison *files, size_t count, int *code)
{
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    for (size_t i = 0; i < all->count; i++) {
        size_t missing = 0;
        for (size_t f = 0; f < count && i < files[f].count; f++) {
            missing += files[f].results[i].fault == DUET_CLI_GIVEN_MISSING;
        }
        if (missing == count) {
            duet_error error = DUET_ERROR_INIT;
            duet_cli_note_failure(duet_error_set(&error, DUET_E_INPUT, "%s: %s: %s", files[0].path,
                                                 all->results[i].algorithm,
                                                 files[0].results[i].skipped.message),
                                  &error, code);
        }
    }
}

// What goes to standard output.
static void show(const compare_args *args, const duet_cli_comparison *files, size_t count,
                 int *code)
{
    bool range = duet_cli_platform_count(&args->shared) > 1 && args->shared.file_count == 1;
    bool brief = args->summary || args->shared.quiet;
    if (args->shared.json) {
        duet_cli_compare_json(files, count, stdout);
    } else if (args->form == DUET_CLI_CSV && !brief) {
        duet_cli_compare_csv(files, count, stdout);
    } else if (!brief) {
        duet_cli_compare_text(files, count, args->form, stdout);
    } else if (!range) {
        duet_cli_compare_summary(files, count, args->form, stdout);
    }
    if (range) {
        show_range(args, files, count, code);
    } else if (args->chart != NULL) {
        duet_error error = DUET_ERROR_INIT;
        duet_cli_note_failure(
            duet_cli_compare_chart(files, count, args->chart, &args->shared.chart_look, &error),
            &error, code);
    }
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

static int report(const compare_args *args, const duet_cli_entrants *entrants)
{
    int code = DUET_CLI_OK;
    duet_cancel *cancel = duet_cancel_create();
    duet_error error = DUET_ERROR_INIT;
    size_t total = args->shared.file_count * (size_t)duet_cli_platform_count(&args->shared);
    duet_cli_comparison *files = duet_alloc(total, sizeof *files, &error);
    if (cancel == NULL || files == NULL) {
        duet_error_set(&error, DUET_E_MEMORY, "out of memory for %zu files", total);
        code = duet_cli_fail(&error);
    } else {
        duet_cli_signals_catch(cancel);
        size_t done = compare_files(args, entrants, cancel, files, &code);
        bool csv_is_stdout = args->csv != NULL && strcmp(args->csv, "-") == 0;
        if (done > 0 && args->csv != NULL) {
            write_csv(args->csv, files, done, &code);
        }
        if (done > 0 && !csv_is_stdout) {
            show(args, files, done, &code);
        }
        say_faults(files, done, &code);
        if (done > 0) {
            say_missing(files, done, &code);
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

static duet_code check_given(const compare_args *args, duet_error *error)
{
    if (args->given_count > 0 && duet_cli_platform_count(&args->shared) > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--solution: expected one platform, a schedule is about one");
    }
    DUET_TRY(duet_cli_check_chart(&args->shared, args->chart, error));
    for (size_t i = 0; i < args->given_count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < args->given_count; j++) {
            same += strcmp(args->given[i].name, args->given[j].name) == 0;
        }
        bool folder = duet_cli_is_folder(args->given[i].path);
        if (same == args->shared.file_count || (same == 1 && folder)) {
            continue;
        }
        if (!duet_cli_exists(args->given[i].path)) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--solution: there is no file or folder '%s'",
                                  args->given[i].path);
        }
        return duet_error_set(
            error, DUET_E_USAGE,
            "--solution: expected a solution of '%s' for each of the %zu files, in "
            "their order, or a folder with them, got %zu",
            args->given[i].name, args->shared.file_count, same);
    }
    return DUET_OK;
}

// Two rows of one name could not be told apart.
static duet_code check_names(const duet_cli_entrants *entrants, duet_error *error)
{
    for (size_t i = 0; i < entrants->given_count; i++) {
        for (size_t a = 0; a < entrants->algorithms; a++) {
            if (strcmp(entrants->given[i].name, entrants->names[a]) == 0) {
                char path[DUET_SHELL_WORD];
                return duet_error_set(error, DUET_E_USAGE,
                                      "--solution: '%s' is the name of an algorithm that runs, "
                                      "too: expected another, as in --solution mine=%s",
                                      entrants->names[a],
                                      duet_shell_path(entrants->given[i].path, path));
            }
        }
    }
    return DUET_OK;
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
    if (inputs > 0 && duet_cli_platform_count(&args->shared) > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "compare: expected a file beside a range of platforms, got '-'");
    }
    if (args->shared.json && args->csv != NULL && strcmp(args->csv, "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE, "--csv: expected a file beside --json, got '-'");
    }
    DUET_TRY(check_given(args, error));
    const char *proof = duet_cli_option_file("exact", args->shared.options);
    DUET_TRY(duet_cli_check_option_file(proof, error));
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
    if (args->algorithms != NULL || args->csv != NULL || args->shared.json ||
        args->given_count > 0 || args->chart != NULL) {
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
    const char **names =
        duet_alloc(letters + duet_cli_algorithm_count() + 1, sizeof *names, &error);
    char *list = args->algorithms == NULL ? NULL : duet_copy_string(args->algorithms, &error);
    int code = DUET_CLI_OK;
    if (names == NULL || (args->algorithms != NULL && list == NULL)) {
        code = duet_cli_fail(&error);
    } else {
        size_t count = 0;
        bool good =
            check_args(args, &error) == DUET_OK && choose(list, names, &count, &error) == DUET_OK;
        const duet_cli_entrants entrants = {names, count, args->given, args->given_count,
                                            args->watts};
        good = good && check_names(&entrants, &error) == DUET_OK;
        code = good ? report(args, &entrants) : duet_cli_fail(&error);
    }
    duet_free(list);
    duet_free(names);
    return code;
}

int duet_cli_compare(int argc, char **argv)
{
    int code = DUET_CLI_OK;
    duet_error error = DUET_ERROR_INIT;
    compare_args args = {.given = duet_alloc((size_t)argc, sizeof *args.given, &error)};
    if (args.given == NULL) {
        return duet_cli_fail(&error);
    }
    if (duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        if (args.algorithms == NULL && args.given_count > 0) {
            args.algorithms = "auto";
        } else if (args.algorithms != NULL && strcmp(args.algorithms, "all") == 0) {
            args.algorithms = NULL;
        }
        code = args.format != NULL ? export_program(&args) : compare(&args);
        duet_cli_args_free(&args.shared);
    }
    for (size_t i = 0; i < args.given_count; i++) {
        duet_free((char *)args.given[i].name);
    }
    duet_free(args.given);
    return code;
}
