// SPDX-License-Identifier: Apache-2.0
// The figures of duet compare for people: a table per file, best first, and a summary.
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "console/print.h"
#include "console/texts.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"

// Whether the times of a table are shown in ms: where all are below a second.
static bool in_milliseconds(const duet_cli_comparison *file)
{
    double longest = 0;
    for (size_t i = 0; i < file->count; i++) {
        longest = duet_max(file->results[i].seconds, longest);
    }
    return longest < 1;
}

static void add_row(duet_cli_table *table, const duet_cli_comparison *file,
                    const duet_cli_result *result, bool milliseconds)
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
    snprintf(text, sizeof text, duet_cli_is_timed(result) ? "%.3f" : "-",
             result->seconds * (milliseconds ? 1000 : 1));
    duet_cli_table_add(table, text);
    duet_cli_table_add(table, duet_cli_status_text(file, result));
}

// What the file says of itself, and what the rows below say against it.
static void print_claim(const duet_cli_comparison *file, const char *mark, FILE *stream)
{
    const duet_instance *instance = file->instance;
    const duet_claim *claim = duet_instance_claim(instance);
    if (claim == NULL) {
        return;
    }
    char optimum[DUET_CLI_TEXT];
    char makespan[DUET_CLI_TEXT];
    duet_cli_print(stream, "%sclaimed: optimum %s, %s%s%s %s%s (ratio %.4f)\n", mark,
                   duet_cli_time(instance, claim->optimum, optimum), claim->algorithm,
                   claim->options[0] == '\0' ? "" : " ", claim->options,
                   claim->refuted ? "not " : "", duet_cli_time(instance, claim->makespan, makespan),
                   (double)claim->makespan / (double)claim->optimum);
    duet_cli_contradictions found = duet_cli_contradict(file);
    for (size_t i = 0; i < found.count; i++) {
        duet_cli_print(stream, "%scontradicted: %s\n", mark, found.text[i]);
    }
}

// Why an algorithm is left out, without its own name and without those that would do: equal for
// all that are left out for the same reason.
static void reason_of(const duet_cli_result *result, char *reason, size_t size)
{
    const char *text = result->skipped.message;
    size_t name = strlen(result->algorithm);
    if (strncmp(text, result->algorithm, name) == 0 && text[name] == ' ') {
        text += name + 1;
    }
    snprintf(reason, size, "%.*s", (int)strcspn(text, ";"), text);
}

// One line for all algorithms that are left out for the same reason.
static void print_skipped(const duet_cli_comparison *file, const char *mark, FILE *stream)
{
    enum { size = sizeof((duet_error *)0)->message };
    char reason[size];
    char other[size];
    for (size_t i = 0; i < file->count; i++) {
        bool said = file->results[i].skipped.code == DUET_OK;
        reason_of(&file->results[i], reason, sizeof reason);
        size_t same = 0;
        for (size_t j = 0; j < file->count && !said; j++) {
            reason_of(&file->results[j], other, sizeof other);
            bool equal = file->results[j].skipped.code != DUET_OK && strcmp(reason, other) == 0;
            said = equal && j < i;
            same += equal;
        }
        if (said) {
            continue;
        }
        if (same == 1) {
            duet_cli_print(stream, "%s%s skipped: %s\n", mark, file->results[i].algorithm,
                           file->results[i].skipped.message);
            continue;
        }
        duet_cli_print(stream, "%s%zu algorithms skipped (%s):", mark, same, reason);
        const char *separator = " ";
        for (size_t j = i; j < file->count; j++) {
            reason_of(&file->results[j], other, sizeof other);
            if (file->results[j].skipped.code != DUET_OK && strcmp(reason, other) == 0) {
                duet_cli_print(stream, "%s%s", separator, file->results[j].algorithm);
                separator = ", ";
            }
        }
        fputc('\n', stream);
    }
}

// The results that have a schedule, shortest first; equal ones in the order asked for. Returns how
// many, or 0 where memory ran out.
static size_t sort_results(const duet_cli_comparison *file, size_t *order)
{
    size_t count = 0;
    for (size_t i = 0; i < file->count; i++) {
        if (file->results[i].skipped.code != DUET_OK) {
            continue;
        }
        size_t at = count++;
        while (at > 0 && file->results[order[at - 1]].makespan > file->results[i].makespan) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    return count;
}

// What begins a line that is no table: LaTeX has comments.
static const char *mark_of(duet_cli_format format)
{
    return format == DUET_CLI_LATEX ? "% " : "";
}

static void print_file(const duet_cli_comparison *file, duet_cli_format format, FILE *stream)
{
    bool milliseconds = in_milliseconds(file);
    const char *const titles[] = {"algorithm", "makespan",  "gap",
                                  "ratio",     "guarantee", milliseconds ? "time (ms)" : "time (s)",
                                  "status"};
    char text[DUET_CLI_TEXT];
    const char *mark = mark_of(format);
    const char *end = format == DUET_CLI_MARKDOWN ? "\n\n" : "\n";
    duet_cli_table table;
    size_t *order = duet_alloc(file->count + 1, sizeof *order, NULL);
    size_t rows = order == NULL ? 0 : sort_results(file, order);
    char size[DUET_CLI_TEXT];
    duet_cli_print(stream, "%s%s: %s on %s", mark, file->path, duet_cli_size(file->instance, size),
                   duet_cli_platform(file->instance, text, sizeof text));
    duet_cli_put_own(stream, end);
    duet_cli_print(stream, "%sbest bound: %s (%s)", mark,
                   duet_cli_time(file->instance, file->bound, text),
                   file->bound_name[0] == '\0' ? "none" : file->bound_name);
    duet_cli_put_own(stream, end);
    print_claim(file, mark, stream);
    duet_cli_table_init(&table, "lrrrrrl");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        duet_cli_table_add(&table, titles[i]);
    }
    for (size_t i = 0; i < rows; i++) {
        add_row(&table, file, &file->results[order[i]], milliseconds);
    }
    duet_cli_table_print_as(&table, format, stream);
    duet_cli_table_free(&table);
    duet_free(order);
    duet_cli_put_own(stream, format == DUET_CLI_MARKDOWN ? "\n" : "");
    print_skipped(file, format == DUET_CLI_TEXT_TABLE ? "  " : mark, stream);
}

int duet_cli_by_mean(const void *left, const void *right)
{
    const duet_cli_summary *a = left;
    const duet_cli_summary *b = right;
    double gap_a = a->with_gap == 0 ? 1e300 : a->gap_sum / (double)a->with_gap;
    double gap_b = b->with_gap == 0 ? 1e300 : b->gap_sum / (double)b->with_gap;
    int order = (gap_a > gap_b) - (gap_a < gap_b);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static void add_gap(duet_cli_table *table, const duet_cli_summary *sum, double gap)
{
    char text[64];
    snprintf(text, sizeof text, sum->with_gap == 0 ? "-" : "%.2f %%", duet_cli_round_up(gap));
    duet_cli_table_add(table, text);
}

static void add_summary(duet_cli_table *table, const char *algorithm, const duet_cli_summary *sum)
{
    const size_t counts[] = {sum->wins, sum->optimal};
    char text[64];
    duet_cli_table_add(table, algorithm);
    snprintf(text, sizeof text, "%zu", sum->solved);
    duet_cli_table_add(table, text);
    add_gap(table, sum, sum->with_gap == 0 ? 0.0 : sum->gap_sum / (double)sum->with_gap);
    add_gap(table, sum, sum->gap_median);
    add_gap(table, sum, sum->gap_q90);
    add_gap(table, sum, sum->gap_max);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        snprintf(text, sizeof text, "%zu", counts[i]);
        duet_cli_table_add(table, text);
    }
}

// Why an algorithm has no schedule of a file, the first one where that is so; NULL: it has all.
static const duet_cli_result *find_skipped(const duet_cli_comparison *files, size_t count,
                                           size_t algorithm)
{
    for (size_t f = 0; f < count; f++) {
        if (algorithm < files[f].count && files[f].results[algorithm].skipped.code != DUET_OK) {
            return &files[f].results[algorithm];
        }
    }
    return NULL;
}

// What the summary leaves out: of some files, a line for each algorithm; of all of them, grouped.
static void print_left_out(const duet_cli_comparison *files, size_t count,
                           const duet_cli_summary *sums, const char *mark, FILE *stream)
{
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    duet_cli_comparison nowhere = {.results =
                                       duet_alloc(all->count + 1, sizeof *all->results, NULL)};
    for (size_t i = 0; i < all->count && nowhere.results != NULL; i++) {
        char reason[sizeof((duet_error *)0)->message];
        const duet_cli_result *skipped = find_skipped(files, count, sums[i].index);
        if (skipped != NULL && sums[i].solved == 0) {
            nowhere.results[nowhere.count++] = *skipped;
        } else if (skipped != NULL) {
            reason_of(skipped, reason, sizeof reason);
            duet_cli_print(stream, "%s%s: no schedule of %zu of the %zu files (%s)\n", mark,
                           skipped->algorithm, count - sums[i].solved, count, reason);
        }
    }
    print_skipped(&nowhere, mark, stream);
    duet_free(nowhere.results);
}

void duet_cli_compare_summary(const duet_cli_comparison *files, size_t count,
                              duet_cli_format format, FILE *stream)
{
    static const char *const titles[] = {"algorithm", "files",   "mean gap", "median",
                                         "q90",       "max gap", "wins",     "optimal"};
    const duet_cli_comparison *all = duet_cli_longest(files, count);
    duet_cli_table table;
    duet_cli_summary *sums = duet_alloc(all->count + 1, sizeof *sums, NULL);
    if (sums == NULL) {
        return;
    }
    duet_cli_table_init(&table, "lrrrrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        duet_cli_table_add(&table, titles[i]);
    }
    for (size_t i = 0; i < all->count; i++) {
        sums[i] = duet_cli_summarise(files, count, i);
    }
    qsort(sums, all->count, sizeof *sums, duet_cli_by_mean);
    for (size_t i = 0; i < all->count; i++) {
        add_summary(&table, all->results[sums[i].index].algorithm, &sums[i]);
    }
    if (format != DUET_CLI_CSV) {
        duet_cli_print(stream, "%ssummary over %zu file%s:\n", mark_of(format), count,
                       count == 1 ? "" : "s");
        duet_cli_put_own(stream, format == DUET_CLI_MARKDOWN ? "\n" : "");
    }
    duet_cli_table_print_as(&table, format, stream);
    if (format != DUET_CLI_CSV) {
        print_left_out(files, count, sums, format == DUET_CLI_TEXT_TABLE ? "  " : mark_of(format),
                       stream);
    }
    duet_cli_table_free(&table);
    duet_free(sums);
}

void duet_cli_compare_text(const duet_cli_comparison *files, size_t count, duet_cli_format format,
                           FILE *stream)
{
    for (size_t f = 0; f < count; f++) {
        print_file(&files[f], format, stream);
        if (count > 1) {
            fputc('\n', stream);
        }
    }
    if (count > 1) {
        duet_cli_compare_summary(files, count, format, stream);
    }
}
