// SPDX-License-Identifier: Apache-2.0
#include "cli/what_if.h"

#include <stdio.h>
#include <string.h>

#include "console/json.h"
#include "console/platform.h"
#include "console/texts.h"
#include "core/system/memory.h"
#include "core/system/try.h"

duet_code duet_cli_what_if_create(const duet_cli_args *args, const char *path,
                                  const duet_instance *instance, duet_cli_what_if *made,
                                  duet_error *error)
{
    *made = (duet_cli_what_if){.instance = instance};
    DUET_TRY(duet_cli_varied_types(args, path, instance, made->varied, error));
    DUET_TRY(duet_cli_read_price(args->price, instance, &made->price, error));
    size_t room = (size_t)duet_cli_platform_count(args);
    made->point = duet_alloc(room, sizeof *made->point, error);
    return made->point == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_cli_what_if_free(duet_cli_what_if *table)
{
    duet_free(table->point);
    table->point = NULL;
}

duet_cli_point *duet_cli_what_if_next(duet_cli_what_if *table, const duet_instance *instance)
{
    duet_cli_point *point = &table->point[table->count++];
    *point = (duet_cli_point){.makespan = DUET_FORBIDDEN};
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        point->counts[t] = duet_instance_type_count(instance, t);
    }
    return point;
}

// Whether a platform has at least as many processors of each type.
static bool has_all_of(const duet_cli_what_if *table, const duet_cli_point *more,
                       const duet_cli_point *less)
{
    bool all = true;
    for (size_t t = 0; t < duet_instance_types(table->instance); t++) {
        all = all && more->counts[t] >= less->counts[t];
    }
    return all;
}

void duet_cli_what_if_carry(duet_cli_what_if *table)
{
    for (size_t i = 0; i < table->count; i++) {
        for (size_t j = 0; j < table->count; j++) {
            duet_cli_point *more = &table->point[i];
            duet_cli_point *less = &table->point[j];
            if (more->why[0] != '\0' || less->why[0] != '\0' || !has_all_of(table, more, less)) {
                continue;
            }
            if (less->makespan < more->makespan) {
                more->makespan = less->makespan;
                memcpy(more->makespan_by, less->makespan_by, sizeof more->makespan_by);
            }
            if (more->bound > less->bound) {
                less->bound = more->bound;
                memcpy(less->bound_by, more->bound_by, sizeof less->bound_by);
            }
        }
    }
}

// The figure that one more processor changes.
static int64_t value_of(const duet_cli_what_if *table, const duet_cli_point *point)
{
    return table->bounds_only ? point->bound : point->makespan;
}

// The point with one more processor of a type; NULL where the table has none.
static const duet_cli_point *one_more(const duet_cli_what_if *table, const duet_cli_point *point,
                                      size_t type)
{
    size_t types = duet_instance_types(table->instance);
    for (size_t i = 0; i < table->count; i++) {
        bool same = true;
        for (size_t t = 0; t < types && same; t++) {
            same = table->point[i].counts[t] == point->counts[t] + (t == type);
        }
        if (same) {
            return &table->point[i];
        }
    }
    return NULL;
}

// "-19.40 %", of a table's figure; "-" where one of the two is not known.
static void change_text(const duet_cli_what_if *table, const duet_cli_point *point, size_t type,
                        char *text, size_t size)
{
    const duet_cli_point *more = one_more(table, point, type);
    int64_t from = value_of(table, point);
    int64_t to = more == NULL ? DUET_FORBIDDEN : value_of(table, more);
    if (from <= 0 || from == DUET_FORBIDDEN || to == DUET_FORBIDDEN || more->why[0] != '\0') {
        snprintf(text, size, "-");
        return;
    }
    double percent = 100.0 * ((double)to / (double)from - 1.0);
    snprintf(text, size, to == from ? "0 %%" : "%+.2f %%", percent);
}

static void platform_text(const duet_cli_what_if *table, const duet_cli_point *point, char *text,
                          size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t t = 0; t < duet_instance_types(table->instance) && used < size; t++) {
        used += (size_t)snprintf(text + used, size - used, "%s%lld %s", t == 0 ? "" : " + ",
                                 (long long)point->counts[t],
                                 duet_instance_type_name(table->instance, t));
    }
}

// The most types that have a column for one more processor.
enum { MOST_VARIED = 5 };

static size_t list_varied(const duet_cli_what_if *table, size_t varied[MOST_VARIED])
{
    size_t count = 0;
    for (size_t t = 0; t < duet_instance_types(table->instance) && count < MOST_VARIED; t++) {
        if (table->varied[t]) {
            varied[count++] = t;
        }
    }
    return count;
}

static void add_header(const duet_cli_what_if *table, const size_t *varied, size_t count,
                       duet_cli_table *out)
{
    static const char *const bound_titles[] = {"platform", "bound", "by"};
    static const char *const titles[] = {"platform", "makespan", "bound", "gap", "by"};
    const char *const *own = table->bounds_only ? bound_titles : titles;
    for (size_t i = 0; i < (table->bounds_only ? 3 : 5); i++) {
        duet_cli_table_add(out, own[i]);
    }
    if (table->price.given) {
        duet_cli_table_add(out, "price an hour");
        duet_cli_table_add(out, "of the run");
    }
    for (size_t v = 0; v < count; v++) {
        char title[100];
        snprintf(title, sizeof title, "one more %.80s",
                 duet_instance_type_name(table->instance, varied[v]));
        duet_cli_table_add(out, title);
    }
}

static void add_point(const duet_cli_what_if *table, const duet_cli_point *point,
                      duet_cli_table *out)
{
    char text[DUET_CLI_TEXT];
    bool known = point->why[0] == '\0';
    platform_text(table, point, text, sizeof text);
    duet_cli_table_add(out, text);
    if (!table->bounds_only) {
        duet_cli_table_add(out, known ? duet_cli_time(table->instance, point->makespan, text)
                                      : point->why);
    }
    duet_cli_table_add(out, known ? duet_cli_time(table->instance, point->bound, text)
                            : table->bounds_only ? point->why
                                                 : "-");
    if (!table->bounds_only) {
        duet_cli_table_add(out,
                           known ? duet_cli_gap_text(point->makespan, point->bound, text) : "-");
    }
    duet_cli_table_add(out, table->bounds_only ? point->bound_by : point->makespan_by);
    if (table->price.given) {
        char price[DUET_CLI_PRICE];
        size_t types = duet_instance_types(table->instance);
        duet_cli_table_add(out, duet_cli_price_text(&table->price, types, point->counts, price));
        duet_cli_run_price_text(&table->price, table->instance, point->counts,
                                value_of(table, point), price);
        duet_cli_table_add(out, known && price[0] != '\0' ? price : "-");
    }
}

void duet_cli_what_if_print(const duet_cli_what_if *table, duet_cli_format format, FILE *stream)
{
    char align[] = "lrrrlrrrrrrr";
    size_t varied[MOST_VARIED];
    size_t count = list_varied(table, varied);
    size_t fixed = (table->bounds_only ? 3U : 5U) + (table->price.given ? 2U : 0U);
    memcpy(align, table->bounds_only ? "lrlrr" : "lrrrlrr", fixed);
    memset(align + fixed, 'r', count);
    align[fixed + count] = '\0';
    duet_cli_table out;
    duet_cli_table_init(&out, align);
    add_header(table, varied, count, &out);
    for (size_t i = 0; i < table->count; i++) {
        add_point(table, &table->point[i], &out);
        for (size_t v = 0; v < count; v++) {
            char text[32];
            change_text(table, &table->point[i], varied[v], text, sizeof text);
            duet_cli_table_add(&out, text);
        }
    }
    duet_cli_table_print_as(&out, format, stream);
    duet_cli_table_free(&out);
}

static void json_point(duet_cli_json *json, const duet_cli_what_if *table,
                       const duet_cli_point *point)
{
    char digits[64];
    bool known = point->why[0] == '\0';
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_open(json, "platform", '{');
    for (size_t t = 0; t < duet_instance_types(table->instance); t++) {
        duet_cli_json_integer(json, duet_instance_type_name(table->instance, t), point->counts[t]);
    }
    duet_cli_json_close(json, '}');
    if (known && !table->bounds_only) {
        duet_cli_json_number(json, "makespan",
                             duet_instance_format_time(table->instance, point->makespan, digits));
        duet_cli_json_string(json, "algorithm", point->makespan_by);
        duet_cli_json_decimal(json, "gap_percent", duet_cli_gap(point->makespan, point->bound), 6);
    }
    if (known) {
        duet_cli_json_number(json, "lower_bound",
                             duet_instance_format_time(table->instance, point->bound, digits));
        duet_cli_json_string(json, "bound", point->bound_by);
    } else {
        duet_cli_json_string(json, "reason", point->why);
    }
    if (table->price.given) {
        duet_cli_json_number(json, "price",
                             duet_cli_price_text(&table->price,
                                                 duet_instance_types(table->instance),
                                                 point->counts, digits));
        duet_cli_run_price_text(&table->price, table->instance, point->counts,
                                value_of(table, point), digits);
        if (known && digits[0] != '\0') {
            duet_cli_json_number(json, "run_price", digits);
        } else {
            duet_cli_json_string(json, "run_price", NULL);
        }
    }
    duet_cli_json_close(json, '}');
}

void duet_cli_what_if_json(const duet_cli_what_if *table, FILE *stream)
{
    duet_cli_json json = {stream, 0, true};
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(table->instance));
    duet_cli_json_string(&json, "time_unit", duet_instance_time_unit(table->instance));
    duet_cli_json_open(&json, "platforms", '[');
    for (size_t i = 0; i < table->count; i++) {
        json_point(&json, table, &table->point[i]);
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_close(&json, '}');
}
