// SPDX-License-Identifier: Apache-2.0
// What the adversarial search found, for people and as JSON.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/run/cells.h"
#include "bench/run/measure.h"
#include "bench/run/published.h"
#include "bench/search/search.h"
#include "console/json.h"
#include "console/print.h"
#include "console/texts.h"
#include "core/system/try.h"
#include "instances/formats/formats.h"
#include "solvers/run.h"

// What is said of a result, in either form.
typedef struct view {
    const duet_search_settings *settings;
    const duet_search_result *result;
    const duet_search_find *small;
    const char *name;      // of the algorithm
    const char *proven;    // the ratio on the find's platform; NULL: none
    const char *published; // without a proof that holds; NULL: nothing is
    bool conjectured;      // that is no more than a conjecture
    bool refuted;
    char room[96];
} view;

// What is proven depends on the instance: its edges, and whether its tasks are moldable.
static const char *guarantee_on(const duet_search_settings *settings,
                                const duet_search_point *point, char *room)
{
    duet_ratio ratio;
    duet_instance *instance = NULL;
    bool proven = duet_search_instance(point, "found", &instance, NULL) == DUET_OK &&
                  duet_ratio_on(settings->algorithm, instance, settings->options, &ratio);
    duet_instance_free(instance);
    return proven ? duet_ratio_format(ratio, room) : NULL;
}

static void make_view(const duet_search_settings *settings, const duet_search_result *result,
                      view *v)
{
    const duet_search_find *small = &result->small;
    const char *name = settings->algorithm->entry.name;
    *v = (view){.settings = settings, .result = result, .small = small, .name = name};
    v->proven = guarantee_on(settings, &small->point, v->room);
    v->published = duet_bench_published(name);
    v->refuted = duet_bench_refutes(name, duet_search_ratio(&small->value));
    if (v->published == NULL) {
        v->published = duet_bench_conjecture(name);
        v->conjectured = v->published != NULL;
        v->refuted = duet_bench_refutes_conjecture(name, small->point.processors, settings->options,
                                                   small->value.makespan, small->value.optimum);
    }
}

static double ratio_of(const duet_search_value *value)
{
    return value->optimum > 0 ? (double)value->makespan / (double)value->optimum : -1;
}

static void add_proven(const view *v, duet_cli_table *table)
{
    if (v->proven != NULL && strspn(v->proven, "0123456789") == strlen(v->proven)) {
        duet_cli_table_add(table, v->proven);
    } else if (v->proven != NULL) {
        duet_cells_addf(table, "%s = %.4f", v->proven, duet_cli_ratio_value(v->proven));
    } else if (v->published != NULL) {
        duet_cells_addf(table, "none (published: %s)", v->published);
    } else {
        duet_cli_table_add(table, "none");
    }
}

static void print_summary(const view *v, FILE *stream)
{
    const duet_search_find *find = v->small;
    duet_cli_table table;
    duet_cells_begin(&table, "lrrrlrl",
                     "algorithm\tworst ratio\tmakespan\toptimum\tproven ratio\ttasks\tplatform");
    duet_cells_addf(&table, "%s\t%.4f\t%" PRId64 "\t%" PRId64, v->name, ratio_of(&find->value),
                    find->value.makespan, find->value.optimum);
    add_proven(v, &table);
    duet_cells_addf(&table, "%" PRId64 "\t%" PRId64 " cpu + %" PRId64 " gpu",
                    duet_search_tasks(&find->point), find->point.processors[0],
                    find->point.processors[1]);
    duet_cells_end(&table, 0, stream);
}

// "t0;t2": what a kind waits for.
static void add_before(duet_cli_table *table, uint64_t before)
{
    char text[DUET_SEARCH_MAX_TASKS * 4 + 1] = "";
    for (size_t i = 0; i < DUET_SEARCH_MAX_TASKS; i++) {
        if ((before >> i & 1) != 0) {
            duet_bench_append(text, sizeof text, "%st%zu", text[0] == '\0' ? "" : ";", i);
        }
    }
    duet_cli_table_add(table, text);
}

// "6 3 2": a table.
static void add_table(duet_cli_table *table, const duet_search_point *point, size_t kind)
{
    char text[DUET_SEARCH_MOLDABLE_PROCESSORS * 24] = "";
    int64_t times[DUET_SEARCH_MOLDABLE_PROCESSORS];
    size_t count = duet_search_table(point, kind, times);
    for (size_t p = 0; p < count; p++) {
        duet_bench_append(text, sizeof text, "%s%" PRId64, p == 0 ? "" : " ", times[p]);
    }
    duet_cli_table_add(table, text);
}

static void print_kinds(const duet_search_point *point, FILE *stream)
{
    bool graph = duet_search_edges(point) > 0;
    duet_cli_table table;
    duet_cells_begin(&table, graph ? "lrrrl" : "lrrr",
                     graph ? "task\tcount\tcpu\tgpu\tafter" : "task\tcount\tcpu\tgpu");
    for (size_t i = 0; i < point->kinds; i++) {
        duet_cells_addf(&table, "t%zu\t%" PRId64, i, point->kind[i].count);
        for (size_t t = 0; t < 2; t++) {
            if (t == 0 && point->moldable && duet_search_runs(point, i, t)) {
                add_table(&table, point, i);
            } else if (duet_search_runs(point, i, t)) {
                duet_cells_addf(&table, "%" PRId64, point->kind[i].time[t]);
            } else {
                duet_cli_table_add(&table, "-");
            }
        }
        if (graph) {
            add_before(&table, point->before[i]);
        }
    }
    duet_cells_end(&table, 2, stream);
}

void duet_search_print(const duet_search_settings *settings, const duet_search_result *result,
                       FILE *stream)
{
    view v;
    make_view(settings, result, &v);
    print_summary(&v, stream);
    fputc('\n', stream);
    print_kinds(&v.small->point, stream);
    fputc('\n', stream);
    bool fault = v.small->value.outcome == DUET_SEARCH_FAULT;
    if (fault) {
        duet_cli_print(stream, "FAULT: %s\n", v.small->fault);
    } else if (v.small->value.outcome == DUET_SEARCH_EXCEEDED) {
        fprintf(stream, "EXCEEDED: the ratio is above the proven one\n");
    } else if (v.refuted) {
        duet_cli_print(stream, "refuted: the %s ratio %s does not hold\n",
                       v.conjectured ? "conjectured" : "published", v.published);
    } else if (v.conjectured) {
        duet_cli_print(stream, "the conjectured ratio %s is not exceeded\n", v.published);
    }
    if (!fault && !result->confirmed) {
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

enum { PLACES = 9 };

static void json_ratio(duet_cli_json *json, const char *number, const char *text,
                       const duet_search_value *value)
{
    char exact[80];
    duet_cli_json_decimal(json, number, ratio_of(value), PLACES);
    duet_cli_json_string(json, text, duet_fraction_format(duet_search_ratio(value), exact));
}

static duet_code json_instance(duet_cli_json *json, const view *v, duet_error *error)
{
    duet_instance *instance;
    DUET_TRY(duet_search_instance(&v->small->point, v->name, &instance, error));
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    bool whole = memory != NULL;
    if (whole) {
        duet_write_instance_json(memory, instance);
        whole = ferror(memory) == 0;
        whole = fclose(memory) == 0 && whole;
    }
    duet_instance_free(instance);
    if (!whole || length == 0) {
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
    view v;
    make_view(settings, result, &v);
    const duet_search_find *small = v.small;
    duet_cli_json json = {.stream = stream};
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, settings->seed);
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "algorithm", v.name);
    json_ratio(&json, "ratio", "exact", &small->value);
    duet_cli_json_members(&json, "makespan:%" PRId64 " optimum:%" PRId64 " proven:%s",
                          small->value.makespan, small->value.optimum, v.proven);
    duet_cli_json_decimal(&json, "proven_value",
                          v.proven == NULL ? -1 : duet_cli_ratio_value(v.proven), PLACES);
    duet_cli_json_members(&json, "published:%s refuted:%d exceeded:%d fault:%s tasks:%" PRId64,
                          v.published, v.refuted, small->value.outcome == DUET_SEARCH_EXCEEDED,
                          small->value.outcome == DUET_SEARCH_FAULT ? small->fault : NULL,
                          duet_search_tasks(&small->point));
    duet_cli_json_open(&json, "platform", '[');
    for (size_t t = 0; t < 2; t++) {
        duet_cli_json_object(&json, NULL, "type:%s count:%" PRId64, t == 0 ? "cpu" : "gpu",
                             small->point.processors[t]);
    }
    duet_cli_json_close(&json, ']');
    json_ratio(&json, "found_ratio", "found_exact", &result->found.value);
    duet_cli_json_integer(&json, "found_tasks", duet_search_tasks(&result->found.point));
    duet_cli_json_number(&json, "seed", seed);
    duet_cli_json_members(&json,
                          "evaluations:%" PRId64 " unsettled:%" PRId64 " restarts:%" PRId64
                          " seconds:%.3f confirmed:%d interrupted:%d",
                          result->evaluations, result->unknown, result->restarts, result->seconds,
                          result->confirmed, result->interrupted);
    duet_code code = json_instance(&json, &v, error);
    duet_cli_json_close(&json, '}');
    return code;
}
