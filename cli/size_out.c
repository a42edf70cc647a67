// SPDX-License-Identifier: Apache-2.0
#include "cli/size_out.h"

#include <inttypes.h>

#include "console/json.h"
#include "console/print.h"
#include "console/table.h"
#include "console/texts.h"
#include "core/instance/clock.h"
#include "core/system/output.h"
#include "core/system/try.h"

static const char *const statuses[] = {
    [DUET_NO] = "infeasible", [DUET_YES] = "feasible", [DUET_UNDECIDED] = "unknown"};

static char *platform_text(const duet_cli_sized *sized, const int64_t *counts, char *text,
                           size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t t = 0; t < duet_instance_types(sized->instance) && used < size; t++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%" PRId64 " %.60s", t == 0 ? "" : " + ",
                             counts[t], duet_instance_type_name(sized->instance, t));
    }
    return text;
}

// A row of the table of people.
static void add_row(const duet_cli_sized *sized, const duet_sized *platform, duet_cli_table *table)
{
    static const char *const words[] = {
        [DUET_NO] = "no", [DUET_YES] = "yes", [DUET_UNDECIDED] = "not decided"};
    char text[DUET_CLI_TEXT];
    char price[DUET_CLI_PRICE];
    size_t types = duet_instance_types(sized->instance);
    duet_cli_table_add(table, platform_text(sized, platform->counts, text, sizeof text));
    if (sized->price.given) {
        duet_cli_table_add(table,
                           duet_cli_price_text(&sized->price, types, platform->counts, price));
        duet_cli_run_price_text(&sized->price, sized->instance, platform->counts,
                                platform->makespan, price);
        bool known = platform->makespan != DUET_FORBIDDEN && price[0] != '\0';
        duet_cli_table_add(table, known ? price : "-");
    }
    duet_cli_table_add(table, platform->makespan == DUET_FORBIDDEN
                                  ? "-"
                                  : duet_cli_time(sized->instance, platform->makespan, text));
    duet_cli_table_add(table, platform->lower_bound == DUET_FORBIDDEN
                                  ? "no schedule"
                                  : duet_cli_time(sized->instance, platform->lower_bound, text));
    duet_cli_table_add(table, words[platform->feasible]);
}

static void print_answer(const duet_cli_sized *sized, FILE *stream)
{
    char text[DUET_CLI_TEXT];
    char price[DUET_CLI_PRICE];
    const char *title = sized->price.given ? "cheapest" : "smallest";
    size_t types = duet_instance_types(sized->instance);
    for (size_t i = 0; i < duet_sizing_platforms(sized->sizing); i++) {
        duet_sized platform = duet_sizing_platform(sized->sizing, i);
        if (platform.smallest) {
            duet_cli_price_text(&sized->price, types, platform.counts, price);
            duet_cli_print(stream, "%s     %s%s%s%s\n", title,
                           platform_text(sized, platform.counts, text, sizeof text),
                           price[0] == '\0' ? "" : ", ", price, price[0] == '\0' ? "" : " an hour");
        }
    }
    switch (duet_sizing_answer(sized->sizing)) {
    case DUET_YES:
        duet_cli_put_own(stream, "proven       no other platform of the range is needed\n");
        break;
    case DUET_NO:
        duet_cli_put_own(stream, "proven       no platform of the range makes it\n");
        break;
    default:
        duet_cli_put_own(stream, "not decided  more time (-t) could change the answer\n");
        break;
    }
}

void duet_cli_sized_print(const duet_cli_sized *sized, FILE *stream)
{
    enum { shown = 100 };
    char text[DUET_CLI_TEXT];
    size_t count = duet_sizing_platforms(sized->sizing);
    size_t rows = 0;
    duet_cli_table table;
    char clock[DUET_CLOCK_TEXT];
    char due[DUET_CLI_GIVEN_TEXT];
    bool known = duet_clock_is_known(sized->instance);
    duet_cli_print(stream, "%s: %s, to end by %s%s%s%s\n", duet_instance_name(sized->instance),
                   duet_cli_size(sized->instance, text),
                   duet_cli_given_text(&sized->due, sized->instance, due), known ? " (" : "",
                   known ? duet_clock_format(sized->instance, sized->due.ticks, clock) : "",
                   known ? ")" : "");
    duet_cli_table_init(&table, sized->price.given ? "lrrrrl" : "lrrl");
    duet_cli_table_add(&table, "platform");
    if (sized->price.given) {
        duet_cli_table_add(&table, "price an hour");
        duet_cli_table_add(&table, "of the run");
    }
    duet_cli_table_add(&table, "makespan");
    duet_cli_table_add(&table, "bound");
    duet_cli_table_add(&table, "makes it");
    for (size_t i = 0; i < count; i++) {
        duet_sized platform = duet_sizing_platform(sized->sizing, i);
        bool border = duet_sizing_solution(sized->sizing, i) != NULL;
        if (border || platform.smallest || platform.feasible == DUET_UNDECIDED) {
            if (rows++ < shown) {
                add_row(sized, &platform, &table);
            }
        }
    }
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
    if (rows > shown) {
        duet_cli_print(stream, "  and %zu more (--csv)\n", rows - shown);
    }
    print_answer(sized, stream);
}

static void json_counts(const duet_cli_sized *sized, const char *key, const int64_t *counts,
                        duet_cli_json *json)
{
    duet_cli_json_open(json, key, '{');
    for (size_t t = 0; t < duet_instance_types(sized->instance); t++) {
        duet_cli_json_integer(json, duet_instance_type_name(sized->instance, t), counts[t]);
    }
    duet_cli_json_close(json, '}');
}

// A number, or null without digits.
static void json_maybe(duet_cli_json *json, const char *key, const char *digits)
{
    if (digits == NULL || digits[0] == '\0') {
        duet_cli_json_string(json, key, NULL);
    } else {
        duet_cli_json_number(json, key, digits);
    }
}

static void json_platform(const duet_cli_sized *sized, const duet_sized *platform,
                          duet_cli_json *json)
{
    char digits[64];
    const duet_instance *instance = sized->instance;
    duet_cli_json_open(json, NULL, '{');
    json_counts(sized, "counts", platform->counts, json);
    json_maybe(json, "price",
               duet_cli_price_text(&sized->price, duet_instance_types(instance), platform->counts,
                                   digits));
    duet_cli_json_string(json, "status", statuses[platform->feasible]);
    json_maybe(json, "makespan",
               platform->makespan == DUET_FORBIDDEN
                   ? NULL
                   : duet_instance_format_time(instance, platform->makespan, digits));
    json_maybe(json, "lower_bound",
               platform->lower_bound == DUET_FORBIDDEN
                   ? NULL
                   : duet_instance_format_time(instance, platform->lower_bound, digits));
    duet_cli_json_boolean(json, "solved", platform->solved);
    duet_cli_json_close(json, '}');
}

void duet_cli_sized_json(const duet_cli_sized *sized, FILE *stream)
{
    duet_cli_json json = {stream, 0, true};
    size_t count = duet_sizing_platforms(sized->sizing);
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(sized->instance));
    duet_cli_json_string(&json, "time_unit", duet_instance_time_unit(sized->instance));
    duet_cli_json_number(&json, "deadline", sized->due.text);
    duet_cli_json_open(&json, "platforms", '[');
    for (size_t i = 0; i < count; i++) {
        duet_sized platform = duet_sizing_platform(sized->sizing, i);
        json_platform(sized, &platform, &json);
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_open(&json, "smallest", '[');
    for (size_t i = 0; i < count; i++) {
        duet_sized platform = duet_sizing_platform(sized->sizing, i);
        if (platform.smallest) {
            json_counts(sized, NULL, platform.counts, &json);
        }
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_close(&json, '}');
}

static void csv_platform(const duet_cli_sized *sized, const duet_sized *platform, FILE *stream)
{
    char text[64];
    size_t types = duet_instance_types(sized->instance);
    for (size_t t = 0; t < types; t++) {
        duet_cli_print(stream, "%" PRId64 ",", platform->counts[t]);
    }
    duet_cli_print(stream, "%s,%s,",
                   duet_cli_price_text(&sized->price, types, platform->counts, text),
                   statuses[platform->feasible]);
    duet_cli_print(stream, "%s,",
                   platform->makespan == DUET_FORBIDDEN
                       ? ""
                       : duet_instance_format_time(sized->instance, platform->makespan, text));
    duet_cli_print(stream, "%s,%s\n",
                   platform->lower_bound == DUET_FORBIDDEN
                       ? ""
                       : duet_instance_format_time(sized->instance, platform->lower_bound, text),
                   platform->smallest ? "yes" : "no");
}

duet_code duet_cli_sized_csv(const duet_cli_sized *sized, const char *path, duet_error *error)
{
    duet_output output;
    DUET_TRY(duet_output_open(&output, path, error));
    for (size_t t = 0; t < duet_instance_types(sized->instance); t++) {
        duet_cli_csv_field(duet_instance_type_name(sized->instance, t), output.stream);
        fputc(',', output.stream);
    }
    fputs("price,status,makespan,lower_bound,smallest\n", output.stream);
    for (size_t i = 0; i < duet_sizing_platforms(sized->sizing); i++) {
        duet_sized platform = duet_sizing_platform(sized->sizing, i);
        csv_platform(sized, &platform, output.stream);
    }
    return duet_output_commit(&output, error);
}
