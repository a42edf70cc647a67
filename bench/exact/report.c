// SPDX-License-Identifier: Apache-2.0
// Tables of `duet bench exact`: solved within the limits per family, platform and size, the slowest
// solved and the open ones.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/exact/exact.h"
#include "console/table.h"
#include "core/memory.h"

enum { FAMILY = 0, PLATFORM, SIZE, DIMENSIONS, MAX_GROUPS = 16, NAME = 32, SLOWEST = 5 };

// Of one algorithm in one group; no group: all.
typedef struct group {
    const char *algorithm;
    int dimension;
    const char *name; // NULL: all
} group;

static void name_group(const duet_exact_row *row, int dimension, char name[NAME])
{
    switch (dimension) {
    case FAMILY:
        snprintf(name, NAME, "%.31s",
                 row->origin->source == DUET_EXACT_FILE ? "file" : row->origin->name);
        break;
    case PLATFORM:
        snprintf(name, NAME, "%" PRId64 ",%" PRId64, row->m, row->k);
        break;
    default:
        snprintf(name, NAME, "%" PRId64, row->origin->size);
    }
}

static bool is_in(const duet_exact_row *row, const void *key)
{
    const group *wanted = key;
    char name[NAME];
    if (!duet_exact_is_algorithm(row, wanted->algorithm)) {
        return false;
    }
    if (wanted->name == NULL) {
        return true;
    }
    name_group(row, wanted->dimension, name);
    return strcmp(name, wanted->name) == 0;
}

// The groups of a dimension in order of appearance; 0 where there are too many to show.
static size_t find_groups(const duet_exact_plan *plan, int dimension, char names[][NAME])
{
    size_t count = 0;
    for (size_t r = 0; r < plan->row_count; r++) {
        char name[NAME];
        size_t known = 0;
        if (plan->rows[r].outcome == DUET_EXACT_NOT_RUN) {
            continue;
        }
        name_group(&plan->rows[r], dimension, name);
        while (known < count && strcmp(names[known], name) != 0) {
            known++;
        }
        if (known == MAX_GROUPS) {
            return 0;
        }
        if (known == count) {
            memcpy(names[count++], name, NAME);
        }
    }
    return count;
}

static void add_count(duet_cli_table *table, size_t count)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", count);
    duet_cli_table_add(table, text);
}

static duet_code add_line(const duet_exact_plan *plan, duet_cli_table *table, const char *indent,
                          group which, duet_error *error)
{
    double limits[DUET_EXACT_MAX_LIMITS];
    size_t limit_count = duet_exact_limits(plan->settings.seconds, limits);
    duet_exact_tally tally;
    duet_code code = duet_exact_count(plan->rows, plan->row_count, is_in, &which, limits,
                                      limit_count, &tally, error);
    if (code != DUET_OK) {
        return code;
    }
    char text[NAME + 32];
    snprintf(text, sizeof text, "%s%s", indent, which.name == NULL ? "all" : which.name);
    duet_cli_table_add(table, text);
    add_count(table, tally.runs);
    for (size_t i = 0; i < limit_count; i++) {
        add_count(table, tally.within[i]);
    }
    add_count(table, tally.proven);
    add_count(table, tally.open);
    char gap[48];
    bool any = tally.open > 0;
    duet_cli_table_add(table, any ? duet_exact_format_gap(tally.median_gap, gap) : "-");
    duet_cli_table_add(table, any ? duet_exact_format_gap(tally.largest_gap, gap) : "-");
    add_count(table, tally.failed);
    return DUET_OK;
}

// `first`, then the other columns' heads or, without them, empty cells.
static void add_head(const duet_exact_plan *plan, duet_cli_table *table, const char *first,
                     bool heads)
{
    double limits[DUET_EXACT_MAX_LIMITS];
    size_t limit_count = duet_exact_limits(plan->settings.seconds, limits);
    duet_cli_table_add(table, first);
    duet_cli_table_add(table, heads ? "runs" : "");
    for (size_t i = 0; i < limit_count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%g s", limits[i]);
        duet_cli_table_add(table, heads ? text : "");
    }
    static const char *const rest[] = {"proven", "open", "median gap", "largest gap", "failed"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        duet_cli_table_add(table, heads ? rest[i] : "");
    }
}

static duet_code print_groups(const duet_exact_plan *plan, const char *algorithm, FILE *stream,
                              duet_error *error)
{
    static const char *const dimension_names[DIMENSIONS] = {"family", "platform", "size"};
    static const char align[] = "lrrrrrrrrrrr";
    double limits[DUET_EXACT_MAX_LIMITS];
    // One letter per column: name, runs, the limits, and five more.
    size_t columns = 2 + duet_exact_limits(plan->settings.seconds, limits) + 5;
    char letters[sizeof align];
    snprintf(letters, columns + 1, "%s", align);
    duet_cli_table table;
    duet_cli_table_init(&table, letters);
    add_head(plan, &table, algorithm, true);
    duet_code code = DUET_OK;
    for (int d = 0; d < DIMENSIONS && code == DUET_OK; d++) {
        char names[MAX_GROUPS][NAME];
        size_t count = find_groups(plan, d, names);
        if (count < 2) {
            continue;
        }
        add_head(plan, &table, dimension_names[d], false);
        for (size_t g = 0; g < count && code == DUET_OK; g++) {
            code = add_line(plan, &table, "  ", (group){algorithm, d, names[g]}, error);
        }
    }
    if (code == DUET_OK) {
        code = add_line(plan, &table, "", (group){algorithm, 0, NULL}, error);
    }
    if (code == DUET_OK) {
        duet_cli_table_print(&table, 0, stream);
    }
    duet_cli_table_free(&table);
    return code;
}

static int by_seconds(const void *left, const void *right)
{
    const duet_exact_row *a = *(const duet_exact_row *const *)left;
    const duet_exact_row *b = *(const duet_exact_row *const *)right;
    return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

static void print_slowest(const duet_exact_row **rows, size_t count, FILE *stream)
{
    if (count == 0) {
        return;
    }
    qsort(rows, count, sizeof(const duet_exact_row *), by_seconds);
    fprintf(stream, "\nslowest proven:\n");
    duet_cli_table table;
    duet_cli_table_init(&table, "lr");
    for (size_t i = 0; i < count && i < SLOWEST; i++) {
        char text[96];
        duet_cli_table_add(&table, duet_exact_label(rows[i], text, sizeof text));
        duet_cli_table_add(&table, duet_bench_format_seconds(rows[i]->seconds, text));
    }
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
}

// A list in full would bury the rest where an algorithm leaves hundreds open: the CSV has them all.
enum { MOST_LISTED = 60 };

static void print_open(const duet_exact_row **rows, size_t count, FILE *stream)
{
    if (count == 0) {
        return;
    }
    fprintf(stream, "\nopen:\n");
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrrr");
    static const char *const heads[] = {"", "makespan", "bound", "gap", "time"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        duet_cli_table_add(&table, heads[i]);
    }
    for (size_t i = 0; i < count && i < MOST_LISTED; i++) {
        char text[96];
        duet_cli_table_add(&table, duet_exact_label(rows[i], text, sizeof text));
        snprintf(text, sizeof text, "%" PRId64, rows[i]->makespan);
        duet_cli_table_add(&table, text);
        snprintf(text, sizeof text, "%" PRId64, rows[i]->bound);
        duet_cli_table_add(&table, text);
        duet_cli_table_add(&table, duet_exact_format_gap(duet_exact_gap(rows[i]), text));
        duet_cli_table_add(&table, duet_bench_format_seconds(rows[i]->seconds, text));
    }
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
    if (count > MOST_LISTED) {
        fprintf(stream, "  ... and %zu more (--csv lists all)\n", count - MOST_LISTED);
    }
}

static void print_failed(const duet_exact_row **rows, size_t count, FILE *stream)
{
    if (count > 0) {
        fprintf(stream, "\nfailed:\n");
    }
    for (size_t i = 0; i < count && i < MOST_LISTED; i++) {
        char text[96];
        fprintf(stream, "  %s: %s%s\n", duet_exact_label(rows[i], text, sizeof text),
                rows[i]->faulty ? "FAULT: " : "", rows[i]->note);
    }
    if (count > MOST_LISTED) {
        fprintf(stream, "  ... and %zu more (--csv lists all)\n", count - MOST_LISTED);
    }
}

enum { LIST_PROVEN, LIST_OPEN, LIST_FAILED };

static int list_of(const duet_exact_row *row)
{
    if (row->faulty || row->outcome == DUET_EXACT_FAILED) {
        return LIST_FAILED;
    }
    return row->outcome == DUET_EXACT_PROVEN ? LIST_PROVEN : LIST_OPEN;
}

static size_t select_rows(const duet_exact_plan *plan, const char *algorithm, int list,
                          const duet_exact_row **rows)
{
    size_t count = 0;
    for (size_t r = 0; r < plan->row_count; r++) {
        const duet_exact_row *row = &plan->rows[r];
        if (row->outcome != DUET_EXACT_NOT_RUN && duet_exact_is_algorithm(row, algorithm) &&
            list_of(row) == list) {
            rows[count++] = row;
        }
    }
    return count;
}

duet_code duet_exact_print(const duet_exact_plan *plan, FILE *stream, duet_error *error)
{
    const duet_exact_settings *settings = &plan->settings;
    const duet_exact_row **rows = duet_alloc(plan->row_count, sizeof *rows, error);
    if (rows == NULL) {
        return DUET_E_MEMORY;
    }
    fprintf(stream, "set %s%s: %zu instances, %g s and %d thread%s a run, solved within\n",
            settings->set->name, settings->narrowed ? " (narrowed)" : "", plan->case_count,
            settings->seconds, settings->threads, settings->threads == 1 ? "" : "s");
    duet_code code = DUET_OK;
    for (size_t a = 0; a < settings->algorithm_count && code == DUET_OK; a++) {
        const char *algorithm = settings->algorithm[a];
        fputc('\n', stream);
        code = print_groups(plan, algorithm, stream, error);
        if (code == DUET_OK) {
            print_slowest(rows, select_rows(plan, algorithm, LIST_PROVEN, rows), stream);
            print_open(rows, select_rows(plan, algorithm, LIST_OPEN, rows), stream);
            print_failed(rows, select_rows(plan, algorithm, LIST_FAILED, rows), stream);
        }
    }
    duet_free(rows);
    return code;
}

void duet_exact_print_targets(const duet_exact_target *promises, size_t count, FILE *stream)
{
    if (count == 0) {
        return;
    }
    fprintf(stream, "\npromised:\n");
    duet_cli_table table;
    duet_cli_table_init(&table, "lll");
    for (size_t i = 0; i < count; i++) {
        duet_cli_table_add(&table, promises[i].what);
        duet_cli_table_add(&table, promises[i].found);
        duet_cli_table_add(&table, duet_exact_verdict_name(promises[i].verdict));
    }
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
}
