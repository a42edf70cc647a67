// SPDX-License-Identifier: Apache-2.0
// The figures of duet compare for people.
#include "cli/compare/compare.h"
#include "console/ratio.h"
#include "console/table.h"
#include "console/texts.h"

static void add_row(duet_cli_table *table, const duet_cli_comparison *file,
                    const duet_cli_result *result)
{
    char text[DUET_CLI_TEXT];
    double ratio = duet_cli_ratio(file, result);
    double guarantee = duet_cli_ratio_value(result->guarantee);
    duet_cli_table_add(table, result->algorithm);
    duet_cli_table_add(table, duet_cli_time(file->instance, result->makespan, text));
    duet_cli_table_add(table, duet_cli_gap_text(result->makespan, file->bound, text));
    snprintf(text, sizeof text, ratio < 0 ? "-" : "%.4f", ratio);
    duet_cli_table_add(table, text);
    snprintf(text, sizeof text, guarantee < 0 ? "-" : "%.4f", guarantee);
    duet_cli_table_add(table, text);
    snprintf(text, sizeof text, "%.3f", result->seconds);
    duet_cli_table_add(table, text);
    duet_cli_table_add(table, duet_cli_status_text(file, result));
}

// What the file says of itself, and what the rows below say against it.
static void print_claim(const duet_cli_comparison *file, FILE *stream)
{
    const duet_instance *instance = file->instance;
    const duet_claim *claim = duet_instance_claim(instance);
    if (claim == NULL) {
        return;
    }
    char optimum[DUET_CLI_TEXT];
    char makespan[DUET_CLI_TEXT];
    fprintf(stream, "claimed: optimum %s, %s%s%s %s%s (ratio %.4f)\n",
            duet_cli_time(instance, claim->optimum, optimum), claim->algorithm,
            claim->options[0] == '\0' ? "" : " ", claim->options, claim->refuted ? "not " : "",
            duet_cli_time(instance, claim->makespan, makespan),
            (double)claim->makespan / (double)claim->optimum);
    duet_cli_contradictions found = duet_cli_contradict(file);
    for (size_t i = 0; i < found.count; i++) {
        fprintf(stream, "contradicted: %s\n", found.text[i]);
    }
}

static void print_file(const duet_cli_comparison *file, FILE *stream)
{
    static const char *const titles[] = {"algorithm", "makespan", "gap",   "ratio",
                                         "guarantee", "seconds",  "status"};
    char text[DUET_CLI_TEXT];
    duet_cli_table table;
    fprintf(stream, "%s: %lld tasks in %zu kinds on %s\n", file->path,
            (long long)duet_instance_tasks(file->instance), duet_instance_kinds(file->instance),
            duet_cli_platform(file->instance, text, sizeof text));
    fprintf(stream, "best bound: %s (%s)\n", duet_cli_time(file->instance, file->bound, text),
            file->bound_name[0] == '\0' ? "none" : file->bound_name);
    print_claim(file, stream);
    duet_cli_table_init(&table, "lrrrrrl");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        duet_cli_table_add(&table, titles[i]);
    }
    for (size_t i = 0; i < file->count; i++) {
        if (file->results[i].skipped.code == DUET_OK) {
            add_row(&table, file, &file->results[i]);
        }
    }
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
    for (size_t i = 0; i < file->count; i++) {
        if (file->results[i].skipped.code != DUET_OK) {
            fprintf(stream, "  %s skipped: %s\n", file->results[i].algorithm,
                    file->results[i].skipped.message);
        }
    }
}

static void print_summary(const duet_cli_comparison *files, size_t count, FILE *stream)
{
    static const char *const titles[] = {"algorithm", "files", "mean gap",
                                         "max gap",   "wins",  "optimal"};
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        duet_cli_table_add(&table, titles[i]);
    }
    for (size_t i = 0; i < all->count; i++) {
        char text[DUET_CLI_TEXT];
        duet_cli_summary sum = duet_cli_summarise(files, count, i);
        duet_cli_table_add(&table, all->results[i].algorithm);
        snprintf(text, sizeof text, "%zu", sum.solved);
        duet_cli_table_add(&table, text);
        snprintf(text, sizeof text, sum.with_gap == 0 ? "-" : "%.2f %%",
                 sum.with_gap == 0 ? 0.0 : duet_cli_round_up(sum.gap_sum / (double)sum.with_gap));
        duet_cli_table_add(&table, text);
        snprintf(text, sizeof text, sum.with_gap == 0 ? "-" : "%.2f %%",
                 duet_cli_round_up(sum.gap_max));
        duet_cli_table_add(&table, text);
        snprintf(text, sizeof text, "%zu", sum.wins);
        duet_cli_table_add(&table, text);
        snprintf(text, sizeof text, "%zu", sum.optimal);
        duet_cli_table_add(&table, text);
    }
    fprintf(stream, "summary over %zu files:\n", count);
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
}

void duet_cli_compare_text(const duet_cli_comparison *files, size_t count, FILE *stream)
{
    for (size_t f = 0; f < count; f++) {
        print_file(&files[f], stream);
        if (count > 1) {
            fputc('\n', stream);
        }
    }
    if (count > 1) {
        print_summary(files, count, stream);
    }
}
