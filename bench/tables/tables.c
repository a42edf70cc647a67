// SPDX-License-Identifier: Apache-2.0
// `duet bench tables`: what is promised of the 4/3 tables and of shelf-3-2, each as a ratio of
// things measured in turns within this run, beside its limit.
#include "bench/tables/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/run/columns.h"
#include "bench/run/measure.h"
#include "bench/run/study.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/print.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/try.h"

typedef struct tables_args {
    duet_cli_args shared;
    int rounds;
    uint64_t whole;
    uint64_t seed;
    bool quick;
    size_t part[DUET_CLI_MAX_LIST];
    size_t part_count;
    const char *csv;
} tables_args;

typedef struct duet_bench_part {
    const char *name;
    bool at_least; // its ratios must be at least their limits; else at most
    duet_code (*measure)(duet_bench_tables *tables, duet_error *error);
} duet_bench_part;

static const char *const part_names[] = {"rates", "guesses", "runs", "shelf", NULL};
static const duet_bench_part parts[] = {{"cell rate", true, duet_bench_table_rates},
                                        {"per guess", true, duet_bench_table_guesses},
                                        {"whole run", false, duet_bench_table_runs},
                                        {"shelf", false, duet_bench_table_shelf}};
enum { PARTS = sizeof parts / sizeof *parts };

static bool is_at_least(const duet_bench_check *check)
{
    return check->part->at_least && !isnan(check->limit);
}

// "-": it is for information.
static const char *verdict(const duet_bench_tables *tables, const duet_bench_check *check)
{
    if (tables->quick || isnan(check->limit)) {
        return "-";
    }
    return (is_at_least(check) ? check->ratio >= check->limit : check->ratio <= check->limit)
               ? "ok"
               : "OVER";
}

static const char *name_of(const duet_bench_check *check, char buffer[96])
{
    snprintf(buffer, 96, "%s%s%s", check->what, check->of == NULL ? "" : ", ",
             check->of == NULL ? "" : check->of);
    return buffer;
}

// Three digits, and no exponent where people read ratios.
static void add_ratio(duet_cli_table *table, const char *sign, double value)
{
    char text[48] = "-";
    if (!isnan(value)) {
        snprintf(text, sizeof text, value >= 100 ? "%s%.0f" : "%s%.3g", sign, value);
    }
    duet_cli_table_add(table, text);
}

static void print_lines(const duet_bench_tables *tables, size_t first)
{
    char name[96];
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrll");
    for (size_t i = first; i < tables->count; i++) {
        const duet_bench_check *check = &tables->check[i];
        duet_cli_table_add(&table, name_of(check, name));
        add_ratio(&table, "", check->ratio);
        add_ratio(&table, is_at_least(check) ? ">= " : "<= ", check->limit);
        duet_cli_table_add(&table, verdict(tables, check));
        duet_cli_table_add(&table, check->how);
    }
    duet_cells_end(&table, 0, stdout);
    fflush(stdout);
}

static duet_code write_csv(const duet_bench_tables *tables, const char *path, duet_error *error)
{
    char name[96];
    duet_output output;
    DUET_TRY(duet_output_open(&output, path, error));
    fputs("part,what,ratio,sense,limit,verdict,how\n", output.stream);
    for (size_t i = 0; i < tables->count; i++) {
        const duet_bench_check *check = &tables->check[i];
        duet_cli_print(output.stream, "%s,\"%s\",%.6g,%s,%.6g,%s,\"%s\"\n", check->part->name,
                       name_of(check, name), check->ratio,
                       is_at_least(check) ? "at least" : "at most", check->limit,
                       verdict(tables, check), check->how);
    }
    return duet_output_commit(&output, error);
}

static const duet_cli_option options[] = {
    {"rounds", 0, "R", DUET_CLI_WHOLE(tables_args, rounds, 1, DUET_BENCH_MAX_ROUNDS),
     .fallback = "5", .text = "rounds of which the median counts"},
    {"whole", 0, "SECONDS", DUET_CLI_WHOLE(tables_args, whole, 0, 1000000), .preset = "60",
     .text = "time the published table whole up to so many seconds, else by cell rate"},
    {"seed", 0, "S", DUET_CLI_WHOLE(tables_args, seed, 0, UINT64_MAX), .preset = "0",
     .text = "seed of the instances"},
    {"only", 0, "LIST", DUET_CLI_INDICES(tables_args, part, part_count, part_names),
     .text = "parts to measure: rates, guesses, runs, shelf"},
    {"quick", 0, NULL, DUET_CLI_FLAG(tables_args, quick),
     .text = "small sizes that take a moment; nothing is judged"},
    {"csv", 0, "FILE", DUET_CLI_PATH(tables_args, csv), .text = "also write the figures to FILE"},
    {0}};
static const duet_cli_syntax syntax = {
    "bench tables",
    NULL,
    0,
    "Measures what is promised of the 4/3 tables and of shelf-3-2, each as a ratio within this "
    "run: the cell rate against a min-plus triad, the forms against each other, whole runs. "
    "Exits 1 when something is OVER its limit. Takes some minutes."
    "\vExamples:\n"
    "  duet bench tables\n"
    "  duet bench tables --only rates,shelf --rounds 9 --csv tables.csv\n",
    {options, duet_cli_help_options, NULL}};

static duet_code run(void *input, bool *kept, duet_error *error)
{
    const tables_args *args = input;
    duet_code code = duet_cli_check_target(args->csv, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_bench_tables *tables = duet_alloc(1, sizeof *tables, error);
    DUET_NEED(tables);
    *tables = (duet_bench_tables){.rounds = args->rounds > 0 ? args->rounds : (args->quick ? 1 : 5),
                                  .whole = (double)args->whole,
                                  .quick = args->quick,
                                  .seed = args->seed};
    for (size_t p = 0; p < args->part_count && code == DUET_OK; p++) {
        size_t first = tables->count;
        tables->part = &parts[args->part[p]];
        code = tables->part->measure(tables, error);
        print_lines(tables, first);
    }
    if (code == DUET_OK && args->csv != NULL) {
        code = write_csv(tables, args->csv, error);
    }
    for (size_t i = 0; i < tables->count; i++) {
        *kept = *kept && strcmp(verdict(tables, &tables->check[i]), "OVER") != 0;
    }
    duet_free(tables);
    return code;
}

int duet_bench_tables_main(int argc, char **argv)
{
    tables_args args = {.part = {0, 1, 2, 3}, .part_count = PARTS};
    return duet_study_measure(&syntax, argc, argv, &args, run);
}
