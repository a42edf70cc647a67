// SPDX-License-Identifier: Apache-2.0
// What `duet bench exact --set graphs` shows: for each task graph the best bound and the shortest
// schedule, between which the optimum is, and how far each algorithm's schedule is above both; the
// gaps of each algorithm above the best bounds, in the mean; and a chart of the gap over the size.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/exact/exact.h"
#include "bench/run/columns.h"
#include "bench/run/statistics.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/kernels/factorisation.h"

// Of the runs on one instance, `rows[0 .. count-1]`, those with the largest bound and with the
// shortest schedule; NULL: none.
typedef struct best_runs {
    const duet_exact_row *bound, *schedule;
} best_runs;

static best_runs best_of(const duet_exact_row *rows, size_t count)
{
    best_runs best = {NULL, NULL};
    for (const duet_exact_row *row = rows; row < rows + count; row++) {
        bool counts = duet_exact_has_schedule(row) && !row->faulty;
        if (counts && (best.bound == NULL || row->bound > best.bound->bound)) {
            best.bound = row;
        }
        if (counts && (best.schedule == NULL || row->makespan < best.schedule->makespan)) {
            best.schedule = row;
        }
    }
    return best;
}

// How far a run is above a bound; 1/0 where it has no schedule.
static duet_fraction gap_above(const duet_exact_row *row, int64_t bound)
{
    duet_exact_row against = *row;
    against.bound = bound;
    return duet_exact_has_schedule(row) ? duet_exact_gap(&against) : (duet_fraction){1, 0};
}

static void add_ticks(duet_cli_table *table, int64_t ticks, int64_t decimals)
{
    duet_cells_addf(table, "%.2f", (double)ticks / pow(10, (double)decimals));
}

// How far a run is above the optimum, at least and at most.
static void add_range(duet_cli_table *table, const duet_exact_row *row, int64_t least, int64_t most)
{
    duet_fraction low = gap_above(row, most);
    duet_fraction high = gap_above(row, least);
    if (low.den == 0 || high.den == 0) {
        duet_cli_table_add(table, "-");
    } else {
        duet_cells_addf(table, "%.1f to %.1f %%", 100.0 * (double)low.num / (double)low.den,
                        100.0 * (double)high.num / (double)high.den);
    }
}

static void add_case(const duet_exact_plan *plan, size_t index, duet_cli_table *table)
{
    size_t count = plan->settings.algorithm_count;
    const duet_exact_row *rows = &plan->rows[index * count];
    const best_runs runs = best_of(rows, count);
    const duet_exact_row *best = runs.bound;
    const duet_exact_row *shortest = runs.schedule;
    char text[96];
    if (best == NULL) {
        return;
    }
    duet_cli_table_add(table, duet_exact_label(&rows[0], text, sizeof text));
    duet_cells_addf(table, "%" PRId64, rows[0].tasks);
    add_ticks(table, best->bound, best->decimals);
    duet_cli_table_add(table, best->bound_name);
    add_ticks(table, shortest->makespan, shortest->decimals);
    duet_cli_table_add(table, duet_exact_format_gap(gap_above(shortest, best->bound), text));
    for (size_t a = 0; a < count; a++) {
        add_range(table, &rows[a], best->bound, shortest->makespan);
    }
}

static void print_cases(const duet_exact_plan *plan, FILE *stream)
{
    enum { HEADS = 6, MOST = DUET_CLI_MAX_COLUMNS - HEADS };
    size_t count = plan->settings.algorithm_count;
    char letters[DUET_CLI_MAX_COLUMNS + 1] = "lrrlrrrrrrrr";
    if (count > MOST) {
        return; // the other tables have them all
    }
    letters[HEADS + count] = '\0';
    duet_cli_table table;
    duet_cells_begin(&table, letters, "\ttasks\tbound\tby\tmakespan\tgap");
    duet_cells_add(&table, plan->settings.algorithm, count);
    for (size_t c = 0; c < plan->case_count; c++) {
        add_case(plan, c, &table);
    }
    fprintf(stream, "\nthe optimum is between bound and makespan; how far each is above it:\n");
    duet_cells_end(&table, 2, stream);
}

// The gaps of an algorithm above the best bound of each instance; returns how many.
static size_t find_gaps(const duet_exact_plan *plan, size_t algorithm, duet_fraction *gaps)
{
    size_t count = 0;
    for (size_t c = 0; c < plan->case_count; c++) {
        const duet_exact_row *rows = &plan->rows[c * plan->settings.algorithm_count];
        const duet_exact_row *best = best_of(rows, plan->settings.algorithm_count).bound;
        if (best != NULL && !rows[algorithm].faulty) {
            gaps[count] = gap_above(&rows[algorithm], best->bound);
            count += gaps[count].den > 0;
        }
    }
    return count;
}

// Their mean, their median (of two the upper) and the largest.
static void add_gaps(duet_cli_table *table, duet_fraction *gaps, size_t count)
{
    double sum = 0;
    char text[48];
    duet_sort_fractions(gaps, count);
    for (size_t i = 0; i < count; i++) {
        sum += 100.0 * (double)gaps[i].num / (double)gaps[i].den;
    }
    duet_cells_addf(table, "%zu", count);
    if (count == 0) {
        duet_cells_addf(table, "-\t-\t-");
        return;
    }
    duet_cells_addf(table, "%.4f %%", sum / (double)count);
    duet_cli_table_add(table, duet_exact_format_gap(gaps[count / 2], text));
    duet_cli_table_add(table, duet_exact_format_gap(gaps[count - 1], text));
}

static duet_code print_gaps(const duet_exact_plan *plan, FILE *stream, duet_error *error)
{
    duet_fraction *gaps = duet_alloc(plan->case_count, sizeof *gaps, error);
    DUET_NEED(gaps);
    duet_cli_table table;
    duet_cells_begin(&table, "lrrrr", "\tinstances\tmean gap\tmedian gap\tlargest gap");
    for (size_t a = 0; a < plan->settings.algorithm_count; a++) {
        duet_cli_table_add(&table, plan->settings.algorithm[a]);
        add_gaps(&table, gaps, find_gaps(plan, a, gaps));
    }
    fprintf(stream, "\nhow far each is above the best bounds:\n");
    duet_cells_end(&table, 2, stream);
    duet_free(gaps);
    return DUET_OK;
}

duet_code duet_exact_print_graphs(const duet_exact_plan *plan, FILE *stream, duet_error *error)
{
    print_cases(plan, stream);
    return print_gaps(plan, stream, error);
}

// --- chart ---------------------------------------------------------------------------------------

// The gaps of one family on one platform over the size, in percent. Those that are closed are left
// out: a logarithmic axis has no place for them.
static void plot_gaps(const duet_exact_plan *plan, size_t family, size_t platform, duet_plot *plot)
{
    static const double least = 1e-4;
    const duet_exact_settings *s = &plan->settings;
    bool begun = false;
    for (size_t c = 0; c < plan->case_count; c++) {
        const duet_exact_row *rows = &plan->rows[c * s->algorithm_count];
        const duet_exact_case *origin = &plan->cases[c];
        const duet_exact_row *best = best_of(rows, s->algorithm_count).bound;
        bool belongs = strcmp(origin->name, s->family[family]) == 0 &&
                       origin->m == s->m[platform] && origin->k == s->k[platform];
        if (!belongs || best == NULL || !duet_exact_has_schedule(&rows[0])) {
            continue;
        }
        duet_fraction gap = gap_above(&rows[0], best->bound);
        double percent = gap.den > 0 ? 100.0 * (double)gap.num / (double)gap.den : 0.0;
        if (percent > least && !begun) {
            begun = duet_plot_line(plot, (int)family, (int)platform, "%s (%" PRId64 ",%" PRId64 ")",
                                   s->family[family], s->m[platform], s->k[platform]);
        }
        if (percent > least && begun) {
            duet_plot_add(plot, (double)origin->size, percent);
        }
    }
}

duet_code duet_exact_chart_graphs(const duet_exact_plan *plan, const duet_drawing *drawing,
                                  duet_error *error)
{
    const duet_exact_settings *s = &plan->settings;
    char title[96];
    snprintf(title, sizeof title, "Task graphs: gap of %s after %g s", s->algorithm[0], s->seconds);
    duet_plot plot = {
        .chart = {.title = title, .x_label = "tiles", .y_label = "makespan above the bound, %"}};
    for (size_t f = 0; f < s->family_count; f++) {
        if (duet_factorisation_of_family(s->family[f]) == NULL) {
            plot.chart.x_label = "tiles (layered, narrow: a tenth of the tasks)";
        }
        for (size_t p = 0; p < s->platform_count; p++) {
            plot_gaps(plan, f, p, &plot);
        }
    }
    return duet_plot_draw(&plot, "gap", drawing, error);
}
