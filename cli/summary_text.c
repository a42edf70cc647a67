// SPDX-License-Identifier: Apache-2.0
// What --summary says of a schedule.
#include "cli/solve.h"

#include <math.h>
#include <stdio.h>

#include "console/exit_code.h"
#include "console/print.h"
#include "console/table.h"
#include "console/texts.h"
#include "core/instance/time_text.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/summary.h"

// Types that get a column of their own; the table of a machine with more of them has none by type.
enum { TYPE_COLUMNS = DUET_CLI_MAX_COLUMNS - 2 };

static void add_count(duet_cli_table *table, int64_t count)
{
    char text[32];
    snprintf(text, sizeof text, count == 0 ? "-" : "%lld", (long long)count);
    duet_cli_table_add(table, text);
}

static void print_kinds(const duet_instance *instance, const duet_summary *summary)
{
    duet_cli_table table;
    char align[DUET_CLI_MAX_COLUMNS + 1] = "lr";
    size_t types = summary->types <= TYPE_COLUMNS ? summary->types : 0;
    for (size_t t = 0; t < types; t++) {
        align[2 + t] = 'r';
        align[3 + t] = '\0';
    }
    duet_cli_table_init(&table, align);
    duet_cli_table_add(&table, "tasks of");
    duet_cli_table_add(&table, "all");
    for (size_t t = 0; t < types; t++) {
        char name[80];
        snprintf(name, sizeof name, "on %.60s", duet_instance_type_name(instance, t));
        duet_cli_table_add(&table, name);
    }
    for (size_t r = 0; r < summary->rows; r++) {
        const duet_summary_row *row = &summary->row[r];
        char name[DUET_SUMMARY_NAME + 40];
        if (row->kinds == 1) {
            snprintf(name, sizeof name, "%s", row->name);
        } else {
            snprintf(name, sizeof name, "%s (%zu kinds)", row->name[0] == '\0' ? "all" : row->name,
                     row->kinds);
        }
        duet_cli_table_add(&table, name);
        add_count(&table, row->tasks);
        for (size_t t = 0; t < types; t++) {
            add_count(&table, row->count[t]);
        }
    }
    duet_cli_table_print(&table, 2, stdout);
    duet_cli_table_free(&table);
}

// A time that may be the sum over many processors.
static void add_time(duet_cli_table *table, const duet_instance *instance, duet_uint128 ticks)
{
    char text[DUET_TIME_TEXT];
    duet_cli_table_add(table, duet_time_text(instance, 0, ticks, text));
}

static void print_types(const duet_instance *instance, const duet_summary *summary)
{
    static const char *const titles[] = {"type", "processors", "used", "tasks",
                                         "work", "idle",       "load", "last end"};
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrrrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        duet_cli_table_add(&table, titles[i]);
    }
    for (size_t t = 0; t < summary->types; t++) {
        const duet_summary_type *type = &summary->type[t];
        char text[32];
        int load = duet_summary_load(summary, t);
        duet_cli_table_add(&table, duet_instance_type_name(instance, t));
        add_count(&table, type->processors);
        add_count(&table, type->used);
        add_count(&table, type->tasks);
        add_time(&table, instance, type->work);
        add_time(&table, instance, type->idle);
        snprintf(text, sizeof text, "%d.%02d %%", load / 100, load % 100);
        duet_cli_table_add(&table, text);
        add_time(&table, instance, (duet_uint128)type->ends);
    }
    duet_cli_table_print(&table, 2, stdout);
    duet_cli_table_free(&table);
}

static void print_limit(const duet_instance *instance, const duet_summary *summary)
{
    char id[120];
    char text[DUET_CLI_TEXT];
    int load = duet_summary_load(summary, summary->bottleneck);
    switch (summary->limit) {
    case DUET_LIMIT_TASK:
        duet_instance_task_id(instance, summary->longest_task, id, sizeof id);
        duet_cli_print(stdout, "bottleneck   task %s: no processor runs it in less than %s\n", id,
                       duet_cli_time(instance, summary->makespan, text));
        break;
    case DUET_LIMIT_PATH:
        duet_cli_print(
            stdout,
            "bottleneck   a path of %zu task%s through the graph, none of which waits for a "
            "processor\n",
            summary->chain, summary->chain == 1 ? "" : "s");
        break;
    case DUET_LIMIT_LONGEST:
        duet_cli_print(
            stdout,
            "bottleneck   the longest path through the graph: no processors run it in less than "
            "%s\n",
            duet_cli_time(instance, summary->makespan, text));
        break;
    case DUET_LIMIT_TYPE:
        duet_cli_print(stdout, "bottleneck   %s: at work %d.%02d %% of the makespan\n",
                       duet_instance_type_name(instance, summary->bottleneck), load / 100,
                       load % 100);
        break;
    case DUET_LIMIT_NOTHING:
        break;
    }
}

// The chain of a task graph goes from processor to processor.
static bool is_on_one_processor(const duet_summary *summary)
{
    const duet_interval *first = &summary->link[0];
    bool one = true;
    for (size_t i = 1; i < summary->chain; i++) {
        const duet_interval *link = &summary->link[i];
        one = one && link->type == first->type && link->processor == first->processor;
    }
    return one;
}

// The last ones of a long chain are named.
static void print_chain(const duet_instance *instance, const duet_summary *summary)
{
    enum { named = 6 };
    if (summary->chain == 0) {
        return;
    }
    const duet_interval *last = &summary->link[summary->chain - 1];
    size_t from = summary->chain > named ? summary->chain - named : 0;
    duet_cli_print(stdout, "decided by   %s", from > 0 ? "..., " : "");
    for (size_t i = from; i < summary->chain; i++) {
        char id[120];
        duet_instance_task_id(instance, summary->link[i].task, id, sizeof id);
        duet_cli_print(stdout, "%s%s", i == from ? "" : ", ", id);
    }
    char start[DUET_CLI_TEXT];
    duet_cli_print(stdout, ": %zu task%s without a pause from %s to the end", summary->chain,
                   summary->chain == 1 ? "" : "s",
                   duet_cli_time(instance, summary->link[0].start, start));
    if (is_on_one_processor(summary)) {
        char number[32];
        const char *name =
            duet_instance_processor_name(instance, (size_t)last->type, last->processor);
        snprintf(number, sizeof number, "%d", (int)last->processor);
        duet_cli_print(stdout, ", on %s %s", duet_instance_type_name(instance, (size_t)last->type),
                       name == NULL ? number : name);
    }
    putchar('\n');
}

// What is defined, by name.
static duet_code list_metrics(const duet_instance *instance, const duet_solution *solution,
                              const duet_watts *watts, duet_metric *list, size_t *count,
                              duet_error *error)
{
    duet_metrics metrics;
    duet_code code = duet_metrics_create(instance, solution, watts, &metrics, error);
    size_t all = code != DUET_OK ? 0
                                 : duet_metrics_list(&metrics, instance,
                                                     duet_solution_lower_bound(solution), list);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (!isnan(list[i].value)) {
            list[(*count)++] = list[i];
        }
    }
    return code;
}

static duet_code print_metrics(const duet_instance *instance, const duet_solution *solution,
                               const duet_watts *watts, duet_error *error)
{
    duet_metric list[2 * DUET_MAX_TYPES + DUET_OTHER_METRICS];
    size_t count = 0;
    duet_cli_table table;
    duet_code code = list_metrics(instance, solution, watts, list, &count, error);
    duet_cli_table_init(&table, "lr");
    duet_cli_table_add(&table, "metric");
    duet_cli_table_add(&table, "value");
    for (size_t i = 0; i < count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.6g", list[i].value);
        duet_cli_table_add(&table, list[i].name);
        duet_cli_table_add(&table, text);
    }
    if (code == DUET_OK) {
        duet_cli_table_print(&table, 2, stdout);
    }
    duet_cli_table_free(&table);
    return code;
}

int duet_cli_summary_print(const duet_instance *instance, const duet_solution *solution,
                           const duet_watts *watts)
{
    duet_error error = DUET_ERROR_INIT;
    duet_summary *summary = duet_alloc(1, sizeof *summary, &error);
    if (summary == NULL || duet_summary_create(instance, solution, summary, &error) != DUET_OK) {
        duet_free(summary);
        return duet_cli_fail(&error);
    }
    putchar('\n');
    print_kinds(instance, summary);
    putchar('\n');
    print_types(instance, summary);
    putchar('\n');
    if (print_metrics(instance, solution, watts, &error) != DUET_OK) {
        duet_summary_free(summary);
        duet_free(summary);
        return duet_cli_fail(&error);
    }
    putchar('\n');
    print_limit(instance, summary);
    print_chain(instance, summary);
    duet_summary_free(summary);
    duet_free(summary);
    return DUET_CLI_OK;
}

static void json_kinds(duet_cli_json *json, const duet_instance *instance,
                       const duet_summary *summary)
{
    duet_cli_json_open(json, "kinds", '[');
    for (size_t r = 0; r < summary->rows; r++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_string(json, "name", summary->row[r].name);
        duet_cli_json_integer(json, "kinds", (int64_t)summary->row[r].kinds);
        duet_cli_json_integer(json, "tasks", summary->row[r].tasks);
        duet_cli_json_open(json, "by_type", '{');
        for (size_t t = 0; t < summary->types; t++) {
            duet_cli_json_integer(json, duet_instance_type_name(instance, t),
                                  summary->row[r].count[t]);
        }
        duet_cli_json_close(json, '}');
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
}

static void json_types(duet_cli_json *json, const duet_instance *instance,
                       const duet_summary *summary)
{
    duet_cli_json_open(json, "types", '[');
    for (size_t t = 0; t < summary->types; t++) {
        const duet_summary_type *type = &summary->type[t];
        char text[32];
        int load = duet_summary_load(summary, t);
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_string(json, "type", duet_instance_type_name(instance, t));
        duet_cli_json_integer(json, "processors", type->processors);
        duet_cli_json_integer(json, "used", type->used);
        duet_cli_json_integer(json, "tasks", type->tasks);
        snprintf(text, sizeof text, "%d.%02d", load / 100, load % 100);
        duet_cli_json_number(json, "load_percent", text);
        duet_cli_json_number(json, "last_end",
                             duet_instance_format_time(instance, type->ends, text));
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
}

static void json_chain(duet_cli_json *json, const duet_instance *instance,
                       const duet_summary *summary)
{
    duet_cli_json_open(json, "decided_by", '[');
    for (size_t i = 0; i < summary->chain; i++) {
        char id[256];
        duet_instance_task_id(instance, summary->link[i].task, id, sizeof id);
        duet_cli_json_string(json, NULL, id);
    }
    duet_cli_json_close(json, ']');
}

static void json_metrics(duet_cli_json *json, const duet_metric *list, size_t count)
{
    duet_cli_json_open(json, "metrics", '{');
    for (size_t i = 0; i < count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.9g", list[i].value);
        duet_cli_json_number(json, list[i].name, text);
    }
    duet_cli_json_close(json, '}');
}

duet_code duet_cli_summary_json(duet_cli_json *json, const duet_instance *instance,
                                const duet_solution *solution, const duet_watts *watts,
                                duet_error *error)
{
    duet_metric list[2 * DUET_MAX_TYPES + DUET_OTHER_METRICS];
    size_t count = 0;
    duet_summary *summary = duet_alloc(1, sizeof *summary, error);
    duet_code code =
        summary == NULL ? DUET_E_MEMORY : duet_summary_create(instance, solution, summary, error);
    DUET_THEN(code, list_metrics(instance, solution, watts, list, &count, error));
    if (code == DUET_OK) {
        duet_cli_json_open(json, "summary", '{');
        json_kinds(json, instance, summary);
        json_types(json, instance, summary);
        json_metrics(json, list, count);
        duet_cli_json_string(json, "bottleneck",
                             summary->limit == DUET_LIMIT_NOTHING ? NULL
                             : summary->limit == DUET_LIMIT_PATH ||
                                     summary->limit == DUET_LIMIT_LONGEST
                                 ? "path"
                                 : duet_instance_type_name(instance, summary->bottleneck));
        json_chain(json, instance, summary);
        duet_cli_json_close(json, '}');
        duet_summary_free(summary);
    }
    duet_free(summary);
    return code;
}
