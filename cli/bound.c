// SPDX-License-Identifier: Apache-2.0
// duet bound: lower bounds on the makespan.
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/what_if.h"
#include "console/exit_code.h"
#include "console/json.h"
#include "console/load.h"
#include "console/options.h"
#include "console/picture.h"
#include "console/platform.h"
#include "console/print.h"
#include "console/registry_text.h"
#include "console/table.h"
#include "console/texts.h"
#include "console/ticker.h"
#include "core/names.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"

typedef struct bound_args {
    duet_cli_args shared;
    const char *bound;            // a list; NULL: all
    duet_cli_what_if_files files; // of a range of platforms
} bound_args;

static const char *const all_bounds[] = {"all", NULL};
static const duet_cli_option options[] = {
    {"bound", 'b', "A,B|all", DUET_CLI_WORD_SUCH_AS(bound_args, bound, all_bounds),
     .fallback = "all there are", .text = "the bounds to compute", .registry = "bounds"},
    {"chart", 0, "F.svg|pdf|png", DUET_CLI_PATH(bound_args, files.chart),
     .text = "with a range of platforms: draw the best bound over them (PDF and PNG need cairo)"},
    {"csv", 0, "OUT", DUET_CLI_PATH(bound_args, files.csv),
     .text = "with a range of platforms: write their table here, with all digits"},
    {0}};
static const duet_cli_syntax syntax = {
    "bound",
    "FILE",
    1,
    "Computes lower bounds: no schedule of the instance is shorter. Tasks of one kind cost no more "
    "than one task.\v"
    "Examples:\n"
    "  duet bound chol.json\n"
    "  duet bound tasks.csv -m 20 -k 4 -b area,longest\n"
    "  duet bound chol.json --json\n"
    "  duet bound tasks.csv -m 16 -k 1..4\n"
    "\n"
    "'duet list bounds' lists the bounds.",
    {options, duet_cli_chart_options, duet_cli_range_options, duet_cli_price_options,
     duet_cli_given_options, duet_cli_reading_options, duet_cli_setting_options,
     duet_cli_limits_options, duet_cli_output_options, NULL}};

// What became of one bound.
typedef struct outcome {
    const char *name;
    duet_bound *bound; // NULL where it is left out
    duet_error why;    // why it is left out; DUET_OK where it is not
    duet_bound_check check;
} outcome;

// `open`: how many bounds are still to be computed, this one included, which share what is left of
// -t.
static duet_code compute(const bound_args *args, const duet_instance *instance, const char *name,
                         size_t open, outcome *result, duet_error *error)
{
    duet_cli_ticker ticker;
    duet_params params = duet_cli_params_left(&args->shared);
    params.time_limit /= (double)open;
    *result = (outcome){.name = name, .why = DUET_ERROR_INIT};
    duet_cli_ticker_start(&ticker, name, args->shared.quiet);
    duet_code code = duet_compute_bound(instance, name, &params, &result->bound, &result->why);
    duet_cli_ticker_stop(&ticker);
    if (code == DUET_OK) {
        code = duet_check_bound(instance, result->bound, &params, &result->check, NULL);
        result->check = code == DUET_OK ? result->check : DUET_BOUND_UNPROVEN;
        return DUET_OK;
    }
    bool skip = code == DUET_E_UNSUPPORTED || code == DUET_E_LIMIT;
    if (args->bound == NULL && skip) {
        return DUET_OK;
    }
    *error = result->why;
    return code;
}

static void print_json(const duet_instance *instance, const outcome *results, size_t count)
{
    char digits[64];
    duet_cli_json json = {stdout, 0, true};
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(instance));
    duet_cli_json_open(&json, "bounds", '[');
    for (size_t i = 0; i < count; i++) {
        if (results[i].why.code != DUET_OK) {
            continue;
        }
        duet_cli_json_open(&json, NULL, '{');
        duet_cli_json_string(&json, "name", results[i].name);
        const char *exact = duet_bound_exact(results[i].bound);
        duet_cli_json_string(&json, "exact", exact[0] == '\0' ? NULL : exact);
        duet_cli_json_number(
            &json, "value",
            duet_instance_format_time(instance, duet_bound_value(results[i].bound), digits));
        duet_cli_json_boolean(&json, "certified", results[i].check == DUET_BOUND_CERTIFIED);
        duet_cli_json_close(&json, '}');
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_close(&json, '}');
}

static void print_text(const duet_instance *instance, const outcome *results, size_t count)
{
    char text[DUET_CLI_TEXT];
    char size[DUET_CLI_TEXT];
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrl");
    duet_cli_print(stdout, "%s: %s on %s\n", duet_instance_name(instance),
                   duet_cli_size(instance, size), duet_cli_platform(instance, text, sizeof text));
    duet_cli_table_add(&table, "bound");
    duet_cli_table_add(&table, "value");
    duet_cli_table_add(&table, "exact (ticks)");
    duet_cli_table_add(&table, "certified");
    for (size_t i = 0; i < count; i++) {
        if (results[i].why.code == DUET_OK) {
            duet_cli_table_add(&table, results[i].name);
            duet_cli_table_add(&table,
                               duet_cli_time(instance, duet_bound_value(results[i].bound), text));
            const char *exact = duet_bound_exact(results[i].bound);
            duet_cli_table_add(&table, exact[0] == '\0' ? "-" : exact);
            duet_cli_table_add(&table, results[i].check == DUET_BOUND_CERTIFIED ? "yes" : "no");
        }
    }
    duet_cli_table_print(&table, 2, stdout);
    duet_cli_table_free(&table);
    for (size_t i = 0; i < count; i++) {
        if (results[i].why.code != DUET_OK) {
            duet_cli_print(stdout, "  %s left out: %s\n", results[i].name, results[i].why.message);
        }
    }
}

// The bound of that name, which ends at a comma or as the text does; NULL: there is none.
static const duet_entry *find_bound(const char *name)
{
    size_t length = strcspn(name, ",");
    for (size_t i = 0; i < duet_bound_count(); i++) {
        const duet_entry *entry = duet_bound_entry(i);
        if (strlen(entry->name) == length && memcmp(entry->name, name, length) == 0) {
            return entry;
        }
    }
    return NULL;
}

// What stands behind the next comma; NULL: there is none.
static const char *next_name(const char *name)
{
    const char *comma = strchr(name, ',');
    return comma == NULL ? NULL : comma + 1;
}

static duet_code check_names(const bound_args *args, duet_error *error)
{
    for (const char *at = args->bound; at != NULL; at = next_name(at)) {
        if (find_bound(at) == NULL) {
            char name[64];
            char hint[DUET_NEAREST_HINT];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
            duet_nearest nearest = duet_nearest_to(name);
            for (size_t i = 0; i < duet_bound_count(); i++) {
                duet_nearest_offer(&nearest, duet_bound_entry(i)->name);
            }
            return duet_error_set(error, DUET_E_USAGE,
                                  "-b: unknown bound '%s'%s; expected names separated by commas "
                                  "alone, or all, 'duet list bounds' lists them",
                                  name, duet_nearest_hint(&nearest, hint));
        }
    }
    return DUET_OK;
}

// The bounds to compute, each once: those that are asked for, or all that say something of the
// instance.
static size_t choose(const bound_args *args, const duet_instance *instance, const char **names)
{
    size_t count = 0;
    for (const char *at = args->bound; at != NULL; at = next_name(at)) {
        const char *name = find_bound(at)->name;
        size_t known = 0;
        while (known < count && names[known] != name) {
            known++;
        }
        names[known] = name;
        count += known == count;
    }
    for (size_t i = 0; i < duet_bound_count() && args->bound == NULL; i++) {
        const duet_entry *entry = duet_bound_entry(i);
        if (duet_bound_applies(entry, instance)) {
            names[count++] = entry->name;
        }
    }
    return count;
}

static duet_code run_bounds(const bound_args *args, const duet_instance *instance,
                            duet_error *error)
{
    const char **names = duet_alloc(duet_bound_count() + 1, sizeof *names, error);
    outcome *results = duet_alloc(duet_bound_count() + 1, sizeof *results, error);
    duet_code code = names == NULL || results == NULL ? DUET_E_MEMORY : DUET_OK;
    size_t total = code == DUET_OK ? choose(args, instance, names) : 0;
    size_t tried = 0;
    size_t done = 0;
    for (; tried < total && code == DUET_OK; tried++) {
        code = compute(args, instance, names[tried], total - tried, &results[tried], error);
        done += results[tried].why.code == DUET_OK;
    }
    if (code == DUET_OK && done == 0 && tried > 0) {
        *error = results[0].why;
        code = error->code;
    }
    if (code == DUET_OK) {
        (args->shared.json ? print_json : print_text)(instance, results, tried);
    }
    for (size_t i = 0; i < tried; i++) {
        duet_bound_free(results[i].bound);
    }
    duet_free(names);
    duet_free(results);
    return code;
}

// Keeps the larger bound of a platform.
static void take_point(const outcome *result, duet_cli_point *point, bool *any)
{
    if (result->why.code == DUET_OK && (!*any || duet_bound_value(result->bound) > point->bound)) {
        point->bound = duet_bound_value(result->bound);
        snprintf(point->bound_by, sizeof point->bound_by, "%s", result->name);
        *any = true;
    }
}

// The best bound on the platform that the instance has now, which is the next of `points`.
static duet_code bound_point(const bound_args *args, const duet_instance *instance, size_t points,
                             duet_cli_what_if *table, duet_error *error)
{
    duet_cli_point *point = duet_cli_what_if_next(table, instance);
    bool any = false;
    const char **names = duet_alloc(duet_bound_count() + 1, sizeof *names, error);
    duet_code code = names == NULL ? DUET_E_MEMORY : DUET_OK;
    size_t total = code == DUET_OK ? choose(args, instance, names) : 0;
    for (size_t i = 0; i < total && code == DUET_OK; i++) {
        outcome result;
        code = compute(args, instance, names[i], points * total - i, &result, error);
        if (code == DUET_OK) {
            take_point(&result, point, &any);
        }
        duet_bound_free(result.bound);
    }
    duet_free(names);
    if (code == DUET_E_INFEASIBLE) {
        snprintf(point->why, sizeof point->why, "%.150s", error->message);
        duet_error_clear(error);
        return DUET_OK;
    }
    if (code == DUET_OK && !any) {
        snprintf(point->why, sizeof point->why, "no bound");
    }
    return code;
}

static duet_code run_range(const bound_args *args, duet_instance *instance, duet_error *error)
{
    duet_cli_what_if table;
    const char *path = args->shared.files[0];
    int64_t count = duet_cli_platform_count(&args->shared);
    duet_code code = duet_cli_what_if_create(&args->shared, path, instance, &table, error);
    table.bounds_only = true;
    for (int64_t i = 0; i < count && code == DUET_OK; i++) {
        code = duet_cli_apply_platform(&args->shared, path, instance, i, error);
        DUET_THEN(code, bound_point(args, instance, (size_t)(count - i), &table, error));
    }
    duet_cli_what_if_carry(&table);
    DUET_THEN(code, duet_cli_what_if_write(&table, &args->shared, &args->files, error));
    duet_cli_what_if_free(&table);
    return code;
}

static duet_code check_args(const bound_args *args, duet_error *error)
{
    if (args->shared.file_count == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "bound: expected a file, '-' for standard input");
    }
    DUET_TRY(check_names(args, error));
    return duet_cli_what_if_check(&args->shared, &args->files, "", error);
}

// Of devices that become one type a bound takes the least times, so that it holds for the devices
// as they are; solve takes the mean.
static duet_code ask_least(duet_cli_args *args, duet_error *error)
{
    return duet_options_imply(&args->reading, "merged=least", error);
}

static duet_code bound(const bound_args *args, duet_error *error)
{
    duet_instance *instance = NULL;
    duet_code code = check_args(args, error);
    DUET_THEN(code, duet_cli_load(&args->shared, args->shared.files[0], &instance, error));
    DUET_THEN(code, duet_cli_require_platform(args->shared.files[0], instance, error));
    if (code == DUET_OK) {
        bool range = duet_cli_platform_count(&args->shared) > 1;
        code = range ? run_range(args, instance, error) : run_bounds(args, instance, error);
    }
    duet_instance_free(instance);
    return code;
}

int duet_cli_bound(int argc, char **argv)
{
    bound_args args = {0};
    int code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &code)) {
        return code;
    }
    if (args.bound != NULL && strcmp(args.bound, "all") == 0) {
        args.bound = NULL;
    }
    duet_error error = DUET_ERROR_INIT;
    if (ask_least(&args.shared, &error) != DUET_OK || bound(&args, &error) != DUET_OK) {
        code = duet_cli_fail(&error);
    }
    duet_cli_args_free(&args.shared);
    return code;
}
