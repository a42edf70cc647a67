// SPDX-License-Identifier: Apache-2.0
// The figures of duet compare for programs: JSON and CSV.
#include <math.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "console/json.h"
#include "console/print.h"
#include "console/table.h"
#include "console/texts.h"

// A solution that is given need not prove a bound.
static bool has_bound(const duet_cli_result *result)
{
    return result->lower_bound != DUET_FORBIDDEN;
}

static void json_result(duet_cli_json *json, const duet_cli_comparison *file,
                        const duet_cli_result *result)
{
    char digits[64];
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_string(json, "algorithm", result->algorithm);
    duet_cli_json_number(json, "makespan",
                         duet_instance_format_time(file->instance, result->makespan, digits));
    duet_cli_json_number(
        json, "lower_bound",
        has_bound(result) ? duet_instance_format_time(file->instance, result->lower_bound, digits)
                          : "null");
    duet_cli_json_decimal(json, "gap_percent", duet_cli_gap(result->makespan, file->bound), 6);
    duet_cli_json_decimal(json, "ratio", duet_cli_ratio(file, result), 8);
    duet_cli_json_string(json, "guarantee",
                         result->guarantee[0] == '\0' ? NULL : result->guarantee);
    duet_cli_json_decimal(json, "seconds", duet_cli_is_timed(result) ? result->seconds : -1.0, 6);
    duet_cli_json_string(json, "status",
                         duet_cli_is_optimal(file, result) ? "optimal"
                                                           : duet_status_name(result->status));
    duet_cli_json_boolean(json, "interrupted", result->interrupted);
    duet_cli_json_close(json, '}');
}

static void json_platform(duet_cli_json *json, const duet_instance *instance)
{
    duet_cli_json_open(json, "platform", '[');
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_string(json, "type", duet_instance_type_name(instance, t));
        duet_cli_json_integer(json, "count", duet_instance_type_count(instance, t));
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
}

static void json_claim(duet_cli_json *json, const duet_cli_comparison *file)
{
    const duet_instance *instance = file->instance;
    const duet_claim *claim = duet_instance_claim(instance);
    char digits[64];
    if (claim == NULL) {
        duet_cli_json_string(json, "claim", NULL);
        return;
    }
    duet_cli_json_open(json, "claim", '{');
    duet_cli_json_string(json, "algorithm", claim->algorithm);
    duet_cli_json_string(json, "options", claim->options);
    duet_cli_json_number(json, "optimum",
                         duet_instance_format_time(instance, claim->optimum, digits));
    duet_cli_json_number(json, "makespan",
                         duet_instance_format_time(instance, claim->makespan, digits));
    duet_cli_json_boolean(json, "refuted", claim->refuted);
    duet_cli_contradictions found = duet_cli_contradict(file);
    duet_cli_json_boolean(json, "contradicted", found.count > 0);
    duet_cli_json_open(json, "contradictions", '[');
    for (size_t i = 0; i < found.count; i++) {
        duet_cli_json_string(json, NULL, found.text[i]);
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_close(json, '}');
}

static void json_file(duet_cli_json *json, const duet_cli_comparison *file)
{
    char digits[64];
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_string(json, "file", file->path);
    duet_cli_json_string(json, "instance", duet_instance_name(file->instance));
    duet_cli_json_integer(json, "tasks", duet_instance_tasks(file->instance));
    json_platform(json, file->instance);
    duet_cli_json_string(json, "time_unit", duet_instance_time_unit(file->instance));
    duet_cli_json_number(json, "best_bound",
                         duet_instance_format_time(file->instance, file->bound, digits));
    duet_cli_json_string(json, "bound", file->bound_name[0] == '\0' ? NULL : file->bound_name);
    json_claim(json, file);
    duet_cli_json_open(json, "results", '[');
    for (size_t i = 0; i < file->count; i++) {
        if (file->results[i].skipped.code == DUET_OK) {
            json_result(json, file, &file->results[i]);
        }
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_open(json, "skipped", '[');
    for (size_t i = 0; i < file->count; i++) {
        if (file->results[i].skipped.code != DUET_OK) {
            duet_cli_json_open(json, NULL, '{');
            duet_cli_json_string(json, "algorithm", file->results[i].algorithm);
            duet_cli_json_string(json, "reason", file->results[i].skipped.message);
            duet_cli_json_close(json, '}');
        }
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_close(json, '}');
}

void duet_cli_compare_json(const duet_cli_comparison *files, size_t count, FILE *stream)
{
    duet_cli_json json = {stream, 0, true};
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_open(&json, "files", '[');
    for (size_t f = 0; f < count; f++) {
        json_file(&json, &files[f]);
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_open(&json, "summary", '[');
    for (size_t i = 0; i < all->count; i++) {
        duet_cli_summary sum = duet_cli_summarise(files, count, i);
        double mean = sum.with_gap == 0 ? -1.0 : sum.gap_sum / (double)sum.with_gap;
        duet_cli_json_open(&json, NULL, '{');
        duet_cli_json_string(&json, "algorithm", all->results[i].algorithm);
        duet_cli_json_integer(&json, "files", (int64_t)sum.solved);
        duet_cli_json_decimal(&json, "mean_gap_percent", mean, 6);
        duet_cli_json_decimal(&json, "median_gap_percent", mean < 0 ? -1.0 : sum.gap_median, 6);
        duet_cli_json_decimal(&json, "q90_gap_percent", mean < 0 ? -1.0 : sum.gap_q90, 6);
        duet_cli_json_decimal(&json, "max_gap_percent", mean < 0 ? -1.0 : sum.gap_max, 6);
        duet_cli_json_integer(&json, "wins", (int64_t)sum.wins);
        duet_cli_json_integer(&json, "optimal", (int64_t)sum.optimal);
        duet_cli_json_close(&json, '}');
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_close(&json, '}');
}

static void csv_row(const duet_cli_comparison *file, const duet_cli_result *result, FILE *stream)
{
    char text[DUET_CLI_TEXT];
    bool solved = result->skipped.code == DUET_OK;
    double ratio = duet_cli_ratio(file, result);
    duet_cli_csv_field(file->path, stream);
    fputc(',', stream);
    duet_cli_csv_field(duet_instance_name(file->instance), stream);
    fprintf(stream, ",%lld,%zu,", (long long)duet_instance_tasks(file->instance),
            duet_instance_kinds(file->instance));
    duet_cli_csv_field(duet_cli_platform(file->instance, text, sizeof text), stream);
    duet_cli_print(stream, ",%s,", duet_instance_format_time(file->instance, file->bound, text));
    duet_cli_csv_field(result->algorithm, stream);
    if (solved) {
        duet_cli_print(stream, ",%s,",
                       duet_instance_format_time(file->instance, result->makespan, text));
        duet_cli_print(stream, "%s,",
                       has_bound(result)
                           ? duet_instance_format_time(file->instance, result->lower_bound, text)
                           : "");
        if (ratio >= 0) {
            fprintf(stream, "%.6f,%.8f", 100.0 * (ratio - 1.0), ratio);
        } else {
            fputc(',', stream);
        }
        fputc(',', stream);
        duet_cli_csv_field(result->guarantee, stream);
        fputc(',', stream);
        if (duet_cli_is_timed(result)) {
            fprintf(stream, "%.6f", result->seconds);
        }
        duet_cli_print(stream, ",%s,", duet_cli_status_text(file, result));
    } else {
        duet_cli_print(stream, ",,,,,,,%s,",
                       result->fault > DUET_CLI_GIVEN_MISSING ? "fault" : "skipped");
    }
    duet_cli_csv_field(result->skipped.message, stream);
}

// The types of all files, each name once.
typedef struct columns {
    size_t types;
    const char *type[DUET_MAX_TYPES];
} columns;

static columns columns_of(const duet_cli_comparison *files, size_t count)
{
    columns found = {.types = 0};
    for (size_t f = 0; f < count; f++) {
        for (size_t t = 0; t < duet_instance_types(files[f].instance); t++) {
            const char *name = duet_instance_type_name(files[f].instance, t);
            size_t i = 0;
            while (i < found.types && strcmp(found.type[i], name) != 0) {
                i++;
            }
            if (i == found.types && i < DUET_MAX_TYPES) {
                found.type[found.types++] = name;
            }
        }
    }
    return found;
}

static const char *const by_type[] = {"equivalent_acceleration", "normalised_idle"};
static const char *const of_all[DUET_OTHER_METRICS] = {
    "transfers", "transfer_volume", "slr", "speedup", "ccr", "peak_power", "average_power"};

// The column of a metric, with the name of a type where it has one.
static void name_metric(const char *name, const char *type, char text[DUET_METRIC_NAME])
{
    snprintf(text, DUET_METRIC_NAME, "%s%s%s", name, type == NULL ? "" : "_",
             type == NULL ? "" : type);
}

// An empty field where it is not defined.
static void csv_metric(const duet_metric *list, size_t count, const char *name, FILE *stream)
{
    fputc(',', stream);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0 && !isnan(list[i].value)) {
            fprintf(stream, "%.9g", list[i].value);
        }
    }
}

// With a `file` the metrics of a result, else their names.
static void csv_metrics(const columns *all, const duet_cli_comparison *file,
                        const duet_cli_result *result, FILE *stream)
{
    duet_metric list[2 * DUET_MAX_TYPES + DUET_OTHER_METRICS];
    bool solved = file != NULL && result->skipped.code == DUET_OK;
    size_t count =
        solved ? duet_metrics_list(&result->metrics, file->instance, file->bound, list) : 0;
    char name[DUET_METRIC_NAME];
    for (size_t i = 0; i < 2 * all->types + DUET_OTHER_METRICS; i++) {
        size_t other = i - 2 * all->types;
        bool typed = i < 2 * all->types;
        name_metric(typed ? by_type[i / all->types] : of_all[other],
                    typed ? all->type[i % all->types] : NULL, name);
        if (file == NULL) {
            fputc(',', stream);
            duet_cli_csv_field(name, stream);
        } else {
            csv_metric(list, count, name, stream);
        }
    }
    fputc('\n', stream);
}

void duet_cli_compare_csv(const duet_cli_comparison *files, size_t count, FILE *stream)
{
    fputs("file,instance,tasks,kinds,platform,best_bound,algorithm,makespan,lower_bound,"
          "gap_percent,ratio,guarantee,seconds,status,reason",
          stream);
    columns all = columns_of(files, count);
    csv_metrics(&all, NULL, NULL, stream);
    for (size_t f = 0; f < count; f++) {
        for (size_t i = 0; i < files[f].count; i++) {
            csv_row(&files[f], &files[f].results[i], stream);
            csv_metrics(&all, &files[f], &files[f].results[i], stream);
        }
    }
}
