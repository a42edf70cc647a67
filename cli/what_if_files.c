// SPDX-License-Identifier: Apache-2.0
// The table of `duet solve` and `duet bound` over several platforms, as it is printed and kept.
#include <string.h>

#include "cli/what_if.h"
#include "console/paths.h"
#include "console/picture.h"
#include "console/platform.h"
#include "console/print.h"
#include "console/table.h"
#include "console/texts.h"
#include "core/system/output.h"
#include "core/system/try.h"

static void csv_head(const duet_cli_what_if *table, FILE *stream)
{
    duet_cli_print(stream, "instance");
    for (size_t t = 0; t < duet_instance_types(table->instance); t++) {
        fputc(',', stream);
        duet_cli_csv_field(duet_instance_type_name(table->instance, t), stream);
    }
    duet_cli_print(stream, table->bounds_only
                               ? ",lower_bound,bound"
                               : ",makespan,lower_bound,gap_percent,algorithm,bound");
    duet_cli_print(stream, table->price.given ? ",price,run_price,reason\n" : ",reason\n");
}

static void csv_prices(const duet_cli_what_if *table, const duet_cli_point *point, FILE *stream)
{
    char price[DUET_CLI_PRICE];
    size_t types = duet_instance_types(table->instance);
    int64_t value = table->bounds_only ? point->bound : point->makespan;
    duet_cli_print(stream, ",%s", duet_cli_price_text(&table->price, types, point->counts, price));
    duet_cli_run_price_text(&table->price, table->instance, point->counts, value, price);
    duet_cli_print(stream, ",%s", point->why[0] == '\0' ? price : "");
}

static void csv_point(const duet_cli_what_if *table, const duet_cli_point *point, FILE *stream)
{
    char digits[64];
    bool known = point->why[0] == '\0';
    duet_cli_csv_field(duet_instance_name(table->instance), stream);
    for (size_t t = 0; t < duet_instance_types(table->instance); t++) {
        duet_cli_print(stream, ",%lld", (long long)point->counts[t]);
    }
    if (!table->bounds_only) {
        duet_cli_print(stream, ",%s",
                       known ? duet_instance_format_time(table->instance, point->makespan, digits)
                             : "");
    }
    duet_cli_print(stream, ",%s",
                   known ? duet_instance_format_time(table->instance, point->bound, digits) : "");
    if (!table->bounds_only) {
        double gap = known ? duet_cli_gap(point->makespan, point->bound) : 0;
        if (known) {
            duet_cli_print(stream, ",%.6f,", gap);
        } else {
            duet_cli_print(stream, ",,");
        }
        duet_cli_csv_field(known ? point->makespan_by : "", stream);
    }
    fputc(',', stream);
    duet_cli_csv_field(known ? point->bound_by : "", stream);
    if (table->price.given) {
        csv_prices(table, point, stream);
    }
    fputc(',', stream);
    duet_cli_csv_field(point->why, stream);
    fputc('\n', stream);
}

// The table for programs, with all digits: instance, a column for each type's count, makespan,
// lower_bound, gap_percent, algorithm, bound, price and run_price where prices are given, reason.
static void print_csv(const duet_cli_what_if *table, FILE *stream)
{
    csv_head(table, stream);
    for (size_t i = 0; i < table->count; i++) {
        csv_point(table, &table->point[i], stream);
    }
}

duet_code duet_cli_what_if_check(const duet_cli_args *args, const duet_cli_what_if_files *files,
                                 const char *beside, duet_error *error)
{
    const char *option = files->chart != NULL ? "--chart" : files->csv != NULL ? "--csv" : NULL;
    if (option != NULL && duet_cli_platform_count(args) == 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "%s: expected a range of platforms such as -k 1..4%s", option,
                              beside);
    }
    if (args->json && files->csv != NULL && strcmp(files->csv, "-") == 0) {
        return duet_error_set(error, DUET_E_USAGE, "--csv: expected a file beside --json, got '-'");
    }
    if (files->csv != NULL && duet_cli_same_file(files->csv, args->files[0])) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s' is the instance: expected another file for the output",
                              files->csv);
    }
    if (files->csv != NULL && files->chart != NULL &&
        (strcmp(files->csv, files->chart) == 0 || duet_cli_same_file(files->csv, files->chart))) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s': expected a file of its own for each output", files->csv);
    }
    DUET_TRY(duet_cli_check_target(files->csv, error));
    return duet_cli_check_chart(args, files->chart, error);
}

static duet_code write_csv(const duet_cli_what_if *table, const char *path, duet_error *error)
{
    duet_output output;
    DUET_TRY(duet_output_open(&output, path, error));
    print_csv(table, output.stream);
    return duet_output_commit(&output, error);
}

duet_code duet_cli_what_if_write(const duet_cli_what_if *table, const duet_cli_args *args,
                                 const duet_cli_what_if_files *files, duet_error *error)
{
    if (args->json) {
        duet_cli_what_if_json(table, stdout);
    } else if (files->csv == NULL || strcmp(files->csv, "-") != 0) {
        char size[DUET_CLI_TEXT];
        duet_cli_print(stdout, "%s: %s\n", duet_instance_name(table->instance),
                       duet_cli_size(table->instance, size));
        duet_cli_what_if_print(table, DUET_CLI_TEXT_TABLE, stdout);
    }
    duet_code code = files->csv == NULL ? DUET_OK : write_csv(table, files->csv, error);
    duet_error fault = DUET_ERROR_INIT;
    duet_code drawn = files->chart == NULL
                          ? DUET_OK
                          : duet_cli_what_if_chart(table, files->chart, &args->chart_look, &fault);
    if (code == DUET_OK && drawn != DUET_OK) {
        *error = fault;
        code = drawn;
    }
    return code;
}
