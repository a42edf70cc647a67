// SPDX-License-Identifier: Apache-2.0
// Figures 2 to 4 as text, JSON and charts.
#include <stdio.h>
#include <string.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "console/print.h"
#include "core/system/try.h"

static const struct {
    const char *title;
    const char *y_label;
    const char *what; // of the chart's file
    const char *format;
} metrics[DUET_NTAKPE_METRICS] = {
    {"makespan in seconds", "makespan (s)", "makespan", "%.1f"},
    {"makespan times peak power, in Gflop", "makespan × peak power (Gflop)", "peak", "%.0f"},
    {"makespan times average power, in Gflop", "makespan × average power (Gflop)", "average",
     "%.0f"},
    {"speed-up over one processor of the fastest cluster", "speed-up", "speedup", "%.2f"},
    {"makespan over average power, in s per Gflop/s", "makespan / average power", "ratio", "%.2f"}};

// A table of means: a row per value of the filter, a column per algorithm.
static void print_means(const duet_paper_study *study, duet_ntakpe_metric metric,
                        duet_paper_filter *filter, FILE *stream)
{
    bool clusters = filter == duet_ntakpe_by_clusters;
    duet_cli_table table;
    duet_cells_begin(&table, "rrrrrr",
                     clusters ? "clusters\tpairs\tCPA\tHCPA\tS-HCPA\tM-HEFT"
                              : "factor\tpairs\tCPA\tHCPA\tS-HCPA\tM-HEFT");
    for (size_t i = 0; i < (clusters ? DUET_NTAKPE_SETS + 1 : DUET_NTAKPE_FACTORS); i++) {
        char factor[16] = "";
        if (!clusters) {
            snprintf(factor, sizeof factor, "%d", duet_ntakpe_factor[i]);
        }
        duet_cells_addf(&table, "%s\t%zu", clusters ? duet_ntakpe_set_name[i] : factor,
                        duet_ntakpe_count((duet_ntakpe_cases){study, filter, i}));
        for (size_t r = 0; r < DUET_NTAKPE_SHOWN; r++) {
            duet_cells_add_positive(
                &table, metrics[metric].format,
                duet_ntakpe_mean((duet_ntakpe_cases){study, filter, i}, r, metric));
        }
    }
    duet_cells_end(&table, 0, stream);
}

// The quotients of figure 3, in the geometric mean.
static const struct {
    const char *key; // of the JSON
    duet_ntakpe_run over, under;
    duet_ntakpe_metric metric;
} figure_3[] = {
    {"hcpa_to_m_heft_makespan", DUET_NTAKPE_HCPA, DUET_NTAKPE_M_HEFT, DUET_NTAKPE_MAKESPAN},
    {"m_heft_to_hcpa_power", DUET_NTAKPE_M_HEFT, DUET_NTAKPE_HCPA, DUET_NTAKPE_POWER}};
enum { QUOTIENTS = sizeof figure_3 / sizeof *figure_3 };

static double figure_3_of(const duet_paper_study *study, size_t set, size_t quotient)
{
    return duet_ntakpe_quotient(duet_ntakpe_on(study, set), figure_3[quotient].over,
                                figure_3[quotient].under, figure_3[quotient].metric);
}

static void print_figure_3(const duet_paper_study *study, FILE *stream)
{
    duet_cli_table table;
    fputs("\nFigure 3: HCPA against M-HEFT, geometric means\n\n", stream);
    duet_cells_begin(&table, "rrr", "clusters\tHCPA/M-HEFT makespan\tM-HEFT/HCPA average power");
    for (size_t s = 0; s <= DUET_NTAKPE_SETS; s++) {
        duet_cli_table_add(&table, duet_ntakpe_set_name[s]);
        for (size_t q = 0; q < QUOTIENTS; q++) {
            duet_cells_add_positive(&table, "%.2f", figure_3_of(study, s, q));
        }
    }
    duet_cells_end(&table, 0, stream);
}

// The same makespans by the size of graphs.
static void print_sizes(const duet_paper_study *study, FILE *stream)
{
    duet_cli_table table;
    fputs("\nNot in the paper: HCPA/M-HEFT makespan by the number of tasks, geometric means\n\n",
          stream);
    duet_cells_begin(&table, "rrrr", "clusters\t10 tasks\t20 tasks\t50 tasks");
    for (size_t s = 0; s <= DUET_NTAKPE_SETS; s++) {
        duet_cli_table_add(&table, duet_ntakpe_set_name[s]);
        for (size_t i = s * DUET_NTAKPE_SIZES; i < (s + 1) * DUET_NTAKPE_SIZES; i++) {
            const duet_ntakpe_cases cases = {study, duet_ntakpe_by_size, i};
            duet_cells_add_positive(&table, "%.2f",
                                    duet_ntakpe_quotient(cases, DUET_NTAKPE_HCPA,
                                                         DUET_NTAKPE_M_HEFT, DUET_NTAKPE_MAKESPAN));
        }
    }
    duet_cells_end(&table, 0, stream);
}

// What the paper does not show either: how far schedules are from the better of the bounds path and
// area.
static void print_others(const duet_paper_study *study, FILE *stream)
{
    enum { PERCENT = 100 };
    duet_cli_table table;
    fputs("\nNot in the paper: geometric means, and S-HCPA against HCPA in % of the pairs\n\n",
          stream);
    duet_cells_begin(&table, "rrrrrr",
                     "clusters\tCPA/HCPA\tHCPA/bound\tM-HEFT/bound\tS-HCPA better\tthe same");
    for (size_t s = 0; s <= DUET_NTAKPE_SETS; s++) {
        const duet_ntakpe_cases cases = duet_ntakpe_on(study, s);
        duet_ntakpe_tally tally = duet_ntakpe_compare(cases, DUET_NTAKPE_S_HCPA, DUET_NTAKPE_HCPA);
        double pairs = tally.cases == 0 ? 1 : (double)tally.cases;
        const double shown[] = {
            duet_ntakpe_quotient(cases, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA, DUET_NTAKPE_MAKESPAN),
            duet_ntakpe_to_bound(cases, DUET_NTAKPE_HCPA),
            duet_ntakpe_to_bound(cases, DUET_NTAKPE_M_HEFT)};
        duet_cli_table_add(&table, duet_ntakpe_set_name[s]);
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
            duet_cells_add_positive(&table, "%.2f", shown[i]);
        }
        duet_cells_addf(&table, "%.1f\t%.1f", PERCENT * (double)tally.shorter / pairs,
                        PERCENT * (double)tally.equal / pairs);
    }
    duet_cells_end(&table, 0, stream);
}

void duet_ntakpe_print(const duet_paper_study *study, FILE *stream)
{
    duet_claims claims;
    for (size_t m = 0; m < DUET_NTAKPE_METRICS; m++) {
        duet_cli_put_own(stream, m == 0 ? "" : "\n");
        duet_cli_print(stream, "Figure 2: %s, means by the number of clusters\n\n",
                       metrics[m].title);
        print_means(study, (duet_ntakpe_metric)m, duet_ntakpe_by_clusters, stream);
    }
    print_figure_3(study, stream);
    for (size_t m = 0; m < DUET_NTAKPE_SPEEDUP; m++) {
        duet_cli_print(stream, "\nFigure 4: %s, means by the heterogeneity of several clusters\n\n",
                       metrics[m].title);
        print_means(study, (duet_ntakpe_metric)m, duet_ntakpe_by_factor, stream);
    }
    print_sizes(study, stream);
    print_others(study, stream);
    duet_ntakpe_claims(study, &claims);
    fputc('\n', stream);
    duet_paper_print_claims(&claims, stream);
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_means(const duet_paper_study *study, duet_paper_filter *filter, size_t value,
                        duet_cli_json *json)
{
    duet_cli_json_integer(json, "pairs",
                          (int64_t)duet_ntakpe_count((duet_ntakpe_cases){study, filter, value}));
    for (size_t r = 0; r < DUET_NTAKPE_SHOWN; r++) {
        duet_cli_json_open(json, study->paper->runs[r].algorithm, '{');
        for (size_t m = 0; m < DUET_NTAKPE_METRICS; m++) {
            duet_cli_json_decimal(json, metrics[m].what,
                                  duet_ntakpe_mean((duet_ntakpe_cases){study, filter, value}, r,
                                                   (duet_ntakpe_metric)m),
                                  6);
        }
        duet_cli_json_close(json, '}');
    }
}

void duet_ntakpe_write_json(const duet_paper_study *study, duet_cli_json *json)
{
    duet_claims claims;
    duet_cli_json_open(json, "clusters", '[');
    for (size_t s = 0; s < DUET_NTAKPE_SETS; s++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_integer(json, "clusters", duet_ntakpe_clusters[s]);
        write_means(study, duet_ntakpe_by_clusters, s, json);
        for (size_t q = 0; q < QUOTIENTS; q++) {
            duet_cli_json_decimal(json, figure_3[q].key, figure_3_of(study, s, q), 6);
        }
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    duet_cli_json_open(json, "heterogeneity", '[');
    for (size_t f = 0; f < DUET_NTAKPE_FACTORS; f++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_integer(json, "factor", duet_ntakpe_factor[f]);
        write_means(study, duet_ntakpe_by_factor, f, json);
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    duet_ntakpe_claims(study, &claims);
    duet_claims_json(&claims, "statements", "statement", json);
}

// --- charts --------------------------------------------------------------------------------------

// The means of a metric as lines over the values of a filter.
static duet_code draw_means(const duet_paper_study *study, int figure, duet_ntakpe_metric metric,
                            const duet_drawing *drawing, duet_error *error)
{
    bool clusters = figure == 2;
    duet_paper_filter *filter = clusters ? duet_ntakpe_by_clusters : duet_ntakpe_by_factor;
    char title[96];
    char what[48];
    const char *y_label = metrics[metric].y_label;
    const char *unit = strstr(y_label, " (");
    snprintf(title, sizeof title, "%.*s (N'Takpe, Suter 2006, figure %d)",
             (int)(unit == NULL ? strlen(y_label) : (size_t)(unit - y_label)), y_label, figure);
    snprintf(what, sizeof what, "hcpa-figure%d-%s", figure, metrics[metric].what);
    duet_plot plot = {.chart = {.title = title,
                                .x_label = clusters ? "clusters" : "heterogeneity factor",
                                .y_label = y_label,
                                .linear_x = true,
                                .linear_y = true}};
    for (size_t r = 0; r < DUET_NTAKPE_SHOWN; r++) {
        duet_plot_line(&plot, (int)r, 0, "%s", duet_ntakpe_label[r]);
        for (size_t i = 0; i < (clusters ? DUET_NTAKPE_SETS : DUET_NTAKPE_FACTORS); i++) {
            duet_plot_add(&plot, clusters ? duet_ntakpe_clusters[i] : duet_ntakpe_factor[i],
                          duet_ntakpe_mean((duet_ntakpe_cases){study, filter, i}, r, metric));
        }
    }
    return duet_plot_draw(&plot, what, drawing, error);
}

static duet_code draw_figure_3(const duet_paper_study *study, const duet_drawing *drawing,
                               duet_error *error)
{
    static const char *const labels[QUOTIENTS] = {"HCPA/M-HEFT makespan",
                                                  "M-HEFT/HCPA average power"};
    duet_plot plot = {.chart = {.title = "HCPA against M-HEFT (N'Takpe, Suter 2006, figure 3)",
                                .x_label = "clusters",
                                .y_label = "geometric mean",
                                .linear_x = true,
                                .linear_y = true}};
    for (size_t q = 0; q < QUOTIENTS; q++) {
        duet_plot_line(&plot, (int)q, 0, "%s", labels[q]);
        for (size_t s = 0; s < DUET_NTAKPE_SETS; s++) {
            duet_plot_add(&plot, duet_ntakpe_clusters[s], figure_3_of(study, s, q));
        }
    }
    return duet_plot_draw(&plot, "hcpa-figure3", drawing, error);
}

duet_code duet_ntakpe_draw(const duet_paper_study *study, const duet_drawing *drawing,
                           duet_error *error)
{
    for (size_t m = 0; m < DUET_NTAKPE_METRICS; m++) {
        DUET_TRY(draw_means(study, 2, (duet_ntakpe_metric)m, drawing, error));
    }
    DUET_TRY(draw_figure_3(study, drawing, error));
    for (size_t m = 0; m < DUET_NTAKPE_SPEEDUP; m++) {
        DUET_TRY(draw_means(study, 4, (duet_ntakpe_metric)m, drawing, error));
    }
    return DUET_OK;
}

const duet_paper_picture duet_ntakpe_pictures[] = {
    {"hcpa-figure2-makespan", "mean makespans by clusters"},
    {"hcpa-figure2-average", "makespan times average power by clusters"},
    {"hcpa-figure3", "HCPA against M-HEFT by clusters"},
    {"hcpa-figure4-makespan", "mean makespans by heterogeneity"},
    {NULL, NULL}};
