// SPDX-License-Identifier: Apache-2.0
// What the adversarial search found, for people and as JSON.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/run/cells.h"
#include "bench/run/published.h"
#include "bench/search/search.h"
#include "console/json.h"
#include "console/ratio.h"
#include "console/table.h"
#include "instances/formats/formats.h"

static double ratio_of(const duet_search_value *value)
{
    return value->optimum > 0 ? (double)value->makespan / (double)value->optimum : -1;
}

// The proven ratio on the find's platform, or NULL.
static const char *proven_of(const duet_search_settings *settings, const duet_search_find *find,
                             char *buffer)
{
    return duet_guarantee(settings->algorithm->entry.name, 2, find->point.processors,
                          settings->options, buffer);
}

// What was published without a proof that holds, or NULL.
static const char *published_of(const duet_search_settings *settings)
{
    return duet_bench_published(settings->algorithm->entry.name);
}

static bool refutes(const duet_search_settings *settings, const duet_search_find *find)
{
    return duet_bench_refutes(settings->algorithm->entry.name, duet_search_ratio(&find->value));
}

static char *format_proven(const duet_search_settings *settings, const duet_search_find *find,
                           char *buffer, size_t size)
{
    char ratio[96];
    const char *proven = proven_of(settings, find, ratio);
    const char *published = published_of(settings);
    if (proven != NULL) {
        double value = duet_cli_ratio_value(proven);
        snprintf(buffer, size, "%s = %.4f", proven, value);
        if (strspn(proven, "0123456789") == strlen(proven)) {
            snprintf(buffer, size, "%s", proven);
        }
    } else if (published != NULL) {
        snprintf(buffer, size, "none (published: %s)", published);
    } else {
        snprintf(buffer, size, "none");
    }
    return buffer;
}

static void add_number(duet_cli_table *table, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number);
    duet_cli_table_add(table, text);
}

static void print_summary(const duet_search_settings *settings, const duet_search_find *find,
                          FILE *stream)
{
    static const char *const heads[] = {"algorithm",    "worst ratio", "makespan", "optimum",
                                        "proven ratio", "tasks",       "platform"};
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrrlrl");
    duet_cells_add(&table, heads, sizeof heads / sizeof *heads);
    char text[160];
    duet_cli_table_add(&table, settings->algorithm->entry.name);
    snprintf(text, sizeof text, "%.4f", ratio_of(&find->value));
    duet_cli_table_add(&table, text);
    add_number(&table, find->value.makespan);
    add_number(&table, find->value.optimum);
    duet_cli_table_add(&table, format_proven(settings, find, text, sizeof text));
    add_number(&table, duet_search_tasks(&find->point));
    snprintf(text, sizeof text, "%" PRId64 " cpu + %" PRId64 " gpu", find->point.processors[0],
             find->point.processors[1]);
    duet_cli_table_add(&table, text);
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
}

static void print_kinds(const duet_search_find *find, FILE *stream)
{
    static const char *const heads[] = {"task", "count", "cpu", "gpu"};
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrr");
    duet_cells_add(&table, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < find->point.kinds; i++) {
        char id[32];
        snprintf(id, sizeof id, "t%zu", i);
        duet_cli_table_add(&table, id);
        add_number(&table, find->point.kind[i].count);
        for (size_t t = 0; t < 2; t++) {
            if (duet_search_runs(&find->point, i, t)) {
                add_number(&table, find->point.kind[i].time[t]);
            } else {
                duet_cli_table_add(&table, "-");
            }
        }
    }
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
}

void duet_search_print(const duet_search_settings *settings, const duet_search_result *result,
                       FILE *stream)
{
    const duet_search_find *small = &result->small;
    print_summary(settings, small, stream);
    fprintf(stream, "\n");
    print_kinds(small, stream);
    fprintf(stream, "\n");
    if (small->value.outcome == DUET_SEARCH_FAULT) {
        fprintf(stream, "FAULT: %s\n", small->fault);
    } else if (small->value.outcome == DUET_SEARCH_EXCEEDED) {
        fprintf(stream, "EXCEEDED: the ratio is above the proven one\n");
    } else if (refutes(settings, small)) {
        fprintf(stream, "refuted: the published ratio %s does not hold\n", published_of(settings));
    }
    if (small->value.outcome != DUET_SEARCH_FAULT && !result->confirmed) {
        fprintf(stream, "unconfirmed: the optimum is by search alone, exact did not settle it\n");
    }
    fprintf(stream, "found as %.4f with %" PRId64 " tasks, in restart %" PRId64 "\n",
            ratio_of(&result->found.value), duet_search_tasks(&result->found.point),
            result->found.restart);
    fprintf(stream,
            "seed %" PRIu64 ", %" PRId64 " restarts, %" PRId64 " evaluations in %.1f s: %.0f per "
            "second\n",
            settings->seed, result->restarts, result->evaluations, result->seconds,
            result->seconds > 0 ? (double)result->evaluations / result->seconds : 0);
}

static void json_ratio(duet_cli_json *json, const char *number, const char *text,
                       const duet_search_value *value)
{
    enum { places = 9 };
    char exact[80];
    duet_cli_json_decimal(json, number, ratio_of(value), places);
    duet_cli_json_string(json, text, duet_fraction_format(duet_search_ratio(value), exact));
}

static duet_code json_instance(duet_cli_json *json, const duet_search_settings *settings,
                               const duet_search_find *find, duet_error *error)
{
    duet_instance *instance;
    duet_code code =
        duet_search_instance(&find->point, settings->algorithm->entry.name, &instance, error);
    if (code != DUET_OK) {
        return code;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory != NULL) {
        duet_write_instance_json(memory, instance);
        fclose(memory);
    }
    duet_instance_free(instance);
    if (text == NULL || length == 0) {
        free(text);
        return duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    text[length - 1] = '\0'; // the line end
    duet_cli_json_number(json, "instance", text);
    free(text);
    return DUET_OK;
}

duet_code duet_search_json(const duet_search_settings *settings, const duet_search_result *result,
                           FILE *stream, duet_error *error)
{
    enum { places = 9 };
    const duet_search_find *small = &result->small;
    duet_cli_json json = {.stream = stream};
    char ratio[96];
    const char *proven = proven_of(settings, small, ratio);
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "algorithm", settings->algorithm->entry.name);
    json_ratio(&json, "ratio", "exact", &small->value);
    duet_cli_json_integer(&json, "makespan", small->value.makespan);
    duet_cli_json_integer(&json, "optimum", small->value.optimum);
    duet_cli_json_string(&json, "proven", proven);
    duet_cli_json_decimal(&json, "proven_value", proven == NULL ? -1 : duet_cli_ratio_value(proven),
                          places);
    duet_cli_json_string(&json, "published", published_of(settings));
    duet_cli_json_boolean(&json, "refuted", refutes(settings, small));
    duet_cli_json_boolean(&json, "exceeded", small->value.outcome == DUET_SEARCH_EXCEEDED);
    duet_cli_json_string(&json, "fault",
                         small->value.outcome == DUET_SEARCH_FAULT ? small->fault : NULL);
    duet_cli_json_integer(&json, "tasks", duet_search_tasks(&small->point));
    duet_cli_json_open(&json, "platform", '[');
    for (size_t t = 0; t < 2; t++) {
        duet_cli_json_open(&json, NULL, '{');
        duet_cli_json_string(&json, "type", t == 0 ? "cpu" : "gpu");
        duet_cli_json_integer(&json, "count", small->point.processors[t]);
        duet_cli_json_close(&json, '}');
    }
    duet_cli_json_close(&json, ']');
    json_ratio(&json, "found_ratio", "found_exact", &result->found.value);
    duet_cli_json_integer(&json, "found_tasks", duet_search_tasks(&result->found.point));
    snprintf(ratio, sizeof ratio, "%" PRIu64, settings->seed);
    duet_cli_json_number(&json, "seed", ratio);
    duet_cli_json_integer(&json, "evaluations", result->evaluations);
    duet_cli_json_integer(&json, "unsettled", result->unknown);
    duet_cli_json_integer(&json, "restarts", result->restarts);
    duet_cli_json_decimal(&json, "seconds", result->seconds, 3);
    duet_cli_json_boolean(&json, "confirmed", result->confirmed);
    duet_cli_json_boolean(&json, "interrupted", result->interrupted);
    duet_code code = json_instance(&json, settings, small, error);
    duet_cli_json_close(&json, '}');
    return code;
}
