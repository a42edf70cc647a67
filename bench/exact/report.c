// SPDX-License-Identifier: Apache-2.0
// `duet bench exact` as text, how many are solved within the limits per family, platform and size,
// the slowest solved and the open ones; and as JSON.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/exact/exact.h"
#include "bench/run/columns.h"
#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { FAMILY = 0, PLATFORM, SIZE, DIMENSIONS, MAX_GROUPS = 16, NAME = 32, SLOWEST = 5 };

// Of one algorithm in one group; no group: all.
typedef struct group {
    const char *algorithm;
    int dimension;
    const char *name; // NULL: all
} group;

// What the groups of a dimension are; of mixed families other things tell more.
static const char *const *dimension_names(duet_exact_source source)
{
    static const char *const names[] = {"family", "platform", "size"};
    static const char *const mixed[] = {"distribution", "correlation", "tasks"};
    static const char *const mixed_graph[] = {"structure", "costs", "tasks"};
    return source == DUET_EXACT_MIXED         ? mixed
           : source == DUET_EXACT_MIXED_GRAPH ? mixed_graph
                                              : names;
}

// Word `index` of an instance's name, from 0; words end with a dash.
static const char *find_word(const duet_exact_row *row, int index)
{
    const char *at = row->instance;
    for (; index > 0 && *at != '\0'; index--) {
        at += strcspn(at, "-");
        at += *at == '-';
    }
    return at;
}

// The drawn distribution on the first type, and the correlation of the second type's times with it.
static void name_mixed_group(const duet_exact_row *row, int dimension, char name[NAME])
{
    enum { DISTRIBUTION = 3, CORRELATION = 4 }; // "mixed-TASKS-SEED-DISTRIBUTION-CORRELATION..."
    const char *word = find_word(row, dimension == FAMILY ? DISTRIBUTION : CORRELATION);
    snprintf(name, NAME, "%.*s", (int)strcspn(word, "-."), word);
}

// The drawn structure, and whether edges have costs.
static void name_mixed_graph_group(const duet_exact_row *row, int dimension, char name[NAME])
{
    enum { STRUCTURE = 4, LETTER = 2 }; // "mixed-graph-TASKS-SEED-fork-join-w0.5-...-cost7"
    if (dimension != FAMILY) {
        bool costs = strstr(row->instance, "-cost") != NULL;
        snprintf(name, NAME, "%s", costs ? "of edges" : "none");
        return;
    }
    const char *word = find_word(row, STRUCTURE);
    int length = (int)strcspn(word, "0123456789") - LETTER;
    snprintf(name, NAME, "%.*s", duet_max(length, 0), word);
}

static void name_tasks_group(const duet_exact_row *row, char name[NAME])
{
    static const int64_t sizes[] = {20, 50, 100, 200, 500, 1000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    size_t i = 0;
    while (i < SIZES - 1 && row->tasks > sizes[i]) {
        i++;
    }
    snprintf(name, NAME, "at most %" PRId64, sizes[i]);
}

static void name_grid_group(const duet_exact_row *row, int dimension, char name[NAME])
{
    char platform[sizeof row->platform];
    switch (dimension) {
    case FAMILY:
        snprintf(name, NAME, "%.31s",
                 duet_exact_has_files(row->settings->set) ? "file" : row->origin.name);
        break;
    case PLATFORM:
        duet_exact_format_platform(row, platform);
        snprintf(name, NAME, "%.31s", platform);
        break;
    default:
        snprintf(name, NAME, "%" PRId64, row->origin.size);
    }
}

static void name_group(const duet_exact_row *row, int dimension, char name[NAME])
{
    duet_exact_source source = row->origin.source;
    if (source != DUET_EXACT_MIXED && source != DUET_EXACT_MIXED_GRAPH) {
        name_grid_group(row, dimension, name);
    } else if (dimension == SIZE) {
        name_tasks_group(row, name);
    } else if (source == DUET_EXACT_MIXED) {
        name_mixed_group(row, dimension, name);
    } else {
        name_mixed_graph_group(row, dimension, name);
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

static duet_code add_line(const duet_exact_plan *plan, duet_cli_table *table, const char *indent,
                          group which, duet_error *error)
{
    duet_exact_limits limits = duet_exact_limits_within(plan->settings.seconds);
    duet_exact_figures figures;
    DUET_TRY(duet_exact_figures_of(plan, is_in, &which, &figures, error));
    char median[48] = "-";
    char largest[48] = "-";
    if (figures.open > 0) {
        duet_exact_format_gap(figures.median_gap, median);
        duet_exact_format_gap(figures.largest_gap, largest);
    }
    duet_cells_addf(table, "%s%s\t%zu", indent, which.name == NULL ? "all" : which.name,
                    figures.runs);
    for (size_t i = 0; i < limits.count; i++) {
        duet_cells_addf(table, "%zu", figures.within[i]);
    }
    duet_cells_addf(table, "%zu\t%zu\t%s\t%s\t%zu", figures.proven, figures.open, median, largest,
                    figures.failed);
    return DUET_OK;
}

// The heads of the columns, the first of which is `first`; returns how many there are.
static size_t add_heads(const duet_exact_plan *plan, duet_cli_table *table, const char *first)
{
    enum { REST = 5 };
    duet_exact_limits limits = duet_exact_limits_within(plan->settings.seconds);
    duet_cells_addf(table, "%s\truns", first);
    for (size_t i = 0; i < limits.count; i++) {
        duet_cells_addf(table, "%g s", limits.seconds[i]);
    }
    duet_cells_addf(table, "proven\topen\tmedian gap\tlargest gap\tfailed");
    return 2 + limits.count + REST;
}

static duet_code print_groups(const duet_exact_plan *plan, const char *algorithm, FILE *stream,
                              duet_error *error)
{
    const char *const *heads = dimension_names(plan->settings.set->source);
    // One letter per column: name, runs, the limits, and five more.
    char letters[] = "lrrrrrrrrrrr";
    letters[2 + duet_exact_limits_within(plan->settings.seconds).count + 5] = '\0';
    duet_cli_table table;
    duet_cli_table_init(&table, letters);
    size_t columns = add_heads(plan, &table, algorithm);
    duet_code code = DUET_OK;
    for (int d = 0; d < DIMENSIONS && code == DUET_OK; d++) {
        char names[MAX_GROUPS][NAME];
        size_t count = find_groups(plan, d, names);
        if (count < 2) {
            continue;
        }
        for (size_t i = 0; i < columns; i++) {
            duet_cli_table_add(&table, i > 0 ? "" : heads[d]);
        }
        for (size_t g = 0; g < count && code == DUET_OK; g++) {
            code = add_line(plan, &table, "  ", (group){algorithm, d, names[g]}, error);
        }
    }
    DUET_THEN(code, add_line(plan, &table, "", (group){algorithm, 0, NULL}, error));
    duet_cells_end(&table, 0, stream);
    return code;
}

static int by_seconds(const void *left, const void *right)
{
    const duet_exact_row *a = *(const duet_exact_row *const *)left;
    const duet_exact_row *b = *(const duet_exact_row *const *)right;
    return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

// What is listed of the runs of an algorithm.
enum { LIST_PROVEN, LIST_OPEN, LIST_FAILED, LISTS };

static int list_of(const duet_exact_row *row)
{
    if (row->faulty || row->outcome == DUET_EXACT_FAILED) {
        return LIST_FAILED;
    }
    return row->outcome == DUET_EXACT_PROVEN ? LIST_PROVEN : LIST_OPEN;
}

// A list in full would bury the rest where an algorithm leaves hundreds open: the CSV has them all.
enum { MOST_LISTED = 60 };

// One run on a line of the table of its list.
static void add_run(duet_cli_table *table, const duet_exact_row *row, int list)
{
    char text[96];
    duet_cli_table_add(table, duet_exact_label(row, text, sizeof text));
    if (list == LIST_OPEN) {
        duet_cells_addf(table, "%" PRId64 "\t%" PRId64, row->makespan, row->bound);
        duet_cli_table_add(table, duet_exact_format_gap(duet_exact_gap(row), text));
    }
    duet_cli_table_add(table, duet_bench_format_seconds(row->seconds, text));
}

static void print_list(const duet_exact_plan *plan, const char *algorithm, int list,
                       const duet_exact_row **rows, FILE *stream)
{
    static const char *const titles[] = {"slowest proven", "open", "failed"};
    size_t count = 0;
    for (size_t r = 0; r < plan->row_count; r++) {
        const duet_exact_row *row = &plan->rows[r];
        if (row->outcome != DUET_EXACT_NOT_RUN && duet_exact_is_algorithm(row, algorithm) &&
            list_of(row) == list) {
            rows[count++] = row;
        }
    }
    if (count == 0) {
        return;
    }
    if (list == LIST_PROVEN) {
        qsort(rows, count, sizeof(const duet_exact_row *), by_seconds);
        count = duet_min(count, SLOWEST);
    }
    duet_cli_print(stream, "\n%s:\n", titles[list]);
    duet_cli_table table;
    bool open = list == LIST_OPEN;
    duet_cells_begin(&table, open ? "lrrrr" : "lr", open ? "\tmakespan\tbound\tgap\ttime" : NULL);
    for (size_t i = 0; i < count && i < MOST_LISTED; i++) {
        char text[96];
        if (list == LIST_FAILED) {
            duet_cli_print(stream, "  %s: %s%s\n", duet_exact_label(rows[i], text, sizeof text),
                           rows[i]->faulty ? "FAULT: " : "", rows[i]->note);
        } else {
            add_run(&table, rows[i], list);
        }
    }
    duet_cells_end(&table, 2, stream);
    if (count > MOST_LISTED) {
        fprintf(stream, "  ... and %zu more (--csv lists all)\n", count - MOST_LISTED);
    }
}

duet_code duet_exact_print(const duet_exact_plan *plan, const duet_claims *targets, FILE *stream,
                           duet_error *error)
{
    const duet_exact_settings *settings = &plan->settings;
    const duet_exact_row **rows = duet_alloc(plan->row_count, sizeof *rows, error);
    DUET_NEED(rows);
    duet_cli_print(stream, "set %s%s: %zu instances, %g s and %d thread%s a run, solved within\n",
                   settings->set->name, settings->narrowed ? " (narrowed)" : "", plan->summary.jobs,
                   settings->seconds, settings->threads, settings->threads == 1 ? "" : "s");
    duet_code code = DUET_OK;
    for (size_t a = 0; a < settings->algorithm_count && code == DUET_OK; a++) {
        const char *algorithm = settings->algorithm[a];
        fputc('\n', stream);
        code = print_groups(plan, algorithm, stream, error);
        for (int list = 0; code == DUET_OK && list < LISTS; list++) {
            print_list(plan, algorithm, list, rows, stream);
        }
    }
    duet_free(rows);
    if (code == DUET_OK && duet_exact_has_edges(settings->set)) {
        code = duet_exact_print_graphs(plan, stream, error);
    }
    if (targets->count > 0) {
        fprintf(stream, "\npromised:\n");
        duet_claims_print(targets, NULL, 2, stream);
    }
    return code;
}

// As a number; negative: there is none.
static double gap_value(const duet_exact_figures *figures, duet_fraction gap)
{
    return figures->open > 0 && gap.den > 0 ? (double)gap.num / (double)gap.den : -1;
}

static duet_code json_algorithm(const duet_exact_plan *plan, const char *name, duet_cli_json *json,
                                duet_error *error)
{
    duet_exact_limits limits = duet_exact_limits_within(plan->settings.seconds);
    duet_exact_figures figures;
    DUET_TRY(duet_exact_figures_of(plan, duet_exact_is_algorithm, name, &figures, error));
    duet_cli_json_open(json, NULL, '{');
    duet_cli_json_members(json, "algorithm:%s runs:%zu", name, figures.runs);
    duet_cli_json_open(json, "proven_within", '[');
    for (size_t i = 0; i < limits.count; i++) {
        duet_cli_json_object(json, NULL, "seconds:%.3f runs:%zu", limits.seconds[i],
                             figures.within[i]);
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_members(json, "proven:%zu open:%zu failed:%zu median_gap:%.9f largest_gap:%.9f",
                          figures.proven, figures.open, figures.failed,
                          gap_value(&figures, figures.median_gap),
                          gap_value(&figures, figures.largest_gap));
    duet_cli_json_close(json, '}');
    return DUET_OK;
}

duet_code duet_exact_print_json(const duet_exact_plan *plan, const duet_claims *targets,
                                const duet_sweep_plan *sweep, FILE *stream, duet_error *error)
{
    const duet_exact_settings *settings = &plan->settings;
    duet_cli_json json = {stream, 0, true};
    duet_code code = DUET_OK;
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_members(&json, "set:%s narrowed:%d interrupted:%d", settings->set->name,
                          settings->narrowed, plan->summary.interrupted);
    if (sweep->resume) {
        duet_cli_json_members(&json, "resumed:%zu",
                              plan->summary.resumed * settings->algorithm_count);
    }
    if (sweep->shards > 0) {
        duet_cli_json_integer(&json, "shard", (int64_t)sweep->shard);
        duet_cli_json_integer(&json, "shards", (int64_t)sweep->shards);
    }
    duet_cli_json_decimal(&json, "limit", settings->seconds, 3);
    duet_cli_json_integer(&json, "threads", settings->threads);
    duet_cli_json_open(&json, "algorithms", '[');
    for (size_t a = 0; a < settings->algorithm_count && code == DUET_OK; a++) {
        code = json_algorithm(plan, settings->algorithm[a], &json, error);
    }
    duet_cli_json_close(&json, ']');
    duet_claims_json(targets, "promises", "promise", &json);
    duet_cli_json_open(&json, "runs", '[');
    for (size_t r = 0; r < plan->row_count; r++) {
        if (plan->rows[r].outcome != DUET_EXACT_NOT_RUN) {
            duet_cli_json_open(&json, NULL, '{');
            duet_columns_json(duet_exact_columns, &plan->rows[r], &json);
            duet_cli_json_close(&json, '}');
        }
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_close(&json, '}');
    return code;
}
